/** The formulas of a review: the same as in `triskele/reviewing/formulas.py`, which a test holds them to. Pure. */

/** @import { Curve, Grade } from "./types.js" */

/** @type {[Grade, number][]} the least loss of winning chance of each grade, the worst first */
const GRADES = [
  ["blunder", 0.2],
  ["mistake", 0.1],
  ["inaccuracy", 0.05],
];
const STRICTNESS = 4; // how fast the accuracy of a decision falls
const LEAST_WEIGHT = 0.1; // of a decision in a game that was decided
const CLEAR_LEAD = 0.1; // above an even chance
const SURE = 0.001; // an estimate is never nearer to certainty

/** @param {number} seats */
const evenLogit = (seats) => (seats > 1 ? -Math.log(seats - 1) : 0);

/** @param {number} advantage @param {Curve} curve */
function chanceOfAdvantage(advantage, { slope, bias, power }) {
  const scaled = Math.sign(advantage) * Math.abs(advantage) ** power;
  return 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, bias + slope * scaled))));
}

/** @param {number} score from -1 to 1 @param {number} seats @param {Curve} curve */
function chanceOf(score, seats, curve) {
  const raw = seats === 1 ? score : ((seats - 1) * score + 1) / seats;
  const share = Math.max(SURE, Math.min(1 - SURE, raw));
  return chanceOfAdvantage(Math.log(share / (1 - share)) - evenLogit(seats), curve);
}

/** Chances of several seats that add up to 1. @param {number[]} chances */
function normalised(chances) {
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  return chances.length === 1 ? chances : chances.map((chance) => chance / total);
}

/**
 * Each seat's chance to win from an engine's scores; they add up to 1.
 * @param {number[]} scores @param {Curve} curve @param {boolean} proven
 */
export function chancesOf(scores, curve, proven) {
  const seats = scores.length;
  if (proven && seats > 1) return scores.map((score) => ((seats - 1) * score + 1) / seats);
  return normalised(scores.map((score) => chanceOf(score, seats, curve)));
}

/**
 * Each seat's chance to win from the advantages of exact values. Alone there is nobody to win against: then it is the
 * part of the way from the lowest score to the highest. @param {number[]} advantages @param {Curve} curve
 */
export function chancesOfAdvantages(advantages, curve) {
  if (advantages.length === 1) return [Math.max(0, Math.min(1, (1 + advantages[0]) / 2))];
  return normalised(advantages.map((advantage) => chanceOfAdvantage(advantage, curve)));
}

/** @param {number} loss @returns {Grade | null} */
export const gradeOf = (loss) => GRADES.find(([, least]) => loss >= least - 1e-12)?.[0] ?? null;

/** @param {number} before @param {number} after */
const weight = (before, after) => Math.max(LEAST_WEIGHT, 4 * before * (1 - before), 4 * after * (1 - after));

/** The accuracy of a player in per cent. @param {[loss: number, before: number, after: number][]} decisions */
export function playerAccuracy(decisions) {
  let [total, weights] = [0, 0];
  for (const [loss, before, after] of decisions) {
    const counts = weight(before, after);
    total += counts * Math.exp(-STRICTNESS * Math.max(0, loss));
    weights += counts;
  }
  return weights ? (100 * total) / weights : null;
}

/**
 * The index of the move after which the winner was ahead for good. @param {number[]} chances the winner's @param {number} seats
 * @returns {number | null}
 */
export function turningPoint(chances, seats) {
  if (chances.length < 2) return null;
  const lead = (seats > 1 ? 1 / seats : 0.5) + CLEAR_LEAD;
  const behind = chances.slice(0, -1).findLastIndex((chance) => chance < lead);
  if (behind >= 0) return behind;
  const rises = chances.slice(1).map((after, at) => after - chances[at]);
  return rises.indexOf(Math.max(...rises));
}
