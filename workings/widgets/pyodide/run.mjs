// Runs one Python program inside Pyodide under Node: `node run.mjs JOB.json`.
//
// The job says where the runtime lies (`index`), which standard library (`stdlib`), which wheels (`wheels`)
// or which packages of a lock (`packages`, `lock`) to load, which folders the program sees (`mounts`),
// Python's own flags (`flags`), and the program (`program`, a file). What its function `main()` returns,
// a text, is printed; everything else that it says goes to stderr.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const say = (text) => process.stderr.write(`${text}\n`);

async function run() {
  const { loadPyodide } = await import(pathToFileURL(`${job.index}/pyodide.mjs`).href);
  const python = await loadPyodide({
    indexURL: job.index,
    env: job.env,
    args: job.flags,
    stdout: say,
    stderr: say,
    ...(job.lock && { lockFileContents: job.lock, packages: job.packages, packageCacheDir: job.index }),
    ...(job.stdlib && { stdLibURL: pathToFileURL(job.stdlib).href }),
  });
  for (const [place, folder] of Object.entries(job.mounts)) {
    python.FS.mkdirTree(place);
    python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, place);
  }
  await python.loadPackage(job.wheels, { messageCallback: say, errorCallback: say });
  const names = python.toPy({ __name__: "job" });
  python.runPython(readFileSync(job.program, "utf8"), { globals: names, filename: job.program });
  return python.runPython("main()", { globals: names });
}

try {
  process.stdout.write(await run());
} catch (error) {
  // Node would print the line that threw, and a line of Pyodide's is a million characters long.
  say(error.message);
  process.exitCode = 1;
}
