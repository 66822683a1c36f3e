/** Say that an engine is getting ready when it has not answered for long, the first time that it is needed. */

/** @import { TableModel } from "./model.js" */

import { say } from "../lib/i18n.js";
import { speak } from "../lib/toasts.js";

const PATIENCE = 4000; // milliseconds after which it is said why an engine does not answer yet

export class Patience {
  #timer = 0;
  /** Whether an engine has kept us waiting for long. */
  slow = false;

  /** @param {TableModel} model @param {() => void} changed */
  constructor(model, changed) {
    this.model = model;
    this.changed = changed;
  }

  /** Whether an engine is to move that has not moved before. */
  get #first() {
    const { turn, seats, moves } = this.model;
    /** @param {number | "chance" | null} seat */
    const isEngine = (seat) => typeof seat === "number" && seats[seat]?.kind === "engine";
    return isEngine(turn) && !moves.some(({ seat }) => isEngine(seat));
  }

  /** Begin to wait, or end it. @param {boolean} hinting whether a hint is on its way */
  watch(hinting) {
    const waits = hinting || this.#first;
    if (waits && this.#timer) return;
    this.close();
    this.slow = false;
    if (waits) this.#timer = setTimeout(() => this.#lost(), PATIENCE);
  }

  #lost() {
    this.slow = true;
    speak(say("web.getting-ready"));
    this.changed();
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }
}
