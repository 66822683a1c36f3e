/** The title of the window: how many notices were not seen yet, and what is shown. */

import { change, setting } from "./settings.js";

/** @import { NoticesShown } from "./protocol.js" */

let words = "Triskele";

function write() {
  const count = setting("unseen");
  const title = count > 0 ? `(${count}) ${words}` : words;
  if (document.title !== title) document.title = title;
}

/** Say in the title what is shown. @param {string} shown */
export function setTitle(shown) {
  words = shown;
  write();
}

/** Count the notices that were not seen yet; other pages of this site begin with what was counted last. @param {number} count */
export function setUnseen(count) {
  if (setting("unseen") !== count) change("unseen", count);
  write();
}

addEventListener("notices", (event) => {
  if (!(event instanceof CustomEvent)) return;
  /** @type {NoticesShown} */
  const { count } = event.detail;
  setUnseen(count);
});
