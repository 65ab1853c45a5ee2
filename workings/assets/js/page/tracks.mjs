// The two tracks of a lesson: a switch that is remembered, in the address, and opened by links into a track.
//
// The style sheet hides a track by `data-wk-track` of the root element; without this script all is shown.

import { element } from "./element.mjs";
import { store, stored } from "./stored.mjs";

const KEY = "track";
const NAMES = { plain: "Plain", deep: "Deep", both: "Both" };
const root = document.documentElement;

/** @type {AbortController | undefined} */ let page;

/** Sets up the switch of the page that is shown now. */
export function tracks() {
  const box = /** @type {HTMLElement | null} */ (document.querySelector(".wk-track-switch"));
  if (!box) {
    page?.abort();
    delete root.dataset.wkTrack;
    return;
  }
  if (box.querySelector("fieldset")) return;
  page?.abort();
  page = new AbortController();
  new Switch(box, page.signal);
}

class Switch {
  /**
   * @param {HTMLElement} box
   * @param {AbortSignal} signal
   */
  constructor(box, signal) {
    this.box = box;
    this.said = element("p", { class: "wk-quiet", role: "status" });
    this.choices = Object.keys(NAMES).map((track) => this.choice(track));
    const legend = element("legend", {}, "Reading track");
    box.append(element("fieldset", {}, legend, ...this.choices), this.said);
    box.hidden = false;
    for (const track of ["plain", "deep"]) this.note(track);

    const asked = new URLSearchParams(location.search).get(KEY);
    this.show([asked, stored(KEY), box.dataset.default].find((track) => track && track in NAMES) ?? "plain");
    this.openTarget(location.hash);
    addEventListener("hashchange", () => this.openTarget(location.hash), { signal });
    // Before the browser or the theme scrolls to it, a hidden target must be there.
    document.addEventListener("click", (event) => this.followed(event), { capture: true, signal });
  }

  /** @param {string} track */
  choice(track) {
    const minutes = this.box.dataset[track === "plain" ? "minutesPlain" : "minutesDeep"];
    const input = element("input", { type: "radio", name: "wk-track", value: track });
    input.addEventListener("change", () => this.choose(track));
    const time = track === "both" ? null : element("span", { class: "wk-track-time" }, ` ${minutes} min`);
    return element("label", {}, input, element("span", {}, NAMES[track]), time);
  }

  /** A quiet line where the tracks part, so that a reader need not go back to the top. @param {string} track */
  note(track) {
    const section = document.querySelector(`.wk-track[data-track="${track}"]`);
    const other = track === "plain" ? "deep" : "plain";
    if (!section || !document.querySelector(`.wk-track[data-track="${other}"]`)) return;
    const button = element(
      "button",
      { type: "button", class: "wk-link", "data-to": other },
      `Read the ${other} track`,
    );
    button.addEventListener("click", () => this.cross(button, other));
    section.prepend(element("p", { class: "wk-track-note" }, `From here on: the ${track} track. `, button));
  }

  /** To the other track's note, which takes the place of this one. @param {HTMLElement} button @param {string} track */
  cross(button, track) {
    const top = button.getBoundingClientRect().top;
    this.choose(track);
    const back = /** @type {HTMLElement | null} */ (
      document.querySelector(`.wk-track[data-track="${track}"] > .wk-track-note button`)
    );
    if (!back) return;
    scrollBy({ top: back.getBoundingClientRect().top - top, behavior: "instant" });
    back.focus({ preventScroll: true });
  }

  /** What a reader chose: remembered, in the address, and said. @param {string} track */
  choose(track) {
    store(KEY, track);
    const url = new URL(location.href);
    url.searchParams.set(KEY, track);
    if (url.href !== location.href) history.replaceState(history.state, "", url);
    this.show(track);
    this.said.textContent = track === "both" ? "Both tracks are shown." : `The ${track} track is shown.`;
  }

  /** @param {string} track */
  show(track) {
    this.track = track;
    root.dataset.wkTrack = track;
    for (const label of this.choices) {
      const input = label.querySelector("input");
      input.checked = input.value === track;
    }
    for (const link of document.querySelectorAll(".md-nav--secondary a[href*='#']")) {
      const item = link.closest("li");
      if (item) item.hidden = this.hides(target(/** @type {HTMLAnchorElement} */ (link).hash));
    }
  }

  /** Whether the track that is shown hides a place. @param {Element | null} place */
  hides(place) {
    const section = /** @type {HTMLElement | null} */ (place?.closest(".wk-track") ?? null);
    return section !== null && this.track !== "both" && section.dataset.track !== this.track;
  }

  /** A link into the hidden track opens it, for now: it changes no preference. @param {string} hash */
  openTarget(hash) {
    const place = target(hash);
    if (!place || !this.hides(place)) return;
    this.show(/** @type {HTMLElement} */ (place.closest(".wk-track")).dataset.track ?? "both");
    place.scrollIntoView({ behavior: "instant" });
  }

  /** @param {MouseEvent} event */
  followed(event) {
    const link = /** @type {Element} */ (event.target).closest?.("a[href*='#']");
    if (!(link instanceof HTMLAnchorElement)) return;
    const here = link.origin === location.origin && link.pathname === location.pathname;
    if (here) this.openTarget(link.hash);
  }
}

/** @param {string} hash @returns {Element | null} */
function target(hash) {
  if (hash.length < 2) return null;
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null; // a stray percent sign
  }
}
