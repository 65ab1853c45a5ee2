// Downloads of the runtime inside the worker: checked by hash, counted in bytes, and never hanging.
//
// Pyodide fetches by itself and swallows what goes wrong, so that loading would wait for ever on a
// missing file. Its requests for files of the manifest end here instead.

/** @typedef {{bytes: number, integrity: string}} File */

const EVERY_MS = 50;

export class Downloads {
  /**
   * @param {string} base the runtime's folder, with a slash at the end
   * @param {Record<string, File>} files
   * @param {number} patience milliseconds without any progress until it counts as failed
   * @param {(got: number, total: number) => void} report
   */
  constructor(base, files, patience, report) {
    this.base = base;
    this.files = files;
    this.patience = patience;
    this.report = report;
    this.got = 0;
    this.total = 0;
    this.reported = 0;
    /** @type {Map<string, Promise<Response>>} */ this.begun = new Map();
    /** @type {Promise<never>} */
    this.failed = new Promise((_, reject) => {
      this.fail = reject;
    });
    this.failed.catch(() => {});
    this.native = self.fetch.bind(self);
    self.fetch = (target, options) => this.fetch(target, options);
    this.watchInstantiation();
    this.waitOn();
  }

  /**
   * Starts fetching files before Pyodide asks for them.
   * @param {string[]} fetched
   * @param {string[]} executed files that the browser loads as modules; they count once they are there
   */
  begin(fetched, executed) {
    for (const name of [...fetched, ...executed]) this.total += this.files[name].bytes;
    for (const name of fetched) {
      const response = this.get(name);
      response.catch(() => {});
      this.begun.set(this.base + name, response);
    }
  }

  /** @param {string} name */
  executed(name) {
    this.count(this.files[name].bytes);
  }

  /** Python runs: nothing is waited for any more. */
  end() {
    clearTimeout(this.timer);
    this.ended = true;
  }

  /**
   * @param {RequestInfo | URL} target
   * @param {RequestInit} [options]
   */
  fetch(target, options) {
    const address = String(/** @type {any} */ (target).url ?? target);
    const begun = this.begun.get(address);
    this.begun.delete(address);
    return begun ?? this.native(target, options);
  }

  /** @param {string} name */
  async get(name) {
    const { integrity } = this.files[name];
    try {
      const response = await this.native(this.base + name, { integrity });
      if (!response.ok) throw new Error(`HTTP status ${response.status}`);
      this.countBody(response.clone());
      return withType(response, name);
    } catch (error) {
      // A missing file, one with other bytes and a broken line look alike to a script.
      const why =
        /** @type {Error} */ (error).name === "TypeError" ? "or is not the one that belongs here" : error;
      const reason = new Error(`the file ${name} could not be loaded, ${why}`);
      this.fail(reason);
      throw reason;
    }
  }

  /** @param {Response} response */
  async countBody(response) {
    try {
      const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read())
        this.count(part.value.length);
    } catch {
      // Whoever uses the response meets the same error, and says so.
    }
  }

  /** @param {number} bytes */
  count(bytes) {
    this.got += bytes;
    this.waitOn();
    const now = performance.now();
    if (now - this.reported < EVERY_MS && this.got < this.total) return;
    this.reported = now;
    this.report(this.got, this.total);
  }

  waitOn() {
    clearTimeout(this.timer);
    if (this.ended) return;
    const seconds = Math.round(this.patience / 1000);
    this.timer = setTimeout(
      () => this.fail(new Error(`nothing happened for ${seconds} seconds`)),
      this.patience,
    );
  }

  watchInstantiation() {
    for (const name of /** @type {const} */ (["instantiateStreaming", "instantiate"])) {
      const native = /** @type {any} */ (WebAssembly)[name];
      if (!native) continue;
      /** @param {any[]} args */
      const watched = (...args) => {
        const made = native.apply(WebAssembly, args);
        made.catch(this.fail);
        return made;
      };
      /** @type {any} */ (WebAssembly)[name] = watched;
    }
  }
}

/**
 * The response with the type that the browser insists on, for hosts that do not know .wasm.
 * @param {Response} response
 * @param {string} name
 */
function withType(response, name) {
  if (!name.endsWith(".wasm") || response.headers.get("content-type")?.startsWith("application/wasm")) {
    return response;
  }
  return new Response(response.body, { headers: { "content-type": "application/wasm" } });
}
