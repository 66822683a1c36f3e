/** Variants of games in the lobby: which options differ from the usual ones, in words and as fields. */

/** @import { Game, Option, Options, OptionValue } from "../lib/protocol.js" */

import { capital, say } from "../lib/i18n.js";
import { optionField } from "../pages/option-fields.js";

const PLAYERS = "players"; // the number of seats is chosen by itself

/** The options of a game that make a variant. @param {Game | undefined} game */
const chosen = (game) => game?.options.filter(({ name }) => name !== PLAYERS) ?? [];

/** Those that differ from the usual ones. @param {Game | undefined} game @param {Options} options @returns {Options} */
export function changedOptions(game, options) {
  const changed = chosen(game).filter(({ name, default: usual }) => name in options && options[name] !== usual);
  return Object.fromEntries(changed.map(({ name }) => [name, options[name]]));
}

/** @param {Option} option @param {OptionValue} value */
function words(option, value) {
  if (value === true) return option.label;
  const known = option.values?.find((each) => each.value === value)?.label;
  return say("core.pair", { name: option.label, value: value === false ? say("web.no") : (known ?? String(value)) });
}

/** What differs from the usual options, each in words. @param {Game | undefined} game @param {Options} options */
export function variantWords(game, options) {
  const changed = changedOptions(game, options);
  return chosen(game)
    .filter(({ name }) => name in changed)
    .map((option) => capital(words(option, changed[option.name])));
}

/**
 * Fields for what may be chosen.
 * @param {Game | undefined} game @param {Options} options @param {(options: Options) => void} changed
 */
export function variantFields(game, options, changed) {
  const now = { ...options };
  return chosen(game).map((option) =>
    optionField(option, now[option.name] ?? option.default, (value) => {
      now[option.name] = value;
      changed({ ...now });
    }),
  );
}
