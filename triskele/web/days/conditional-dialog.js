/** Conditional moves: what the others may do, and what I will answer, entered by playing it out on a board. */

/** @import { Game, ListedMove, Mover, Scene } from "../lib/protocol.js" */
/** @import { TableModel } from "../table/model.js" */

import { Board } from "../board/board.js";
import { movesOf } from "../board/entry.js";
import { get, post } from "../lib/api.js";
import { show } from "../lib/dialogs.js";
import { button, fill, h } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { failed, speak } from "../lib/toasts.js";
import { prefersReducedMotion } from "../lib/settings.js";
import { actions, askedNext, picker } from "../table/action-bar.js";
import { AmountControl } from "../table/amount-control.js";
import { nameOf } from "../table/seat-names.js";

/** @typedef {{turn: Mover | null, look: {scene: Scene, moves: ListedMove[]}}} Frame the position after a line */

class ConditionalMoves {
  /** @type {string[][]} the lines that are stored */
  #lines = [];
  /** @type {{move: string, seat: Mover}[]} the line that is being entered */
  #path = [];
  /** @type {Frame | null} */
  #frame = null;
  amount = "";

  /** @param {TableModel} model @param {Game} game @param {number} seat */
  constructor(model, game, seat) {
    this.model = model;
    this.game = game;
    this.seat = seat;
    this.board = new Board({
      entered: (move) => this.#play(move).catch(failed),
      changed: () => this.#draw(),
      refused: () => speak(say("web.not-here")),
      counting: () => {
        this.amount = "";
      },
      speak,
      preview: async () => undefined,
      previewsTouch: () => false, // what is tried out here is taken back as easily
      held: () => {},
    });
    this.board.svg.setAttribute("aria-label", game.title);
    this.amountControl = new AmountControl(() => this);
    this.prompt = h("p", { class: "asked", role: "status" });
    this.boardbox = h("div", { class: "boardbox" }, this.board.svg);
    this.actions = h("div", { class: "actions", role: "group", "aria-label": say("web.actions") });
    this.entering = h("div", { class: "conditional-line" });
    this.stored = h("div", { class: "list" });
  }

  /** Nothing is told of numbers here: it is not this turn. */
  noteOf() {
    return "";
  }

  /** @param {string} rest */
  #at(rest = "") {
    return `/tables/${this.model.id}/conditional${rest}`;
  }

  async open() {
    const words = h("p", { class: "muted" }, say("web.conditional-words"));
    show(say("web.conditional"), [words, this.prompt, this.boardbox, this.actions, this.entering, this.stored], {
      class: "conditional",
    });
    ({ lines: this.#lines } = await get(`${this.#at()}?seat=${this.seat}`));
    await this.#go([]);
  }

  /** @param {string} token how many, not done yet */
  chooseAmount(token) {
    this.amount = token;
    this.#draw();
  }

  /** Show the position after a line. @param {{move: string, seat: Mover}[]} path */
  async #go(path) {
    const forward = path.length > this.#path.length;
    this.board.rest();
    const line = path.map(({ move }) => move);
    /** @type {Frame} */
    const frame = await post(this.#at("/position"), { seat: this.seat, line });
    this.#path = path;
    this.#frame = frame;
    await this.board.show(frame.look.scene, forward && !prefersReducedMotion() ? 1 : undefined);
    if (frame.turn !== null) this.board.offer(movesOf(frame.look.moves));
    this.#draw();
  }

  /** @param {string} move */
  async #play(move) {
    const turn = this.#frame?.turn;
    if (turn !== null && turn !== undefined) await this.#go([...this.#path, { move, seat: turn }]);
  }

  /** Store lines instead of those there were. @param {string[][]} lines */
  async #put(lines) {
    ({ lines: this.#lines } = await post(this.#at(), { seat: this.seat, lines }));
    await this.#go([]);
  }

  /** Whether the line that is entered ends with a move of mine. */
  get #whole() {
    return this.#path.at(-1)?.seat === this.seat;
  }

  /** What is asked now: a move of somebody else, or mine. */
  get #question() {
    const turn = this.#frame?.turn ?? null;
    if (turn === null) return say("web.conditional-over");
    if (turn === this.seat) return say("web.conditional-then");
    return say("web.conditional-if", { name: nameOf(this.model, turn) });
  }

  #draw() {
    const { board, game } = this;
    const title = askedNext(board, game.prompts) ?? this.#question;
    const counting = this.amountControl.update(this);
    const pick = picker(board, title, null, null);
    fill(this.prompt, capital(title));
    /** @param {number} seat from 1 */
    const name = (seat) => nameOf(this.model, seat - 1);
    if (!counting) fill(this.actions, pick ?? actions(board, game, this.amountControl, name));
    this.#drawLines();
  }

  #drawLines() {
    const made = this.#path.map(({ move }) => move);
    const add = () => this.#put([...this.#lines.filter((line) => !goesOn(made, line)), made]).catch(failed);
    fill(
      this.entering,
      h("p", { class: "moves-of-line" }, made.join(" · ") || say("web.conditional-none")),
      button(say("web.back"), () => this.#go(this.#path.slice(0, -1)).catch(failed), {
        icon: "undo",
        disabled: !made.length,
        class: "button slim",
      }),
      button(say("web.conditional-add"), add, { class: "button slim primary", disabled: !this.#whole }),
    );
    fill(
      this.stored,
      this.#lines.map((line, index) =>
        h(
          "div",
          { class: "conditional-line" },
          h("p", { class: "moves-of-line" }, line.join(" · ")),
          button(say("web.remove"), () => this.#put(this.#lines.filter((_, i) => i !== index)).catch(failed), {
            icon: "close",
            bare: true,
            class: "button bare",
          }),
        ),
      ),
    );
  }
}

/** Whether a line goes on from another one, which it then replaces. @param {string[]} line @param {string[]} begun */
const goesOn = (line, begun) => begun.length < line.length && begun.every((move, i) => move === line[i]);

/** Open the dialog. @param {TableModel} model @param {Game} game @param {number} seat one of mine */
export const conditionalMoves = (model, game, seat) => new ConditionalMoves(model, game, seat).open();
