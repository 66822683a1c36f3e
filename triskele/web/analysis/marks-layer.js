/** Marks and arrows that somebody has drawn on the board. It knows no game. */

/** @import { Board } from "../board/board.js" */

import { shape } from "../engine/arrows.js";
import { s } from "../lib/dom.js";

export class MarksLayer {
  #group = s("g", { class: "own-marks arrows", "aria-hidden": "true" });

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
  }

  /** @param {string[][]} marks each one place, or two for an arrow */
  show(marks) {
    const { svg } = this.board;
    // The last group is that of the places: nothing may lie over what can be touched.
    if (this.#group.parentNode !== svg) svg.insertBefore(this.#group, svg.lastElementChild);
    const places = marks.map((tokens) => tokens.map((token) => this.board.place(token)));
    const known = places
      .map((each) => each.filter((place) => !!place))
      .filter((each, i) => each.length === marks[i].length);
    this.#group.replaceChildren(...known.map((each) => s("g", { class: "arrow own" }, shape(each, 1))));
  }
}
