/** A table in a list: which game, who plays, whose turn or who won, when. */

/** @import { Game, ListedTable, Seat } from "../lib/protocol.js" */

import { address } from "../lib/api.js";
import { boardPicture } from "../lib/catalogue.js";
import { button, h } from "../lib/dom.js";
import { ago, capital, language, say } from "../lib/i18n.js";
import { analysisLink } from "../table/analysis-link.js";
import { span } from "../table/clock-face.js";
import { markedName, together } from "../table/seat-names.js";
import { to } from "../lib/router.js";
import { theme } from "../lib/settings.js";

/** @param {ListedTable} table @returns {string | null} how it ended, if that is known */
function ending(table) {
  if (!table.winners || table.seats.length < 2) return null;
  if (!table.winners.length) return say("web.nobody-won");
  const winners = table.winners.map((seat) => table.seats[seat]);
  if (winners.some((seat) => seat.mine && seat.kind !== "here")) return say("web.you-won");
  return say("web.won", { names: together(winners, (seat) => markedName(table.game, seat)), n: winners.length });
}

/** Whether a table waits for me. @param {ListedTable} table */
export const isMyTurn = (table) => !table.over && table.turn !== null && Boolean(table.seats[table.turn]?.mine);

/** What is left until the time is up, in words, where the clock of a game over days runs. @param {ListedTable} table */
function timeLeft(table) {
  if (table.over || table.due === null) return null;
  return say("web.time-left-of", { time: span(Math.max(0, table.due - Date.now())) });
}

/** The position of a table, drawn as I may see it; the game's example where it cannot be had. @param {ListedTable} table */
function thumbnail(table) {
  const query = { theme: theme(), language: language(), v: table.changed ?? 0 };
  return h("img", {
    src: address(`/tables/${table.table}/picture.svg`, query),
    alt: "",
    decoding: "async",
    loading: "lazy",
    on: { error: (event) => event.currentTarget.replaceWith(boardPicture(table.game)) },
  });
}

/**
 * @param {ListedTable} table @param {Game[]} games
 * @param {(() => void) | null} [remove] takes it off the list, where that can be done
 */
export function tableLink(table, games, remove = null) {
  const game = games.find((each) => each.name === table.game);
  const others = table.seats.filter((seat) => !(seat.kind !== "here" && seat.mine));
  /** @param {Seat} seat */
  const other = (seat) => (seat.taken ? markedName(table.game, seat) : say("web.seat-free"));
  const end = ending(table);
  const left = timeLeft(table);
  return h(
    "li",
    {},
    h(
      "a",
      { href: to("table", table.table) },
      thumbnail(table),
      h(
        "span",
        { class: "what" },
        h("b", {}, game?.title ?? table.game),
        h(
          "small",
          { class: "muted" },
          capital(others.length ? together(others, other) : say("web.alone")),
          " · ",
          ago(table.changed ?? table.opened).replaceAll(" ", "\u00a0"),
        ),
        end ? h("small", { class: "end" }, capital(end)) : null,
        left ? h("small", { class: "left" }, capital(left)) : null,
      ),
      isMyTurn(table) ? h("span", { class: "badge" }, capital(say("web.your-turn"))) : null,
    ),
    table.over ? analysisLink(table.game, table.table, true) : null,
    table.over && table.moves
      ? h("a", { class: "button review-game", href: to("review", table.table) }, say("web.review-game"))
      : null,
    remove ? button(say("web.remove"), remove, { icon: "close", bare: true, class: "button bare remove" }) : null,
  );
}
