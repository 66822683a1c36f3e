/**
 * The hint of a table: asked for, shown on the board, closed or played.
 *
 * @typedef {{
 *   controller: () => GameController | null, own: (seat: number) => Promise<Hint | null>, changed: () => void
 * }} Owner `own`: a hint that the page works out itself, if it can and may; `changed`: something has to be drawn again
 */

/** @import { Hint } from "../lib/protocol.js" */
/** @import { GameController } from "./game-controller.js" */
/** @import { TableModel } from "./model.js" */

import { post } from "../lib/api.js";
import { say } from "../lib/i18n.js";
import { failed, speak } from "../lib/toasts.js";
import { hintReason, moveWords } from "./move-words.js";

export class Hints {
  /** @type {Hint | null} without a move as long as it is on its way */
  hint = null;

  /** @param {TableModel} model @param {Owner} owner */
  constructor(model, owner) {
    this.model = model;
    this.owner = owner;
  }

  /** Whether one is on its way. */
  get coming() {
    return this.hint?.move === "";
  }

  async ask() {
    this.hint = { move: "", why: "" };
    this.owner.changed();
    try {
      const hint = (await this.#own()) ?? (await this.#server());
      if (!this.hint) return; // a move was made meanwhile
      this.hint = hint;
      const controller = this.owner.controller();
      controller?.board.advise(hint.move);
      const name = controller ? moveWords(controller.game, hint.move, this.model) : hint.move;
      speak(say("core.pair", { name, value: hintReason(hint) }));
    } catch (error) {
      this.hint = null;
      failed(error);
    }
    this.owner.changed();
  }

  /** A hint of the page's engine, where it may be used: never while another person plays. @returns {Promise<Hint | null>} */
  async #own() {
    const controller = this.owner.controller();
    const game = controller?.game;
    const seat = controller?.actor;
    if (!game?.engine || this.model.others || typeof seat !== "number") return null;
    return this.owner.own(seat);
  }

  /** @returns {Promise<Hint>} */
  #server() {
    return post(`/tables/${this.model.id}/hint`, { seat: this.owner.controller()?.actor });
  }

  /** Forget it: a move was made, or the position changed. */
  forget() {
    this.hint = null;
  }

  /** Make the move of the hint. */
  play() {
    const move = this.hint?.move;
    this.hint = null;
    if (move) this.owner.controller()?.board.enter(move);
  }

  close() {
    this.hint = null;
    this.owner.controller()?.board.advise(null);
    this.owner.changed();
  }
}
