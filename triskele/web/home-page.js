/** The first page: the games, each with its board drawn, and games to go on with. */

import { get } from "./api.js";
import { games, inShort, pictureOf } from "./catalogue.js";
import { button, fill, h } from "./dom.js";
import { say } from "./i18n.js";
import { failed } from "./notices.js";
import { quick } from "./opening.js";
import { to } from "./router.js";
import { tableLink } from "./table-link.js";

/** @param {import("./catalogue.js").Game} game */
function card(game) {
  const setup = to("play", game.name);
  const start = async (event) => {
    const pressed = event.currentTarget;
    pressed.disabled = true;
    await quick(game).catch(failed);
    pressed.disabled = false;
  };
  return h("li", { class: "game" },
    h("a", { class: "pic", href: setup, tabindex: "-1", "aria-hidden": "true" }, boardPicture(game.name)),
    h("h2", {}, h("a", { href: setup }, game.title)),
    h("p", {}, game.tagline),
    h("p", { class: "meta" }, inShort(game)),
    h("div", { class: "row" },
      button(
        say("web.play"),
        start,
        { class: "button primary", "aria-label": say("web.play-game", { game: game.title }) },
      ),
      h(
        "a",
        { class: "button", href: setup, "aria-label": say("web.set-up-game", { game: game.title }) },
        say("web.set-up"),
      )));
}

/** A game's example position, drawn; nothing where it cannot be had. @param {string} name */
export function boardPicture(name) {
  return h("img", { src: pictureOf(name), alt: "", decoding: "async", on: { error: (event) => event.target.remove() } });
}

/** @param {HTMLElement} host */
export async function homePage(host) {
  const [list, tables] = await Promise.all([games(), get("/tables").catch(() => ({ mine: [], waiting: [] }))]);
  const on = tables.mine.filter((table) => !table.over).slice(0, 3);
  fill(host,
    h("div", { class: "page wide" },
      h("div", { class: "hero" }, h("h1", {}, say("web.hero")), h("p", {}, say("web.hero-words"))),
      on.length ? [
        h("h2", {}, say("web.go-on")),
        h("ul", { class: "resume" }, on.map((table) => tableLink(table, list))),
      ] : null,
      h("ul", { class: "games" }, list.map(card)),
      tables.waiting.length ? [
        h("h2", {}, say("web.waiting-tables")),
        h("ul", { class: "resume" }, tables.waiting.slice(0, 6).map((table) => tableLink(table, list))),
      ] : null));
}
