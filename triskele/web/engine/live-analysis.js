/**
 * The analysis of one position after the other: the Workers search, what they find is put together and told.
 *
 * With two Workers the first searches for the best line alone, and so goes deeper; the second searches for several
 * lines. What is shown first is the best line of whichever has looked deeper; the others are the second's. Where scores
 * are averages of samples, as those of rollouts are, both have samples of their own, and what is shown is their mean.
 */

/** @import { Found, Question } from "./messages.js" */
/** @import { EngineWorker } from "./engine-worker.js" */

export const LINES = 3;

/**
 * The mean of what two searches with samples of their own have found: the best line is that with the best mean for a
 * seat, of those that both have found.
 * @param {Found} one @param {Found} other @param {number} seat @returns {Found}
 */
function pooled(one, other, seat) {
  const nodes = one.nodes + other.nodes;
  const [more, less] = one.nodes > other.nodes ? [one, other] : [other, one];
  const both = more.lines.flatMap((line) => {
    const same = less.lines.find(({ texts }) => texts[0] === line.texts[0]);
    if (!same) return [];
    const scores = line.scores.map((score, at) => (score * more.nodes + same.scores[at] * less.nodes) / nodes);
    return [{ ...line, scores }];
  });
  both.sort((first, second) => second.scores[seat] - first.scores[seat]);
  const rest = more.lines.filter(({ texts }) => !both.some((line) => line.texts[0] === texts[0]));
  return { ...more, nodes, lines: [...both, ...rest].slice(0, LINES) };
}

/**
 * Put together what two searches of the same position have found.
 * @param {Found | null} deep that of the best line alone @param {Found | null} wide that of several lines
 * @param {number} seat the seat that asks
 * @returns {Found | null}
 */
export function merged(deep, wide, seat) {
  if (!deep || !wide) return deep ?? wide;
  if (deep.sampled && wide.sampled) return pooled(deep, wide, seat);
  const nodes = deep.nodes + wide.nodes;
  const [best] = deep.lines;
  if (!best || wide.depth >= deep.depth) return { ...wide, nodes };
  const rest = wide.lines.filter(({ texts }) => texts[0] !== best.texts[0]);
  return { depth: deep.depth, nodes, lines: [best, ...rest].slice(0, LINES) };
}

/** Rank lines by what they are worth to a seat. @param {Found} found @param {number} seat @returns {Found} */
function ranked(found, seat) {
  return { ...found, lines: [...found.lines].sort((one, other) => other.scores[seat] - one.scores[seat]) };
}

export class LiveAnalysis {
  /** @type {EngineWorker[]} */
  #workers = [];
  #run = 0;

  /** @param {boolean} drawn whether engines draw their moves by lot, as in a game with secrets: lines are ranked then */
  constructor(drawn) {
    this.drawn = drawn;
  }

  /**
   * Search a position until `stop`, or until there is nothing more to find. Rejects with the failure of a Worker.
   * @param {EngineWorker[]} workers @param {Omit<Question, "lines">} question
   * @param {(found: Found) => void} tell called for each piece of news
   */
  async start(workers, question, tell) {
    this.stop();
    const run = ++this.#run;
    this.#workers = workers;
    /** @type {[Found | null, Found | null]} */
    const found = [null, null];
    /** @param {0 | 1} part @param {EngineWorker} worker @param {number} lines */
    const search = (part, worker, lines) =>
      worker.search({ ...question, lines, seed: (question.seed ?? 0) + part }, (news) => {
        if (run !== this.#run) return;
        found[part] = news;
        const both = merged(...found, question.seat);
        if (both) tell(this.drawn ? ranked(both, question.seat) : both);
      });
    const [first, second] = workers;
    await Promise.all(second ? [search(0, first, 1), search(1, second, LINES)] : [search(1, first, LINES)]);
  }

  stop() {
    this.#run++;
    for (const worker of this.#workers) worker.stop();
    this.#workers = [];
  }
}
