/** What is asked about time: claiming a game that somebody left, and taking over one's seat again. */

/** @import { TableModel } from "./model.js" */

import { button, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { claimedAgainst } from "./clock-face.js";
import { nameOf } from "./seat-names.js";

/**
 * That somebody has left, with what can be done about it; nothing if nobody has.
 * @param {TableModel} model @param {(engine: boolean) => void} claim
 */
export function claimRow(model, claim) {
  const seat = claimedAgainst(model);
  if (seat === null) return null;
  const two = model.seats.length === 2;
  return [
    h("span", {}, say("web.has-left", { name: nameOf(model, seat) })),
    two ? button(say("web.claim-win"), () => claim(false), { class: "button slim primary" }) : null,
    button(say("web.claim-engine"), () => claim(true), { class: "button slim" }),
  ];
}

/** That an engine plays for me, with the way back; nothing if none does. @param {TableModel} model @param {(seat: number) => void} back */
export function awaySheet(model, back) {
  const seat = model.seats.find(({ mine, away }) => mine && away);
  if (!seat || model.over) return null;
  const words = say("web.away-words", { level: seat.stand_in });
  const take = button(say("web.take-over"), () => back(seat.seat), { class: "button primary" });
  return h("div", { class: "list" }, h("p", { class: "head" }, words), h("div", { class: "row" }, take));
}
