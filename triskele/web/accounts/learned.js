/** What was learned in this browser and with the account, joined: in both is then what was in either. */

import { post } from "../lib/api.js";
import { change, setting } from "../lib/settings.js";

const WAIT_MS = 1500; // several steps in a row are sent together
let timer = 0;

/** Join it a moment later; if it fails, the next time does it. */
export function syncLearned() {
  clearTimeout(timer);
  timer = setTimeout(() => join().catch(() => {}), WAIT_MS);
}

async function join() {
  const mine = { lessons: setting("lessons"), puzzles: setting("puzzles") };
  /** @type {typeof mine} */
  const all = await post("/account/learned", mine);
  if (JSON.stringify(all.lessons) !== JSON.stringify(mine.lessons)) change("lessons", all.lessons);
  if (JSON.stringify(all.puzzles) !== JSON.stringify(mine.puzzles)) change("puzzles", all.puzzles);
}
