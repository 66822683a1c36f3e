/** The board of a review: the position of the move that is looked at, with arrows, and better lines tried out on it. */

/** @import { Game } from "../lib/protocol.js" */
/** @import { JudgedMove } from "./types.js" */

import { Board } from "../board/board.js";
import { ownTurn } from "../board/orientation.js";
import { Arrows } from "../engine/arrows.js";
import { LinePreview } from "../engine/line-preview.js";
import { PositionSource } from "../engine/position-source.js";
import { button, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { failed, speak } from "../lib/toasts.js";
import { prefersReducedMotion } from "../lib/settings.js";

export class ReviewStage {
  #positions;
  #arrows;
  #preview;
  #shown = -1; // moves of the position in sight
  #turn = 0; // counts what was asked for, so that what is late is dropped

  /**
   * @param {Game} game @param {string} table @param {number | null} seat whose side is at the bottom
   * @param {{go: (by: number | "first" | "last") => void, changed: () => void}} owner `changed`: a line is tried out, or left
   */
  constructor(game, table, seat, owner) {
    this.seat = seat;
    this.#positions = new PositionSource(table);
    this.board = new Board({
      entered: () => {},
      changed: () => {},
      refused: () => {},
      counting: () => {},
      speak,
      preview: async () => undefined,
      previewsTouch: () => false,
      held: () => {},
    });
    this.board.svg.setAttribute("aria-label", game.title);
    this.#arrows = new Arrows(this.board);
    this.#preview = new LinePreview(this.#positions, {
      show: (scene, pace) => void this.board.show(scene, pace),
      live: () => void this.#restore(),
      changed: () => owner.changed(),
      failed,
    });
    /** @param {string} words @param {string} picture @param {number | "first" | "last"} by */
    const key = (words, picture, by) => button(words, () => owner.go(by), { icon: picture, bare: true });
    const keys = h(
      "div",
      { class: "row review-keys", role: "group", "aria-label": say("web.replay") },
      key(say("web.first"), "first", "first"),
      key(say("web.previous"), "prev", -1),
      key(say("web.next"), "next", 1),
      key(say("web.last"), "last", "last"),
    );
    this.boardbox = h("div", { class: "boardbox" }, this.board.svg);
    this.element = h("section", { class: "review-stage", "aria-label": say("web.board") }, this.boardbox, keys);
  }

  /** The line that is tried out now, if one is. */
  get preview() {
    return this.#preview.shown;
  }

  /** @type {{at: number, moves: string[], viewer: number | null}} */
  #wanted = { at: 0, moves: [], viewer: null };

  /**
   * Show the position after a number of moves; before a mistake, with arrows for the better move and the one made.
   * @param {number} at @param {JudgedMove | null} mistake @param {number | null} viewer the seat whose view it is
   */
  async show(at, mistake, viewer) {
    this.#preview.leave();
    const moves = mistake?.better_line ? [mistake.better_line[0], mistake.move] : [];
    this.#wanted = { at: mistake ? mistake.number - 1 : at, moves, viewer };
    await this.#restore();
  }

  async #restore() {
    const { at, moves, viewer } = this.#wanted;
    const turn = ++this.#turn;
    try {
      const scene = await this.#positions.scene(at, [], viewer);
      if (turn !== this.#turn) return;
      const next = at === this.#shown + 1 && !prefersReducedMotion();
      this.#shown = at;
      this.board.turnTo(ownTurn(scene, this.seat));
      this.board.rest();
      await this.board.show(scene, next ? 1 : undefined);
      await this.#point(at, moves, viewer, turn);
    } catch (error) {
      failed(error);
    }
  }

  /** @param {number} at @param {string[]} moves @param {number | null} viewer @param {number} turn */
  async #point(at, moves, viewer, turn) {
    if (turn !== this.#turn) return;
    if (!moves.length) return void this.#arrows.clear();
    const { moves: legal } = await this.#positions.state(at, viewer);
    if (turn !== this.#turn) return undefined;
    const tokens = new Map(legal.map(([text, spellings]) => [text, spellings[0]]));
    return void this.#arrows.show(moves.map((move) => tokens.get(move) ?? []));
  }

  /** Try out the better line of a mistake, move by move. @param {JudgedMove} mistake */
  play({ number, better_line }) {
    this.#arrows.clear();
    this.#turn++;
    const seat = this.#wanted.viewer;
    void this.#preview.begin({ at: number - 1, seat, line: number, texts: [...(better_line ?? [])] });
  }

  leave() {
    this.#preview.leave();
  }

  /** Take a key while a line is tried out; returns whether it was meant for it. @param {string} key */
  key(key) {
    if (!this.#preview.shown) return false;
    if (key === "Escape") this.#preview.leave();
    else if (key === "ArrowRight") void this.#preview.step(1);
    else if (key === "ArrowLeft") void this.#preview.step(-1);
    else return false;
    return true;
  }
}
