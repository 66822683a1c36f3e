/**
 * The graph of winning chances. It is a slider over the moves: the arrow keys, Home, End and Page keys, a click and a
 * drag go through them, and a screen reader speaks the sentence of the move. Lines differ by dashes and grades by their
 * shapes, not by colour alone.
 */

/** @import { Grade, Review } from "./types.js" */

import { fill, h, s } from "../lib/dom.js";
import { number, percent, say } from "../lib/i18n.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 200, 64, 10, 12, 24];
const DASHES = ["", "8 4", "2 4", "10 4 2 4", "14 5", "5 3"];
const LEAP = 10; // moves of a Page key

/** @type {Record<Grade, (x: number, y: number) => string>} */
const SHAPES = {
  blunder: (x, y) => `M${x} ${y - 7}l7 12h-14z`,
  mistake: (x, y) => `M${x - 5} ${y - 5}h10v10h-10z`,
  inaccuracy: (x, y) => `M${x - 4.5} ${y}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z`,
};

/** The mark of a grade by itself. @param {Grade} grade */
export const gradeMark = (grade) =>
  s(
    "svg",
    { class: `grade-mark ${grade}`, viewBox: "0 0 18 18", "aria-hidden": "true" },
    s("path", { d: SHAPES[grade](9, 10) }),
  );

export class ChanceGraph {
  #plot = s("g");
  #cursor = s("line", { class: "cursor", y1: TOP, y2: HEIGHT - BOTTOM });
  #dot = s("circle", { class: "dot", r: 4.5 });
  #legend = h("p", { class: "legend muted" });
  #last = 1;
  /** @type {number[]} */
  #seats = [0];
  /** @type {Review | null} */
  #review = null;
  #at = 0;

  /**
   * @param {{go: (at: number) => void, say: (at: number) => string, names: string[], moves: number, apart: boolean}} owner
   *   `moves`: how many the game has; `apart`: a line for each seat, as with more than two or where each knew something else
   */
  constructor(owner) {
    this.owner = owner;
    this.#last = Math.max(1, owner.moves);
    const seats = owner.names.map((_, seat) => seat);
    this.#seats = owner.apart || seats.length > 2 ? seats : seats.slice(0, 1);
    const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
      const y = this.#y(share);
      const label = s("text", { class: "tick", x: LEFT - 6, y: y + 4 }, percent(share));
      return [s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }), label];
    });
    this.svg = s(
      "svg",
      {
        class: "chances",
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "slider",
        tabindex: "0",
        "aria-label": say("web.review-graph"),
        "aria-valuemin": "0",
        "aria-valuemax": String(owner.moves),
      },
      grid.flat(),
      s("text", { class: "tick", x: WIDTH - RIGHT, y: HEIGHT - 5 }, number(owner.moves)),
      this.#plot,
      this.#cursor,
      this.#dot,
    );
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      this.#point(event);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (this.svg.hasPointerCapture(event.pointerId)) this.#point(event);
    });
    this.element = h("div", { class: "graph" }, this.svg, this.#legend);
    this.select(0);
  }

  /** @param {number} at */
  #x(at) {
    return LEFT + ((WIDTH - LEFT - RIGHT) * at) / this.#last;
  }

  /** @param {number} chance */
  #y(chance) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const box = this.svg.getBoundingClientRect();
    const across = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    this.owner.go(Math.max(0, Math.min(this.owner.moves, Math.round(across * this.#last))));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Object<string, number>} */
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: LEAP, PageDown: -LEAP };
    const ends = event.key === "Home" ? 0 : event.key === "End" ? this.owner.moves : null;
    if (ends === null && !(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    const to = ends ?? this.#at + steps[event.key];
    this.owner.go(Math.max(0, Math.min(this.owner.moves, to)));
  }

  /** Draw what is known. @param {Review} review */
  draw(review) {
    this.#review = review;
    const { chances, moves, turning_point } = review;
    /** @type {SVGElement[]} */
    const parts = [];
    if (turning_point) {
      const x = this.#x(turning_point);
      parts.push(s("line", { class: "turn", x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }));
    }
    for (const seat of this.#seats) {
      const line = chances.map((each, at) => `${this.#x(at).toFixed(1)},${this.#y(each[seat]).toFixed(1)}`).join(" ");
      if (this.#seats.length === 1 && chances.length > 1) {
        const [low, end] = [this.#y(0), this.#x(chances.length - 1).toFixed(1)];
        parts.push(s("polygon", { class: "area", points: `${LEFT},${low} ${line} ${end},${low}` }));
      }
      parts.push(s("polyline", { class: `line seat-${seat}`, points: line, "stroke-dasharray": DASHES[seat % 6] }));
    }
    for (const { number: at, seat, grade } of moves) {
      if (!grade || !chances[at]) continue;
      const shown = this.#seats.includes(seat) ? seat : this.#seats[0];
      parts.push(s("path", { class: grade, d: SHAPES[grade](this.#x(at), this.#y(chances[at][shown])) }));
    }
    fill(this.#plot, parts);
    fill(
      this.#legend,
      this.#seats.map((seat) => this.#legendEntry(seat)),
    );
    this.select(this.#at);
  }

  /** @param {number} seat */
  #legendEntry(seat) {
    const sample = s(
      "svg",
      { class: "sample", viewBox: "0 0 30 8", "aria-hidden": "true" },
      s("line", { class: `line seat-${seat}`, x1: 0, x2: 30, y1: 4, y2: 4, "stroke-dasharray": DASHES[seat % 6] }),
    );
    return h("span", {}, sample, this.owner.names[seat]);
  }

  /** Show where we are. @param {number} at */
  select(at) {
    this.#at = at;
    const x = this.#x(at);
    this.#cursor.setAttribute("x1", String(x));
    this.#cursor.setAttribute("x2", String(x));
    const chance = this.#review?.chances[at]?.[this.#seats[0]];
    this.#dot.setAttribute("visibility", chance === undefined || this.#seats.length > 1 ? "hidden" : "visible");
    this.#dot.setAttribute("cx", String(x));
    this.#dot.setAttribute("cy", String(this.#y(chance ?? 0)));
    this.svg.setAttribute("aria-valuenow", String(at));
    this.svg.setAttribute("aria-valuetext", (this.#review && this.owner.say(at)) || number(at));
  }
}
