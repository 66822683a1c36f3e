/** Players as lists of the lobby show them: a name, a rating with how sure it is, and that a bot is one. */

/** @import { LobbyPlayer } from "../lib/protocol.js" */

import { h } from "../lib/dom.js";
import { number, say } from "../lib/i18n.js";

const SURE = 110; // points; a rating that is less certain gets a question mark

/** @param {number} rating @param {number} deviation */
export function ratingWords(rating, deviation) {
  return deviation <= SURE ? String(rating) : `${rating}?`;
}

/** @param {LobbyPlayer} player */
export function playerWords({ name, bot, rating, deviation }) {
  const points = rating === null || deviation === null ? "" : ` (${ratingWords(rating, deviation)})`;
  return `${name || say("web.lobby-guest")}${points}${bot ? ` · ${say("web.lobby-bot")}` : ""}`;
}

/** @param {LobbyPlayer[]} players */
export const playersWords = (players) => players.map(playerWords).join(", ");

/** "2 of 4". @param {number} filled @param {number} seats */
export const filledWords = (filled, seats) =>
  say("web.lobby-filled", { filled: number(filled), seats: number(seats) });

/** The mark of a bot beside a name. */
export const botMark = () => h("small", { class: "badge" }, say("web.lobby-bot"));
