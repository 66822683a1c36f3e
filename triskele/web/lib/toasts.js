/** Toasts, which are short messages: shown for a moment at the edge of the page, and spoken by screen readers. */

import { byId, h } from "./dom.js";
import { capital } from "./i18n.js";

const SHOWN_MS = 5000;
const MOST_SPOKEN = 6;
const MOST_SHOWN = 3;

/** Keep only the last children of an element. @param {Element} element @param {number} most */
function trim(element, most) {
  while (element.childElementCount > most) element.firstElementChild?.remove();
}

/** Say something to a screen reader, without showing it. @param {string} words */
export function speak(words) {
  if (!words) return;
  const spoken = byId("spoken");
  // A line of its own each time, so that the same words are spoken again.
  spoken.append(h("p", {}, words));
  trim(spoken, MOST_SPOKEN);
}

/**
 * Show a message for a moment, and return its element.
 * @param {string} words @param {"plain" | "bad"} kind @param {number} shownMs
 */
export function showToast(words, kind, shownMs) {
  const shown = h("p", { class: `toast ${kind}`, role: kind === "bad" ? "alert" : "status" }, words);
  const toasts = byId("toasts");
  toasts.append(shown);
  trim(toasts, MOST_SHOWN);
  setTimeout(() => shown.remove(), shownMs);
  return shown;
}

/** Show a message for a moment. @param {string} words @param {"plain" | "bad"} [kind] */
export function toast(words, kind = "plain") {
  if (words) showToast(words, kind, SHOWN_MS);
}

/** Show why something failed. @param {unknown} error */
export const failed = (error) => toast(capital(error instanceof Error ? error.message : String(error)), "bad");
