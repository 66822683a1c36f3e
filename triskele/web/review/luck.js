/** Luck and skill: the result of a game with dice, split as `triskele/reviewing/luck.py` does. Pure. */

/** @import { Material, Roll, Value } from "./types.js" */

/**
 * What rolls brought to each seat, and what decisions did; they add up to the result.
 * @param {Material} material @param {(Value | null)[]} values those of the known positions
 * @param {number[][]} chances @param {boolean} complete
 * @returns {{luck: number[], skill: number[], rolls: Roll[]}}
 */
export function splitResult({ moves, seats, result }, values, chances, complete) {
  const exact = values.map((value) => value?.scores);
  const share = (/** @type {number} */ chance) => (seats === 1 ? 2 * chance - 1 : (seats * chance - 1) / (seats - 1));
  const worth = chances.map((each, at) => (exact.every(Boolean) && exact[at]) || each.map(share));
  const luck = [...worth[0]];
  const skill = luck.map(() => 0);
  /** @type {Roll[]} */
  const rolls = [];
  for (const [at, { text, seat: mover }] of moves.slice(0, worth.length - 1).entries()) {
    const change = worth[at + 1].map((after, seat) => after - worth[at][seat]);
    if (mover === "chance") rolls.push({ number: at + 1, move: text, luck: change });
    const target = mover === "chance" ? luck : skill;
    for (const [seat, part] of change.entries()) target[seat] += part;
  }
  const last = worth[worth.length - 1];
  if (result && complete) for (const seat of skill.keys()) skill[seat] += result[seat] - last[seat];
  return { luck, skill, rolls };
}
