/** Opening tables: with one click, or as a form says. */

import { post } from "./api.js";
import { go, to } from "./router.js";
import { setting } from "./settings.js";

/**
 * @typedef {{kind: "me" | "here" | "link" | "engine", name?: string, level?: number}} Seat
 * @typedef {{
 *   game: string, options: Object<string, *>, seats: Seat[], first: "order" | "lots" | number, private: boolean,
 *   series?: string
 * }} Plan
 */

/** Open a table and go there. @param {Plan} plan */
export async function open(plan) {
  const { table } = await post("/tables", plan);
  go(to("table", table));
}

/**
 * How many seats a game has with these options.
 * @param {import("./catalogue.js").Game} game
 * @param {Object<string, *>} options
 */
export function seatCount(game, options) {
  return options.players ?? game.options.find((option) => option.name === "players")?.default ?? game.seats[0];
}

/** The seats of a quick game: me against engines. @param {number} count @param {number} level @returns {Seat[]} */
export function usualSeats(count, level) {
  return Array.from(
    { length: count },
    (_, seat) => (seat ? { kind: "engine", level } : { kind: "me", name: setting("name") }),
  );
}

/** Play at once, the usual game against engines of a middle level. @param {import("./catalogue.js").Game} game */
export function quick(game) {
  const seats = usualSeats(seatCount(game, {}), setting("level"));
  return open({ game: game.name, options: {}, seats, first: "lots", private: true });
}
