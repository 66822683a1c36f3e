/** A table in a list: which game, who plays, whose turn, when. */

import { boardPicture } from "./home-page.js";
import { h } from "./dom.js";
import { ago, listed, say } from "./i18n.js";
import { to } from "./router.js";

/**
 * @param {{kind: string, name: string, level: number | null, mine: boolean, taken: boolean}} seat
 * @param {number} number
 */
function who(seat, number) {
  if (seat.kind === "engine") return say("web.engine-level", { level: seat.level });
  if (!seat.taken) return say("web.seat-free");
  return seat.name || (seat.mine ? say("web.you") : say("web.seat", { seat: number + 1 }));
}

/** @param {*} table as `/tables` lists it @param {import("./catalogue.js").Game[]} games */
export function tableLink(table, games) {
  const game = games.find((each) => each.name === table.game);
  const others = table.seats.filter((seat) => !(seat.kind === "me" && seat.mine));
  const myTurn = !table.over && table.seats[table.turn]?.mine;
  return h("li", {},
    h("a", { href: to("table", table.table) },
      boardPicture(table.game),
      h("span", { class: "what" },
        h("b", {}, game?.title ?? table.game),
        h(
          "small",
          { class: "muted" },
          others.length ? say("web.with", { names: listed(others.map(who)) }) : say("web.alone"),
          " · ",
          ago(table.changed ?? table.opened),
        )),
      myTurn ? h("span", { class: "badge" }, say("web.your-turn")) : null));
}
