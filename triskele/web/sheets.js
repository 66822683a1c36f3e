/** What comes up below the board when something wants an answer: a confirmation, an offer, the result, a hint. */

import { button, h, icon } from "./dom.js";
import { capital, has, say } from "./i18n.js";
import { nameOf, seatTitle, together } from "./people.js";
import { sign } from "./player-strips.js";
import { linkField, linkTo } from "./share.js";

/** @typedef {import("./table-model.js").TableModel} TableModel */

/** A move as written, or in words where the game has a button for it. @param {string} game @param {string} move */
function moveWords(game, move) {
  const key = `${game}.token.${move}`;
  return h("b", { class: "move" }, has(key) ? capital(say(key)) : move);
}

/** Two answers side by side, the second the one that is meant. */
function answers(no, refuse, yes, accept, picture) {
  return h(
    "div",
    { class: "row" },
    button(no, refuse, { icon: picture }),
    button(yes, accept, { icon: "check", class: "button primary" }),
  );
}

/** What to know before a move is made. @param {string} game @param {{move: string, note: string}} confirming */
export function confirmation(game, { move, note }, { back, yes }) {
  return h(
    "div",
    { class: "list brief" },
    h("p", {}, moveWords(game, move), " ", capital(note)),
    answers(say("web.back"), back, say("web.do-it"), yes, "undo"),
  );
}

/** The offer of another that waits for an answer of mine. @param {TableModel} model */
export function openOffer({ mine, offers }) {
  return offers.find(({ seat, accepted }) => !mine.includes(seat) && mine.some((own) => !accepted.includes(own)));
}

/** @param {TableModel} model @param {{seat: number, what: string}} offer @param {(accept: boolean) => void} answer */
export function offered(model, { seat, what }, answer) {
  return h(
    "div",
    { class: "list" },
    h("p", { class: "head" }, say(`web.offers-${what}`, { name: nameOf(model, seat) })),
    answers(say("web.decline"), () => answer(false), say("web.accept"), () => answer(true)),
  );
}

/** How the game ended: who won, and why. @param {TableModel} model @returns {[string, string]} */
export function resultWords(model) {
  const { winners } = model.outcome;
  if (model.seats.length === 1 && !winners.length) return [capital(model.text), ""];
  if (!winners.length) return [say("web.nobody-won"), capital(model.text)];
  const own = model.mine.length === 1 && winners.length === 1 && winners[0] === model.mine[0];
  const names = together(winners.map((seat) => model.seats[seat]), ({ seat }) => nameOf(model, seat));
  const head = own ? say("web.you-won") : say("web.won", { names, n: winners.length });
  return [head, capital(model.text)];
}

/** What the scene says about each seat at the end: points, coins. */
function finalFacts(model, facts) {
  const of = (seat) => facts.filter((fact) => fact.seat === seat).map((fact) => fact.words);
  const said = model.seats.map(({ seat }) => ({ seat, words: of(seat) })).filter(({ words }) => words.length);
  if (!said.length) return null;
  // Several engines may have the same name: the sign tells whose line it is.
  const line = ({ seat, words }) =>
    h("li", {}, sign(model.game, seat), h("span", {}, [nameOf(model, seat), ...words.slice(0, 3)].join(" · ")));
  return h("ul", {}, said.map(line));
}

/**
 * @param {TableModel} model @param {{words: string, seat: number | null}[]} facts
 * @param {{review: () => void, prove: () => void, rematch: () => void}} deeds
 */
export function result(model, facts, deeds) {
  const [head, text] = resultWords(model);
  const again = say(model.next_table ? "web.to-rematch" : "web.rematch");
  return h(
    "div",
    { class: "list result" },
    h("b", {}, head),
    text ? h("p", { class: "muted" }, text) : null,
    finalFacts(model, facts),
    h(
      "div",
      { class: "row" },
      button(say("web.review"), deeds.review, { icon: "eye", class: "button review" }),
      model.dice ? button(say("web.prove"), deeds.prove, { icon: "die" }) : null,
      model.mine.length ? button(again, deeds.rematch, { icon: "again", class: "button primary" }) : null,
    ),
  );
}

/** Links for the seats that wait for somebody. @param {TableModel} model @param {() => void} close */
export function invitations(model, close) {
  const free = model.seats.filter((seat) => !seat.taken && seat.key);
  if (!free.length) return null;
  return h(
    "div",
    { class: "list" },
    h("p", { class: "head" }, say("web.invite-words")),
    free.map((seat) => linkField(seatTitle(model.game, seat.seat), linkTo(model.id, seat.key))),
    h("div", { class: "row" }, button(say("web.close"), close)),
  );
}

/** A hint, or that one is on its way. @param {string} game @param {{move: string, why: string, slow: boolean}} hint */
export function advice(game, { move, why, slow }, { close, play }) {
  if (!move) {
    const words = capital(say(slow ? "web.getting-ready" : "web.thinking"));
    return h("div", { class: "list hint" }, h("p", { class: "head" }, icon("hint"), words));
  }
  const reason = why.startsWith(`${move}:`) ? why.slice(move.length + 1) : why;
  return h(
    "div",
    { class: "list hint brief" },
    h("p", {}, moveWords(game, move), " ", capital(reason.trim())),
    answers(say("web.close"), close, say("web.play-it"), play),
  );
}
