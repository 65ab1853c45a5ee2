// The one worker of a visit: starts Python from the site's own files, then answers requests in order.
//
// In: {type: "start", base, manifest, lesson, whole, patience}, {type: "call", id, lesson, text}.
// Out: {type: "progress", got, total}, {type: "ready"}, {type: "failed", reason, missing},
//      {type: "answer", id, text}, {type: "error", id, reason}.

import { Downloads } from "./downloads.mjs";

/** @typedef {{engine: string, python: string, files: Record<string, {bytes: number, integrity: string}>,
 *   lessons: Record<string, {package: string}>, lock: {packages: Record<string, {file_name: string}>}}} Manifest */

const EXECUTED = ["pyodide.mjs", "pyodide.asm.mjs"];

/** @type {any} */ let python;
/** @type {(text: string) => string} */ let handle;
/** @type {Manifest} */ let manifest;
/** @type {Downloads} */ let downloads;
const loaded = new Set();

/** @param {any} message */
const send = (message) => self.postMessage(message);

/** @param {unknown} error */
function told(error) {
  const text = String(/** @type {any} */ (error)?.message ?? error).trim();
  const lines = text.split("\n");
  return /Traceback/.test(lines[0]) ? lines[lines.length - 1] : lines[0];
}

/** @param {string} name */
const fileOf = (name) => manifest.lock.packages[name].file_name;

/** @param {{base: string, manifest: Manifest, lesson: string, whole: boolean, patience: number}} order */
async function start(order) {
  manifest = order.manifest;
  const library = order.whole ? "stdlib-whole.zip" : "stdlib.zip";
  const packages = [manifest.engine, manifest.lessons[order.lesson].package];
  const fetched = ["pyodide.asm.wasm", library, ...packages.map(fileOf)];
  downloads = new Downloads(order.base, manifest.files, order.patience, (got, total) =>
    send({ type: "progress", got, total }),
  );
  downloads.begin(fetched, EXECUTED);
  // pyodide.mjs asks for pyodide.asm.mjs only once it runs: asking for both now saves a round trip.
  const imports = EXECUTED.map((name) =>
    import(order.base + name).then((module) => {
      downloads.executed(name);
      return module;
    }),
  );
  const booted = Promise.all(imports).then(([{ loadPyodide }]) =>
    loadPyodide({
      indexURL: order.base,
      packageBaseUrl: order.base,
      stdLibURL: order.base + library,
      lockFileContents: manifest.lock,
      packages,
      env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
      stdout: () => {},
      stderr: () => {},
    }),
  );
  python = await Promise.race([downloads.failed, booted]);
  // loadPyodide resolves even where a package did not load, so what counts is that it can be imported.
  handle = python.pyimport("workings.widgets.live").handle;
  for (const name of packages) loaded.add(name);
  downloads.end();
}

/** @param {string} lesson */
async function need(lesson) {
  const name = manifest.lessons[lesson].package;
  if (loaded.has(name)) return;
  downloads.begin([fileOf(name)], []);
  await python.loadPackage([name], { messageCallback: () => {}, errorCallback: () => {} });
  loaded.add(name);
}

/** @type {Record<string, (data: any) => Promise<void>>} */
const orders = {
  async start(order) {
    try {
      await start(order);
      send({ type: "ready" });
    } catch (error) {
      send({ type: "failed", reason: told(error), missing: /ModuleNotFoundError/.test(String(error)) });
    }
  },
  async call({ id, lesson, text }) {
    try {
      await need(lesson);
      send({ type: "answer", id, text: handle(text) });
    } catch (error) {
      send({ type: "error", id, reason: told(error) });
    }
  },
};

// One order after the other: a call never meets a half-loaded lesson.
let last = Promise.resolve();
self.onmessage = ({ data }) => {
  last = last.then(() => orders[data.type](data));
};
