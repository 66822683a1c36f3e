/** Where a review is worked out: in the page by the game's engine, or by the server in parts. */

/** @import { Game } from "../lib/protocol.js" */
/** @import { Material, Progress, Value } from "./types.js" */

import { EnginePool, canRun } from "../engine/engine-pool.js";
import { get } from "../lib/api.js";
import { assembled, isValued } from "./assembly.js";
import { chancesOf } from "./formulas.js";

const FULL_STRENGTH = 10; // a level: every search begins anew then, as in a review by the server
const BETWEEN = 150; // milliseconds between two drawings of what is known

/** Whether the page can review a game by itself: with dice or secrets more than a search is needed. @param {Game} game */
export const runsHere = (game) => Boolean(game.engine) && canRun() && !game.chance && !game.hidden;

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
    const { positions, end, curve, nodes } = material;
    const last = positions.length - 1;
    const seats = end?.length ?? Math.max(2, ...material.moves.map(({ seat }) => seat + 1));
    /** @type {(Value | null)[]} */
    const values = positions.map(() => null);
    if (end) values[last] = { chances: end, line: [] };
    const open = positions.flatMap((position, at) => (isValued(position, at === last) ? [at] : []));
    const of = open.length;
    let [done, told] = [0, -Infinity];
    const news = () => {
      told = performance.now();
      tell({ done, of, review: assembled(material, values, seats) });
    };
    const work = workers.map(async (worker) => {
      for (let at = open.shift(); at !== undefined && !signal.aborted; at = open.shift()) {
        const { state, turn } = positions[at];
        const question = { state, history: [], seat: Number(turn), lines: 1, level: FULL_STRENGTH, nodes };
        const found = await worker.search(question);
        if (!found || signal.aborted) return;
        const [{ scores, texts, proven }] = found.lines;
        values[at] = { chances: chancesOf(scores, curve, proven !== null), line: texts };
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
