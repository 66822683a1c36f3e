/** What a review says, in words: the same as `triskele/reviewing/report.py` writes. */

/** @import { JudgedMove, Review } from "./types.js" */

import { number, percent, say } from "../lib/i18n.js";

const LINE_MOVES = 6; // of a better line that are written

/** The beginning of the better line of a move. @param {JudgedMove} move */
export const lineWords = ({ better_line }) => (better_line ?? []).slice(0, LINE_MOVES).join(" ");

/** What is said of a decision, as a sentence. @param {JudgedMove} move @param {string[]} names of the seats */
export function judged(move, names) {
  const values = {
    number: move.number,
    name: names[move.seat],
    move: move.move,
    before: percent(move.chance_before),
    after: percent(move.chance_after),
  };
  if (!move.grade) return say("reviewing.played", values);
  return `${say(`reviewing.judged.${move.grade}`, values)} ${say("reviewing.better", { line: lineWords(move) })}`;
}

/** A share of luck or skill with its sign. @param {number} value */
export const signed = (value) =>
  number(value, { signDisplay: "exceptZero", maximumFractionDigits: 2 }).replace("-", "−");

/** What is said of any move, a roll included. @param {Review} review @param {number} at its number @param {string[]} names */
export function sentence(review, at, names) {
  if (at === 0) return say("web.first");
  const move = review.moves.find((each) => each.number === at);
  if (move) return judged(move, names);
  const roll = review.rolls?.find((each) => each.number === at);
  if (!roll) return "";
  const seat = roll.luck.indexOf(Math.max(...roll.luck));
  return say("reviewing.rolled", { number: at, move: roll.move, name: names[seat], luck: signed(roll.luck[seat]) });
}
