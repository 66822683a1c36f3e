/** What this browser's owner has learned: steps of courses, puzzles, and how hard the next puzzle should be. */

import { change, setting } from "./settings.js";

/** @param {string} game its name @returns {string[]} the ids of the steps that were solved */
export const solvedSteps = (game) => setting("lessons")[game] ?? [];

/** @param {string} game @param {string} step */
export function markSolved(game, step) {
  const solved = solvedSteps(game);
  if (!solved.includes(step)) change("lessons", { ...setting("lessons"), [game]: [...solved, step] });
  keepLearned();
}

/** Tell that something was learned: who is signed in keeps it with the account, too (see `app.js`). */
const keepLearned = () => dispatchEvent(new Event("learned"));

/** @typedef {{solved: string[], difficulty: number}} PuzzleProgress */

/** @param {string} game @returns {PuzzleProgress} */
export const puzzleProgress = (game) => setting("puzzles")[game] ?? { solved: [], difficulty: 1 };

/**
 * Note how a puzzle went: after a right one the next may be harder, after a wrong one it is easier.
 * @param {string} game @param {{id: string, difficulty: number}} puzzle @param {boolean} right
 */
export function recordPuzzle(game, { id, difficulty }, right) {
  const before = puzzleProgress(game);
  const solved = right && !before.solved.includes(id) ? [...before.solved, id] : before.solved;
  const wanted = right ? Math.max(before.difficulty, difficulty + 0.5) : Math.min(before.difficulty, difficulty - 1);
  const progress = { solved, difficulty: Math.min(10, Math.max(1, wanted)) };
  change("puzzles", { ...setting("puzzles"), [game]: progress });
  keepLearned();
}
