/** Where a review is worked out: in the page by the game's engine, or by the server in parts. */

/** @import { Game } from "../lib/protocol.js" */
/** @import { Found } from "../engine/messages.js" */
/** @import { Asked, Material, Progress, Value } from "./types.js" */

import { EnginePool, canRun } from "../engine/engine-pool.js";
import { get } from "../lib/api.js";
import { assembled } from "./assembly.js";
import { chancesOf, chancesOfAdvantages } from "./formulas.js";

const FULL_STRENGTH = 10; // a level: every search begins anew then, as in a review by the server
const BETWEEN = 150; // milliseconds between two drawings of what is known

/** Whether the page can review a game by itself: with dice or secrets its engine must appraise moves. @param {Game} game */
export const runsHere = ({ engine, chance, hidden }) =>
  engine !== null && canRun() && (engine.appraises || !(chance || hidden));

/** The question to the engine in a position. @param {Asked} asked @param {Material} material */
function questionOf({ state, history, seat, appraised }, { nodes, seed }) {
  const question = { state, history, seat, lines: 1, nodes, seed };
  // Searches of a level forget what was found before. What an engine that appraises keeps does not change its answers.
  return appraised === null ? { ...question, level: FULL_STRENGTH } : { ...question, appraised };
}

/** What an answer says of a position. @param {Asked} asked @param {Found} found @param {Material} material @returns {Value} */
function valueOf({ appraised }, { lines }, { unit, curve, end, chance }) {
  const [best, made = best, stands] = lines;
  if (appraised === null)
    return { chances: chancesOf(best.scores, curve, !chance && best.proven !== null), line: best.texts };
  if (unit === null) {
    const [chances, played] = [best, made].map(({ scores }) => chancesOf(scores, curve, false));
    return { chances, line: best.texts, played };
  }
  const scores = stands.scores.map((score) => score * unit);
  const [chances, played] = [best, made].map((line) => chancesOfAdvantages(line.scores, curve));
  return appraised < 0 ? { chances, line: [], scores } : { chances, line: best.texts, played, scores };
}

/**
 * Review in the page. Rejects with an `EngineFailure` where the engine cannot be used.
 * @param {Game} game @param {string} table @param {(progress: Progress) => void} tell @param {AbortSignal} signal
 */
export async function reviewHere(game, table, tell, signal) {
  const pool = new EnginePool(game);
  const { workers } = pool; // they load their engine while the positions come
  try {
    /** @type {Material} */
    const material = await get(`/tables/${table}/review/positions`);
    const { positions, end } = material;
    const last = positions.length - 1;
    /** @type {(Value | null)[]} */
    const values = positions.map(() => null);
    if (end && !positions[last]) values[last] = { chances: end, line: [] };
    const open = positions.flatMap((asked, at) => (asked ? [{ at, asked }] : []));
    const of = open.length;
    let [done, told] = [0, -Infinity];
    const news = () => {
      told = performance.now();
      tell({ done, of, review: assembled(material, values) });
    };
    const work = workers.map(async (worker) => {
      for (let next = open.shift(); next && !signal.aborted; next = open.shift()) {
        const { at, asked } = next;
        const found = await worker.search(questionOf(asked, material));
        if (!found || signal.aborted) return;
        values[at] = valueOf(asked, found, material);
        if (at === last && end && end.length > 1) values[at].chances = end;
        done++;
        if (performance.now() - told >= BETWEEN) news();
      }
    });
    signal.addEventListener("abort", () => pool.close());
    await Promise.all(work);
    if (!signal.aborted) news();
  } finally {
    pool.close();
  }
}

/**
 * Review on the server, which works out a part for each request.
 * @param {string} table @param {(progress: Progress) => void} tell @param {AbortSignal} signal
 */
export async function reviewThere(table, tell, signal) {
  while (!signal.aborted) {
    /** @type {Progress} */
    const progress = await get(`/tables/${table}/review`);
    if (signal.aborted) return;
    tell(progress);
    if (progress.done >= progress.of) return;
  }
}
