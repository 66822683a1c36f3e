/** A finished game to show to others: as a picture, as a link, as text. */

/** @import { TableModel } from "./model.js" */

import { address } from "../lib/api.js";
import { show } from "../lib/dialogs.js";
import { h, icon } from "../lib/dom.js";
import { language, say } from "../lib/i18n.js";
import { theme } from "../lib/settings.js";
import { resultWords } from "./bottom-sheets.js";
import { turns } from "./move-list.js";
import { markedName } from "./seat-names.js";
import { copyField, linkField, linkTo } from "./share-link.js";

/** The game as text: who played, the moves by turns, the result. @param {TableModel} model */
export function gameText(model) {
  const names = model.seats.map((seat) => markedName(model.game, seat)).join(" – ");
  const rows = turns(model.moves).map(({ seat, moves }, index) => {
    const texts = moves.map(({ text }) => text).join(" ");
    return `${index + 1}. ${model.seats.length > 1 ? `(${seat + 1}) ` : ""}${texts}`;
  });
  return [`${model.title}: ${names}`, ...rows, resultWords(model).filter(Boolean).join(" ")].join("\n");
}

/** Show the dialog. @param {TableModel} model */
export function shareGame(model) {
  const seat = model.mine.length === 1 ? model.mine[0] : null;
  const picture = address(`/tables/${model.id}/picture.png`, { seat, theme: theme(), language: language() });
  const content = [
    h("img", { src: picture, alt: model.title, class: "shared" }),
    h(
      "a",
      { class: "button", href: picture, download: `${model.game}-${model.id}.png` },
      icon("picture"),
      h("span", {}, say("web.picture-png")),
    ),
    model.watch ? linkField(say("web.share-link"), linkTo(model.id, model.watch)) : null,
    copyField(say("web.share-moves"), gameText(model)),
  ];
  show(say("web.share"), h("div", { class: "list" }, content));
}
