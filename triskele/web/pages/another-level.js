/** The same game against the computer once more, at another level. */

/** @import { PlannedSeat, Seat } from "../lib/protocol.js" */
/** @import { TableModel } from "../table/model.js" */

import { show } from "../lib/dialogs.js";
import { button, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { rememberLevel } from "../lib/settings.js";
import { levelField } from "./level-field.js";
import { openTable } from "./new-table.js";

/** @param {TableModel} model */
export function chooseLevel(model) {
  let level = Math.max(...model.seats.map((seat) => seat.level ?? 1));
  /** @param {Seat} seat @returns {PlannedSeat} */
  const planned = ({ kind, name }) => (kind === "engine" ? { kind, level } : { kind, name });
  const start = async () => {
    rememberLevel(model.game, level);
    dialog.close();
    const { game, options, hints } = model;
    await openTable({ game, options, seats: model.seats.map(planned), first: "lots", private: true, hints }).catch(
      failed,
    );
  };
  const { dialog } = show(
    say("web.another-level"),
    h(
      "div",
      { class: "list" },
      h("p", { class: "muted" }, say("web.another-level-words")),
      levelField(level, say("web.level"), Boolean(model.dice), (value) => (level = value)),
      h("div", { class: "row" }, button(say("web.start"), start, { class: "button primary" })),
    ),
    { class: "small" },
  );
}
