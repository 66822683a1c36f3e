/** What is said to a try. */

import { h, icon } from "../lib/dom.js";

/** @param {import("./exercise.js").Feedback | null} feedback */
export function feedbackLine(feedback) {
  if (!feedback?.words) return null;
  const sign = icon(feedback.kind === "good" ? "check" : "help");
  return h("p", { class: `feedback ${feedback.kind}` }, sign, h("span", {}, feedback.words));
}
