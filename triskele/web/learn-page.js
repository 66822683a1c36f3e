/** How to play: a list of the games, and a page for each. */

import { games, helpPage, inShort } from "./catalogue.js";
import { fill, h } from "./dom.js";
import { boardPicture } from "./home-page.js";
import { say } from "./i18n.js";
import { noPage } from "./message-page.js";
import { to } from "./router.js";

/** @param {HTMLElement} host @param {string} name */
export async function learnPage(host, name) {
  const list = await games();
  const game = list.find((each) => each.name === name);
  if (!game) return name ? noPage(host) : fill(host, index(list));
  const page = await helpPage(game.name, 0);
  return fill(host,
    h("div", { class: "page" },
      h("div", { class: "learn" },
        page,
        h(
          "aside",
          { "aria-label": game.title },
          boardPicture(game.name),
          h("p", { class: "muted" }, inShort(game)),
          h("a", { class: "button primary", href: to("play", game.name) }, say("web.play-game", { game: game.title })),
        ))));
}

/** @param {import("./catalogue.js").Game[]} list */
function index(list) {
  const entry = (game) =>
    h("li", { class: "game" },
      h(
        "a",
        { class: "pic", href: to("learn", game.name), tabindex: "-1", "aria-hidden": "true" },
        boardPicture(game.name),
      ),
      h("h2", {}, h("a", { href: to("learn", game.name) }, game.title)),
      h("p", {}, game.tagline));
  return h("div", { class: "page wide" }, h("h1", {}, say("web.learn")), h("ul", { class: "games" }, list.map(entry)));
}
