/** What was played in a position: in games of engines among themselves, and in one's own. */

/** @import { OpeningMove, Openings } from "../lib/protocol.js" */

import { post } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { capital, number, percent, say } from "../lib/i18n.js";

export class OpeningsPanel {
  #run = 0;

  /** @param {(move: string) => void} play */
  constructor(play) {
    this.play = play;
    this.body = h("div", { class: "openings" });
    this.element = h("details", { class: "opening-panel" }, h("summary", {}, say("web.openings")), this.body);
    this.element.addEventListener("toggle", () => this.element.open && this.#asked && this.show(this.#asked));
  }

  /** @type {unknown} */
  #asked = null;

  /** Look a position up, while the panel is open. @param {unknown} place */
  async show(place) {
    this.#asked = place;
    if (!this.element.open) return;
    const run = ++this.#run;
    try {
      /** @type {Openings} */
      const found = await post("/analysis/openings", place);
      if (run === this.#run) this.#draw(found);
    } catch (error) {
      if (run === this.#run) fill(this.body, h("p", { class: "muted" }, error instanceof Error ? error.message : ""));
    }
  }

  /** @param {Openings} found */
  #draw({ engines, own, note }) {
    fill(
      this.body,
      note ? h("p", { class: "muted" }, note) : null,
      this.#table(say("web.openings-engines"), engines),
      this.#table(say("web.openings-own"), own),
    );
  }

  /** @param {string} title @param {OpeningMove[]} moves */
  #table(title, moves) {
    if (!moves.length) return h("p", { class: "muted" }, say("web.openings-none", { set: title }));
    const all = moves.reduce((sum, { games }) => sum + games, 0);
    return h(
      "table",
      {},
      h("caption", {}, say("web.openings-count", { set: title, n: all })),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["web.openings-move", "web.openings-games", "web.openings-won"].map((key) =>
            h("th", { scope: "col" }, say(key)),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        moves.map(({ move, games, won }) =>
          h(
            "tr",
            {},
            h(
              "th",
              { scope: "row" },
              h("button", { type: "button", class: "node", on: { click: () => this.play(move) } }, move),
            ),
            h("td", {}, number(games), " ", h("small", { class: "muted" }, percent(games / all))),
            h("td", {}, h("progress", { max: 1, value: won, "aria-hidden": "true" }), " ", capital(percent(won))),
          ),
        ),
      ),
    );
  }
}
