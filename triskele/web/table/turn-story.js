/**
 * The turns of others as a story: what each move did, in words, since the last turn of one's own.
 *
 * @typedef {{seat: Mover, words: string}} Line
 */

/** @import { Made, Mover } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { show as showDialog } from "../lib/dialogs.js";
import { h } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { withNames } from "./move-words.js";
import { seatSign } from "./player-strips.js";
import { nameOf } from "./seat-names.js";

const OWN_TURN = 2; // own decisions in a row that make a turn; a single one may answer somebody, such as a defence

export class TurnStory {
  /** @type {Line[]} */
  lines = [];
  /** @type {Line | null} what the last move did that has words */
  last = null;
  #own = 0;

  /** @param {TableModel} model */
  constructor(model) {
    this.model = model;
  }

  /** A move is shown. @param {Made} made @param {string} words what it did; none where there is nothing to tell */
  tell({ seat }, words) {
    if (this.model.isMine(seat)) this.#own += 1;
    else if (seat !== "chance") {
      if (this.#own >= OWN_TURN) this.lines = [];
      this.#own = 0;
    }
    if (!words) return;
    this.last = { seat, words: withNames(words, this.model) };
    if (this.#own < OWN_TURN) this.lines.push(this.last);
  }

  /** Forget everything: moves were taken back, or a game begins. */
  forget() {
    this.lines = [];
    this.last = null;
    this.#own = 0;
  }

  /** Whether it tells something of a seat's. @param {number} seat */
  tellsOf(seat) {
    return this.lines.some((line) => line.seat === seat);
  }

  /** Show all of it. @param {string[]} sprites the seats' signs */
  show(sprites) {
    /** @param {Line} line */
    const item = ({ seat, words }) =>
      h(
        "li",
        { class: seat === "chance" ? "rolled" : "" },
        seat === "chance" ? null : seatSign(sprites, seat),
        seat === "chance" ? null : h("b", { class: "unseen" }, nameOf(this.model, seat)),
        h("span", {}, capital(words)),
      );
    showDialog(say("web.story"), h("ol", { class: "story" }, this.lines.map(item)));
  }
}
