// The fields of a panel: what they hold, sliders beside them, presets that fill them, errors under them.

/** @typedef {string | number | boolean | null} Value */
/** @typedef {{id: string, type: string, label: string, default: Value, unit?: string, min?: number,
 *   max?: number, step?: number, scale?: string, slider?: boolean,
 *   fills?: Record<string, Record<string, Value>>}} Field */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

const STEPS_PER_DOUBLING = 8;

/**
 * A value as readers see it; the same as workings.widgets.texts.show gives for it.
 * @param {Value} value
 */
export function shown(value) {
  if (typeof value !== "number") return String(value ?? "");
  return value.toLocaleString("en-US", { maximumFractionDigits: 12 }).replace("-", "\u2212");
}

/**
 * The number that a text means, or NaN. Python decides what is valid, by the same rule: a comma before
 * exactly three digits groups them, else it is decimal.
 * @param {string} text
 */
export function numberOf(text) {
  const plain = text.replace(/[\s_']/g, "").replace("\u2212", "-");
  const grouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain);
  const number = grouped ? plain.replaceAll(",", "") : plain.replace(",", ".");
  return number ? Number(number) : Number.NaN;
}

/**
 * The values that a slider stops at.
 * @param {Field} field
 * @returns {number[]}
 */
export function stops({ min = 0, max = 1, step, scale, type }) {
  const whole = type === "integer";
  if (scale === "log") {
    const found = new Set([min, max]);
    for (let power = 2 ** Math.floor(Math.log2(min)); power < max; power *= 2) {
      for (let part = 0; part < STEPS_PER_DOUBLING; part += 1) {
        const value = power * (1 + part / STEPS_PER_DOUBLING);
        if (value > min && value < max && (!whole || Number.isInteger(value))) found.add(value);
      }
    }
    return [...found].sort((a, b) => a - b);
  }
  const width = step ?? (whole ? Math.max(1, Math.round((max - min) / 500)) : (max - min) / 200);
  const found = [];
  for (let at = 0; min + at * width < max; at += 1) found.push(Number((min + at * width).toPrecision(12)));
  return [...found, max];
}

/** One field with its control. */
export class FieldControl {
  /**
   * @param {Field} field
   * @param {HTMLElement} place
   */
  constructor(field, place) {
    this.field = field;
    this.place = place;
    this.control = /** @type {Control} */ (place.querySelector("input, select"));
    this.error = /** @type {HTMLElement} */ (place.querySelector(".wk-field-error"));
    if (field.slider) this.addSlider();
  }

  /** What the reader entered, as Python gets it. @returns {string | boolean} */
  get entry() {
    const { control } = this;
    return control instanceof HTMLInputElement && control.type === "checkbox"
      ? control.checked
      : control.value;
  }

  /** @param {Value} value */
  set entry(value) {
    const { control } = this;
    if (control instanceof HTMLInputElement && control.type === "checkbox") {
      control.checked = value === true || value === "true";
    } else if (control instanceof HTMLSelectElement) {
      const known = [...control.options].some((option) => option.value === String(value));
      if (known) control.value = String(value);
    } else {
      control.value = shown(value);
    }
    this.moveSlider();
  }

  /**
   * Whether the entry means this value.
   * @param {Value} value
   */
  holds(value) {
    const { entry } = this;
    if (typeof entry === "boolean") return entry === value;
    if (typeof value === "number" && this.control instanceof HTMLInputElement)
      return numberOf(entry) === value;
    return entry === String(value ?? "");
  }

  /** The entry as the address holds it. */
  get plain() {
    const { entry, control } = this;
    if (typeof entry === "boolean" || control instanceof HTMLSelectElement) return String(entry);
    const number = numberOf(entry);
    return Number.isFinite(number) ? String(number) : entry;
  }

  /** @param {string} [message] */
  complain(message = "") {
    if (this.error.textContent !== message) this.error.textContent = message;
    this.error.hidden = !message;
    if (message) this.control.setAttribute("aria-invalid", "true");
    else this.control.removeAttribute("aria-invalid");
  }

  /** @param {boolean} off whether the field plays no part now */
  turn(off) {
    this.control.disabled = off;
    if (this.slider) this.slider.disabled = off;
    this.place.toggleAttribute("data-off", off);
  }

  addSlider() {
    this.stops = stops(this.field);
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", className: "wk-slider", min: "0", step: "1" });
    slider.max = String(this.stops.length - 1);
    slider.setAttribute("aria-label", `${this.field.label}, slider`);
    this.slider = slider;
    this.control.closest(".wk-entry")?.after(slider);
    this.moveSlider();
    slider.addEventListener("input", () => {
      const value = /** @type {number[]} */ (this.stops)[Number(slider.value)];
      this.control.value = shown(value);
      this.say(value);
    });
  }

  moveSlider() {
    if (!this.slider || !this.stops) return;
    const value = numberOf(this.control.value);
    if (!Number.isFinite(value)) return;
    const after = this.stops.findIndex((stop) => stop >= value);
    const at = after < 0 ? this.stops.length - 1 : after;
    const nearer = at > 0 && value - this.stops[at - 1] < this.stops[at] - value ? at - 1 : at;
    this.slider.value = String(nearer);
    this.say(value);
  }

  /** @param {number} value */
  say(value) {
    const unit = this.field.unit ? ` ${this.field.unit}` : "";
    this.slider?.setAttribute("aria-valuetext", shown(value) + unit);
  }
}
