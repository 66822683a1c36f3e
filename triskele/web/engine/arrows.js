/** Moves on the board: an arrow from place to place, or a ring around the only one. It knows no game. */

/** @import { Board } from "../board/board.js" */
/** @import { Place, Point } from "../lib/protocol.js" */

import { breadth, middle } from "../board/geometry.js";
import { s } from "../lib/dom.js";

const WIDTHS = [9, 6.5, 5]; // of the arrows' shafts in units of the scene, the best move's first
const HEAD = 2.4; // the head's breadth, in shafts
const SHORT = 14; // units that an arrow ends before the middle of its last place

/** The size of a place, as the radius of a circle. @param {Place} place */
const radius = (place) => breadth(place) / 2;

/** @param {Point} from @param {Point} to @param {number} by how much shorter @returns {Point} */
function shortened(from, to, by) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const share = Math.max(0.3, (length - by) / length);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** @param {Point} from @param {Point} tip @param {number} width @returns {SVGPolygonElement} */
function head(from, tip, width) {
  const length = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
  const [dx, dy] = [(tip.x - from.x) / length, (tip.y - from.y) / length];
  const [back, side] = [width * HEAD * 0.9, (width * HEAD) / 2];
  const [bx, by] = [tip.x - dx * back, tip.y - dy * back];
  const corners = [
    [tip.x + dx * width * 0.6, tip.y + dy * width * 0.6],
    [bx - dy * side, by + dx * side],
    [bx + dy * side, by - dx * side],
  ];
  return s("polygon", { points: corners.map((corner) => corner.map((n) => n.toFixed(1)).join(",")).join(" ") });
}

/** @param {Place[]} places @param {number} rank @returns {SVGElement[]} */
export function shape(places, rank) {
  const width = WIDTHS[rank];
  const points = places.map(middle);
  if (points.length === 1) {
    const r = radius(places[0]) * (places[0].points.length ? 0.8 : 1.12);
    return [s("circle", { class: "ring", cx: points[0].x, cy: points[0].y, r, "stroke-width": width * 0.7 })];
  }
  const [from, last] = points.slice(-2);
  const tip = shortened(from, last, SHORT);
  const path = [...points.slice(0, -1), shortened(from, tip, width * HEAD * 0.8)];
  return [
    s("polyline", {
      points: path.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "),
      "stroke-width": width,
    }),
    head(from, tip, width),
  ];
}

/** The number of a line beside its arrow: colour is not the only sign. @param {Place[]} places @param {number} rank */
function label(places, rank) {
  const end = places[places.length - 1];
  const { x, y } = middle(end);
  const away = radius(end) * (end.points.length ? 0.65 : 0.9);
  const at = { x: x + away, y: y - away };
  return [
    s("circle", { class: "badge", cx: at.x, cy: at.y, r: 11 }),
    s("text", { x: at.x, y: at.y, dy: ".36em", "text-anchor": "middle" }, String(rank + 1)),
  ];
}

export class Arrows {
  #group = s("g", { class: "arrows", "aria-hidden": "true" });
  #key = "";
  /** @type {import("../lib/protocol.js").Scene | null} */
  #scene = null;

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
  }

  /**
   * Show moves, the best first; each is one way to enter it, token by token.
   * @param {string[][]} moves
   */
  show(moves) {
    const { svg, scene } = this.board;
    const key = JSON.stringify(moves);
    // The last group is that of the places: nothing may lie over what can be touched.
    if (this.#group.parentNode !== svg) svg.insertBefore(this.#group, svg.lastElementChild);
    if (key === this.#key && scene === this.#scene) return;
    [this.#key, this.#scene] = [key, scene];
    const found = moves.map((tokens) => tokens.map((token) => this.board.place(token)).filter((place) => !!place));
    const groups = found.map((places, rank) =>
      places.length
        ? s(
            "g",
            { class: `arrow rank-${rank + 1}` },
            shape(places, rank),
            found.length > 1 ? label(places, rank) : null,
          )
        : null,
    );
    this.#group.replaceChildren(...groups.filter((group) => group !== null).reverse());
  }

  clear() {
    this.show([]);
  }
}
