// The reading page's script: each part makes the static page more convenient, and none is needed to read it.

import { numberButtons, provenance } from "./provenance.mjs";
import { quiz } from "./quiz.mjs";
import { tracks } from "./tracks.mjs";

const PARTS = [tracks, quiz, numberButtons];

function start() {
  for (const part of PARTS) part();
}

provenance();
// The theme replaces the page's content without loading a page, and says so here.
const pages = /** @type {any} */ (globalThis).document$;
if (pages) pages.subscribe(start);
else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
