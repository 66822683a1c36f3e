/** A page that only says something: that there is no such page, that the server does not answer. */

import { button, fill, h } from "./dom.js";
import { capital, say } from "./i18n.js";

/** Say that there is no such page. @param {HTMLElement} host */
export const noPage = (host) => message(host, say("web.no-page"));

/**
 * Say why something cannot be shown; what may be otherwise in a moment can be tried again.
 * @param {HTMLElement} host @param {{code?: string, message: string}} error @param {() => void} retry
 */
export function trouble(host, error, retry) {
  const again = button(say("web.retry"), retry, { icon: "turn" });
  return message(host, capital(error.message), "", error.code === "unknown" ? null : again);
}

/** @param {HTMLElement} host @param {string} title @param {string} [words] @param {Element | null} [action] */
export function message(host, title, words = "", action = null) {
  const home = h("a", { class: "button primary", href: "/" }, say("web.home"));
  const why = words ? h("p", { class: "muted" }, words) : null;
  return fill(host, h("div", { class: "message" }, h("h1", {}, title), why, h("div", { class: "row" }, action, home)));
}
