/** The dice of a table. What deals with dice is loaded when a table turns out to have some. */

/** @import { DiceCheck, Owner } from "./dice-check.js" */
/** @import { TableModel } from "./model.js" */

import { failed } from "../lib/toasts.js";

export class TableDice {
  /** @type {DiceCheck | null} */
  #check = null;
  #loading = false;
  #closed = false;

  /** @param {TableModel} model @param {Owner} owner */
  constructor(model, owner) {
    this.model = model;
    this.owner = owner;
  }

  /** What this browser noted of the dice; nothing while there are none. */
  get noted() {
    return this.#check?.notes.noted ?? null;
  }

  /** What this browser found out about the dice, after the end. */
  get verdict() {
    return this.#check?.verdict ?? null;
  }

  /** Take note of what the table says now: to be called before it is shown. */
  note() {
    if (this.#check) this.#check.note();
    else if (this.model.dice && !this.#loading) this.#load().catch(failed);
  }

  /** Load what deals with dice, and catch up: the first roll waits for our seeds. */
  async #load() {
    this.#loading = true;
    try {
      const { DiceCheck } = await import("./dice-check.js");
      if (this.#closed) return;
      this.#check = new DiceCheck(this.model, this.owner);
      this.#check.note();
      this.#check.watchSecret();
      this.owner.changed();
    } finally {
      this.#loading = false; // a failure is shown, and the next message tries again
    }
  }

  /** After the end, check the dice as soon as their secret is told, or when it should have been. */
  watchSecret() {
    this.#check?.watchSecret();
  }

  /** Show the proof. */
  async prove() {
    await this.#check?.prove();
  }

  /** The result of the check, to be shown; nothing before the end. */
  verdictView() {
    return this.#check?.verdictView() ?? null;
  }

  /** What a player can write down to check the dice elsewhere; nothing while there are none. */
  fields() {
    return this.#check?.fields() ?? null;
  }

  close() {
    this.#closed = true;
    this.#check?.close();
  }
}
