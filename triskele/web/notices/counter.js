/** Notices on every page: over the live connection of the page, or over one of our own where it has none. */

/** @import { NoticesShown } from "../lib/protocol.js" */

import { language } from "../lib/i18n.js";
import { LiveConnection } from "../lib/live-connection.js";
import { failed, toast } from "../lib/toasts.js";
import { drawNotices } from "./list.js";

/** @type {LiveConnection | null} */
let own = null;
/** @type {NoticesShown | null} what was heard last */
let last = null;
/** @type {Set<string>} the notices that were heard of */
const known = new Set();

/** Follow the notices; `alone`: the page has no live connection. @param {boolean} alone */
export function follow(alone) {
  if (!alone) {
    own?.close();
    own = null;
  } else if (!own) {
    own = new LiveConnection({
      join: () => ({ type: "notices", language: language() }),
      receive: () => {},
      status: () => {},
      refused: () => follow(false), // who never was here has none
    });
  }
  draw();
}

/** Follow them anew: somebody else is here. */
export function restart() {
  last = null;
  own?.restart();
}

/** Show the list where the page has a place for it. */
function draw() {
  /** @type {HTMLElement | null} */
  const place = document.querySelector("[data-notices]");
  if (place && last) drawNotices(place, last.notices).catch(failed);
}

addEventListener("notices", (event) => {
  if (!(event instanceof CustomEvent)) return;
  /** @type {NoticesShown} */
  const heard = event.detail;
  const fresh = last ? heard.notices.filter(({ id }) => !known.has(id)) : [];
  for (const { id } of heard.notices) known.add(id);
  last = heard;
  draw();
  const [newest] = fresh;
  if (newest) toast(`${newest.title}: ${newest.text}`);
});
