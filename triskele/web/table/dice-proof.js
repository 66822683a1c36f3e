/** What this browser noted of the dice and found out about them, to be read and copied. */

/** @import { Noted, Verdict } from "./dice-notes.js" */
/** @import { TableModel } from "./model.js" */

import { h, icon } from "../lib/dom.js";
import { listed, say } from "../lib/i18n.js";
import { verdictWords } from "./dice-notes.js";
import { seatTitle } from "./seat-names.js";
import { copyField } from "./share-link.js";

/** The result of the check, as lines beside a die; nothing before the end. @param {Verdict | null} verdict */
export function verdictView(verdict) {
  if (!verdict) return null;
  const [head, ...rest] = verdictWords(verdict);
  const kind = verdict.faults.length ? "bad" : "good";
  const lines = rest.map((line) => h("p", { class: "muted" }, line));
  return h("div", { class: `verdict ${kind}` }, icon("die"), h("div", {}, h("p", {}, head), lines));
}

/**
 * What a player can write down to check the dice elsewhere: the commitment, the seeds, and the command that takes them.
 * @param {TableModel} model @param {Noted} noted
 */
export function diceFields(model, { commitment, outcomes, seeds }) {
  const taken = Object.entries(seeds).filter(([, given]) => given.taken);
  const own = taken.map(([seat, { seed }]) =>
    copyField(say("web.dice-own", { seat: seatTitle(model.game, Number(seat)) }), seed),
  );
  const noted = [
    `--commitment ${commitment}`,
    ...taken.map(([seat, { seed }]) => `--seed ${Number(seat) + 1}=${seed}`),
  ];
  const command = `triskele verify ${model.game}-${model.id}.json ${noted.join(" ")}`;
  const faces = outcomes?.map(([text]) => text) ?? [];
  return h(
    "div",
    { class: "links dice-notes" },
    h("p", { class: "muted" }, say("web.dice-note")),
    faces.length ? h("p", {}, say("web.dice-faces", { faces: listed(faces) })) : null,
    copyField(say("web.dice-commitment"), commitment),
    own,
    copyField(say("web.dice-elsewhere"), command),
  );
}
