/** Short messages: shown for a moment at the edge of the page, and spoken to those who do not see it. */

import { h } from "./dom.js";
import { capital } from "./i18n.js";

const SHOWN = 5000;

const spoken = () => document.getElementById("spoken");
const notices = () => document.getElementById("notices");

/** Say something to a screen reader, without showing it. @param {string} words */
export function speak(words) {
  if (!words) return;
  // A line of its own each time, so that the same words are spoken again.
  spoken().append(h("p", {}, words));
  while (spoken().childElementCount > 6) spoken().firstElementChild.remove();
}

/** Show a message for a moment. @param {string} words @param {"plain" | "bad"} [kind] */
export function notice(words, kind = "plain") {
  if (!words) return;
  const shown = h("p", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "status" }, words);
  notices().append(shown);
  while (notices().childElementCount > 3) notices().firstElementChild.remove();
  setTimeout(() => shown.remove(), SHOWN);
}

/** Show why something failed. @param {Error} error */
export const failed = (error) => notice(capital(error.message), "bad");
