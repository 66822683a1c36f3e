/** My games: those that are on, those that are over, and a way to bring one in from a file. */

import { get, post } from "./api.js";
import { games } from "./catalogue.js";
import { fill, h, icon } from "./dom.js";
import { say } from "./i18n.js";
import { failed } from "./notices.js";
import { go, to } from "./router.js";
import { tableLink } from "./table-link.js";

/** @param {Event} event */
async function upload(event) {
  const [file] = event.target.files;
  event.target.value = "";
  try {
    const { table } = await post("/records", JSON.parse(await file.text()));
    go(to("table", table));
  } catch (error) {
    failed(error instanceof SyntaxError ? new Error(say("web.no-record")) : error);
  }
}

/** @param {HTMLElement} host */
export async function gamesPage(host) {
  const [list, { mine }] = await Promise.all([games(), get("/tables")]);
  const part = (title, tables) => (tables.length ? [
    h("h2", {}, title),
    h("ul", { class: "resume" }, tables.map((table) => tableLink(table, list))),
  ] : null);
  fill(host,
    h("div", { class: "page" },
      h("h1", {}, say("web.my-games")),
      mine.length ? null : h("p", { class: "muted" }, say("web.no-games")),
      mine.length ? null : h("p", { class: "away" }, h("a", { class: "button primary", href: to("home") }, say("web.play"))),
      part(say("web.on"), mine.filter((table) => !table.over)),
      part(say("web.over"), mine.filter((table) => table.over)),
      h("div", { class: "drop" },
        h(
          "label",
          { class: "button" },
          h("input", { type: "file", accept: ".json,application/json", on: { change: upload } }),
          icon("upload"),
          say("web.upload"),
        ),
        h("span", { class: "muted" }, say("web.upload-words")))));
}
