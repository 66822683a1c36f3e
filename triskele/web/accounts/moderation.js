/** The moderators' page: reports with the table's chat, silences and bans, annulled results, the audit log. */

/** @import { AuditEntry, ModeratedTable, Person, Report, Sanction } from "./types.js" */

import { get, post } from "../lib/api.js";
import { show } from "../lib/dialogs.js";
import { button, fill, h } from "../lib/dom.js";
import { ago, clock, say } from "../lib/i18n.js";
import { failed, toast } from "../lib/toasts.js";
import { go, to } from "../lib/router.js";
import { day } from "./account.js";
import { field, form } from "./fields.js";
import { whoAmI } from "./session.js";
import { prepare, text } from "./setup.js";

const HOURS = [1, 24, 168, 720, 0]; // how long a sanction holds; 0 is for good
const VIEWS = /** @type {const} */ (["reports", "closed", "sanctions", "audit"]);

/** @param {HTMLElement} host @param {string} view @returns {Promise<unknown>} */
export async function moderationPage(host, view) {
  await prepare();
  const { account } = await whoAmI();
  if (!account) return go(to("sign-in"));
  const chosen = VIEWS.find((each) => each === view) ?? "reports";
  const content = await VIEW[chosen](() => moderationPage(host, view).catch(failed));
  /** @param {typeof VIEWS[number]} name */
  const tab = (name) =>
    h(
      "a",
      { class: "button", href: to("moderation", name), "aria-current": name === chosen ? "page" : null },
      text(`view-${name}`),
    );
  return fill(
    host,
    h(
      "div",
      { class: "page" },
      h("h1", {}, text("moderation")),
      h("nav", { class: "row acts ways", "aria-label": text("moderation") }, VIEWS.map(tab)),
      content,
    ),
  );
}

/** @typedef {() => Promise<unknown>} Redraw */

const VIEW = {
  reports: (/** @type {Redraw} */ redraw) => reports("open", redraw),
  closed: (/** @type {Redraw} */ redraw) => reports("closed", redraw),
  sanctions,
  audit,
};

/** @param {string} words */
const none = (words) => h("p", { class: "muted" }, words);

/** A person: the name of the account with a link, or the visitor's id. @param {Person} who */
const person = ({ name, visitor }) =>
  name ? h("a", { href: to("people", name) }, name) : h("code", { title: visitor }, visitor.slice(0, 8));

/** @param {"open" | "closed"} state @param {Redraw} redraw */
async function reports(state, redraw) {
  /** @type {Report[]} */
  const found = await get(`/moderation/reports?state=${state}`);
  /** @param {Report} report */
  const line = (report) =>
    h(
      "li",
      { class: "card report" },
      h("h2", {}, `${text(`why-${report.why}`)} · `, person(report.about)),
      h("small", { class: "muted" }, text("reported-by"), " ", person(report.reporter), ` · ${ago(report.time)}`),
      report.text ? h("p", { class: "words" }, report.text) : null,
      report.closed ? h("p", { class: "muted" }, `${report.closed_by}: ${report.answer || "–"}`) : null,
      h(
        "div",
        { class: "row acts" },
        report.table ? button(text("table-and-chat"), () => showTable(report.table ?? "", redraw).catch(failed)) : null,
        button(text("silence"), () => sanction("silence", report.about, redraw)),
        button(text("ban"), () => sanction("ban", report.about, redraw)),
        report.closed ? null : button(text("close-report"), () => close(report, redraw), { class: "button primary" }),
      ),
    );
  return found.length ? h("ul", { class: "reports" }, found.map(line)) : none(text("no-reports"));
}

/** Close a report, with a word about it. @param {Report} report @param {Redraw} redraw */
function close(report, redraw) {
  const answer = field(text("answer"), { maxLength: 500, required: false });
  const send = async () => {
    await post(`/moderation/reports/${report.number}/close`, { answer: answer.input.value });
    shown.dialog.close();
    await redraw();
  };
  const shown = show(text("close-report"), form(answer.element, text("close-report"), send), { class: "small" });
}

/** @param {"silence" | "ban"} kind @param {Person} who @param {Redraw} redraw */
function sanction(kind, who, redraw) {
  const length = h(
    "select",
    {},
    HOURS.map((hours) => h("option", { value: String(hours), selected: hours === 24 }, text(`hours-${hours}`))),
  );
  const reason = field(text("reason"), { maxLength: 500, required: false });
  const send = async () => {
    const hours = Number(length.value) || null;
    await post("/moderation/sanctions", { kind, visitor: who.visitor, hours, reason: reason.input.value });
    shown.dialog.close();
    toast(text("done"));
    await redraw();
  };
  const content = form(
    [h("label", { class: "field" }, h("span", {}, text("how-long")), length), reason.element],
    text(kind),
    send,
  );
  const shown = show(`${text(kind)}: ${who.name ?? who.visitor.slice(0, 8)}`, content, { class: "small" });
}

/** Who sits at a table, and what was said there. @param {string} id @param {Redraw} redraw */
async function showTable(id, redraw) {
  /** @type {ModeratedTable} */
  const table = await get(`/moderation/tables/${encodeURIComponent(id)}`);
  /** @param {ModeratedTable["chat"][number]} line */
  const writer = ({ seat, visitor, name, account, deleted }) =>
    account && visitor
      ? person({ name: account, visitor })
      : deleted
        ? say("web.deleted-player")
        : name
          ? say("web.guest-named", { name })
          : text("seat-number", { n: seat + 1 });
  /** @param {string} path */
  const act = (path) => async () => {
    try {
      await post(`/moderation/tables/${encodeURIComponent(id)}/${path}`, {});
      shown.dialog.close();
      toast(text("done"));
      await redraw();
    } catch (error) {
      failed(error);
    }
  };
  const said = table.chat.map((line) =>
    h(
      "li",
      {},
      h("b", {}, writer(line)),
      " ",
      h("small", { class: "muted" }, clock(line.time)),
      h("div", {}, line.text),
    ),
  );
  const content = [
    h(
      "p",
      { class: "muted" },
      `${day(table.opened)} · ${text("moves", { n: table.moves })}${table.annulled ? ` · ${text("is-annulled")}` : ""}`,
    ),
    said.length ? h("ol", { class: "chat" }, said) : none(text("no-chat")),
    h(
      "div",
      { class: "row" },
      table.over && !table.annulled ? button(text("annul"), act("annul")) : null,
      table.over ? null : button(text("end-game"), act("end")),
    ),
  ];
  const shown = show(text("table-and-chat"), content);
}

/** @param {Redraw} redraw */
async function sanctions(redraw) {
  /** @type {Sanction[]} */
  const found = await get("/moderation/sanctions");
  /** @param {Sanction} each */
  const line = (each) =>
    h(
      "li",
      {},
      h(
        "span",
        { class: "what" },
        h("b", {}, text(each.kind), " · ", person({ name: each.name, visitor: each.target })),
        h(
          "small",
          { class: "muted" },
          `${each.until ? text("until", { day: day(each.until) }) : text("hours-0")} · ${each.reason || "–"}`,
        ),
      ),
      button(text("lift"), async () => {
        try {
          await post("/moderation/sanctions/lift", { target: each.target });
          await redraw();
        } catch (error) {
          failed(error);
        }
      }),
    );
  return found.length ? h("ul", { class: "entries card" }, found.map(line)) : none(text("no-sanctions"));
}

const DEEDS = { silence: "silence", ban: "ban", lift: "lift", annul: "annul", end: "end-game", report: "close-report" };

/** What was done, in words where the page has some. @param {string} action */
const deed = (action) => {
  const key = Object.entries(DEEDS).find(([name]) => name === action)?.[1];
  return key ? text(key) : action;
};

/** Who acted, or who or what is meant; an account leads to its profile. @param {string} written */
const named = (written) =>
  written.startsWith("@") ? h("a", { href: to("people", written.slice(1)) }, written.slice(1)) : written;

/** What else is known of a deed, in a line. @param {AuditEntry["detail"]} detail */
const details = (detail) =>
  Object.entries(detail)
    .filter(([, value]) => value !== "" && value !== null)
    .map(([name, value]) =>
      name === "until"
        ? text("until", { day: day(Number(value)) })
        : name === "reason" || name === "answer"
          ? String(value)
          : `${name}: ${value}`,
    );

async function audit() {
  /** @type {AuditEntry[]} */
  const found = await get("/moderation/audit");
  /** @param {AuditEntry} entry */
  const line = (entry) =>
    h(
      "li",
      {},
      h(
        "span",
        { class: "what" },
        h("b", {}, named(entry.actor), ` · ${deed(entry.action)}`),
        h(
          "small",
          { class: "muted" },
          entry.target ? [named(entry.target), " · "] : null,
          [ago(entry.time), ...details(entry.detail)].join(" · "),
        ),
      ),
    );
  return found.length ? h("ul", { class: "entries card" }, found.map(line)) : none(text("no-audit"));
}
