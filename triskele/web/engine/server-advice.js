/** What the server's engine thinks, where the page has none: asked again by itself while the server has too much to do. */

/** @import { Analysis } from "../lib/protocol.js" */
/** @import { Found } from "./messages.js" */

import { ApiError, post } from "../lib/api.js";
import { say } from "../lib/i18n.js";

const TEMPORARY = ["busy", "limit"]; // refusals that may be different in a moment
const FIRST_WAIT = 1000; // milliseconds until it is asked again, twice as many each time,
const LONGEST_WAIT = 8000; // and at most

/** The advice in the form of what the page's engine finds. @param {Analysis} advice @returns {Found} */
const asFound = ({ scores, lines, depth, nodes, proven }) => ({
  depth,
  nodes,
  lines: lines.slice(0, 1).map((texts) => ({ texts, scores, proven })),
});

/** @type {Promise<unknown>} what this page asked last: the server answers one question of a visitor at a time */
let last = Promise.resolve();

/**
 * Ask about a position. Resolves with nothing when the answer is wanted no more; rejects with a refusal that lasts.
 * @param {string} path @param {unknown} body
 * @param {{wanted: () => boolean, waits: (words: string) => void}} owner `waits`: is told in words that it takes longer
 * @returns {Promise<Found | null>}
 */
export async function serverAdvice(path, body, { wanted, waits }) {
  for (let wait = FIRST_WAIT; wanted();) {
    const before = last;
    await before;
    if (!wanted() || before !== last) continue; // another question came first
    /** @type {Promise<Analysis>} */
    const asked = post(path, body);
    last = asked.catch(() => {});
    try {
      const advice = await asked;
      return wanted() ? asFound(advice) : null;
    } catch (error) {
      if (!(error instanceof ApiError) || !TEMPORARY.includes(error.code)) throw error;
      if (wanted()) waits(say("web.advice-waits"));
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(LONGEST_WAIT, 2 * wait);
    }
  }
  return null;
}
