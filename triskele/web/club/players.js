/** Players as lists of the lobby show them: a name, a rating with how sure it is, and that a bot is one. */

/** @import { LobbyPlayer } from "../lib/protocol.js" */

import { h } from "../lib/dom.js";
import { number, say } from "../lib/i18n.js";
import { controlWords } from "../table/pace-words.js";
import { text } from "./setup.js";

const SURE = 110; // points; a rating that is less certain gets a question mark

/** @param {number} rating @param {number} deviation */
export function ratingWords(rating, deviation) {
  return deviation <= SURE ? String(rating) : `${rating}?`;
}

/** @param {LobbyPlayer} player */
export function playerWords({ name, account, bot, rating, deviation }) {
  if (!name) return text("lobby-guest");
  const points = rating === null || deviation === null ? "" : ` (${ratingWords(rating, deviation)})`;
  const mark = bot ? text("lobby-bot") : account ? null : say("web.guest"); // whose name may look like an account's
  return `${name}${points}${mark ? ` · ${mark}` : ""}`;
}

/** @param {LobbyPlayer[]} players */
export const playersWords = (players) => players.map(playerWords).join(", ");

/** "2 of 4". @param {number} filled @param {number} seats */
export const filledWords = (filled, seats) => text("lobby-filled", { filled: number(filled), seats: number(seats) });

/** The mark of a bot beside a name. */
export const botMark = () => h("small", { class: "badge" }, text("lobby-bot"));

/** @param {string} clock such as `5+3`, or `none` */
export const paceWords = (clock) => (clock === "none" ? say("web.pace-none") : controlWords(clock));
