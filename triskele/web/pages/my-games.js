/** My games: those going on, those finished, and a way to upload one from a file. */

/** @import { ListedTable, ListedTables } from "../lib/protocol.js" */

import { get, post, postText } from "../lib/api.js";
import { games } from "../lib/catalogue.js";
import { confirmed } from "../lib/dialogs.js";
import { fill, h, icon } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { failed } from "../lib/notices.js";
import { go, to } from "../lib/router.js";
import { chooseSeats } from "./record-seats.js";
import { tableLink } from "./table-link.js";

/** @param {HTMLInputElement} input */
async function upload(input) {
  const file = input.files?.[0];
  if (!file) return;
  const text = file.text();
  input.value = "";
  try {
    const written = await text;
    const ours = written.trimStart().startsWith("{"); // else a file of another site
    const record = ours ? JSON.parse(written) : null;
    const on = record?.outcome === null && Array.isArray(record.seats) && record.seats.length > 1;
    const seats = on ? await chooseSeats(String(record.game), record.seats.length) : [];
    if (!seats) return;
    const query = new URLSearchParams(seats.map((seat) => ["seats", seat]));
    /** @type {{table: string}} */
    const { table } = await postText(`/records${query.size ? `?${query}` : ""}`, written);
    go(to("table", table));
  } catch (error) {
    failed(error instanceof SyntaxError ? new Error(say("web.no-record")) : error);
  }
}

/** Ask, and take a table off the list. @param {ListedTable} table @param {() => void} done */
async function remove(table, done) {
  const others = table.seats.some((seat) => seat.kind === "link" && seat.taken && !seat.mine);
  if (!(await confirmed(say(others ? "web.remove-sure" : "web.delete-sure"), say("web.remove")))) return;
  try {
    await post(`/tables/${table.table}/remove`, {});
    done();
  } catch (error) {
    failed(error);
  }
}

/** @param {HTMLElement} host */
export async function myGamesPage(host) {
  /** @type {Promise<ListedTables>} */
  const asked = get("/tables");
  const [list, { mine }] = await Promise.all([games(), asked]);
  /** @param {string} title @param {ListedTable[]} tables */
  const part = (title, tables) =>
    tables.length
      ? [
          h("h2", {}, title),
          h(
            "ul",
            { class: "resume" },
            tables.map((table) => tableLink(table, list, () => remove(table, () => myGamesPage(host).catch(failed)))),
          ),
        ]
      : null;
  fill(
    host,
    h(
      "div",
      { class: "page" },
      h("h1", {}, say("web.my-games")),
      mine.length ? null : h("p", { class: "muted" }, say("web.no-games")),
      mine.length
        ? null
        : h("p", { class: "away" }, h("a", { class: "button primary", href: to("home") }, say("web.play"))),
      part(
        say("web.on"),
        mine.filter((table) => !table.over),
      ),
      part(
        say("web.over"),
        mine.filter((table) => table.over),
      ),
      h(
        "div",
        { class: "drop" },
        h(
          "label",
          { class: "button" },
          h("input", {
            type: "file",
            accept: ".json,.sgf,application/json",
            on: { change: (event) => upload(event.currentTarget) },
          }),
          icon("upload"),
          say("web.upload"),
        ),
        h("span", { class: "muted" }, say("web.upload-words")),
      ),
    ),
  );
}
