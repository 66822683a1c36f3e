/** The players' strips: who sits where, what is asked of whom, and what the scene says about each. */

import { spriteImage } from "../board/sprites.js";
import { button, h, icon } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { to } from "../lib/router.js";
import { clockElement } from "./clock-face.js";
import { briefNameBeside, guestMark, nameOf, seatColour } from "./seat-names.js";

/** @import { Fact, Mover, Seat } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

/**
 * @typedef {{
 *   model: TableModel, sprites: string[], facts: Fact[], asked: Map<number, string>,
 *   thinking: Set<number>, slow: boolean, back: (() => void) | null, invite: (seat: number) => void,
 *   sit: (() => void) | null, story: ((seat: number) => (() => void) | null) | null, choose: ((seat: number) => void) | null, shown: number | null, past: boolean,
 *   over: boolean, turn: Mover | null
 * }} State
 * `sprites`: the seats' signs; `asked`: what is asked of my seats; `slow`: an engine needs long for the first time, which
 * is said to those who wait; `back`: steps back in a half-entered move, when there is one; `sit`: takes a free seat of a public table;
 * `story`: shows what a seat did in its last turn, in a game that tells it, and nothing as long as there is nothing to tell; `choose`: shows another of my seats; `past`: a position of the past is shown, in which nobody is asked; `over`: the
 * game is, and its last move has been seen; `turn`: who is to move in the position in sight
 */

/** The sign of a seat: its sprite where the game has one, else its number. @param {string[]} sprites @param {number} seat */
export function seatSign(sprites, seat) {
  const sprite = sprites[seat];
  return sprite ? spriteImage(sprite) : h("span", { class: "disc", "aria-hidden": "true" }, String(seat + 1));
}

/** What is said beside the name. @param {State} state @param {number} number */
function status({ model, asked, thinking, slow, past, over, turn }, number) {
  const seat = model.seats[number];
  if (!seat.taken) return say("web.seat-free");
  if (over && model.outcome?.winners.includes(number)) return say("web.winner");
  if (seat.stand_in) return say(seat.away ? "web.stand-in-away" : "web.stand-in", { level: seat.stand_in });
  if (seat.resigned) return say("web.gave-up");
  if (over) return "";
  if (asked.get(number)) return asked.get(number);
  if (slow && seat.mine && turn !== number) return say("web.getting-ready");
  if (thinking.has(number) && turn === number) return say("web.thinking");
  if (seat.kind !== "engine" && !seat.mine && !seat.present) return say("web.away");
  if (turn === number && !past) return say("web.to-move");
  return "";
}

/** Where the moves of a seat are computed, if a player's page does it. @param {State} state @param {number} number */
function computedWhere({ model, over }, number) {
  return model.seats[number].page && !over
    ? say(model.mine.length ? "web.in-your-browser" : "web.in-their-browser")
    : "";
}

/**
 * A name; that of somebody with an account leads to their profile.
 * @param {Seat} seat @param {string | HTMLElement[]} words
 */
function personLink({ account, mine }, words) {
  return account && !mine ? h("a", { class: "person", href: to("people", account) }, words) : words;
}

/** The way back inside a half-entered move; where there is space, it keeps its own. @param {(() => void) | null} back */
const backButton = (back) =>
  button(say("web.back"), () => back?.(), {
    icon: "undo",
    bare: true,
    class: `button bare step${back ? "" : " idle"}`,
  });

/** The way to what a seat did; its space is kept while there is nothing to tell. @param {(() => void) | null} show */
const storyButton = (show) =>
  button(say("web.story"), () => show?.(), {
    icon: "story",
    bare: true,
    class: `button bare story-key${show ? "" : " idle"}`,
  });

/**
 * @param {State} state @param {number} number
 * @param {{near?: boolean, crowded?: boolean}} where `near`: below the board; `crowded`: there is little space
 */
function strip(state, number, { near = false, crowded = false }) {
  const { model } = state;
  const seat = model.seats[number];
  const facts = state.facts.filter((fact) => fact.seat === number).map((fact) => fact.words);
  const colour = seatColour(model.game, number);
  const name = nameOf(model, number);
  const short = crowded ? briefNameBeside(model, number) : name;
  const shown = short === name ? name : [h("span", { class: "long" }, name), h("span", { class: "short" }, short)];
  const words = status(state, number);
  const turn = !state.over && !state.past && state.turn === number;
  const classes = [
    "strip",
    turn && "turn",
    seat.mine && "own",
    state.asked.has(number) && "asked",
    state.over && model.outcome?.winners.includes(number) && "won",
  ];
  const { choose } = state;
  return h(
    "div",
    { class: classes.filter(Boolean).join(" "), data: { seat: String(number) } },
    seatSign(state.sprites, number),
    h(
      "div",
      { class: "who" },
      h(
        "div",
        { class: "name" },
        h("b", { title: short === name ? null : name }, personLink(seat, shown)),
        guestMark(seat),
        colour && colour !== name ? h("small", {}, colour) : null,
        seat.kind === "engine" || seat.stand_in || seat.bot ? icon("engine") : null,
        seat.bot ? h("small", {}, say("web.bot")) : null,
        seat.hints ? h("small", {}, say("web.hints-used", { n: seat.hints })) : null,
      ),
      h("div", { class: "facts", title: facts.join("\n") }, facts.join(" · ")),
      words
        ? h("div", { class: "status" }, capital(words))
        : h("div", { class: "status where" }, capital(computedWhere(state, number))),
    ),
    seat.kind === "engine" ? null : clockElement(model, number),
    !seat.taken && seat.key
      ? button(say("web.invite"), () => state.invite(number), { icon: "share", class: "button slim" })
      : null,
    !seat.taken && state.sit ? button(say("web.sit"), state.sit, { class: "button slim primary" }) : null,
    state.story && !seat.mine ? storyButton(state.story(number)) : null,
    choose && seat.mine && number !== state.shown
      ? button(say("web.show-seat"), () => choose(number), { icon: "eye", bare: true, class: "button bare" })
      : null,
    near ? backButton(state.asked.has(number) ? state.back : null) : null,
  );
}

/**
 * The strips above and below the board: others above, mine below, in the order of play.
 * @param {State} state @returns {{above: HTMLElement[], below: HTMLElement[]}}
 */
export function strips(state) {
  const { model } = state;
  const numbers = model.seats.map((seat) => seat.seat);
  const [first, ...more] = model.mine.length ? model.mine : numbers.slice(0, 1);
  // At one screen all the seats are mine: the one that acts, or that is shown, is below.
  const near = !more.length ? first : model.isMine(state.turn) ? state.turn : (state.shown ?? first);
  const after = numbers.map((_, i) => numbers[(near + 1 + i) % numbers.length]).filter((number) => number !== near);
  const crowded = after.length > 1;
  const above = after.map((number) => strip(state, number, { crowded }));
  return { above, below: [strip(state, near, { near: model.mine.length > 0 })] };
}
