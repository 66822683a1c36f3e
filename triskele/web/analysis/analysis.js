/** Analyses: those that this browser keeps, and ways to begin one: a game, a file, a position, a link. */

/** @import { AnalysisDocument, Game } from "../lib/protocol.js" */

import { loadSprites } from "../board/sprites.js";
import { get, post, postFile } from "../lib/api.js";
import { boardPicture, games } from "../lib/catalogue.js";
import { button, fill, h, icon } from "../lib/dom.js";
import { ago, capital, say } from "../lib/i18n.js";
import { failed, toast } from "../lib/toasts.js";
import { go, to } from "../lib/router.js";
import { noPage } from "../pages/message.js";
import { AnalysisPage } from "./analysis-page.js";
import { forget, keep, keptAnalyses, keptAnalysis, newId } from "./kept.js";
import { unpack } from "./link.js";

/** Bring the styles, once. */
function loadStyles() {
  for (const file of ["./analysis.css", "../engine/engine.css"]) {
    const { href } = new URL(file, import.meta.url);
    if (!document.head.querySelector(`link[href="${href}"]`))
      document.head.append(h("link", { rel: "stylesheet", href }));
  }
}

/** @param {HTMLElement} host @param {string} name */
export async function analysisPage(host, name) {
  loadStyles();
  const list = await games();
  if (!name) return fill(host, startPage(host, list));
  const game = list.find((each) => each.name === name);
  if (!game) return noPage(host);
  const [, kind, key] = /^#([dst])=(.*)$/.exec(location.hash) ?? [];
  try {
    const [found] = await Promise.all([documentOf(game, kind ?? "", key ?? ""), loadSprites(game.name)]);
    return new AnalysisPage(host, game, found, kind === "s" ? key : "");
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const start = h("a", { class: "button primary", href: to("analysis") }, say("web.analyses"));
    return fill(
      host,
      h("div", { class: "message" }, h("h1", {}, say("web.analysis")), h("p", {}, capital(words)), start),
    );
  }
}

/**
 * The analysis that an address means, checked by the rules. @param {Game} game @param {string} kind @param {string} key
 * @returns {Promise<AnalysisDocument>}
 */
async function documentOf(game, kind, key) {
  if (kind === "t") return post("/analysis/read", await get(`/tables/${encodeURIComponent(key)}/record`));
  if (kind === "s") {
    const kept = keptAnalysis(key);
    if (!kept) throw new Error(say("web.analysis-gone"));
    return post("/analysis/read", kept);
  }
  if (kind === "d") {
    const packed = await unpack(key).catch(() => Promise.reject(new Error(say("web.link-cut"))));
    return post("/analysis/read", packed);
  }
  return post("/analysis/read", { game: game.name, moves: [] });
}

/** Read a file, keep the analysis in it, and show it. @param {HTMLInputElement} input */
async function open(input) {
  const file = input.files?.[0];
  if (!file) return;
  const text = await file.text();
  input.value = "";
  try {
    /** @type {AnalysisDocument & {games?: number}} */
    const { games: count, ...document } = await postFile("/analysis/read", text);
    show(document);
    if (count) toast(say("web.analysis-first", { n: count }));
  } catch (error) {
    failed(error);
  }
}

/** @param {AnalysisDocument} document */
function show(document) {
  const id = newId();
  keep(id, document);
  go(`${to("analysis", document.game)}#s=${id}`);
}

/** @param {HTMLElement} host @param {Game[]} list */
function startPage(host, list) {
  const kept = keptAnalyses().filter(({ document }) => list.some(({ name }) => name === document.game));
  const again = () => fill(host, startPage(host, list));
  const position = h("textarea", {
    rows: 2,
    name: "position",
    "aria-label": say("web.position-text"),
    spellcheck: false,
  });
  const usePosition = async () => {
    const start = position.value.trim();
    try {
      show(await post("/analysis/read", { game: start.split(/[\s:]/)[0], start, moves: [] }));
    } catch (error) {
      failed(error);
    }
  };
  return h(
    "div",
    { class: "page" },
    h("h1", {}, say("web.analysis")),
    h("p", { class: "muted" }, say("web.analysis-words")),
    h(
      "ul",
      { class: "begin-analysis" },
      list.map(({ name, title }) =>
        h("li", {}, h("a", { class: "button", href: to("analysis", name) }, boardPicture(name), h("span", {}, title))),
      ),
    ),
    h("h2", {}, say("web.analyses")),
    kept.length ? null : h("p", { class: "muted" }, say("web.no-analyses")),
    h(
      "ul",
      { class: "resume" },
      kept.map(({ id, changed, document }) => keptLink(list, id, changed, document, again)),
    ),
    h("h2", {}, say("web.position-text")),
    h(
      "div",
      { class: "row position-field" },
      position,
      button(say("web.setup-use"), () => void usePosition()),
    ),
    h(
      "div",
      { class: "drop" },
      h(
        "label",
        { class: "button" },
        h("input", { type: "file", accept: ".json,.sgf", on: { change: (event) => open(event.currentTarget) } }),
        icon("upload"),
        say("web.analyse-file"),
      ),
      h("span", { class: "muted" }, say("web.analyse-file-words")),
    ),
  );
}

/** @param {Game[]} list @param {string} id @param {number} changed @param {AnalysisDocument} document @param {() => void} again */
function keptLink(list, id, changed, document, again) {
  const title = list.find(({ name }) => name === document.game)?.title ?? document.game;
  const names = document.seats.filter((name) => name !== "?").join(" – ");
  const drop = () => {
    forget(id);
    again();
  };
  const words = [names, document.moves.slice(0, 6).join(" "), ago(changed)].filter(Boolean).join(" · ");
  return h(
    "li",
    {},
    h(
      "a",
      { href: `${to("analysis", document.game)}#s=${id}` },
      boardPicture(document.game),
      h("span", { class: "what" }, h("b", {}, title), h("small", { class: "muted" }, words)),
    ),
    button(say("web.remove"), drop, { icon: "close", bare: true, class: "button bare remove" }),
  );
}
