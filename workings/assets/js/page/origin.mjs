// What there is to say about a number: its sum, its inputs, its unit, its rounding and its source.

import { parseAmount, write } from "./amounts.mjs";
import { element } from "./element.mjs";

/** @typedef {{function: string, text: string, substituted: string, inputs: Record<string, any>,
 *   source: {path: string, line: number}}} Formula */
/** @typedef {{name: string, value: number | string | boolean, unit: string | null, expression: string,
 *   source: {path: string, line: number}, formula?: Formula, build_only?: string}} Origin */

/** @type {Map<string, Promise<Map<string, Origin>>>} */ const registries = new Map();

/**
 * @param {HTMLElement} number
 * @returns {Promise<Node[]>}
 */
export async function describe(number) {
  if (number.dataset.fact) return cited(number, number.dataset.fact);
  try {
    const origin = (await registry(number.dataset.lesson)).get(number.dataset.name ?? "");
    if (origin) return computed(number, origin);
  } catch {
    // Offline before the first question: what the page itself holds is shown.
  }
  const value = number.getAttribute("value") ?? "";
  return [
    heading("Computed", number),
    rows([
      ["Name", code(`n.${number.dataset.name}`)],
      ["Exact value", value],
    ]),
    element("p", { class: "wk-popover-note" }, "Its sum could not be loaded. Try again when you are online."),
  ];
}

/** The numbers of a lesson, fetched when the first is asked for. @param {string} [lesson] that of the page unless named */
function registry(lesson) {
  const address = new URL(
    lesson ? `${siteRoot()}lessons/${lesson}/numbers.json` : "numbers.json",
    location.href,
  ).href;
  let found = registries.get(address);
  if (!found) {
    found = load(address);
    registries.set(address, found);
    found.catch(() => registries.delete(address));
  }
  return found;
}

/** @param {string} address @returns {Promise<Map<string, Origin>>} */
async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const { numbers } = await response.json();
  return new Map(numbers.map((/** @type {Origin} */ number) => [number.name, number]));
}

/** The site's root as the theme's settings give it, relative to the page. */
function siteRoot() {
  const settings = JSON.parse(document.getElementById("__config")?.textContent ?? "{}");
  const base = settings.base ?? ".";
  return base.endsWith("/") ? base : `${base}/`;
}

/** @param {HTMLElement} number @param {Origin} origin @returns {Node[]} */
function computed(number, origin) {
  const { formula } = origin;
  const given = !formula || isGiven(formula, origin);
  const unit = origin.unit ? ` ${origin.unit}` : "";
  const source = formula?.source ?? origin.source;
  /** @type {[string, Node | string][]} */ const facts = [["Name", code(`n.${origin.name}`)]];
  const rounding = roundedFrom(number, origin, unit);
  if (rounding) facts.push(rounding);
  else if (origin.unit) facts.push(["Unit", origin.unit]);
  if (given) facts.push(["Taken from", code(formula?.text ?? origin.expression)]);
  else facts.push(["Inputs", inputsOf(formula)], ["Computed by", code(`${formula.function}()`)]);
  facts.push(["Source", sourceLink(number, source, formula?.function ?? calledIn(origin.expression))]);
  const made = [heading(origin.build_only ? "Counted by the build" : "Computed", number)];
  if (!given) made.push(...sum(formula, origin, unit));
  made.push(rows(facts));
  if (origin.build_only) made.push(element("p", { class: "wk-popover-note" }, origin.build_only));
  return made;
}

/** Whether there is no sum to show: a text, or a value that is handed on as it is. @param {Formula} formula @param {Origin} origin */
function isGiven(formula, { value }) {
  const { substituted, text } = formula;
  return typeof value !== "number" || substituted === text || substituted === write(value);
}

/** @param {Formula} formula @param {Origin} origin @param {string} unit @returns {Node[]} */
function sum(formula, origin, unit) {
  const answer = element("strong", { class: "wk-answer-line" }, write(origin.value));
  return [
    element("p", { class: "wk-sum" }, `${formula.substituted} = `, answer, unit),
    element("p", { class: "wk-sum-names" }, formula.text),
  ];
}

/** @param {Formula} formula */
function inputsOf({ inputs }) {
  const plain = Object.entries(inputs).filter(([, value]) => typeof value !== "object");
  return plain.map(([name, value]) => `${name} = ${write(value)}`).join(", ");
}

/** @param {HTMLElement} number @param {Origin} origin @param {string} unit @returns {[string, string] | null} */
function roundedFrom(number, { value }, unit) {
  const text = number.textContent ?? "";
  if (typeof value !== "number" || text === write(value)) return null;
  const exact = `${write(value)}${unit}`;
  const read = parseAmount(text);
  if (!read) return ["Exact value", exact];
  const same = Math.abs(read.value - value) <= Math.abs(value) * 1e-12;
  return same ? ["The same as", exact] : ["Rounded from", exact];
}

/** `history.reread_rows(...)` calls history.reread_rows. @param {string} expression */
function calledIn(expression) {
  return /^([a-z_]\w*\.)?([a-z_]\w*)\(/i.exec(expression)?.[0].slice(0, -1) ?? "";
}

/** @param {HTMLElement} number @param {{path: string, line: number}} source @param {string} called */
function sourceLink(number, { path, line }, called) {
  const text = `${path}:${line}`;
  const module = path.split("/").at(-1)?.replace(/\.py$/, "");
  const names = called.includes(".") ? [called] : [`${module}.${called}`];
  const listing = names.map((name) => `code-${name}`).find((id) => document.getElementById(id));
  if (listing) return element("a", { href: `#${listing}` }, code(text));
  const { lesson } = number.dataset;
  if (lesson) return element("a", { href: `${siteRoot()}lessons/${lesson}/` }, code(text));
  return code(text);
}

/** @param {HTMLElement} number @param {string} fact @returns {Node[]} */
function cited(number, fact) {
  const identifier = fact.split(".")[0];
  const source = document.querySelector(`.wk-sources [data-fact="${CSS.escape(identifier)}"]`);
  const content = source
    ? [...source.cloneNode(true).childNodes]
    : ["Its source stands at the end of the page."];
  return [heading("Cited, not computed", number), element("p", { class: "wk-popover-source" }, ...content)];
}

/** @param {string} kind @param {HTMLElement} number */
function heading(kind, number) {
  return element(
    "p",
    { class: "wk-popover-head" },
    element("span", { class: "wk-popover-shown" }, number.textContent ?? ""),
    element("span", { class: "wk-popover-kind" }, kind),
  );
}

/** @param {[string, Node | string][]} pairs */
function rows(pairs) {
  const parts = pairs.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]);
  return element("dl", {}, ...parts);
}

/** @param {string} text */
function code(text) {
  return element("code", {}, text);
}
