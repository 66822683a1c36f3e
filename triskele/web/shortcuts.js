/** The keys that do something, listed. */

import { show } from "./dialogs.js";
import { h } from "./dom.js";
import { say } from "./i18n.js";

const KEYS = [
  ["← ↑ ↓ →", "web.key-board"],
  ["n p", "web.key-next"],
  ["Enter", "web.key-enter"],
  ["r", "web.key-turn"],
  ["Esc", "web.key-escape"],
  ["← →", "web.key-replay"],
  ["Home End", "web.key-ends"],
  ["b", "web.key-to-board"],
  ["u", "web.undo"],
  ["h", "web.hint"],
  ["m", "web.moves"],
  ["c", "web.chat"],
  ["l", "web.live"],
  ["?", "web.shortcuts"],
];

/** Show the list of keys. */
export function showShortcuts() {
  const line = ([keys, words]) => [
    h("dt", {}, keys.split(" ").map((key) => h("kbd", {}, key))),
    h("dd", {}, say(words)),
  ];
  show(say("web.shortcuts"), h("dl", { class: "keys" }, KEYS.map(line)));
}
