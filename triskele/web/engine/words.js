/** What engines find and why they fail, in words. */

/** @import { Explanation, KnownState } from "../lib/protocol.js" */
/** @import { Found, Line } from "./messages.js" */

import { has, percent, say } from "../lib/i18n.js";

const AT_ONCE = 4; // a win within this many decisions is a win in the next turn
const EVEN = 0.2; // scores up to which a position is even,
const CLEAR = 0.6; // and from which it is winning
const SHORT = 12; // up to this many decisions, it is said how long a proven win takes

/** Why the engine of the page cannot be used. @param {string} reason */
export const failureWords = (reason) => say(has(`web.engine-${reason}`) ? `web.engine-${reason}` : "web.engine-broken");

/** A score from -1 to 1 as a chance. @param {number} score */
export const chance = (score) => Math.min(1, Math.max(0, (score + 1) / 2));

/** What a line is worth to a seat: a chance, or how it ends. @param {Line} line @param {number} seat */
export function worth({ scores, proven }, seat) {
  const score = scores[seat] ?? 0;
  if (proven !== null && score > 0) return say("web.line-wins", { n: proven });
  if (proven !== null && score < 0) return say("web.line-loses", { n: proven });
  return percent(chance(score));
}

/** A score of a seat in words. @param {number[]} scores @param {number} seat */
function classOf(scores, seat) {
  const rivals = scores.map((_, other) => other).filter((other) => other !== seat);
  if (scores.length > 2) {
    const rival = rivals.reduce((best, other) => (scores[other] > scores[best] ? other : best));
    if (scores[rival] > scores[seat]) return say("engines.hint-rival", { player: rival + 1 });
  }
  const score = scores[seat];
  if (score > CLEAR) return say("engines.hint-winning");
  if (score > EVEN) return say("engines.hint-ahead");
  return say(score > -EVEN ? "engines.hint-level" : "engines.hint-behind");
}

/** Whether a line loses soon. @param {Line} line @param {number} seat */
const losesAtOnce = ({ scores, proven }, seat) => proven !== null && proven <= AT_ONCE && scores[seat] < 0;

/**
 * Why the best move is good, as the server's hints say it (`triskele/engines/hints.py`).
 * @param {KnownState} position @param {Found} found @param {number} seat
 * @param {() => Promise<Explanation | null>} explain asks the server what the line achieves
 */
export async function reason(position, { lines }, seat, explain) {
  const [best, ...others] = lines;
  const score = best.scores[seat];
  if (position.moves.length === 1) return say("engines.hint-only");
  if (best.proven !== null && score > 0) {
    if ((await explain())?.wins) return say("engines.hint-wins");
    return best.proven <= SHORT ? say("engines.hint-wins-in", { n: best.proven }) : say("engines.hint-winning");
  }
  if (best.proven !== null && score < 0) return say("engines.hint-lost", { n: best.proven });
  if (others.length && others.every((line) => losesAtOnce(line, seat))) return say("engines.hint-stops");
  return (await explain())?.why ?? classOf(best.scores, seat);
}
