/** The way from a finished game to the analysis board. */

import { h, icon } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { to } from "../lib/router.js";

/** @param {string} game @param {string} table @param {boolean} [bare] whether the words are for screen readers only */
export function analysisLink(game, table, bare = false) {
  const words = say("web.analysis");
  const href = `${to("analysis", game)}#t=${table}`;
  if (bare) return h("a", { class: "button bare remove", href, "aria-label": words, title: words }, icon("mark"));
  return h("a", { class: "button", href }, icon("mark"), h("span", {}, words));
}
