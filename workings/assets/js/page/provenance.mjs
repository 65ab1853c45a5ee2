// Where a number comes from: shown when a reader points at it, taps it or moves the focus to it.
//
// A lesson has hundreds of numbers. As hundreds of tab stops, each spoken as a button, they would bury its
// links and its prose, so the page has one stop for all: Tab reaches a number in view, the arrow keys go from
// number to number, and only that one is a button. A switch under the title makes all of them buttons, for
// those who read by screen reader and cannot point.

import { element } from "./element.mjs";
import { describe } from "./origin.mjs";
import { store, stored } from "./stored.mjs";

const NUMBER = ".md-content :is(data.wk-number, data.wk-fact)";
const ACTIVE = "a, button, label, summary, select"; // these have uses of their own for a tap and a focus
const HEADING = "h1, h2, h3, h4, h5, h6"; // their text is the name of a section
const SHOW_MS = 180;
const HIDE_MS = 300;
const GAP = 8;
const BUTTONS = "number-buttons";

const popover = element("div", { class: "wk-popover", id: "wk-popover", role: "group", popover: "manual" });
/** @type {HTMLElement | null} */ let shown = null;
/** @type {HTMLElement | null} */ let stop = null;
let pinned = false;
/** @type {number | undefined} */ let timer;

/** Listens, once for all pages of the visit. */
export function provenance() {
  document.addEventListener("pointerover", pointed);
  document.addEventListener("pointerout", left);
  document.addEventListener("click", tapped);
  document.addEventListener("focusin", focused);
  document.addEventListener("keydown", pressed, true);
  addEventListener("scroll", place, { passive: true, capture: true });
  addEventListener("resize", place, { passive: true });
}

/** Sets up the numbers of the page that is shown now. */
export function numberButtons() {
  close();
  stop = null;
  const box = document.querySelector(".wk-how");
  if (box && !box.querySelector("button")) {
    const button = element("button", { type: "button", class: "wk-link" });
    button.addEventListener("click", () => {
      store(BUTTONS, stored(BUTTONS) ? null : "on");
      roles(button);
    });
    box.append(" ", button);
    roles(button);
  }
  moveStop(numbers()[0]);
}

/** @param {HTMLElement} button */
function roles(button) {
  const on = stored(BUTTONS) !== null;
  button.textContent = on ? "Read numbers as plain text again" : "Make every number a button";
  for (const number of numbers()) setButton(number, on || number === stop);
}

/** @param {Element} number @param {boolean} on */
function setButton(number, on) {
  if (on) {
    number.setAttribute("role", "button");
    number.setAttribute("aria-expanded", String(number === shown));
  } else {
    number.removeAttribute("role");
    number.removeAttribute("aria-expanded");
  }
}

/** @returns {HTMLElement[]} those that a reader can see, and that do nothing else */
function numbers() {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(NUMBER));
  return [...all].filter((number) => !number.closest(ACTIVE) && (number.checkVisibility?.() ?? true));
}

/** @param {HTMLElement | undefined} number */
function moveStop(number) {
  if (!number || number === stop) return;
  if (stop) {
    stop.removeAttribute("tabindex");
    if (stored(BUTTONS) === null) setButton(stop, false);
  }
  stop = number;
  stop.tabIndex = 0;
  setButton(stop, true);
}

/** @param {EventTarget | null} place @returns {HTMLElement | null} */
function numberAt(place) {
  return place instanceof Element ? place.closest(NUMBER) : null;
}

/** @param {PointerEvent} event */
function pointed(event) {
  if (event.pointerType === "touch") return;
  const number = numberAt(event.target);
  if (number || popover.contains(/** @type {Node} */ (event.target))) clearTimeout(timer);
  if (number && number !== shown && !pinned) timer = setTimeout(() => open(number), SHOW_MS);
}

/** @param {PointerEvent} event */
function left(event) {
  if (event.pointerType === "touch") return;
  const inside = popover.contains(/** @type {Node} */ (event.target));
  if (!numberAt(event.target) && !inside) return;
  clearTimeout(timer);
  if (pinned || shown?.contains(document.activeElement) || popover.contains(document.activeElement)) return;
  timer = setTimeout(close, HIDE_MS);
}

/** @param {MouseEvent} event */
function tapped(event) {
  const target = /** @type {Element} */ (event.target);
  if (popover.contains(target)) return;
  const number = numberAt(target);
  if (!number || target.closest(ACTIVE)) {
    if (shown) close();
    return;
  }
  if (!getSelection()?.isCollapsed) return; // the reader is copying it
  if (shown === number && pinned) {
    close();
    return;
  }
  clearTimeout(timer);
  moveStop(number);
  number.focus({ preventScroll: true });
  open(number);
  pinned = true;
}

/** @param {FocusEvent} event */
function focused(event) {
  const target = /** @type {Element} */ (event.target);
  if (popover.contains(target)) return;
  const number = numberAt(target);
  if (number && number === target) open(number);
  else if (shown) close();
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.key === "Escape" && shown) {
    const within = popover.contains(document.activeElement);
    const number = shown;
    close();
    if (within) number.focus({ preventScroll: true });
    event.stopPropagation();
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Tab") {
    stopInView();
    return;
  }
  const number = document.activeElement === stop ? stop : null;
  if (!number) return;
  if (event.key === "Enter" || event.key === " ") {
    if (shown === number) close();
    else open(number);
  } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    step(number, event.key === "ArrowRight" ? 1 : -1);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The number that Tab can reach is one that the reader sees. */
function stopInView() {
  if (document.activeElement === stop || popover.contains(document.activeElement)) return;
  const top = document.querySelector(".md-header")?.getBoundingClientRect().bottom ?? 0;
  const seen = numbers().find((number) => number.getBoundingClientRect().top >= top);
  if (seen && seen.getBoundingClientRect().bottom <= innerHeight) moveStop(seen);
}

/** @param {HTMLElement} from @param {1 | -1} by */
function step(from, by) {
  const all = numbers();
  const next = all[all.indexOf(from) + by];
  if (!next) return;
  moveStop(next);
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest", behavior: "instant" });
  place();
}

/** @param {HTMLElement} number */
async function open(number) {
  if (shown === number) return;
  close();
  shown = number;
  if (number.hasAttribute("role")) number.setAttribute("aria-expanded", "true");
  number.classList.add("wk-asked");
  // Beside the number, so that Tab goes on into it and a screen reader finds it next.
  (number.closest(ACTIVE) ?? number.closest(HEADING) ?? number).after(popover);
  const content = describe(number);
  const first = await Promise.race([content, waiting(number)]);
  if (shown !== number) return;
  popover.replaceChildren(...first);
  popover.setAttribute("aria-label", `Where ${number.textContent} comes from`);
  if (number.hasAttribute("role")) number.setAttribute("aria-describedby", popover.id);
  popover.showPopover?.();
  place();
  const all = await content;
  if (shown !== number || popover.contains(all[0])) return;
  popover.replaceChildren(...all);
  place();
}

/** What is known without asking, where the answer takes its time. @param {HTMLElement} number @returns {Promise<Node[]>} */
async function waiting(number) {
  await new Promise((resolve) => setTimeout(resolve, SHOW_MS));
  return [element("p", { class: "wk-popover-name" }, `n.${number.dataset.name ?? number.dataset.fact}`)];
}

function close() {
  clearTimeout(timer);
  pinned = false;
  if (!shown) return;
  if (shown.hasAttribute("aria-expanded")) shown.setAttribute("aria-expanded", "false");
  shown.removeAttribute("aria-describedby");
  shown.classList.remove("wk-asked");
  shown = null;
  if (popover.isConnected && popover.matches?.(":popover-open")) popover.hidePopover();
  popover.remove();
}

/** Under the number, or over it where there is no room; inside the window always. */
function place() {
  if (!shown) return;
  if (!shown.isConnected) {
    close();
    return;
  }
  const lines = shown.getClientRects();
  const at = lines[lines.length - 1];
  if (!at || at.bottom < 0 || at.top > innerHeight) {
    if (!popover.contains(document.activeElement)) close();
    return;
  }
  const { width, height } = popover.getBoundingClientRect();
  const below = at.bottom + GAP;
  const above = at.top - GAP - height;
  const top = below + height > innerHeight - GAP && above > GAP ? above : below;
  const room = document.documentElement.clientWidth - width - GAP;
  popover.style.left = `${Math.max(GAP, Math.min(at.left - GAP, room))}px`;
  popover.style.top = `${top}px`;
}
