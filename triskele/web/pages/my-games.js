/** My games: those that wait for me, those going on, those finished, and a way to upload one from a file. */

/** @import { ListedTable, ListedTables } from "../lib/protocol.js" */

import { get, post, postFile } from "../lib/api.js";
import { games } from "../lib/catalogue.js";
import { confirmed } from "../lib/dialogs.js";
import { fill, h, icon } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { failed, toast } from "../lib/toasts.js";
import { go, to } from "../lib/router.js";
import { isDays } from "../table/pace-words.js";
import { chooseSeats } from "./record-seats.js";
import { isMyTurn, tableLink } from "./table-link.js";

/** @param {HTMLInputElement} input */
async function upload(input) {
  const file = input.files?.[0];
  if (!file) return;
  const text = file.text();
  input.value = "";
  try {
    const written = await text;
    const foreign = written.trimStart().startsWith("("); // SGF, of another site
    const record = foreign ? null : JSON.parse(written);
    const on = record?.outcome === null && Array.isArray(record.seats) && record.seats.length > 1;
    const seats = on ? await chooseSeats(String(record.game), record.seats.length) : [];
    if (!seats) return;
    const query = new URLSearchParams(seats.map((seat) => ["seats", seat]));
    /** @type {{table: string, annotated: boolean}} */
    const { table, annotated } = await postFile(`/records${query.size ? `?${query}` : ""}`, written);
    go(to("table", table));
    if (annotated) toast(say("web.record-annotated"));
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

/** The field for vacations, which is fetched when it is needed. */
function vacation() {
  const place = h("section", { class: "vacation" });
  import("../days/vacation-field.js").then(({ fillVacation }) => fillVacation(place)).catch(failed);
  return place;
}

/** @param {HTMLElement} host */
export async function myGamesPage(host) {
  const notices = h("section", { data: { notices: "" }, "aria-label": say("web.notices") }); // filled by what follows them
  const draw = () => drawGames(host, notices, () => draw().catch(failed));
  const again = () => draw().catch(failed);
  await draw();
  addEventListener("notices", again);
  return { close: () => removeEventListener("notices", again) };
}

/** @param {HTMLElement} host @param {HTMLElement} notices @param {() => void} again */
async function drawGames(host, notices, again) {
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
            tables.map((table) => tableLink(table, list, () => remove(table, again))),
          ),
        ]
      : null;
  // Those whose time is up first come first; those without a clock come last.
  const waiting = mine.filter(isMyTurn).sort((a, b) => (a.due ?? Infinity) - (b.due ?? Infinity));
  fill(
    host,
    h(
      "div",
      { class: "page" },
      h("h1", {}, say("web.my-games")),
      notices,
      mine.length ? null : h("p", { class: "muted" }, say("web.no-games")),
      mine.length
        ? null
        : h("p", { class: "away" }, h("a", { class: "button primary", href: to("home") }, say("web.play"))),
      part(capital(say("web.waiting-for-you")), waiting),
      part(
        say("web.on"),
        mine.filter((table) => !table.over && !waiting.includes(table)),
      ),
      part(
        say("web.over"),
        mine.filter((table) => table.over),
      ),
      mine.some((table) => isDays(table.clock ?? "")) ? vacation() : null,
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
      h("p", { class: "away" }, h("a", { class: "button", href: to("analysis") }, icon("eye"), say("web.analysis"))),
    ),
  );
}
