// <wk-widget>: a panel that is complete as HTML, and computes anew with what a reader enters.
//
// Its states are in data-state: static (nothing was loaded), loading, computing, ready, failed.

import { AddressWriter, readEntries } from "./address.mjs";
import { FieldControl } from "./fields.mjs";
import { Failure, python, Superseded } from "./python.mjs";

/** @typedef {import("./fields.mjs").Field} Field */
/** @typedef {{ok: boolean, errors: Record<string, string>, error: string, html: Record<string, string>,
 *   off: string[], missing?: string, outputs: Record<string, {text: string}>}} Result */

const INTENTS = ["pointerenter", "touchstart", "focusin", "input"];
const SPEAK_MS = 1000;

class WorkingsWidget extends HTMLElement {
  connectedCallback() {
    if (this.fields) return this.listen();
    const script = this.querySelector("script.wk-declaration");
    if (!script?.textContent) return;
    this.declaration = script.textContent;
    const { inputs } = /** @type {{inputs: Field[]}} */ (JSON.parse(this.declaration));
    /** @type {Map<string, FieldControl>} */ this.fields = new Map();
    for (const field of inputs) {
      const place = /** @type {HTMLElement} */ (this.querySelector(`[data-field="${field.id}"]`));
      this.fields.set(field.id, new FieldControl(field, place));
    }
    /** @type {Map<string, Element>} */ this.parts = new Map();
    for (const part of this.querySelectorAll("[data-part]")) {
      this.parts.set(/** @type {HTMLElement} */ (part).dataset.part ?? "", part);
    }
    /** @type {Map<string, string>} */ this.published = new Map();
    /** @type {Map<string, string>} */ this.showing = new Map();
    for (const [name, part] of this.parts) this.published.set(name, part.innerHTML);
    this.address = new AddressWriter(this.dataset.panel ?? "");
    this.find("fieldset").disabled = false;
    this.find(".wk-reset").hidden = false;
    this.listen();
    if (this.restore()) this.compute();
  }

  disconnectedCallback() {
    this.address?.cancel();
    this.listening?.abort();
    clearTimeout(this.speaking);
  }

  /** @param {string} selector @returns {any} */
  find(selector) {
    return this.querySelector(selector);
  }

  listen() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    const form = this.find("form");
    form.addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault(), { signal });
    form.addEventListener("input", (/** @type {Event} */ event) => this.entered(event), { signal });
    form.addEventListener("reset", (/** @type {Event} */ event) => this.reset(event), { signal });
    this.find(".wk-retry").addEventListener("click", () => this.compute(), { signal });
    python.addEventListener("status", () => this.follow(), { signal });
    for (const intent of INTENTS) {
      this.addEventListener(intent, () => this.intend(intent), { signal, passive: true, once: true });
    }
    this.follow();
  }

  /** @param {string} intent */
  intend(intent) {
    const connection = /** @type {any} */ (navigator).connection;
    if (intent === "pointerenter" && connection?.saveData) return;
    if (this.dataset.state === "static") this.compute();
  }

  /** @param {Event} event */
  entered(event) {
    for (const field of this.fields?.values() ?? []) {
      if (event.target !== field.control) continue;
      field.moveSlider();
      this.fill(field);
    }
    this.compute();
  }

  /**
   * Choosing a preset fills other fields.
   * @param {FieldControl} preset
   */
  fill(preset) {
    const filled = preset.field.fills?.[String(preset.entry)] ?? {};
    for (const [name, value] of Object.entries(filled)) {
      const field = this.fields?.get(name);
      if (field) field.entry = value;
    }
  }

  /** The published results are those of the defaults, so they are back at once. @param {Event} event */
  reset(event) {
    event.preventDefault();
    for (const field of this.fields?.values() ?? []) {
      field.entry = field.field.default;
      field.complain();
    }
    for (const [name, html] of this.published ?? []) this.show(name, html);
    if (this.dataset.state === "static") this.address?.write({});
    else this.compute();
  }

  /** Puts the address's entries into the fields. @returns {boolean} whether there were any */
  restore() {
    const entries = Object.entries(readEntries(this.dataset.panel ?? ""));
    const presets = entries.filter(([name]) => this.fields?.get(name)?.field.type === "preset");
    for (const [name, entry] of [...presets, ...entries]) {
      const field = this.fields?.get(name);
      if (!field) continue;
      if (field.field.type !== "preset" || field.entry !== entry) {
        field.entry = Number.isFinite(Number(entry)) && entry.trim() ? Number(entry) : entry;
        this.fill(field);
      }
    }
    return entries.some(([name]) => this.fields?.has(name));
  }

  /** The entries that differ from what the panel, or the chosen preset, starts with. */
  changed() {
    /** @type {Record<string, unknown>} */ const start = {};
    for (const { field } of this.fields?.values() ?? []) start[field.id] = field.default;
    for (const preset of this.fields?.values() ?? []) {
      if (preset.field.type === "preset" && !preset.holds(preset.field.default)) {
        Object.assign(start, preset.field.fills?.[String(preset.entry)]);
      }
    }
    /** @type {Record<string, string>} */ const found = {};
    for (const [name, field] of this.fields ?? []) {
      const from = /** @type {import("./fields.mjs").Value} */ (start[name]);
      const ofPreset = field.field.type === "preset" ? field.field.default : from;
      if (!field.holds(ofPreset)) found[name] = field.plain;
    }
    return found;
  }

  async compute() {
    this.address?.write(this.changed());
    const { patienceMs, limitMs, lesson = "", panel = "" } = this.dataset;
    if (patienceMs) python.limits.patience = Number(patienceMs);
    if (limitMs) python.limits.call = Number(limitMs);
    python.start(this.runtime, lesson);
    this.waits = true;
    this.state(python.status.state === "ready" ? "computing" : "loading");
    this.serial = (this.serial ?? 0) + 1;
    const { serial } = this;
    const inputs = Object.fromEntries([...(this.fields ?? [])].map(([name, field]) => [name, field.entry]));
    try {
      const request = { lesson, panel, declaration: this.declaration ?? "", inputs };
      // Values first: they come in a third of the time that their formulas take.
      for (const formulas of [false, true]) {
        const answer = await python.ask({ ...request, formulas });
        const result = /** @type {Result} */ (JSON.parse(answer));
        if (result.missing && !python.whole) {
          python.useWholeLibrary();
          return this.compute();
        }
        this.apply(result);
        if (formulas || !result.ok) return this.finish(result, serial);
      }
    } catch (error) {
      if (error instanceof Superseded) return;
      if (!(error instanceof Failure)) throw error;
      this.state("failed", error.message);
    }
  }

  /** The address of the runtime's folder, which lies beside the folder of this script. */
  get runtime() {
    const assets = import.meta.url.slice(0, import.meta.url.lastIndexOf("/assets/") + "/assets/".length);
    return `${assets}${this.dataset.runtime}/`;
  }

  /** @param {Result} result */
  apply(result) {
    for (const [name, field] of this.fields ?? []) {
      field.complain(result.errors[name]);
      field.turn(result.off.includes(name));
    }
    for (const [name, html] of Object.entries(result.html)) this.show(name, html);
    const error = this.find(".wk-error");
    error.textContent = result.error;
    error.hidden = !result.error;
    this.toggleAttribute("data-invalid", !result.ok);
  }

  /**
   * Everything shown belongs to the present entries, unless there are newer ones already.
   * @param {Result} result
   * @param {number} serial
   */
  finish(result, serial) {
    if (serial !== this.serial) return;
    this.dataset.library = python.whole ? "whole" : "cut";
    this.state("ready");
    this.speak(result);
  }

  /**
   * @param {string} name
   * @param {string} html made by workings.widgets.parts, where every text is escaped
   */
  show(name, html) {
    const part = this.parts?.get(name);
    if (!part || this.showing?.get(name) === html) return;
    part.innerHTML = html;
    this.showing?.set(name, html);
  }

  /** Shows how far the loading is, where this panel waits for it. */
  follow() {
    const { state, got, total } = python.status;
    if (!this.waits || state !== "loading") return;
    this.state(
      "loading",
      total ? `Loading Python: ${megabytes(got)} of ${megabytes(total)} MB` : "Loading Python",
    );
    const bar = this.find(".wk-progress");
    bar.max = total || 1;
    bar.value = got;
  }

  /**
   * @param {string} state
   * @param {string} [said]
   */
  state(state, said = "") {
    this.dataset.state = state;
    if (state === "ready" || state === "failed") this.waits = false;
    this.find(".wk-progress").hidden = state !== "loading";
    this.find(".wk-retry").hidden = state !== "failed";
    this.find(".wk-results").setAttribute("aria-busy", String(state === "loading" || state === "computing"));
    const kept =
      state === "failed" ? `${said} The results on screen are the last ones that were computed.` : said;
    if (said && state === "loading") this.tell(kept);
    else if (state !== "computing") this.find(".wk-status").textContent = kept;
  }

  /** Loading says how far it is once a second, so that a screen reader is not flooded. @param {string} text */
  tell(text) {
    const now = performance.now();
    if (now - (this.told ?? -SPEAK_MS) < SPEAK_MS) return;
    this.told = now;
    this.find(".wk-status").textContent = text;
  }

  /** Says the first result once the reader pauses. @param {Result} result */
  speak(result) {
    clearTimeout(this.speaking);
    const first = this.find(".wk-output");
    const [output] = Object.values(result.outputs);
    const problems = [...Object.values(result.errors), result.error].filter(Boolean);
    const label = first?.querySelector("dt")?.firstChild?.textContent ?? "";
    const text = problems.length ? problems.join(" ") : output ? `${label}: ${output.text}` : "Computed.";
    this.speaking = setTimeout(() => {
      if (this.dataset.state === "ready") this.find(".wk-status").textContent = text;
    }, SPEAK_MS);
  }
}

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

if (!customElements.get("wk-widget")) customElements.define("wk-widget", WorkingsWidget);
