/** Offers of mine that wait for an answer, and what is said when an offer ends. */

/** @import { AnsweredMessage, Offer } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { button, h } from "../lib/dom.js";
import { listed, say } from "../lib/i18n.js";
import { nameOf } from "./seat-names.js";

/** The offer of mine that others have not answered yet. @param {TableModel} model */
export function ownOffer({ mine, offers }) {
  return offers.find(({ seat }) => mine.includes(seat));
}

/** Who has not answered an offer yet, in words. @param {TableModel} model @param {Offer} offer */
function waitingFor(model, { what, accepted }) {
  const asked = model.seats.filter(
    ({ seat, kind, resigned }) => kind !== "engine" && !accepted.includes(seat) && (what === "rematch" || !resigned),
  );
  /** @param {import("../lib/protocol.js").Seat} seat */
  const name = ({ seat, present }) => nameOf(model, seat) + (present ? "" : ` (${say("web.away")})`);
  return listed(asked.map(name));
}

/** What waits for an answer, with a button to withdraw it. @param {TableModel} model @param {Offer} offer @param {() => void} withdraw */
export function standingOffer(model, offer, withdraw) {
  return [
    h("span", {}, say(`web.standing-${offer.what}`, { names: waitingFor(model, offer) })),
    button(say("web.withdraw"), withdraw, { class: "button slim" }),
  ];
}

/** What to say about offers that a move has ended. @param {Offer[]} before @param {Offer[]} now @returns {string[]} */
export function lapsedWords(before, now) {
  const ended = before.filter((old) => !now.some(({ what }) => what === old.what));
  return ended.map(({ what }) => say(`web.lapsed-${what}`));
}

/**
 * What to say about somebody else's refusal, or about an offer that its owner has withdrawn.
 * @param {TableModel} model @param {Offer[]} before the offers until then @param {AnsweredMessage} answer
 */
export function refusalWords(model, before, { seat, what, accept }) {
  if (accept || model.isMine(seat)) return "";
  const own = before.some((offer) => offer.what === what && offer.seat === seat);
  return say(own ? "web.withdrew" : "web.declined", { name: nameOf(model, seat) });
}
