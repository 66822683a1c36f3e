/** A page that only has a message: that there is no such page, that the server does not answer. */

import { ApiError } from "../lib/api.js";
import { button, fill, h } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { Refused } from "../lib/live-connection.js";
import { to } from "../lib/router.js";

/** Say that there is no such page. @param {HTMLElement} host */
export const noPage = (host) => message(host, say("web.no-page"));

/**
 * Say why something cannot be shown, with a button to try again unless it does not exist.
 * @param {HTMLElement} host @param {unknown} error @param {() => void} retry
 */
export function trouble(host, error, retry) {
  const again = button(say("web.retry"), retry, { icon: "turn" });
  const unknown = error instanceof ApiError && error.code === "unknown";
  const said = capital(error instanceof Error ? error.message : String(error));
  // A proxy passes no WebSocket: what its host must change is long, and not for a title.
  if (error instanceof Refused && error.code === "upgrade") return message(host, say("web.no-live"), said, again);
  return message(host, said, "", unknown ? null : again);
}

/** @param {HTMLElement} host @param {string} title @param {string} [words] @param {Element | null} [action] */
export function message(host, title, words = "", action = null) {
  const home = h("a", { class: "button primary", href: to("home") }, say("web.home"));
  const why = words ? h("p", { class: "muted" }, words) : null;
  return fill(host, h("div", { class: "message" }, h("h1", {}, title), why, h("div", { class: "row" }, action, home)));
}
