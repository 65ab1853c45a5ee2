// Python for the page: one worker a visit, shared by everything that asks; the latest request wins.

/** @typedef {{lesson: string, panel: string, declaration: string, inputs: Record<string, unknown>,
 *   formulas: boolean}} Request `declaration` is the panel's JSON as a text */
/** @typedef {{resolve: (text: string) => void, reject: (error: Error) => void}} Waiting */
/** @typedef {Waiting & Request} Pending */
/** @typedef {{state: "idle" | "loading" | "ready" | "failed", got: number, total: number, reason: string}} Status */

export class Superseded extends Error {}

/** A failure after which another try may help; the message is a sentence for the reader. */
export class Failure extends Error {}

const LIMITS = { patience: 60_000, call: 5_000 };

class Python extends EventTarget {
  /** @type {Worker | null} */ #worker = null;
  /** @type {Map<string, Pending>} */ #pending = new Map();
  /** @type {(Pending & {key: string, id: number, timer?: number}) | null} */ #flying = null;
  #serial = 0;
  /** Panels that the present worker knows already. @type {Set<string>} */ #known = new Set();
  #base = "";
  #lesson = "";
  #whole = false;
  limits = { ...LIMITS };
  /** @type {Status} */ status = { state: "idle", got: 0, total: 0, reason: "" };

  /** Whether the whole standard library had to be loaded, since the cut one lacked a module. */
  get whole() {
    return this.#whole;
  }

  /**
   * Starts loading, unless that has been done.
   * @param {string} base address of the runtime's folder, with a slash at the end
   * @param {string} lesson the lesson whose code is loaded with it
   */
  start(base, lesson) {
    if (this.#base !== base) this.#stop();
    if (this.status.state === "loading" || this.status.state === "ready") return;
    this.#base = base;
    this.#lesson = lesson;
    this.#begin();
  }

  /**
   * The answer to a request. A newer one for the same panel takes its place: `Superseded`.
   * @param {Request} request
   * @returns {Promise<string>}
   */
  ask(request) {
    const key = `${request.lesson}/${request.panel}`;
    this.#pending.get(key)?.reject(new Superseded());
    return new Promise((resolve, reject) => {
      this.#pending.set(key, { ...request, resolve, reject });
      this.#next();
    });
  }

  /** Loads again with all of the standard library. */
  useWholeLibrary() {
    this.#stop();
    this.#whole = true;
    this.#begin();
  }

  /** @param {Partial<Status>} status */
  #tell(status) {
    this.status = { ...this.status, ...status };
    this.dispatchEvent(new Event("status"));
  }

  async #begin() {
    this.#tell({ state: "loading", got: 0, total: 0, reason: "" });
    if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
      return this.#fail("this browser has no WebAssembly or no workers, which Python needs");
    }
    this.#known.clear();
    const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#worker === worker && this.#heard(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.#fail("the script that runs Python could not be loaded");
    };
    try {
      const answer = await fetch(`${this.#base}manifest.json`);
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      const order = { base: this.#base, manifest: await answer.json(), patience: this.limits.patience };
      worker.postMessage({ type: "start", lesson: this.#lesson, whole: this.#whole, ...order });
    } catch (error) {
      const why = /** @type {Error} */ (error).message;
      if (this.#worker === worker) this.#fail(`the file manifest.json could not be loaded (${why})`);
    }
  }

  /** @param {any} data */
  #heard(data) {
    if (data.type === "progress") this.#tell({ got: data.got, total: data.total });
    else if (data.type === "ready") {
      this.#tell({ state: "ready" });
      this.#next();
    } else if (data.type === "failed") {
      if (data.missing && !this.#whole) this.useWholeLibrary();
      else this.#fail(data.reason);
    } else if (this.#flying?.id === data.id) {
      const { resolve, reject, timer } = this.#flying;
      clearTimeout(timer);
      this.#flying = null;
      if (data.type === "answer") resolve(data.text);
      else if (fatal(data.reason)) return this.#fail(data.reason, reject);
      else reject(new Failure(sentence(data.reason)));
      this.#next();
    }
  }

  #next() {
    const [key] = this.#pending.keys();
    if (this.status.state !== "ready" || this.#flying || key === undefined || !this.#worker) return;
    const pending = /** @type {Pending} */ (this.#pending.get(key));
    this.#pending.delete(key);
    this.#serial += 1;
    this.#flying = { ...pending, key, id: this.#serial };
    this.#flying.timer = setTimeout(() => this.#expired(), this.limits.call);
    const { lesson, panel, declaration, inputs, formulas } = pending;
    const head = JSON.stringify({ lesson, panel, inputs, formulas }).slice(0, -1);
    const text = this.#known.has(key) ? `${head}}` : `${head},"declaration":${declaration}}`;
    this.#known.add(key);
    this.#worker.postMessage({ type: "call", id: this.#serial, lesson, text });
  }

  /** Python cannot be interrupted from outside, so the worker ends and a new one starts. */
  #expired() {
    const flying = this.#flying;
    this.#flying = null;
    const seconds = Math.round(this.limits.call / 1000);
    flying?.reject(new Failure(`This took longer than ${seconds} seconds and was stopped.`));
    this.#worker?.terminate();
    this.#begin();
  }

  #stop() {
    this.#worker?.terminate();
    this.#worker = null;
    if (this.#flying) {
      clearTimeout(this.#flying.timer);
      if (!this.#pending.has(this.#flying.key)) this.#pending.set(this.#flying.key, this.#flying);
      else this.#flying.reject(new Superseded());
      this.#flying = null;
    }
    this.#tell({ state: "idle" });
  }

  /**
   * @param {string} reason
   * @param {(error: Error) => void} [reject] of the request that it happened to
   */
  #fail(reason, reject) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#tell({ state: "failed", reason: sentence(reason) });
    const failure = new Failure(sentence(reason));
    reject?.(failure);
    for (const pending of this.#pending.values()) pending.reject(failure);
    this.#pending.clear();
  }
}

/** @param {string} reason */
function fatal(reason) {
  return /fatal|memory|unreachable|RuntimeError: |already failed/i.test(reason);
}

/** @param {string} reason */
function sentence(reason) {
  if (/memory/i.test(reason)) return "Python could not go on: the browser has not enough memory for it.";
  return `Python could not run here: ${reason}.`;
}

export const python = new Python();
