/**
 * The games there are, as the server declares them, in the reader's language.
 *
 * @typedef {{
 *   name: string, kind: "flag" | "number" | "choice" | "pattern", default: *, label: string, allowed: string,
 *   low?: number, high?: number, values?: {value: *, label: string}[] | null
 * }} Option
 * @typedef {{
 *   name: string, title: string, tagline: string, minutes: [number, number], seats: number[], options: Option[],
 *   presets: {options: Object<string, *>, text: string, series: string}[], hidden: boolean, chance: boolean
 * }} Game
 */

import { address, get } from "./api.js";
import { language, number, say } from "./i18n.js";
import { rendered } from "./markdown.js";
import { theme } from "./settings.js";

/** @type {Map<string, Promise<Game[]>>} */
const known = new Map();

/** @returns {Promise<Game[]>} */
export function games() {
  const tag = language();
  if (!known.has(tag)) {
    const asked = get(`/games?language=${tag}`);
    asked.catch(() => known.delete(tag));
    known.set(tag, asked);
  }
  return known.get(tag);
}

/**
 * How to play a game, as an element; it says in which language it is, which may be another than the page's.
 * @param {string} name @param {number} lift added to the level of headings
 */
export async function helpPage(name, lift) {
  const answer = await fetch(address(`/games/${encodeURIComponent(name)}/help`, { language: language() }));
  if (!answer.ok) throw new Error(say("web.no-page"));
  const page = rendered(await answer.text(), { lift, picture: (of) => pictureOf(name, { of }) });
  page.lang = answer.headers.get("Content-Language") ?? "en";
  return page;
}

/** Where a picture of a game is: its example, or one that its help page names. @param {string} name @param {Object} query */
export function pictureOf(name, query = {}) {
  return address(`/games/${name}/picture.svg`, { ...query, theme: theme(), language: language() });
}

/** A range in words: "2–5". @param {number} low @param {number} high */
const range = (low, high) => (low === high ? number(low) : `${number(low)}–${number(high)}`);

/** "2–5 players · 20–40 min". @param {Game} game */
export function inShort(game) {
  const [low, high] = [Math.min(...game.seats), Math.max(...game.seats)];
  const players = say("web.players", { n: high, players: range(low, high) });
  return `${players} · ${say("web.minutes", { minutes: range(...game.minutes) })}`;
}
