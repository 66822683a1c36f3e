/** The games there are, as the server declares them, in the reader's language. */

/** @import { Game } from "./protocol.js" */

import { address, get } from "./api.js";
import { h } from "./dom.js";
import { language, number, say } from "./i18n.js";
import { theme } from "./settings.js";

/** @type {Map<string, Promise<Game[]>>} what was asked for, by language */
const requests = new Map();

/** @returns {Promise<Game[]>} */
export function games() {
  const tag = language();
  const asked = requests.get(tag) ?? get(`/games?language=${tag}`);
  requests.set(tag, asked);
  asked.catch(() => requests.delete(tag));
  return asked;
}

/**
 * How to play a game, as an element with its `lang`: that may be another language than the page's.
 * @param {string} name @param {number} lift added to the level of headings
 */
export async function helpPage(name, lift) {
  const [answer, { rendered }] = await Promise.all([
    fetch(address(`/games/${encodeURIComponent(name)}/help`, { language: language() })),
    import("./markdown.js"),
  ]);
  if (!answer.ok) throw new Error(say("web.no-page"));
  const page = rendered(await answer.text(), { lift, picture: (of) => pictureOf(name, of) });
  page.lang = answer.headers.get("Content-Language") ?? "en";
  return page;
}

/** The address of a picture of a game: of its example, or one that its help page names. @param {string} name @param {string} [of] */
export function pictureOf(name, of) {
  return address(`/games/${encodeURIComponent(name)}/picture.svg`, { of, theme: theme(), language: language() });
}

/** A game's example position, drawn; nothing where it cannot be had. @param {string} name */
export function boardPicture(name) {
  const remove = { error: (/** @type {Event & {currentTarget: Element}} */ event) => event.currentTarget.remove() };
  return h("img", { src: pictureOf(name), alt: "", decoding: "async", on: remove });
}

/** A range in words: "2–5". @param {number} low @param {number} high */
const range = (low, high) => (low === high ? number(low) : `${number(low)}\u2060–\u2060${number(high)}`); // never broken

/** "2–5 players · 20–40 min". @param {Game} game */
export function inShort(game) {
  const [low, high] = [Math.min(...game.seats), Math.max(...game.seats)];
  const players = say("web.players", { n: high, players: range(low, high) });
  return `${players} · ${say("web.minutes", { minutes: range(...game.minutes) })}`;
}
