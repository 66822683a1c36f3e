/**
 * A board at no table on which moves are entered, with what is asked and the buttons below it: why a half-entered move
 * cannot be, and what is to be known of the numbers that can follow. Lessons, puzzles and analyses have one.
 *
 * @typedef {{reason: string, notes: Object<string, string>}} Explained
 * @typedef {{
 *   entered: (move: string) => void, changed: () => void, explain: (tokens: string[]) => Promise<Explained>,
 *   look: (move: string) => Promise<Scene | undefined>, previewsTouch: () => boolean
 * }} Owner `entered`: a whole move was; `changed`: something has to be drawn again; `explain`: ask why tokens do not fit,
 *   and about the numbers that can follow; `look`: the scene after a move, where it may be seen beforehand;
 *   `previewsTouch`: whether a first tap only previews
 */

/** @import { Game, Look, Scene } from "../lib/protocol.js" */

import { Board } from "../board/board.js";
import { movesOf } from "../board/entry.js";
import { fill, h } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { speak } from "../lib/toasts.js";
import { actions, askedNext, picker } from "./action-bar.js";
import { AmountControl } from "./amount-control.js";
import { RefusalBubble } from "./refusal-bubble.js";
import { seatTitle } from "./seat-names.js";

export class MoveInput {
  amount = "";
  /** @type {Object<string, string>} what is to be known of the numbers that can follow, by token */
  #notes = {};
  #refusal = new RefusalBubble();
  #amountControl = new AmountControl(() => this);

  /** @param {Game} game @param {Owner} owner */
  constructor(game, owner) {
    this.game = game;
    this.owner = owner;
    this.board = new Board({
      entered: (move) => owner.entered(move),
      changed: () => owner.changed(),
      refused: (tokens) => this.#explain(tokens),
      counting: (tokens) => this.#count(tokens),
      speak,
      preview: (tokens) => this.#preview(tokens),
      previewsTouch: owner.previewsTouch,
      held: () => this.#refusal.showBelow(say("web.tap-again")),
    });
    this.board.svg.setAttribute("aria-label", game.title);
    this.board.svg.addEventListener("pointerdown", () => this.#refusal.hide());
    this.boardbox = h("div", { class: "boardbox" });
    this.prompt = h("p", { class: "asked", role: "status" });
    this.actions = h("div", { class: "actions", role: "group", "aria-label": say("web.actions") });
    const name = { class: "lesson-stage", "aria-label": say("web.board") };
    this.stage = h("section", name, this.boardbox, this.prompt, this.actions);
    this.showBoard();
  }

  /** Show the board, where something else was shown instead. */
  showBoard() {
    fill(this.boardbox, this.board.svg, this.#refusal.element);
  }

  /** Offer what can be done in a position: moves, and what others may do now. @param {Look} look */
  offer(look) {
    this.board.offer(movesOf([...look.moves, ...look.interrupts]));
  }

  /** Choose how many, without doing it yet. @param {string} token */
  chooseAmount(token) {
    this.amount = token;
    this.owner.changed();
  }

  /** What is to be known of a number that can follow. @param {string} token */
  noteOf(token) {
    return this.#notes[token] ?? "";
  }

  /** What is asked next inside the half-entered move, or to be known of the number chosen now; else empty. */
  get next() {
    const amounts = this.board.choices ? [] : (this.board.amounts ?? []);
    const note = this.#notes[amounts.includes(this.amount) ? this.amount : (amounts.at(-1) ?? "")];
    return note || askedNext(this.board, this.game.prompts) || "";
  }

  /** Ask for a move, with the buttons for it. @param {string} prompt @param {string} picked what is asked, where pictures are picked */
  ask(prompt, picked) {
    const { board, game } = this;
    if (!board.amounts) this.amount = "";
    const counting = this.#amountControl.update(this);
    const pick = picker(board, picked, null, null);
    fill(this.prompt, pick ? "" : capital(prompt));
    const name = (/** @type {number} */ number) => seatTitle(game.name, number - 1);
    if (!counting) fill(this.actions, pick ?? actions(board, game, this.#amountControl, name));
  }

  /** Ask for something else than a move, or for nothing. @param {string} [prompt] @param {HTMLElement[]} [buttons] */
  askInstead(prompt = "", buttons = []) {
    this.amount = "";
    fill(this.prompt, prompt);
    fill(this.actions, buttons);
  }

  /** Say why no move has these tokens. @param {string[]} tokens */
  async #explain(tokens) {
    let reason = say("web.not-here");
    try {
      ({ reason } = await this.owner.explain(tokens));
    } catch {
      // it is not possible here, and that is all that is known
    }
    if (!reason) return;
    speak(reason);
    this.#refusal.show(reason, this.board.boxOf(tokens.at(-1) ?? ""));
  }

  /** Find out what is to be known of the numbers that can follow. @param {string[]} tokens */
  async #count(tokens) {
    this.amount = "";
    this.#notes = {};
    if (!this.game.notes) return;
    try {
      const { notes } = await this.owner.explain(tokens);
      if (this.board.entry?.tokens.join(" ") !== tokens.join(" ")) return;
      this.#notes = notes;
      this.owner.changed();
    } catch {
      // it can be chosen all the same
    }
  }

  /** The scene after the move that has these tokens. @param {string[]} tokens @returns {Promise<Scene | undefined>} */
  async #preview(tokens) {
    const move = this.board.entry?.moves.find(({ spellings }) => spellings.some((each) => `${each}` === `${tokens}`));
    return move && this.owner.look(move.text);
  }
}
