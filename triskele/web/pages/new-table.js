/** Opening a table: with one click, or as a form says. */

/** @import { Game, Options, Plan, PlannedSeat } from "../lib/protocol.js" */

import { post } from "../lib/api.js";
import { go, to } from "../lib/router.js";
import { levelOf, setting } from "../lib/settings.js";

/** Open a table and go there. @param {Plan} plan */
export async function openTable(plan) {
  /** @type {{table: string}} */
  const { table } = await post("/tables", plan);
  go(to("table", table));
}

/** How many seats a game has with these options. @param {Game} game @param {Options} options */
export function seatCount(game, options) {
  const usual = game.options.find((option) => option.name === "players")?.default;
  return Number(options.players ?? usual ?? game.seats[0]);
}

/** The seats of a quick game: me against engines. @param {number} count @param {number} level @returns {PlannedSeat[]} */
export function usualSeats(count, level) {
  return Array.from({ length: count }, (_, seat) =>
    seat ? { kind: "engine", level } : { kind: "me", name: setting("name") },
  );
}

/** Play at once: the usual game, against engines of the level played last. @param {Game} game */
export function quickGame(game) {
  const seats = usualSeats(seatCount(game, {}), levelOf(game.name));
  return openTable({ game: game.name, options: {}, seats, first: "lots", private: true });
}
