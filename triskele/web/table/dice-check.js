/**
 * The dice of a table: seeds of our own before the first roll, and after the end the proof that nobody chose the rolls.
 *
 * @typedef {{
 *   ask: (request: TableRequest) => Promise<unknown>, changed: () => void
 * }} Owner `ask`: sends a request; `changed`: something has to be drawn again
 */

/** @import { TableRequest, WeightedOutcome } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { get } from "../lib/api.js";
import { show as showDialog } from "../lib/dialogs.js";
import { h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { Refused } from "../lib/live-connection.js";
import { failed, speak } from "../lib/toasts.js";
import { DiceNotes, faultWords, verdictWords } from "./dice-notes.js";
import { diceFields, verdictView } from "./dice-proof.js";

const SECRET_WAIT = 3000; // milliseconds after the end within which the secret of the dice must be told

export class DiceCheck {
  /** @type {Set<number>} the seats whose seeds were sent */
  #seeded = new Set();
  #secretDue = 0;
  /** @type {import("./dice-notes.js").Verdict | null} what this browser found out about the dice, after the end */
  verdict = null;

  /** @param {TableModel} model @param {Owner} owner */
  constructor(model, owner) {
    this.model = model;
    this.owner = owner;
    this.notes = new DiceNotes(model.id);
  }

  /** Take note of what the table says now, and give our seeds at once: the first roll does not wait for long. */
  note() {
    for (const fault of this.notes.note(this.model)) failed(new Error(faultWords(fault)));
    const rolled = this.model.moves.some((made) => made.seat === "chance");
    if (!this.model.dice || this.model.over || rolled) return;
    for (const seat of this.model.mine) if (!this.#seeded.has(seat)) this.#giveSeed(seat);
  }

  /** @param {number} seat */
  async #giveSeed(seat) {
    this.#seeded.add(seat);
    const seed = this.notes.seedFor(seat);
    if (seed === null) return;
    try {
      await this.owner.ask({ type: "seed", seat, seed });
      this.notes.taken(seat);
    } catch (error) {
      // Refused, it came too late: the check at the end says that it is not in the dice.
      if (error instanceof Refused && error.code === "lost") this.#seeded.delete(seat);
    }
    this.owner.changed();
  }

  /** After the end, check the dice as soon as their secret is told, or when it should have been. */
  watchSecret() {
    const { dice, over } = this.model;
    if (!over || !dice || this.verdict?.computed) return;
    clearTimeout(this.#secretDue);
    if (dice.secret) this.#check().catch(failed);
    else this.#secretDue = setTimeout(() => this.#check().catch(failed), SECRET_WAIT);
  }

  /** Compute the rolls here, and compare them with what this browser noted. */
  async #check() {
    /** @returns {Promise<WeightedOutcome[][]>} */
    const ask = async () => (await get(`/tables/${this.model.id}/proof`)).outcomes ?? [];
    const verdict = await this.notes.check(this.model, ask);
    const [before, words] = [this.verdict, verdict].map((each) => (each ? verdictWords(each)[0] : ""));
    this.verdict = verdict;
    if (verdict?.faults.length && words !== before) failed(new Error(words));
    else if (words !== before) speak(words);
    this.owner.changed();
    return verdict;
  }

  /** Show the proof. */
  async prove() {
    const verdict = await this.#check();
    if (!verdict) return;
    const paragraphs = verdictWords(verdict).map((line) => h("p", {}, line));
    showDialog(say("web.prove"), h("div", { class: "list" }, h("div", { class: "prose" }, paragraphs), this.fields()));
  }

  /** The result of the check, to be shown; nothing before the end. */
  verdictView() {
    return verdictView(this.verdict);
  }

  /** What a player can write down to check the dice elsewhere. */
  fields() {
    const { noted } = this.notes;
    return noted ? diceFields(this.model, noted) : null;
  }

  close() {
    clearTimeout(this.#secretDue);
  }
}
