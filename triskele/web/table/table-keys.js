/**
 * The keys of a table: arrows replay it, letters stand for its buttons.
 *
 * @typedef {Object<string, () => void>} Keys what each key does
 * @typedef {{
 *   first: (key: string) => boolean, always: Keys, letters: Keys
 * }} Owner `first`: takes a key before all others, and returns whether it did; `letters`: only while shortcuts are on
 */

import { setting } from "../lib/settings.js";

export class TableKeys {
  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner;
    document.addEventListener("keydown", this.#key);
  }

  close() {
    document.removeEventListener("keydown", this.#key);
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const { target } = event;
    const elsewhere = target instanceof Element && target.closest("input, textarea, select, #panel-help");
    if (elsewhere || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.owner.first(event.key)) return event.preventDefault();
    const { always, letters } = this.owner;
    const act = always[event.key] ?? (setting("shortcuts") ? letters[event.key] : undefined);
    if (!act) return;
    act();
    event.preventDefault();
  };
}
