/** What a person can do at a table: each command of its buttons, menus and keys. */

/** @import { Done, TableRequest } from "../lib/protocol.js" */
/** @import { GameController } from "../table/game-controller.js" */
/** @import { Hints } from "../table/hints.js" */
/** @import { TableModel } from "../table/model.js" */
/** @import { TableDice } from "../table/table-dice.js" */
/** @import { TableView } from "../table/view.js" */
/** @import { TableAnalysis } from "./table-analysis.js" */

import { confirmed, show as showDialog } from "../lib/dialogs.js";
import { say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { go, to } from "../lib/router.js";
import { ownOffer } from "../table/offers.js";
import { linkField, linkTo } from "../table/share-link.js";

/**
 * @typedef {{
 *   model: TableModel, hints: Hints, analysis: TableAnalysis, dice: TableDice,
 *   view: () => TableView, controller: () => GameController | null,
 *   request: (message: TableRequest) => Promise<Done | undefined>, sit: () => Promise<void>,
 *   dismiss: (what: string) => void, changed: () => void
 * }} Parts of the page that commands work on; `request`: sends it, and shows why it failed; `sit`: takes a free seat;
 *   `dismiss`: closes a bottom sheet
 */

/** My seat that speaks for me: the one that acts, or my first. @param {TableModel} model @param {GameController | null} controller */
export function speakingSeat(model, controller) {
  const actor = controller?.actor;
  const { playing, mine } = model;
  return model.isMine(actor) && playing.includes(actor) ? actor : (playing[0] ?? mine[0]);
}

/** @param {Parts} parts @returns {import("../table/view.js").Commands} */
export function commandsOf({ model, hints, analysis, dice, view, controller, request, sit, dismiss, changed }) {
  const own = () => speakingSeat(model, controller());
  return {
    undo: () => {
      const last = model.moves.findLast((made) => model.isMine(made.seat))?.seat;
      request({ type: "undo", seat: model.isMine(last) ? last : own() });
    },
    hint: () => hints.ask(),
    playHint: () => hints.play(),
    closeHint: () => hints.close(),
    resign: async () => {
      view().side.close(); // on a phone it lies over the board, where the answer shows
      const question = say(model.seats.length > 2 ? "web.resign-sure-many" : "web.resign-sure");
      if (await confirmed(question, say("web.resign"))) request({ type: "resign", seat: own() });
    },
    claim: (engine) => request({ type: "claim", seat: own(), engine }),
    back: (seat) => request({ type: "back", seat }),
    conditional: async () => {
      view().side.close();
      const game = controller()?.game;
      if (!game) return;
      try {
        const { conditionalMoves } = await import("../days/conditional-dialog.js");
        await conditionalMoves(model, game, own());
      } catch (error) {
        failed(error);
      }
    },
    draw: async () => {
      view().side.close();
      request({ type: "offer", seat: own(), what: "draw" });
    },
    withdraw: () => {
      const offer = ownOffer(model);
      if (offer) request({ type: "answer", seat: offer.seat, what: offer.what, accept: false });
    },
    // What few games need is loaded when it is asked for.
    level: () => import("./another-level.js").then(({ chooseLevel }) => chooseLevel(model)).catch(failed),
    share: () => import("../table/share-game.js").then(({ shareGame }) => shareGame(model)).catch(failed),
    keys: () => import("../table/shortcuts.js").then(({ showShortcuts }) => showShortcuts()).catch(failed),
    rematch: () => {
      if (model.next_table) go(to("table", model.next_table));
      else request({ type: "offer", seat: own(), what: "rematch" });
    },
    prove: () => dice.prove().catch(failed),
    prepareAnalysis: () => analysis.prepare(),
    analyse: () => {
      const { side, parts } = view();
      if (side.visible) side.select("moves");
      else side.open("moves");
      parts.moves.element.focus(); // on the tab, → would lead to the next one
      analysis.switch(!analysis.on);
      changed();
    },
    invite: (seat) => {
      const link = linkTo(model.id, model.seats[seat].key ?? "");
      showDialog(say("web.invite"), linkField(say("web.invite-words"), link));
    },
    sit: () => sit().catch(failed),
    turnBoard: () => controller()?.turnBoard(),
    answer: (what, accept) => request({ type: "answer", seat: own(), what, accept }),
    dismiss,
  };
}
