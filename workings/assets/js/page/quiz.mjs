// The quiz: answers are checked as people type them, and each wrong answer that is a known slip is named.
//
// Without this script a question is a text with its hint and its answer behind disclosures. Progress is
// kept on the device alone, and a button clears it.

import { inBase, parseAmount, sameUnit, write } from "./amounts.mjs";
import { element } from "./element.mjs";
import { store, stored } from "./stored.mjs";

/** @typedef {{state: "right" | "wrong" | "unread", text: string}} Verdict */

const CLOSE = 0.02; // an answer this near is a slip of rounding more often than of thought
const EQUAL = 1e-9; // floats that were computed in another order

/** Sets up the quizzes of the page that is shown now. */
export function quiz() {
  for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".wk-quiz"))) {
    if (!section.querySelector(".wk-progress-line")) new Quiz(section);
  }
}

class Quiz {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.key = `quiz-${section.dataset.lesson}`;
    /** @type {Record<string, string>} */ this.done = read(this.key);
    this.questions = [.../** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll(".wk-question"))];
    this.line = element("span", { class: "wk-progress-count" });
    this.clear = element("button", { type: "button", class: "wk-link" }, "Start again");
    this.clear.addEventListener("click", () => this.forget());
    section.prepend(element("p", { class: "wk-progress-line" }, this.line, " ", this.clear));
    /** @type {(() => void)[]} */ this.resets = [];
    for (const question of this.questions) {
      const make = { number: numberForm, choice: choiceForm }[question.dataset.kind ?? ""] ?? openForm;
      const form = make(question, (state) => this.record(question, state));
      question.querySelector(".wk-hint, .wk-answer")?.before(form);
      this.resets.push(() => form.dispatchEvent(new Event("wk-forget")));
    }
    this.tell();
  }

  /** @param {HTMLElement} question @param {"right" | "wrong"} state */
  record(question, state) {
    // What was once answered right stays so: this counts what was learned.
    if (this.done[question.id] !== "right") this.done[question.id] = state;
    store(this.key, JSON.stringify(this.done));
    this.tell();
  }

  forget() {
    this.done = {};
    store(this.key, null);
    for (const reset of this.resets) reset();
    for (const fold of this.questions.flatMap((question) => [...question.querySelectorAll("details")]))
      fold.open = false;
    this.tell();
    this.questions[0]?.querySelector("input")?.focus();
  }

  tell() {
    const right = this.questions.filter((question) => this.done[question.id] === "right").length;
    for (const question of this.questions) {
      const state = this.done[question.id];
      if (state) question.dataset.state = state;
      else delete question.dataset.state;
    }
    const begun = Object.keys(this.done).length > 0;
    this.line.textContent = begun
      ? `${right} of ${this.questions.length} answered right, noted on this device only.`
      : `${this.questions.length} questions. What you answer stays on this device.`;
    this.clear.hidden = !begun;
  }
}

/** @param {string} key @returns {Record<string, string>} */
function read(key) {
  try {
    return { ...JSON.parse(stored(key) ?? "{}") };
  } catch {
    return {};
  }
}

/**
 * A form with its verdict; `judge` gives one, or null where nothing was entered.
 * @param {HTMLElement} question
 * @param {Node[]} fields
 * @param {() => Verdict} judge
 * @param {(state: "right" | "wrong") => void} record
 */
function checkedForm(question, fields, judge, record) {
  const verdict = element("p", { class: "wk-verdict", role: "status" });
  const button = element("button", { class: "wk-button" }, "Check");
  const form = element("form", { class: "wk-try", novalidate: true }, ...fields, button, verdict);
  const answer = /** @type {HTMLDetailsElement | null} */ (question.querySelector(".wk-answer"));
  const silence = () => {
    verdict.textContent = "";
    delete verdict.dataset.verdict;
  };
  form.addEventListener("input", silence);
  form.addEventListener("wk-forget", () => {
    form.reset();
    silence();
  });
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const { state, text } = judge();
    verdict.dataset.verdict = state;
    verdict.textContent = text;
    if (state === "unread") return;
    record(state);
    if (state === "right" && answer) answer.open = true;
  });
  return form;
}

/** @param {HTMLElement} question @param {(state: "right" | "wrong") => void} record */
function numberForm(question, record) {
  const { answer = "", unit = "", tolerance = "0", misconceptions = "[]" } = question.dataset;
  const asked = { answer: Number(answer), unit, tolerance: Number(tolerance) };
  /** @type {{value: number, says: string}[]} */ const slips = JSON.parse(misconceptions);
  const id = `${question.id}-entry`;
  const reading = element("span", { class: "wk-reading-of", "aria-hidden": "true" });
  const input = element("input", {
    id,
    type: "text",
    inputmode: /^byte/.test(unit) ? "text" : "decimal",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-terms`,
  });
  const within = asked.tolerance ? `within ${write(asked.tolerance * 100)} %` : "exact";
  const units = unit === "bytes" ? "in bytes, KiB, MiB or the like" : unit && `in ${unit}`;
  const terms = [units, within].filter(Boolean).join(", ");
  input.addEventListener("input", () => {
    const amount = parseAmount(input.value);
    const plain = amount && (amount.unit ? `${write(amount.value)} ${amount.unit}` : write(amount.value));
    reading.textContent = plain && !sameText(plain, input.value) ? `= ${plain}` : "";
  });
  const form = checkedForm(
    question,
    [
      element("label", { for: id }, "Your answer"),
      input,
      reading,
      element("span", { class: "wk-terms", id: `${id}-terms` }, terms),
    ],
    () => judgeNumber(input.value, asked, slips),
    record,
  );
  form.addEventListener("wk-forget", () => {
    reading.textContent = "";
  });
  return form;
}

/** @param {string} one @param {string} other */
function sameText(one, other) {
  const packed = (/** @type {string} */ text) => text.replace(/[\s,]/g, "").toLowerCase();
  return packed(one) === packed(other);
}

/**
 * @param {string} entry
 * @param {{answer: number, unit: string, tolerance: number}} asked `tolerance` is a share of the answer
 * @param {{value: number, says: string}[]} slips
 * @returns {Verdict}
 */
export function judgeNumber(entry, asked, slips) {
  const amount = parseAmount(entry);
  if (!amount) {
    const text = entry.trim()
      ? "That is not read as a number. Write it in digits, such as 1,500 or 2.5."
      : "Enter a number first.";
    return { state: "unread", text };
  }
  if (!sameUnit(amount.unit, asked.unit)) {
    return {
      state: "unread",
      text: asked.unit ? `Give it in ${asked.unit}.` : "Give the number without a unit.",
    };
  }
  const value = amount.unit ? amount.value : inBase(amount.value, asked.unit);
  const share = (/** @type {number} */ other) => Math.abs(value - other) / (Math.abs(other) || 1);
  const answer = inBase(asked.answer, asked.unit);
  if (share(answer) <= asked.tolerance + EQUAL) return { state: "right", text: "Right." };
  const slip = slips.find((known) => share(inBase(known.value, asked.unit)) <= EQUAL);
  if (slip) return { state: "wrong", text: `Not quite. ${slip.says}` };
  if (share(answer) <= CLOSE)
    return { state: "wrong", text: "Very near, but not exact. Do not round on the way." };
  const side = value > answer ? "Too large." : "Too small.";
  return { state: "wrong", text: `Not yet. ${side}` };
}

/** @param {HTMLElement} question @param {(state: "right" | "wrong") => void} record */
function choiceForm(question, record) {
  const list = /** @type {HTMLElement} */ (question.querySelector(".wk-options"));
  const options = [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("li"))];
  for (const option of options) {
    const input = element("input", { type: "radio", name: question.id });
    const text = element("span", {}, ...option.childNodes);
    option.append(element("label", {}, input, text));
    input.addEventListener("change", () => unmark());
  }
  const unmark = () => {
    for (const option of options) delete option.dataset.chosen;
  };
  const legend = element("legend", { class: "wk-quiet" }, "Choose one");
  const judge = () => {
    unmark();
    const chosen = options.find((option) => option.querySelector("input")?.checked);
    if (!chosen) return /** @type {Verdict} */ ({ state: "unread", text: "Choose one first." });
    const right = chosen.dataset.correct === "true";
    chosen.dataset.chosen = right ? "right" : "wrong";
    const text = right ? "Right." : `No. ${chosen.dataset.misconception ?? ""}`;
    return /** @type {Verdict} */ ({ state: right ? "right" : "wrong", text: text.trim() });
  };
  const form = checkedForm(question, [element("fieldset", {}, legend, list)], judge, record);
  form.addEventListener("wk-forget", unmark);
  return form;
}

/** A reader judges it herself, after she has seen the answer. @param {HTMLElement} question @param {(state: "right" | "wrong") => void} record */
function openForm(question, record) {
  const id = `${question.id}-entry`;
  const answer = /** @type {HTMLDetailsElement | null} */ (question.querySelector(".wk-answer"));
  const verdict = element("span", { role: "status" });
  const mark = (/** @type {"right" | "wrong"} */ state, /** @type {string} */ label) => {
    const button = element("button", { type: "button", class: "wk-button wk-button--quiet" }, label);
    button.addEventListener("click", () => {
      record(state);
      verdict.textContent = "Noted.";
    });
    return button;
  };
  const own = element(
    "p",
    { class: "wk-own", hidden: true },
    "Compare: ",
    mark("right", "I had it"),
    mark("wrong", "Not yet"),
    verdict,
  );
  answer?.addEventListener("toggle", () => {
    own.hidden = !answer.open;
  });
  answer?.append(own);
  const form = element(
    "form",
    { class: "wk-try" },
    element("label", { for: id }, "Your answer"),
    element("textarea", { id, rows: "3" }),
  );
  form.addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
  form.addEventListener("wk-forget", () => {
    form.reset();
    verdict.textContent = "";
  });
  return form;
}
