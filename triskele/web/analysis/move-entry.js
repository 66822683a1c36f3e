/** The board of an analysis as an input device: moves of all sides, results of dice, or just places. */

/** @import { AnalysedPosition, Game, Scene } from "../lib/protocol.js" */

import { post } from "../lib/api.js";
import { button } from "../lib/dom.js";
import { percent, say } from "../lib/i18n.js";
import { MoveInput } from "../table/move-input.js";
import { seatTitle } from "../table/seat-names.js";

/**
 * @typedef {{
 *   made: (move: string) => void, chosen: (token: string) => void, place: () => object,
 *   look: (move: string) => Promise<Scene | undefined>
 * }} Owner `made`: a move was entered; `chosen`: a place was, while places are asked for; `place`: of the interface;
 *   `look`: the scene after a move
 */

export class MoveEntry {
  /** @type {AnalysedPosition | null} */
  #position = null;
  #places = false;
  #asked = "";

  /** @param {Game} game @param {Owner} owner */
  constructor(game, owner) {
    this.game = game;
    this.owner = owner;
    this.input = new MoveInput(game, {
      entered: (move) => (this.#places ? owner.chosen(move) : owner.made(move)),
      changed: () => this.#draw(),
      explain: (tokens) => post("/analysis/tokens", { ...owner.place(), tokens }),
      look: async (move) => (this.#places ? undefined : owner.look(move)),
      previewsTouch: () => false, // what is tried out here is taken back as easily
    });
    this.board = this.input.board;
    this.stage = this.input.stage;
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
    if (look) this.input.offer(look);
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

  /** What can come up where chance is to act. */
  #results() {
    const { chance = [] } = this.#position ?? {};
    const all = chance.reduce((sum, [, weight]) => sum + weight, 0);
    return chance.map(([text, weight]) =>
      button(text, () => this.owner.made(text), { class: "button token", title: percent(weight / all) }),
    );
  }

  #draw() {
    const { input, game } = this;
    const position = this.#position;
    if (this.#places) return input.askInstead(this.#asked);
    if (position?.turn === "chance") return input.askInstead(say("web.choose-roll"), this.#results());
    const asked = input.next || position?.look.ask || "";
    const seat = typeof position?.turn === "number" ? position.turn : null;
    const who = seat === null ? "" : seatTitle(game.name, seat);
    return input.ask(seat === null ? (position?.ending ?? "") : say("core.pair", { name: who, value: asked }), asked);
  }
}
