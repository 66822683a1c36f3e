/** How to play: a list of the games, and a page for each. */

import { boardPicture, games, helpPage, inShort } from "../lib/catalogue.js";
import { fill, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { noPage } from "./message.js";
import { solvedSteps } from "../lib/progress.js";
import { to } from "../lib/router.js";

/** @param {HTMLElement} host @param {string} name */
export async function learnPage(host, name) {
  const list = await games();
  const game = list.find((each) => each.name === name);
  if (!game) return name ? noPage(host) : fill(host, index(list));
  const page = await helpPage(game.name, 0);
  return fill(
    host,
    h(
      "div",
      { class: "page" },
      h(
        "div",
        { class: "learn" },
        page,
        h(
          "aside",
          { "aria-label": game.title },
          boardPicture(game.name),
          h("p", { class: "muted" }, inShort(game)),
          courseLink(game),
          puzzlesLink(game),
          analysisLink(game),
          h("a", { class: "button", href: to("play", game.name) }, say("web.play-game", { game: game.title })),
        ),
      ),
    ),
  );
}

/** The way to a game's puzzles. @param {import("../lib/protocol.js").Game} game */
function puzzlesLink(game) {
  const spoken = say("web.puzzles-of", { game: game.title });
  return h("a", { class: "button", href: to("puzzles", game.name), "aria-label": spoken }, say("web.puzzles"));
}

/** The way to a game's analysis board. @param {import("../lib/protocol.js").Game} game */
function analysisLink(game) {
  const spoken = say("web.analysis-of", { game: game.title });
  return h("a", { class: "button", href: to("analysis", game.name), "aria-label": spoken }, say("web.analysis"));
}

/**
 * The way to a game's course: to its beginning, or to where it was left.
 * @param {import("../lib/protocol.js").Game} game
 */
function courseLink(game) {
  const begun = solvedSteps(game.name).length > 0;
  const words = say(begun ? "web.lesson-continue" : "web.lesson-begin");
  const spoken = say("core.pair", { name: game.title, value: words });
  return h("a", { class: "button primary", href: to("lesson", game.name), "aria-label": spoken }, words);
}

/** @param {import("../lib/protocol.js").Game[]} list */
function index(list) {
  /** @param {import("../lib/protocol.js").Game} game */
  const entry = (game) =>
    h(
      "li",
      { class: "game" },
      h(
        "a",
        { class: "pic", href: to("learn", game.name), tabindex: "-1", "aria-hidden": "true" },
        boardPicture(game.name),
      ),
      h("h2", {}, h("a", { href: to("learn", game.name) }, game.title)),
      h("p", {}, game.tagline),
      h(
        "div",
        { class: "row" },
        courseLink(game),
        puzzlesLink(game),
        h("a", { class: "button", href: to("learn", game.name) }, say("web.lesson-rules")),
      ),
    );
  return h("div", { class: "page wide" }, h("h1", {}, say("web.learn")), h("ul", { class: "games" }, list.map(entry)));
}
