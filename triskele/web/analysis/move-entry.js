/** The board of an analysis as an input device: moves of all sides, results of dice, or just places. */

/** @import { AnalysedPosition, Game, Scene } from "../lib/protocol.js" */

import { Board } from "../board/board.js";
import { movesOf } from "../board/entry.js";
import { post } from "../lib/api.js";
import { button, fill, h } from "../lib/dom.js";
import { capital, percent, say } from "../lib/i18n.js";
import { speak } from "../lib/notices.js";
import { actions, askedNext, picker } from "../table/action-bar.js";
import { AmountControl } from "../table/amount-control.js";
import { RefusalBubble } from "../table/refusal-bubble.js";
import { seatTitle } from "../table/seat-names.js";

/**
 * @typedef {{
 *   made: (move: string) => void, chosen: (token: string) => void, place: () => object,
 *   look: (move: string) => Promise<Scene | undefined>
 * }} Owner `made`: a move was entered; `chosen`: a place was, while places are asked for; `place`: of the interface;
 *   `look`: the scene after a move
 */

export class MoveEntry {
  amount = "";
  /** @type {Object<string, string>} */
  #notes = {};
  /** @type {AnalysedPosition | null} */
  #position = null;
  #places = false;
  #asked = "";

  /** @param {Game} game @param {Owner} owner */
  constructor(game, owner) {
    this.game = game;
    this.owner = owner;
    this.board = new Board({
      entered: (move) => (this.#places ? owner.chosen(move) : owner.made(move)),
      changed: () => this.#draw(),
      refused: (tokens) => this.#explain(tokens),
      counting: (tokens) => this.#count(tokens),
      speak,
      preview: (tokens) => this.#preview(tokens),
      previewsTouch: () => false, // what is tried out here is taken back as easily
      held: () => {},
    });
    this.board.svg.setAttribute("aria-label", game.title);
    this.amountControl = new AmountControl(() => this);
    this.refusal = new RefusalBubble();
    this.board.svg.addEventListener("pointerdown", () => this.refusal.hide());
    this.prompt = h("p", { class: "asked", role: "status" });
    this.actions = h("div", { class: "actions", role: "group", "aria-label": say("web.actions") });
    this.boardbox = h("div", { class: "boardbox" }, this.board.svg, this.refusal.element);
    this.stage = h(
      "section",
      { class: "lesson-stage", "aria-label": say("web.board") },
      this.boardbox,
      this.prompt,
      this.actions,
    );
  }

  /** Show a position, and ask for a move of the one to act. @param {AnalysedPosition} position @param {number} [pace] */
  async show(position, pace) {
    this.#position = position;
    this.#places = false;
    this.board.rest();
    await this.board.show(position.look.scene, pace);
    if (this.#position === position) this.ask();
  }

  /** Ask for a move in the position. */
  ask() {
    this.#places = false;
    const { look } = this.#position ?? {};
    if (look) this.board.offer(movesOf([...look.moves, ...look.interrupts]));
    this.#draw();
  }

  /** Ask for places instead, and say what for. @param {string} asked */
  askPlaces(asked) {
    this.#places = true;
    this.#asked = asked;
    const places = this.board.scene?.places ?? [];
    this.board.offer(places.map(({ token }) => ({ text: token, spellings: [[token]] })));
    this.#draw();
  }

  /** Choose how many, without doing it yet. @param {string} token */
  chooseAmount(token) {
    this.amount = token;
    this.#draw();
  }

  /** @param {string[]} tokens @returns {Promise<{reason: string, notes: Object<string, string>}>} */
  #askAbout(tokens) {
    return post("/analysis/tokens", { ...this.owner.place(), tokens });
  }

  /** @param {string[]} tokens */
  async #explain(tokens) {
    let reason = say("web.not-here");
    try {
      ({ reason } = await this.#askAbout(tokens));
    } catch {
      // it is not possible here, and that is all that is known
    }
    if (!reason) return;
    speak(reason);
    this.refusal.show(reason, this.board.boxOf(tokens.at(-1) ?? ""));
  }

  /** @param {string[]} tokens */
  async #count(tokens) {
    this.amount = "";
    this.#notes = {};
    if (!this.game.notes) return;
    try {
      const { notes } = await this.#askAbout(tokens);
      if (this.board.entry?.tokens.join(" ") !== tokens.join(" ")) return;
      this.#notes = notes;
      this.#draw();
    } catch {
      // it can be chosen all the same
    }
  }

  /** @param {string[]} tokens @returns {Promise<Scene | undefined>} */
  async #preview(tokens) {
    const move = this.board.entry?.moves.find(({ spellings }) => spellings.some((each) => `${each}` === `${tokens}`));
    return move && !this.#places ? this.owner.look(move.text) : undefined;
  }

  /** What can come up where chance is to act. */
  #results() {
    const { chance = [] } = this.#position ?? {};
    const all = chance.reduce((sum, [, weight]) => sum + weight, 0);
    return chance.map(([text, weight]) =>
      button(text, () => this.owner.made(text), { class: "button token", title: percent(weight / all) }),
    );
  }

  #draw() {
    const { board, game } = this;
    if (this.#places) {
      fill(this.prompt, this.#asked);
      return void fill(this.actions);
    }
    const position = this.#position;
    if (position?.turn === "chance") {
      fill(this.prompt, say("web.choose-roll"));
      return void fill(this.actions, this.#results());
    }
    if (!board.amounts) this.amount = "";
    const counting = this.amountControl.update(this);
    const amounts = board.amounts ?? [];
    const note = this.#notes[amounts.includes(this.amount) ? this.amount : (amounts.at(-1) ?? "")] ?? "";
    const asked = note || askedNext(board, game.prompts) || position?.look.ask || "";
    const seat = typeof position?.turn === "number" ? position.turn : null;
    const pick = picker(board, asked, null, null);
    const who = seat === null ? "" : seatTitle(game.name, seat);
    const title = seat === null ? (position?.ending ?? "") : say("core.pair", { name: who, value: asked });
    fill(this.prompt, pick ? "" : capital(title));
    const name = (/** @type {number} */ number) => seatTitle(game.name, number - 1);
    if (!counting) fill(this.actions, pick ?? actions(board, game, this.amountControl, name));
  }
}
