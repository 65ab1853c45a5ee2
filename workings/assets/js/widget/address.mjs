// The state of a panel in the address: `?cache-memory.layers=48`, so that a link shows the same view.

/** @typedef {Record<string, string>} Entries */

const QUIET_MS = 300; // browsers limit how often an address may change

/**
 * The entries that the address holds for a panel.
 * @param {string} panel
 * @returns {Entries}
 */
export function readEntries(panel) {
  /** @type {Entries} */ const found = {};
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name.startsWith(`${panel}.`)) found[name.slice(panel.length + 1)] = value;
  }
  return found;
}

export class AddressWriter {
  /** @param {string} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {number | undefined} */ this.timer = undefined;
  }

  /**
   * Writes the entries that differ from the panel's start, soon.
   * @param {Entries} entries
   */
  write(entries) {
    this.cancel();
    this.timer = setTimeout(() => {
      const url = new URL(location.href);
      for (const name of [...url.searchParams.keys()]) {
        if (name.startsWith(`${this.panel}.`)) url.searchParams.delete(name);
      }
      for (const [name, value] of Object.entries(entries)) {
        url.searchParams.set(`${this.panel}.${name}`, value);
      }
      if (url.href !== location.href) history.replaceState(history.state, "", url);
    }, QUIET_MS);
  }

  /** After this the address is left alone: it may be another page's by now. */
  cancel() {
    clearTimeout(this.timer);
  }
}
