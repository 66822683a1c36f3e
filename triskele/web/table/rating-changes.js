/** What a rated game did to the ratings of its players, to be said with the result. */

/** @import { RatingChanges } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { get } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { loadPart, number, say } from "../lib/i18n.js";
import { nameOf } from "./seat-names.js";

const AGAIN = 500; // milliseconds until ratings that were not computed yet are asked for again
const TRIES = 40;

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Points that were won or lost, with their sign. @param {number} points */
const signed = (points) => number(points, { signDisplay: "exceptZero" }).replace("-", "−");

/** Ratings follow the end of a game in a moment. @param {string} table @returns {Promise<RatingChanges>} */
async function settled(table) {
  for (let tries = TRIES; ; tries--) {
    /** @type {RatingChanges} */
    const found = await get(`/tables/${table}/ratings`);
    if (found.state !== "pending" || tries <= 1) return found;
    await pause(AGAIN);
  }
}

/** The changes, drawn when they are known; nothing for a game that has none. @param {TableModel} model @returns {Promise<Element | null>} */
export async function ratingChanges(model) {
  const [{ state, players }] = await Promise.all([settled(model.id), loadPart("club")]);
  if (state === "void") return h("p", { class: "muted" }, say("web/club.rating-void"));
  if (state !== "rated") return null;
  return h(
    "ul",
    { class: "rating-changes" },
    players.map(({ seat, before, after }) =>
      h("li", {}, nameOf(model, seat), " ", h("b", {}, `${before} → ${after}`), ` (${signed(after - before)})`),
    ),
  );
}
