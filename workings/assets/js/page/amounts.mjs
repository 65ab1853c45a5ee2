// Amounts as people type them: "1,5", "1.5", "57 344 bytes", "56 KiB", "1,234.5", "2e6", "40 %".

/** @typedef {{value: number, unit: string}} Amount `value` in the base unit; `unit` is "" where none was given */

/** @type {Record<string, [string, number]>} */
const UNITS = {
  "%": ["percent", 0.01],
  percent: ["percent", 0.01],
  b: ["bytes", 1],
  byte: ["bytes", 1],
  bytes: ["bytes", 1],
};
for (const [place, letter] of [..."kmgt"].entries()) {
  UNITS[`${letter}b`] = ["bytes", 1000 ** (place + 1)];
  UNITS[`${letter}ib`] = ["bytes", 1024 ** (place + 1)];
}
const ENTRY = /^([+-]?)([\d.,]*\d[\d.,]*)(?:(?:e|×10\^?|\*10\^)([+-]?\d+))?(.*)$/i;

/**
 * The amount that a text says, or null. A comma before exactly three digits groups, another is decimal.
 * @param {string} text
 * @returns {Amount | null}
 */
export function parseAmount(text) {
  const packed = text
    .trim()
    .replace(/[−–]/g, "-")
    .replace(/(?<=\d)[\s'’_\u00a0\u2009\u202f]+(?=\d)/g, "")
    .replace(/\s+/g, "");
  const parts = ENTRY.exec(packed);
  if (!parts) return null;
  const [, sign, digits, power, rest] = parts;
  const size = parseDigits(digits);
  if (size === null) return null;
  const word = rest.toLowerCase();
  const [unit, factor] = Object.hasOwn(UNITS, word) ? UNITS[word] : [word, 1];
  if (!/^[\p{L}%/]*$/u.test(unit)) return null;
  return { value: Number(`${sign}${size}e${power ?? 0}`) * factor, unit };
}

/**
 * Digits with a decimal point and no grouping, or null.
 * @param {string} digits
 * @returns {string | null}
 */
function parseDigits(digits) {
  const commas = digits.split(",").length - 1;
  const dots = digits.split(".").length - 1;
  const grouped = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
  if (grouped.test(digits)) return digits.replaceAll(",", "");
  if (commas === 0 && dots <= 1) return digits;
  if (commas === 0 && /^[1-9]\d{0,2}(\.\d{3})+$/.test(digits)) return digits.replaceAll(".", "");
  if (commas === 1 && (dots === 0 || /^[1-9]\d{0,2}(\.\d{3})+,\d*$/.test(digits))) {
    return digits.replaceAll(".", "").replace(",", ".");
  }
  return null;
}

/**
 * The same amount in the base unit, where the unit has one: 56 in "KiB" is 57344.
 * @param {number} value
 * @param {string} unit
 */
export function inBase(value, unit) {
  const word = unit.toLowerCase();
  return Object.hasOwn(UNITS, word) ? value * UNITS[word][1] : value;
}

/**
 * Whether a unit that was typed is the unit that was asked for.
 * @param {string} typed
 * @param {string} asked
 */
export function sameUnit(typed, asked) {
  const plain = (/** @type {string} */ unit) => {
    const word = unit.toLowerCase().replace(/\s+/g, "");
    return (Object.hasOwn(UNITS, word) ? UNITS[word][0] : word).replace(/s$/, "");
  };
  return typed === "" || plain(typed) === plain(asked);
}

/**
 * A number as the pages write it: grouped, with all its digits.
 * @param {number | string | boolean} value
 */
export function write(value) {
  if (typeof value !== "number") return String(value);
  return value.toLocaleString("en-US", { maximumSignificantDigits: 17 }).replace("-", "−");
}
