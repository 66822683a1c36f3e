/** Make a review of the values of an open game's positions, as `triskele/reviewing/assembly.py` does. Pure. */

/** @import { Grade, JudgedMove, Material, Review, Value } from "./types.js" */

import { gradeOf, playerAccuracy, turningPoint } from "./formulas.js";

/** Whether a position is valued by itself: there is something to decide. @param {Material["positions"][0]} position @param {boolean} last */
export const isValued = ({ turn, choices }, last) => turn !== null && (last || choices > 1);

/**
 * How many positions from the start on are known, those with a single move included once the next one is.
 * @param {Material} material @param {(Value | null)[]} values
 */
function knownPrefix({ positions }, values) {
  const last = positions.length - 1;
  let known = 0;
  for (const [at, position] of positions.entries()) {
    if (values[at]) known = at + 1;
    else if (isValued(position, at === last)) break;
  }
  return known;
}

/** @param {Material} material @param {JudgedMove[]} moves @param {number[][]} chances @param {boolean} complete */
function turned({ winners, positions }, moves, chances, complete) {
  if (!complete) return null;
  if (winners?.length === 1) {
    const [winner] = winners;
    const its = chances.map((each) => each[winner]);
    if (its.at(-1) !== 1) its.push(1); // the game ended outside the rules
    const found = turningPoint(its, chances[0].length);
    return found === null || found + 1 > positions.length - 1 ? null : found + 1;
  }
  /** @param {JudgedMove} move */
  const loss = ({ grade, chance_before, chance_after }) => (grade ? chance_before - chance_after : 0);
  const worst = moves.reduce((most, move) => (!most || loss(move) > loss(most) ? move : most), moves[0]);
  return worst?.grade ? worst.number : null;
}

/**
 * The review that is known so far. @param {Material} material @param {(Value | null)[]} values by position
 * @param {number} seats @returns {Review}
 */
export function assembled(material, values, seats) {
  const known = knownPrefix(material, values);
  const shown = values.slice(0, known);
  const even = Array.from({ length: seats }, () => 1 / Math.max(2, seats));
  /** @type {number[][]} */
  const chances = [];
  for (let at = known - 1; at >= 0; at--) chances[at] = shown[at]?.chances ?? chances[at + 1] ?? even;
  /** @type {number[][]} losses with the chances before and after, by seat */
  const decisions = [];
  const moves = material.moves.slice(0, Math.max(0, known - 1)).map(({ text, seat }, at) => {
    const value = shown[at];
    const before = chances[at][seat];
    const after = value ? chances[at + 1][seat] : before;
    const best = !value?.line.length || value.line[0] === text;
    const loss = best ? 0 : Math.max(0, before - after);
    if (value) decisions.push([seat, loss, before, after]);
    return {
      number: at + 1,
      seat,
      move: text,
      chance_before: before,
      chance_after: after,
      grade: gradeOf(loss),
      better_line: best || loss <= 0 ? null : value.line,
      forced: !value,
    };
  });
  const players = even.map((_, seat) => {
    /** @type {[number, number, number][]} */
    const own = decisions.filter(([by]) => by === seat).map(([, loss, before, after]) => [loss, before, after]);
    /** @param {Grade} grade */
    const count = (grade) => moves.filter((move) => move.seat === seat && move.grade === grade).length;
    const grades = { inaccuracy: count("inaccuracy"), mistake: count("mistake"), blunder: count("blunder") };
    return { seat, accuracy: playerAccuracy(own), grades };
  });
  const complete = known === material.positions.length;
  return { turning_point: turned(material, moves, chances, complete), players, moves, chances };
}
