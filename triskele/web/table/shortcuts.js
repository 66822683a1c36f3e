/** The dialog that lists the keyboard shortcuts. */

import { show } from "../lib/dialogs.js";
import { h } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";

/** Keys, by what is printed on them or by the key of their name; and what they do.
 * @type {[keys: string[], words: string][]} */
const KEYS = [
  [["←", "↑", "↓", "→"], "web.key-board"],
  [["n", "p"], "web.key-next"],
  [["web.name-enter"], "web.key-enter"],
  [["r"], "web.key-turn"],
  [["Esc"], "web.key-escape"],
  [["←", "→"], "web.key-replay"],
  [["web.name-home", "web.name-end"], "web.key-ends"],
  [["b"], "web.key-to-board"],
  [["u"], "web.undo"],
  [["h"], "web.hint"],
  [["a"], "web.engine-view"],
  [["m"], "web.moves"],
  [["c"], "web.chat"],
  [["l"], "web.live"],
  [["f"], "web.turn-board"],
  [["?"], "web.shortcuts"],
];

/** Show the list of keys. */
export function showShortcuts() {
  /** @param {[string[], string]} shortcut */
  const line = ([keys, words]) => [
    h(
      "dt",
      {},
      keys.map((key) => h("kbd", {}, key.startsWith("web.") ? say(key) : key)),
    ),
    h("dd", {}, capital(say(words))),
  ];
  show(say("web.shortcuts"), h("dl", { class: "keys" }, KEYS.map(line)));
}
