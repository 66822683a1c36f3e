/** A game from a file that is not over: who goes on with it at which seat. */

/** @import { SeatKind } from "../lib/protocol.js" */

import { show } from "../lib/dialogs.js";
import { button, fill, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { levelOf } from "../lib/settings.js";
import { seatTitle } from "../table/seat-names.js";
import { levelField } from "./level-field.js";

/** @type {SeatKind[]} */
const KINDS = ["me", "here", "engine"];

/**
 * Ask who sits where; resolves with what the server wants to know, or with nothing when the dialog was closed.
 * @param {string} game @param {number} count of the seats @returns {Promise<string[] | null>}
 */
export async function chooseSeats(game, count) {
  const seats = Array.from({ length: count }, (_, seat) => ({ kind: seat ? "engine" : "me", level: levelOf(game) }));
  const list = h("ol", { class: "seats" });
  const draw = () =>
    fill(
      list,
      seats.map((seat, index) => {
        const title = seatTitle(game, index);
        const kinds = h(
          "select",
          {
            "aria-label": say("web.who-sits", { seat: title }),
            on: {
              change: (event) => {
                seat.kind = event.currentTarget.value;
                draw();
              },
            },
          },
          KINDS.map((kind) => h("option", { value: kind, selected: kind === seat.kind }, say(`web.kind-${kind}`))),
        );
        const label = say("web.level-of", { seat: title });
        const level = levelField(seat.level, label, false, (value) => (seat.level = value));
        return h(
          "li",
          {},
          h("span", { class: "disc", title }, String(index + 1)),
          kinds,
          seat.kind === "engine" ? level : null,
        );
      }),
    );
  draw();
  const start = button(say("web.continue-record"), () => dialog.close("yes"), { class: "button primary" });
  const { dialog, closed } = show(
    say("web.who-sits-where"),
    h(
      "div",
      { class: "list setup" },
      h("p", { class: "muted" }, say("web.record-unfinished")),
      list,
      h("div", { class: "row" }, start),
    ),
  );
  if ((await closed) !== "yes") return null;
  return seats.map(({ kind, level }) => (kind === "engine" ? `engine:${level}` : kind));
}
