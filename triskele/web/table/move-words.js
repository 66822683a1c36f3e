/** Moves in words: as their game declares them, where their text is a code to people. */

/** @import { Fact, Game } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { has, say } from "../lib/i18n.js";
import { briefNameOf, nameOf } from "./seat-names.js";

/** @type {Map<string, RegExp>} */
const compiled = new Map();

/** @param {string} pattern */
function whole(pattern) {
  const known = compiled.get(pattern) ?? new RegExp(`^(?:${pattern})$`);
  compiled.set(pattern, known);
  return known;
}

/**
 * Put the names of players into words that have `{2}` for player 2.
 * @param {string} words @param {TableModel} model @param {(model: TableModel, seat: number) => string} [name]
 */
export const withNames = (words, model, name = nameOf) =>
  words.replace(/\{(\d+)\}/g, (_, seat) => name(model, Number(seat) - 1));

/** What a scene says, with the names of players where it has places for them. @param {Fact[]} facts @param {TableModel} model */
export const factsWithNames = (facts, model) =>
  facts.map((fact) => (fact.named ? { ...fact, words: withNames(fact.named, model, briefNameOf) } : fact));

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

/**
 * The reason of a hint without its move: what separates them differs, French has a space before the colon.
 * @param {{move: string, why: string}} hint
 */
export function hintReason({ move, why }) {
  return (why.startsWith(move) ? why.slice(move.length).replace(/^\s*:\s*/, "") : why).trim();
}
