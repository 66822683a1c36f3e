/**
 * The moves made, in words where the game has some for its texts, a line for each turn; a click shows the position after one.
 *
 * @typedef {{text: string, at: number, chance: boolean}} Item a move; `at`: how many moves the position after it has
 * @typedef {{seat: number, moves: Item[]}} Turn
 */

/** @import { Game, Made } from "../lib/protocol.js" */

import { h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { moveWords } from "./move-words.js";
import { nameOf } from "./seat-names.js";

/** Moves by turns; a roll belongs to the turn of the seat that moves next. @param {Made[]} made @returns {Turn[]} */
export function turns(made) {
  /** @type {Turn[]} */
  const found = [];
  /** @type {Item[]} */
  let rolls = [];
  made.forEach(({ move, seat }, index) => {
    const item = { text: move, at: index + 1, chance: seat === "chance" };
    if (seat === "chance") return void rolls.push(item);
    const last = found.at(-1);
    if (last?.seat === seat) last.moves.push(...rolls, item);
    else found.push({ seat, moves: [...rolls, item] });
    rolls = [];
  });
  const last = found.at(-1);
  if (last) last.moves.push(...rolls);
  else if (rolls.length) found.push({ seat: 0, moves: rolls });
  return found;
}

/**
 * Turns in lines: one column a seat when two play, else a line a turn.
 * @param {Turn[]} list @param {number} seats @returns {(Turn | undefined)[][]}
 */
function lines(list, seats) {
  if (seats !== 2) return list.map((turn) => [turn]);
  /** @type {(Turn | undefined)[][]} */
  const rows = [];
  for (const turn of list) {
    let row = rows.at(-1);
    if (!row || turn.seat === 0 || row[turn.seat]) rows.push((row = []));
    row[turn.seat] = turn;
  }
  return rows;
}

export class MoveList {
  #drawn = "";

  /** @param {(at: number) => void} show */
  constructor(show) {
    this.show = show;
    this.element = h("ol", { class: "moves", tabindex: "0", "aria-label": say("web.moves") });
  }

  /**
   * @param {import("./model.js").TableModel} model @param {Game} game @param {number} at the move shown last
   * @param {number} unseen how many moves at the end are yet to be seen on the board
   */
  update(model, game, at, unseen) {
    const made = model.moves.slice(0, model.moves.length - unseen);
    const current = Math.min(at, made.length);
    const key = `${made.length}/${current}/${made.at(-1)?.move}`;
    if (key === this.#drawn) return;
    this.#drawn = key;
    const columns = model.seats.length === 2 ? 2 : 1;
    /** @param {Item} item */
    const move = ({ text, at: number, chance }) =>
      h(
        "button",
        {
          type: "button",
          class: chance ? "roll" : "",
          "aria-current": number === current ? "true" : null,
          title: chance ? say("web.dice") : null,
          on: { click: () => this.show(number) },
        },
        chance ? text : moveWords(game, text, model),
      );
    /** @param {Turn | undefined} turn */
    const cell = (turn) => h("span", { class: "turn" }, turn?.moves.map(move));
    /** @param {number} seat */
    const seatNumber = (seat) => h("b", { title: nameOf(model, seat) }, String(seat + 1));
    const rows = lines(turns(made), model.seats.length).map((row, index) =>
      h(
        "li",
        {},
        h("span", { class: "number" }, columns === 1 && row[0] ? seatNumber(row[0].seat) : String(index + 1)),
        Array.from({ length: columns }, (_, column) => cell(row[column])),
      ),
    );
    this.element.classList.toggle("two", columns === 2);
    this.element.replaceChildren(...(rows.length ? rows : [h("li", { class: "none" }, say("web.no-moves"))]));
    requestAnimationFrame(() => this.reveal()); // when all around it has its size, too
  }

  /** Bring the move that is shown into sight; to be called when the list itself comes into sight. */
  reveal() {
    const current = this.element.querySelector("[aria-current]");
    if (!current) return;
    const [list, line] = [this.element.getBoundingClientRect(), current.getBoundingClientRect()];
    this.element.scrollTop += line.top - list.top - (list.height - line.height) / 2;
  }
}
