/**
 * A position in which something is to be found, on the board: tries go to the server, which judges them, and what it
 * says is shown. Steps of courses and puzzles are such; they differ in what is around the board.
 *
 * @typedef {"asked" | "busy" | "solved"} State
 * @typedef {{words: string, kind: "good" | "bad"}} Feedback
 * @typedef {{
 *   path: () => string, marks: () => string[], previews: boolean, changed: () => void, solved: () => void
 * }} Owner `path`: of the interface, where tries go; `marks`: tokens of places to point out; `previews`: whether a try
 *   costs so little that it shows beforehand what would come; `changed`: something has to be drawn again; `solved`: it is
 */

/** @import { Game, LessonFrame, LessonJudged } from "../lib/protocol.js" */

import { post } from "../lib/api.js";
import { fill } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { prefersReducedMotion, setting } from "../lib/settings.js";
import { MoveInput } from "../table/move-input.js";

const SEEN = 1800; // how long the consequence of a wrong try is seen
const PAUSE = 350; // between two moves that are shown

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Exercise {
  /** @type {string[]} what was decided so far, and was right */
  decisions = [];
  wrong = 0;
  /** @type {State} */
  state = "busy";
  /** @type {Feedback | null} */
  feedback = null;
  /** @type {LessonFrame | null} the position that is asked about */
  #asked = null;
  #turn = 0; // counts what was begun, so that what is late is dropped
  #title = "";

  /** @param {Game} game @param {Owner} owner */
  constructor(game, owner) {
    this.game = game;
    this.owner = owner;
    this.input = new MoveInput(game, {
      entered: (move) => this.#try(move),
      changed: () => this.#drawActions(),
      explain: (tokens) => post(`${owner.path()}/tokens`, { decisions: this.decisions, tokens }),
      look: (move) => this.#lookAfter(move),
      previewsTouch: () => game.previews && owner.previews && setting("touchPreview"),
    });
    this.board = this.input.board;
    this.stage = this.input.stage;
  }

  /** Begin anew, with a name for what is asked. @param {string} title */
  async begin(title) {
    const turn = this.#restart(title);
    this.input.showBoard();
    this.#changed();
    try {
      const { frames } = await this.#post([]);
      await this.#show(frames, turn);
      if (turn !== this.#turn) return;
      this.#asked = frames.at(-1) ?? null;
      this.#ask();
    } catch (error) {
      failed(error);
    }
  }

  /** Show something else than the board. @param {Element} instead */
  rest(instead) {
    this.#restart("");
    fill(this.input.boardbox, instead);
    this.#changed();
  }

  /** @param {string} title */
  #restart(title) {
    this.#title = title;
    this.decisions = [];
    this.wrong = 0;
    this.feedback = null;
    this.#asked = null;
    this.state = "busy";
    this.board.rest();
    return ++this.#turn;
  }

  /** @param {string[]} decisions @returns {Promise<LessonJudged>} */
  #post(decisions) {
    return post(this.owner.path(), { decisions });
  }

  /** Show positions one after the other. @param {LessonFrame[]} frames @param {number} turn */
  async #show(frames, turn) {
    for (const [number, { look, made }] of frames.entries()) {
      if (turn !== this.#turn) return;
      const still = !made || prefersReducedMotion() || document.hidden;
      await this.board.show(look.scene, still ? undefined : 1);
      if (!still && number < frames.length - 1) await wait(PAUSE);
    }
  }

  /** Offer the moves of a position. @param {LessonFrame | null} [frame] */
  #ask(frame = this.#asked) {
    if (!frame) return;
    this.state = "asked";
    this.input.offer(frame.look);
    if (!this.decisions.length) this.board.point(this.owner.marks());
    this.#changed();
  }

  /** A whole move is entered. @param {string} move */
  async #try(move) {
    if (this.state !== "asked") return;
    const turn = ++this.#turn;
    this.state = "busy";
    this.board.rest();
    this.#changed();
    try {
      const tried = [...this.decisions, move];
      const found = await this.#post(tried);
      await this.#show(found.frames, turn);
      if (turn === this.#turn) await this.#judged(tried, found, turn);
    } catch (error) {
      failed(error);
      this.#ask();
    }
  }

  /** @param {string[]} tried @param {LessonJudged} found @param {number} turn */
  async #judged(tried, { status, text, frames }, turn) {
    if (status === "going") {
      this.decisions = tried;
      this.feedback = null;
      return this.#ask(frames.at(-1));
    }
    const usual = status === "solved" ? say("web.try-right") : say("core.lesson-wrong");
    this.feedback = { words: text ?? usual, kind: status === "solved" ? "good" : "bad" };
    if (status === "solved") {
      this.state = "solved";
      this.#changed();
      return this.owner.solved();
    }
    this.wrong += 1;
    this.#changed();
    if (status === "refused") return this.#ask(frames.at(-1));
    await wait(SEEN);
    if (turn !== this.#turn || !this.#asked) return undefined;
    this.decisions = [];
    await this.board.show(this.#asked.look.scene, prefersReducedMotion() ? undefined : 2);
    return this.#ask();
  }

  /** Play a solution from the beginning, and ask again. @param {string[]} solution */
  async demonstrate(solution) {
    const turn = ++this.#turn;
    if (!this.#asked) return;
    this.state = "busy";
    this.feedback = null;
    this.board.rest();
    this.#changed();
    try {
      await this.board.show(this.#asked.look.scene);
      for (let number = 1; number <= solution.length; number++) {
        const { frames } = await this.#post(solution.slice(0, number));
        await this.#show(frames, turn);
        await wait(PAUSE);
      }
      await wait(SEEN);
      if (turn !== this.#turn) return;
      this.decisions = [];
      await this.board.show(this.#asked.look.scene);
    } catch (error) {
      failed(error);
    }
    this.#ask();
  }

  /** The scene after a move. @param {string} move */
  async #lookAfter(move) {
    if (!this.owner.previews) return undefined; // judging a puzzle takes a search
    try {
      const { frames, status } = await this.#post([...this.decisions, move]);
      return status === "refused" ? undefined : frames[0]?.look.scene;
    } catch {
      return undefined; // the move can be made all the same
    }
  }

  // --- drawing -----------------------------------------------------------------------------------

  #changed() {
    this.owner.changed();
    this.#drawActions();
  }

  #drawActions() {
    const { next } = this.input;
    if (this.state === "asked") this.input.ask(next, next || this.#title);
    else this.input.askInstead();
  }
}
