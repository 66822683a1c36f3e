/** How a rating went: a line with its uncertainty around it, and the same as a list for screen readers. */

/** @import { RatingHistory } from "../lib/protocol.js" */

import { h, s } from "../lib/dom.js";
import { language, number } from "../lib/i18n.js";
import { text } from "./setup.js";

const [WIDTH, HEIGHT] = [640, 200];
const [LEFT, TOP, BOTTOM] = [44, 10, 22];
const LISTED = 12; // the last points are spoken
const STEPS = [50, 100, 200, 500, 1000];

/** @param {number} time */
const day = (time) => new Date(time).toLocaleDateString(language(), { dateStyle: "medium" });

/** Lines at round ratings between two. @param {number} low @param {number} high */
function marks(low, high) {
  const step = STEPS.find((each) => (high - low) / each <= 5) ?? 1000;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((high - first) / step) + 1) }, (_, i) => first + i * step);
}

/** @param {RatingHistory} rating */
function drawing({ history }) {
  const low = Math.min(...history.map(([, value, deviation]) => value - deviation)) - 10;
  const high = Math.max(...history.map(([, value, deviation]) => value + deviation)) + 10;
  // By games and not by time: an evening of ten games would be one upright line.
  /** @param {number} i */
  const x = (i) => LEFT + ((WIDTH - LEFT - 8) * (i + 0.5)) / history.length;
  /** @param {number} value */
  const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
  /** @param {(point: [number, number, number]) => number} of */
  const points = (of) => history.map((point, i) => `${x(i).toFixed(1)},${y(of(point)).toFixed(1)}`);
  const band = [
    ...points(([, value, deviation]) => value + deviation),
    ...points(([, value, deviation]) => value - deviation).reverse(),
  ];
  const [, last] = history[history.length - 1];
  return s(
    "svg",
    { class: "history", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    marks(low, high).map((mark) => [
      s("line", { x1: LEFT, x2: WIDTH, y1: y(mark), y2: y(mark), class: "mark" }),
      s("text", { x: LEFT - 6, y: y(mark) + 4, "text-anchor": "end" }, String(mark)),
    ]),
    s("polygon", { points: band.join(" "), class: "band" }),
    s("polyline", { points: points(([, value]) => value).join(" "), class: "line" }),
    s("circle", { cx: x(history.length - 1), cy: y(last), r: 4, class: "dot" }),
    s("text", { x: LEFT, y: HEIGHT - 4 }, day(history[0][0])),
    s("text", { x: WIDTH - 4, y: HEIGHT - 4, "text-anchor": "end" }, day(history[history.length - 1][0])),
  );
}

/**
 * A rating of a person with its history.
 * @param {RatingHistory} rating @param {string} title of the game
 */
export function ratingHistory(rating, title) {
  const words = [title, text(`rated-${rating.pace}`), text(`rated-${rating.field}`)].join(" · ");
  const points = { rating: String(rating.rating), margin: number(rating.high - rating.rating), n: rating.games };
  return h(
    "section",
    { class: "card rating" },
    h("h2", {}, words),
    h("p", {}, h("b", {}, String(rating.rating)), " ", text("rating-about", points)),
    rating.listed ? null : h("p", { class: "muted" }, text("rating-unsure")),
    drawing(rating),
    h(
      "ol",
      { class: "unseen", "aria-label": text("rating-history") },
      rating.history
        .slice(-LISTED)
        .map(([time, value, deviation]) =>
          h("li", {}, text("rating-point", { day: day(time), rating: String(value), deviation: number(deviation) })),
        ),
    ),
  );
}
