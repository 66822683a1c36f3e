/** Dialogs of the analysis board: what can be taken out of it, and a position as a text. */

/** @import { AnalysisDocument, Game } from "../lib/protocol.js" */

import { show } from "../lib/dialogs.js";
import { button, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { to } from "../lib/router.js";
import { copyField, linkField } from "../table/share-link.js";
import { saveAnimation, savePicture, saveRecord } from "./files.js";
import { pack } from "./link.js";

/**
 * Share an analysis, or save it as a file. @param {Game} game @param {AnalysisDocument} document
 * @param {object} place of the position in sight, with the marks that lead to it
 */
export async function exportDialog(game, document, place) {
  /** @param {string} words @param {string} picture @param {() => Promise<void>} act */
  const file = (words, picture, act) =>
    button(
      words,
      async (event) => {
        const pressed = event.currentTarget;
        pressed.disabled = true;
        await act().catch(failed);
        pressed.disabled = false;
      },
      { icon: picture },
    );
  const packed = await pack(document).catch(() => null);
  const link = `${location.origin}${to("analysis", game.name)}#d=${packed}`;
  const formats = game.formats.includes("sgf");
  const content = [
    packed ? linkField(say("web.analysis-link"), link) : h("p", { class: "muted" }, say("web.link-too-long")),
    file(say("web.record-variations"), "download", () => saveRecord(document, "json")),
    formats ? file(say("web.record-sgf"), "download", () => saveRecord(document, "sgf")) : null,
    file(say("web.picture-png"), "picture", () => savePicture(place, game.name)),
    file(say("web.animation"), "play", () => saveAnimation(place, game.name)),
  ];
  show(say("web.export"), h("div", { class: "list" }, content));
}

/** Ask for a position as a text. @param {string} now @param {string} why it is asked so @param {(text: string) => void} begin */
export function positionDialog(now, why, begin) {
  const field = h("textarea", { rows: 4, value: now, "aria-label": say("web.position-text"), spellcheck: false });
  const use = button(
    say("web.setup-use"),
    () => {
      dialog.close();
      begin(field.value.trim());
    },
    { class: "button primary" },
  );
  const { dialog } = show(
    say("web.position-text"),
    h(
      "div",
      { class: "list" },
      h("p", { class: "muted" }, why),
      field,
      h("div", { class: "row" }, use),
      copyField(say("web.copy"), now),
    ),
  );
}
