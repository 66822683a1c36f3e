/** The players' strips: who sits where, what is asked of whom, and what the scene says about each. */

import { drawn, picture } from "./art.js";
import { button, h, icon } from "./dom.js";
import { capital, number as digits, say } from "./i18n.js";
import { nameOf, seatColour } from "./people.js";

/**
 * @typedef {import("./table-model.js").TableModel} TableModel
 * @typedef {{
 *   model: TableModel, facts: {words: string, seat: number | null}[], asked: Map<number, string>,
 *   thinking: Set<number>, slow: boolean, back: (() => void) | null, invite: (seat: number) => void,
 *   sit: (() => void) | null, choose: ((seat: number) => void) | null, shown: number | null, past: boolean,
 *   over: boolean
 * }} State
 * `asked`: what is asked of my seats; `slow`: an engine needs long for the first time, which is said to those who
 * wait; `back`: steps back in a half-entered move, when there is one; `sit`: takes a free seat of a public table;
 * `choose`: shows another of my seats; `past`: a position of the past is shown, in which nobody is asked; `over`: the
 * game is, and its last move is in sight
 */

/** The sign of a seat: its piece where the artwork has one, else its number. */
export function sign(game, seat) {
  const sprite = `${game}-seat-${seat + 1}`;
  return drawn(sprite) ? picture(sprite) : h("span", { class: "disc", "aria-hidden": "true" }, String(seat + 1));
}

/** What is said beside the name. @param {State} state @param {number} number */
function status({ model, asked, thinking, slow, past, over }, number) {
  const seat = model.seats[number];
  if (!seat.taken) return say("web.seat-free");
  if (over) return model.outcome?.winners.includes(number) ? say("web.winner") : "";
  if (asked.get(number)) return asked.get(number);
  if (slow && seat.mine && model.turn !== number) return say("web.getting-ready");
  if (thinking.has(number) && model.turn === number) return say("web.thinking");
  if (seat.kind !== "engine" && !seat.mine && !seat.present) return say("web.away");
  return model.turn === number && !past ? say("web.to-move") : "";
}

/** @param {State} state @param {number} number @param {boolean} [crowded] whether there is little room */
function strip(state, number, crowded = false) {
  const { model } = state;
  const seat = model.seats[number];
  const facts = state.facts.filter((fact) => fact.seat === number).map((fact) => fact.words);
  const colour = seatColour(model.game, number);
  const name = nameOf(model, number);
  const short = crowded && seat.kind === "engine" ? `${say("web.level")} ${digits(seat.level)}` : name;
  const words = status(state, number);
  const turn = !model.over && !state.past && model.turn === number;
  const classes = [
    "strip",
    turn && "turn",
    seat.mine && "own",
    state.asked.has(number) && "asked",
    state.over && words && "won",
  ];
  const other = state.choose && seat.mine && number !== state.shown;
  return h("div", { class: classes.filter(Boolean).join(" "), data: { seat: String(number) } },
    sign(model.game, number),
    h("div", { class: "who" },
      h("div", { class: "name" },
        h("b", { title: short === name ? null : name }, short),
        colour && colour !== name ? h("small", {}, colour) : null,
        seat.kind === "engine" ? icon("engine") : null,
        facts.length ? h("span", { class: "facts", title: facts.join("\n") }, facts.join(" · ")) : null),
      words ? h("div", { class: "status" }, capital(words)) : null),
    !seat.taken && seat.key ? button(
      say("web.invite"),
      () => state.invite(number),
      { icon: "share", class: "button slim" },
    ) : null,
    !seat.taken && state.sit ? button(say("web.sit"), state.sit, { class: "button slim primary" }) : null,
    other ? button(
      say("web.show-seat"),
      () => state.choose(number),
      { icon: "eye", bare: true, class: "button bare" },
    ) : null,
    state.back && state.asked.has(number) ? button(
      say("web.back"),
      state.back,
      { icon: "undo", bare: true, class: "button bare step" },
    ) : null);
}

/**
 * The strips above and below the board: others above, mine below, in the order of play.
 * @param {State} state @returns {{above: HTMLElement[], below: HTMLElement[]}}
 */
export function strips(state) {
  const numbers = state.model.seats.map((seat) => seat.seat);
  const mine = state.model.mine.length ? state.model.mine : [numbers[0]];
  // At one screen all the seats are mine: the one that acts, or that is shown, is below.
  const acting = mine.length > 1 && mine.includes(state.model.turn);
  const near = acting ? state.model.turn : mine.length > 1 ? (state.shown ?? mine[0]) : mine[0];
  const after = numbers.map((_, i) => numbers[(near + 1 + i) % numbers.length]).filter((number) => number !== near);
  return { above: after.map((number) => strip(state, number, after.length > 1)), below: [strip(state, near)] };
}
