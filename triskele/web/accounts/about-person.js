/** What can be done about another person: see the profile, mute, block, report. */

import { get, post } from "../lib/api.js";
import { show } from "../lib/dialogs.js";
import { button, h, icon } from "../lib/dom.js";
import { failed, toast } from "../lib/toasts.js";
import { to } from "../lib/router.js";
import { markedName } from "../table/seat-names.js";
import { form } from "./fields.js";
import { prepare, text } from "./setup.js";

const REASONS = /** @type {const} */ (["chat", "cheating", "leaving", "name", "other"]);

/**
 * Show what can be done about who sits at a table, also a guest.
 * @param {import("../table/model.js").TableModel} model @param {import("../lib/protocol.js").Seat} seat
 */
export async function aboutPerson(model, seat) {
  await prepare();
  const name = markedName(model.game, seat);
  const place = { table: model.id, seat: seat.seat };
  /** @type {{muted: boolean, blocked: boolean}} */
  const { muted, blocked } = await get(`/people?table=${encodeURIComponent(model.id)}&seat=${seat.seat}`);
  /** @param {"mute" | "block"} kind @param {boolean} on @param {string} done */
  const set = (kind, on, done) => async () => {
    try {
      await post("/people", { ...place, kind, on });
      toast(done);
      shown.dialog.close();
    } catch (error) {
      failed(error);
    }
  };
  const report = () => {
    shown.dialog.close();
    reportPerson(place, name);
  };
  const profile = seat.account
    ? h(
        "a",
        { class: "button", href: to("people", seat.account), on: { click: () => shown.dialog.close() } },
        icon("person"),
        text("profile"),
      )
    : null;
  const content = h(
    "div",
    { class: "list" },
    profile,
    muted
      ? button(text("unmute"), set("mute", false, text("is-unmuted", { name })))
      : button(text("mute"), set("mute", true, text("is-muted", { name }))),
    blocked
      ? button(text("unblock"), set("block", false, text("is-unblocked", { name })))
      : button(text("block"), set("block", true, text("is-blocked", { name }))),
    button(text("report"), report, { icon: "flag" }),
    h("p", { class: "muted" }, text("aversion-words")),
  );
  const shown = show(name, content, { class: "small" });
}

/**
 * Report somebody to the moderators.
 * @param {{name: string} | {table: string, seat: number}} who @param {string} name
 */
export async function reportPerson(who, name) {
  await prepare();
  const why = h(
    "select",
    {},
    REASONS.map((reason) => h("option", { value: reason }, text(`why-${reason}`))),
  );
  const words = h("textarea", { maxLength: 1000, rows: 4 });
  const send = async () => {
    await post("/reports", { ...who, why: why.value, text: words.value });
    shown.dialog.close();
    toast(text("is-reported"));
  };
  const content = form(
    [
      h("label", { class: "field" }, h("span", {}, text("why")), why),
      h("label", { class: "field" }, h("span", {}, text("what-happened")), words),
    ],
    text("report"),
    send,
  );
  const shown = show(text("report-person", { name }), content, { class: "small" });
}
