/** Leaderboards: who is rated how in a game, and among them the computer's levels as landmarks. */

/** @import { Game, Leaderboard } from "../lib/protocol.js" */

import { get } from "../lib/api.js";
import { games } from "../lib/catalogue.js";
import { fill, h, icon } from "../lib/dom.js";
import { number, say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { go, to } from "../lib/router.js";
import { noPage } from "../pages/message.js";
import { botMark } from "./players.js";
import { prepare, text } from "./setup.js";

const PACES = /** @type {const} */ (["live", "days"]);
const FIELDS = /** @type {const} */ (["two", "several"]);

/** @param {Leaderboard} board */
function rows(board) {
  const people = board.players.map((player) => ({
    rating: player.rating,
    row: h(
      "tr",
      {},
      h("td", {}, number(player.place)),
      h("th", { scope: "row" }, h("a", { href: to("rated", player.name) }, player.name), player.bot ? botMark() : null),
      h("td", {}, String(player.rating)),
      h("td", { class: "muted" }, `± ${number(player.high - player.rating)}`),
      h("td", {}, number(player.games)),
    ),
  }));
  const levels = board.landmarks.map(({ level, rating }) => ({
    rating,
    row: h(
      "tr",
      { class: "landmark" },
      h("td", {}),
      h("th", { scope: "row" }, icon("engine"), say("web.engine-level", { level })),
      h("td", {}, String(rating)),
      h("td", {}),
      h("td", {}),
    ),
  }));
  return [...people, ...levels].sort((one, other) => other.rating - one.rating).map(({ row }) => row);
}

/** @param {Leaderboard} board */
function table(board) {
  const heads = ["place", "name", "rating", "interval", "games"].map((name) =>
    h("th", { scope: "col" }, text(`leaderboard-${name}`)),
  );
  return [
    board.players.length ? null : h("p", { class: "muted" }, text("leaderboard-empty")),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": text("leaderboards") },
      h("table", { class: "ranks" }, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows(board))),
    ),
    h(
      "p",
      { class: "muted" },
      text("leaderboard-floor"),
      " ",
      board.landmarks.length ? text("leaderboard-landmarks") : "",
    ),
  ];
}

/** @param {HTMLElement} host @param {string} name of a game; without one it is the first */
export async function leaderboardsPage(host, name) {
  const [list] = await Promise.all([games(), prepare()]);
  const game = list.find((each) => each.name === (name || list[0].name));
  if (!game) return void noPage(host);
  const shown = h("div", {});
  /** @type {{pace: "live" | "days", field: "two" | "several"}} */
  const chosen = { pace: "live", field: Math.min(...game.seats) > 2 ? "several" : "two" };
  const show = async () => fill(shown, table(await board(game, chosen)));
  const fields = Math.max(...game.seats) > 2 ? FIELDS : FIELDS.slice(0, 1);
  /** @param {"pace" | "field"} kind @param {readonly string[]} values */
  const choice = (kind, values) =>
    h(
      "label",
      { class: "option" },
      text(`leaderboard-${kind}`),
      h(
        "select",
        {
          on: {
            change: (event) => {
              Object.assign(chosen, { [kind]: event.currentTarget.value });
              show().catch(failed);
            },
          },
        },
        values.map((value) => h("option", { value, selected: chosen[kind] === value }, text(`rated-${value}`))),
      ),
    );
  fill(
    host,
    h(
      "div",
      { class: "page ratings" },
      h("h1", {}, text("leaderboards")),
      h(
        "div",
        { class: "choosing" },
        h(
          "label",
          { class: "option" },
          text("lobby-game"),
          h(
            "select",
            { on: { change: (event) => go(to("ratings", event.currentTarget.value)) } },
            list.map((each) => h("option", { value: each.name, selected: each === game }, each.title)),
          ),
        ),
        choice("pace", PACES),
        fields.length > 1 ? choice("field", fields) : null,
      ),
      shown,
      h("p", {}, h("a", { href: to("lobby") }, say("web.lobby"))),
    ),
  );
  await show();
}

/** @param {Game} game @param {{pace: string, field: string}} chosen @returns {Promise<Leaderboard>} */
function board(game, { pace, field }) {
  return get(`/leaderboards/${encodeURIComponent(game.name)}?pace=${pace}&field=${field}`);
}
