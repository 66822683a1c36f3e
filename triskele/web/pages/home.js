/** The first page: the games, each with its board drawn, and games to go on with. */

import { get } from "../lib/api.js";
import { boardPicture, games, inShort } from "../lib/catalogue.js";
import { button, fill, h, icon } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { quickGame } from "./new-table.js";
import { to } from "../lib/router.js";
import { tableLink } from "./table-link.js";

/** The way to a game's course, for who does not know it. @param {import("../lib/protocol.js").Game} game */
function learnLink(game) {
  const words = say("web.learn");
  const spoken = say("core.pair", { name: game.title, value: words });
  return h("a", { class: "button", href: to("lesson", game.name), "aria-label": spoken }, words);
}

/** @param {import("../lib/protocol.js").Game} game */
function card(game) {
  const setup = to("play", game.name);
  /** @param {{currentTarget: HTMLButtonElement}} event */
  const start = async (event) => {
    const pressed = event.currentTarget;
    pressed.disabled = true;
    await quickGame(game).catch(failed);
    pressed.disabled = false;
  };
  return h(
    "li",
    { class: "game" },
    h("a", { class: "pic", href: setup, tabindex: "-1", "aria-hidden": "true" }, boardPicture(game.name)),
    h("h2", {}, h("a", { href: setup }, game.title)),
    h("p", {}, game.tagline),
    h("p", { class: "meta" }, inShort(game)),
    h(
      "div",
      { class: "row" },
      button(say("web.play"), start, {
        class: "button primary",
        "aria-label": say("web.play-game", { game: game.title }),
      }),
      learnLink(game),
      h(
        "a",
        { class: "button", href: setup, "aria-label": say("web.set-up-game", { game: game.title }) },
        say("web.set-up"),
      ),
    ),
  );
}

/** @param {HTMLElement} host */
export async function homePage(host) {
  /** @type {Promise<import("../lib/protocol.js").ListedTables>} */
  const asked = get("/tables");
  const [list, tables] = await Promise.all([games(), asked.catch(() => ({ mine: [], waiting: [] }))]);
  const on = tables.mine.filter((table) => !table.over).slice(0, 3);
  fill(
    host,
    h(
      "div",
      { class: "page wide" },
      h(
        "div",
        { class: "hero" },
        h("h1", {}, say("web.hero")),
        h("p", {}, say("web.hero-words")),
        h("p", {}, h("a", { class: "button", href: to("lobby") }, icon("person"), say("web.lobby-play"))),
      ),
      on.length
        ? [
            h("h2", {}, say("web.go-on")),
            h(
              "ul",
              { class: "resume" },
              on.map((table) => tableLink(table, list)),
            ),
          ]
        : null,
      h("ul", { class: "games" }, list.map(card)),
      tables.waiting.length
        ? [
            h("h2", {}, say("web.waiting-tables")),
            h(
              "ul",
              { class: "resume" },
              tables.waiting.slice(0, 6).map((table) => tableLink(table, list)),
            ),
          ]
        : null,
    ),
  );
}
