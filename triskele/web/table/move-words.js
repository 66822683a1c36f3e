/** Moves in words: as their game declares them, where their text is a code to people. */

/** @import { Game } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { has, say } from "../lib/i18n.js";
import { nameOf } from "./seat-names.js";

/** @type {Map<string, RegExp>} */
const compiled = new Map();

/** @param {string} pattern */
function whole(pattern) {
  const known = compiled.get(pattern) ?? new RegExp(`^(?:${pattern})$`);
  compiled.set(pattern, known);
  return known;
}

/** Put the names of players into words that have `{2}` for player 2. @param {string} words @param {TableModel} model */
export const withNames = (words, model) => words.replace(/\{(\d+)\}/g, (_, seat) => nameOf(model, Number(seat) - 1));

/**
 * A move in words; where its game has none for it, as on its button, or as it is written.
 * @param {Game} game @param {string} move @param {TableModel} model
 */
export function moveWords(game, move, model) {
  for (const { pattern, key, signs } of game.wordings) {
    const found = whole(pattern).exec(move);
    if (!found) continue;
    /** @param {[string, string]} group @returns {[string, string | number]} */
    const value = ([group, written]) => {
      if (group === "player") return [group, nameOf(model, Number(written) - 1)];
      return [group, signs[written] ?? (/^\d+$/.test(written) ? Number(written) : written)];
    };
    return say(key, Object.fromEntries(Object.entries(found.groups ?? {}).map(value)));
  }
  const button = `${game.name}.token.${move}`;
  return has(button) ? say(button) : move;
}
