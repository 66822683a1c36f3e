/** What an engine says: a hint with its sentence, and its view of the game. */

import { h } from "./dom.js";
import { percent, say } from "./i18n.js";
import { nameOf } from "./people.js";

/** A score from -1 to 1 as a chance. @param {number} score */
const chance = (score) => Math.min(1, Math.max(0, (score + 1) / 2));

/**
 * The engine's view of a position.
 * @param {import("./table-model.js").TableModel} model
 * @param {{scores: number[], lines: string[][], depth: number}} view
 */
export function analysis(model, view) {
  const bar = (score, seat) => {
    const name = nameOf(model, seat);
    return h(
      "div",
      { class: "bar" },
      h("span", {}, name),
      h("progress", { max: 1, value: chance(score), "aria-label": name }),
      h("span", {}, percent(chance(score))),
    );
  };
  return h("div", { class: "analysis", role: "status" },
    view.scores.map(bar),
    view.lines.slice(0, 3).map((line) => h("div", {}, line.join(" "))),
    view.depth ? h("small", { class: "muted" }, say("web.depth", { n: view.depth })) : null);
}
