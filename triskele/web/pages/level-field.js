/** Choosing how strong the computer plays: a number and a word for it. */

import { h } from "../lib/dom.js";
import { number, say } from "../lib/i18n.js";

export const LEVELS = 10;

/** A level in words: "5 · Steady". @param {number} level */
export const levelWords = (level) => `${number(level)} · ${say(`web.level-name-${level}`)}`;

/**
 * A slider from 1 to 10 that says each level's word.
 * @param {number} level @param {string} label for screen readers @param {boolean} luck whether the game has dice
 * @param {(level: number) => void} choose
 */
export function levelField(level, label, luck, choose) {
  const output = h("output", {}, levelWords(level));
  const slider = h("input", {
    type: "range",
    min: 1,
    max: LEVELS,
    value: level,
    "aria-label": label,
    "aria-valuetext": levelWords(level),
    on: {
      input: (event) => {
        output.value = levelWords(event.currentTarget.valueAsNumber);
        event.currentTarget.setAttribute("aria-valuetext", output.value);
      },
      change: (event) => choose(event.currentTarget.valueAsNumber),
    },
  });
  const words = luck ? h("small", { class: "muted" }, say("web.level-luck")) : null;
  return h("div", { class: "level" }, h("span", { class: "muted" }, say("web.level")), slider, output, words);
}
