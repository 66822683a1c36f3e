/** Make a review of the values of a game's positions, as `triskele/reviewing/assembly.py` does. Pure. */

/** @import { Grade, JudgedMove, Material, Review, Value } from "./types.js" */

import { gradeOf, playerAccuracy, turningPoint } from "./formulas.js";
import { splitResult } from "./luck.js";

/** @typedef {JudgedMove & {loss: number}} Judged */

/** How many positions from the start on are known. @param {Material} material @param {(Value | null)[]} values */
function knownPrefix({ positions, end }, values) {
  const last = positions.length - 1;
  let known = 0;
  for (const [at, asked] of positions.entries()) {
    if (asked && !values[at]) break;
    // A position that follows from the next one is known once that is.
    if (values[at] || (at === last && !end)) known = at + 1;
  }
  return known;
}

/** @param {number} seats */
const even = (seats) => Array.from({ length: seats }, () => 1 / Math.max(2, seats));

/**
 * The chances at every known position. Before a roll they are those after the last decision; a position with a single
 * move has those of the next one. @param {Material} material @param {(Value | null)[]} values @returns {number[][]}
 */
function openChances({ moves, seats }, values) {
  /** @type {(number[] | undefined)[]} */
  const found = values.map((value) => value?.chances);
  for (const at of found.keys()) {
    if (at === found.length - 1 || moves[at].seat !== "chance" || found[at]) continue;
    found[at] = at ? (values[at - 1]?.played ?? found[at - 1]) : even(seats);
  }
  for (let at = found.length - 2; at >= 0; at--) found[at] ??= found[at + 1];
  for (const at of found.keys()) found[at] ??= (at ? found[at - 1] : undefined) ?? even(seats);
  return found.map((each) => each ?? even(seats));
}

/**
 * What each seat thought of its own chance: known where it decided, and as it was until it decides again.
 * @param {Material} material @param {(Value | null)[]} values @returns {number[][]}
 */
function seenChances({ moves, seats }, values) {
  let now = even(seats);
  const found = values.length ? [now] : [];
  for (const at of values.keys()) {
    if (at === values.length - 1) break;
    const { seat } = moves[at];
    const { played } = values[at] ?? {};
    now = now.map((chance, each) => (played && each === seat ? played[each] : chance));
    const following = values[at + 1];
    if (following && !following.played) now = [...following.chances]; // the end, where all is known
    found.push(now);
  }
  return found;
}

/**
 * @param {Material} material @param {(Value | null)[]} values @param {number[][]} chances
 * @returns {Judged[]}
 */
function judgedMoves({ moves }, values, chances) {
  return moves.slice(0, Math.max(0, values.length - 1)).flatMap(({ text, seat }, at) => {
    if (seat === "chance") return [];
    const value = values[at];
    const before = value ? value.chances[seat] : chances[at][seat];
    const after = !value ? before : value.played ? value.played[seat] : chances[at + 1][seat];
    const best = !value?.line.length || value.line[0] === text;
    const loss = best ? 0 : Math.max(0, before - after);
    return {
      number: at + 1,
      seat,
      move: text,
      chance_before: before,
      chance_after: after,
      grade: gradeOf(loss),
      better_line: best || loss <= 0 ? null : value.line,
      forced: !value,
      loss,
    };
  });
}

/** @param {Material} material @param {Judged[]} moves @param {number[][]} chances @param {boolean} complete */
function turned({ winners, seats, positions }, moves, chances, complete) {
  if (!complete) return null;
  if (winners?.length === 1) {
    const [winner] = winners;
    const its = chances.map((each) => each[winner]);
    if (its.at(-1) !== 1) its.push(1); // the game ended outside the rules
    const found = turningPoint(its, seats);
    return found === null || found + 1 > positions.length - 1 ? null : found + 1;
  }
  const worst = moves.reduce((most, move) => (move.loss > most.loss ? move : most), moves[0]);
  return worst?.grade ? worst.number : null;
}

/**
 * The review that is known so far. @param {Material} material @param {(Value | null)[]} values by position
 * @returns {Review}
 */
export function assembled(material, values) {
  const shown = values.slice(0, knownPrefix(material, values));
  const chances = material.hidden ? seenChances(material, shown) : openChances(material, shown);
  const moves = judgedMoves(material, shown, chances);
  const complete = shown.length === material.positions.length;
  const split = material.chance && shown.length > 1 ? splitResult(material, shown, chances, complete) : null;
  const players = even(material.seats).map((_, seat) => {
    const own = moves.filter((move) => move.seat === seat);
    /** @type {[number, number, number][]} */
    const decisions = own
      .filter(({ forced }) => !forced)
      .map(({ loss, chance_before, chance_after }) => [loss, chance_before, chance_after]);
    /** @param {Grade} grade */
    const count = (grade) => own.filter((move) => move.grade === grade).length;
    const grades = { inaccuracy: count("inaccuracy"), mistake: count("mistake"), blunder: count("blunder") };
    const found = { seat, accuracy: playerAccuracy(decisions), grades };
    if (!split) return found;
    const [luck, skill] = [split.luck[seat], split.skill[seat]];
    return { ...found, luck, skill, sum: luck + skill };
  });
  const turning_point = turned(material, moves, chances, complete);
  return {
    turning_point,
    players,
    moves,
    chances,
    ...(split ? { exact: material.unit !== null, rolls: split.rolls } : {}),
  };
}
