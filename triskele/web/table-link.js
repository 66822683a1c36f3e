/** A table in a list: which game, who plays, whose turn or who won, when. */

import { boardPicture } from "./home-page.js";
import { h } from "./dom.js";
import { ago, capital, say } from "./i18n.js";
import { seatTitle, together } from "./people.js";
import { to } from "./router.js";

/**
 * @param {string} game
 * @param {{seat: number, kind: string, name: string, level: number | null}} seat
 */
function who(game, seat) {
  return seat.kind === "engine"
    ? say("web.engine-level", { level: seat.level })
    : seat.name || seatTitle(game, seat.seat);
}

/** @param {*} table @returns {string | null} how it ended, if that is known */
function ending(table) {
  if (!table.winners || table.seats.length < 2) return null;
  if (!table.winners.length) return say("web.nobody-won");
  const winners = table.winners.map((seat) => table.seats[seat]);
  if (winners.some((seat) => seat.mine && seat.kind !== "here")) return say("web.you-won");
  return say("web.won", { names: together(winners, (seat) => who(table.game, seat)), n: winners.length });
}

/** @param {*} table as `/tables` lists it @param {import("./catalogue.js").Game[]} games */
export function tableLink(table, games) {
  const game = games.find((each) => each.name === table.game);
  const others = table.seats.filter((seat) => !(seat.kind !== "here" && seat.mine));
  const other = (seat) => (seat.taken ? who(table.game, seat) : say("web.seat-free"));
  const end = ending(table);
  const myTurn = !table.over && table.seats[table.turn]?.mine;
  return h("li", {},
    h("a", { href: to("table", table.table) },
      boardPicture(table.game),
      h("span", { class: "what" },
        h("b", {}, game?.title ?? table.game),
        h(
          "small",
          { class: "muted" },
          capital(others.length ? together(others, other) : say("web.alone")),
          " · ",
          ago(table.changed ?? table.opened).replaceAll(" ", "\u00a0"),
        ),
        end ? h("small", { class: "end" }, capital(end)) : null),
      myTurn ? h("span", { class: "badge" }, capital(say("web.your-turn"))) : null));
}
