/** Bottom sheets: they come up below the board for a confirmation, an offer, the result, a hint. */

/** @import { Fact, Hint, Offer } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { button, h, icon } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { to } from "../lib/router.js";
import { ownOffer, standingOffer } from "./offers.js";
import { seatSign } from "./player-strips.js";
import { hintReason } from "./move-words.js";
import { nameOf, seatTitle, together } from "./seat-names.js";
import { analysisLink } from "./analysis-link.js";
import { linkField, linkTo } from "./share-link.js";

/** A move in words, set off from the text around it. @param {string} words */
const movePart = (words) => h("b", { class: "move" }, capital(words));

/**
 * Two answers side by side, the second the usual one.
 * @param {string} no @param {() => void} refuse @param {string} yes @param {() => void} accept @param {string} [picture]
 *   the icon of the first
 */
function answers(no, refuse, yes, accept, picture) {
  return h(
    "div",
    { class: "row" },
    button(no, refuse, { icon: picture }),
    button(yes, accept, { icon: "check", class: "button primary" }),
  );
}

/**
 * What to know before a move is made.
 * @param {string} words of the move @param {string} note @param {{back: () => void, yes: () => void}} acts
 */
export function confirmation(words, note, { back, yes }) {
  return h(
    "div",
    { class: "list brief" },
    h("p", {}, movePart(words), " ", capital(note)),
    answers(say("web.back"), back, say("web.do-it"), yes, "undo"),
  );
}

/** The offer of another player that waits for my answer. @param {TableModel} model */
export function openOffer({ mine, offers }) {
  return offers.find(({ seat, accepted }) => !mine.includes(seat) && mine.some((own) => !accepted.includes(own)));
}

/** @param {TableModel} model @param {Offer} offer @param {(accept: boolean) => void} answer */
export function offered(model, { seat, what }, answer) {
  return h(
    "div",
    { class: "list" },
    h("p", { class: "head" }, say(`web.offers-${what}`, { name: nameOf(model, seat) })),
    answers(
      say("web.decline"),
      () => answer(false),
      say("web.accept"),
      () => answer(true),
    ),
  );
}

/** How a seat caused the end: the words for others, and for oneself. @type {Object<string, [string, string]>} */
const CAUSES = {
  resign: ["web.resigned", "web.you-resigned"],
  time: ["web.ran-out", "web.you-ran-out"],
  left: ["web.left", "web.you-left"],
};

/** Why the game ended, in words: who resigned, ran out of time or left is named. @param {TableModel} model */
function reasonWords(model) {
  const { ended } = model;
  const cause = ended ? CAUSES[ended.kind] : undefined;
  if (!cause || ended?.seat === undefined) return capital(model.text);
  const own = model.mine.length === 1 && model.isMine(ended.seat);
  return own ? say(cause[1]) : say(cause[0], { name: nameOf(model, ended.seat) });
}

/** How the game ended: who won, and why. @param {TableModel} model @returns {[string, string]} */
export function resultWords(model) {
  const winners = model.outcome?.winners ?? [];
  if (model.seats.length === 1 && !winners.length) return [reasonWords(model), ""];
  if (!winners.length) return [say("web.nobody-won"), reasonWords(model)];
  const own = model.mine.length === 1 && winners.length === 1 && winners[0] === model.mine[0];
  const names = together(
    winners.map((seat) => model.seats[seat]),
    ({ seat }) => nameOf(model, seat),
  );
  const head = own ? say("web.you-won") : say("web.won", { names, n: winners.length });
  return [head, reasonWords(model)];
}

/** What the scene says about each seat at the end: points, coins. @param {TableModel} model @param {Fact[]} facts @param {string[]} sprites */
function finalFacts(model, facts, sprites) {
  /** @param {number} seat */
  const of = (seat) => facts.filter((fact) => fact.seat === seat).map((fact) => fact.words);
  const said = model.seats.map(({ seat }) => ({ seat, words: of(seat) })).filter(({ words }) => words.length);
  if (!said.length) return null;
  // Several engines may have the same name: the sign tells whose line it is.
  /** @param {{seat: number, words: string[]}} said */
  const line = ({ seat, words }) =>
    h("li", {}, seatSign(sprites, seat), h("span", {}, [nameOf(model, seat), ...words.slice(0, 3)].join(" · ")));
  return h("ul", {}, said.map(line));
}

/**
 * @typedef {{
 *   review: () => void, prove: () => void, rematch: () => void, level: () => void, share: () => void,
 *   withdraw: () => void
 * }} ResultCommands what can be done after the end
 */

/**
 * The result, with what can be done next.
 * @param {TableModel} model @param {Fact[]} facts @param {string[]} sprites the seats' signs
 * @param {Element | null} verdict on the dice @param {Element | null} ratings what it did to them
 * @param {ResultCommands} commands
 */
export function result(model, facts, sprites, verdict, ratings, commands) {
  const [head, text] = resultWords(model);
  const standing = ownOffer(model);
  return h(
    "div",
    { class: "list result" },
    h("b", {}, head),
    text ? h("p", { class: "muted" }, text) : null,
    finalFacts(model, facts, sprites),
    verdict,
    ratings,
    standing ? h("div", { class: "standing-row" }, standingOffer(model, standing, commands.withdraw)) : null,
    h(
      "div",
      { class: "row" },
      button(say("web.review"), commands.review, { icon: "eye", class: "button review" }),
      analysisLink(model.game, model.id),
      reviewLink(model),
      model.dice ? button(say("web.prove"), commands.prove, { icon: "die" }) : null,
      button(say("web.share"), commands.share, { icon: "share" }),
      canChangeLevel(model) ? button(say("web.another-level"), commands.level, { icon: "engine" }) : null,
      standing ? null : rematchButton(model, commands.rematch),
    ),
  );
}

/** The way to the review of the game. @param {TableModel} model */
const reviewLink = (model) =>
  model.moves.length
    ? h(
        "a",
        { class: "button review-game", href: to("review", model.id) },
        icon("hint"),
        h("span", {}, say("web.review-game")),
      )
    : null;

/** Whether somebody plays here against engines and nobody else: the same game can begin again at another level. @param {TableModel} model */
const canChangeLevel = (model) =>
  model.mine.length > 0 && !model.others && model.seats.some(({ kind }) => kind === "engine");

/** The button for the next game between the same players. @param {TableModel} model @param {() => void} act */
export function rematchButton(model, act) {
  if (!model.mine.length) return null;
  const words = say(model.next_table ? "web.to-rematch" : "web.rematch");
  return button(words, act, { icon: "again", class: "button primary" });
}

/** Links for the seats that wait for somebody. @param {TableModel} model @param {() => void} close */
export function invitations(model, close) {
  const free = model.seats.filter((seat) => !seat.taken && seat.key);
  if (!free.length) return null;
  return h(
    "div",
    { class: "list" },
    h("p", { class: "head" }, say("web.invite-words")),
    free.map((seat) => linkField(seatTitle(model.game, seat.seat), linkTo(model.id, seat.key ?? ""))),
    h("div", { class: "row" }, button(say("web.close"), close)),
  );
}

/**
 * A hint, or that one is on its way.
 * @param {string} words of its move @param {Hint & {slow: boolean}} hint without a move as long as it is on its way
 * @param {{close: () => void, play: () => void}} acts @param {Element | null} pictures the move, where it can be drawn
 */
export function hintSheet(words, { move, why, slow }, { close, play }, pictures) {
  if (!move) {
    const wait = capital(say(slow ? "web.getting-ready" : "web.thinking"));
    return h("div", { class: "list hint" }, h("p", { class: "head" }, icon("hint"), wait));
  }
  return h(
    "div",
    { class: "list hint brief" },
    h("p", {}, pictures ?? movePart(words), " ", capital(hintReason({ move, why }))),
    answers(say("web.close"), close, say("web.play-it"), play),
  );
}
