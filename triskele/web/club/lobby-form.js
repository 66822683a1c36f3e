/** The form of the lobby: which game, at which pace, rated or not; one click finds an opponent, another offers it. */

/** @import { Game, RatingHistory, SeekWanted } from "../lib/protocol.js" */

import { button, fill, h } from "../lib/dom.js";
import { number } from "../lib/i18n.js";
import { paceWords } from "./players.js";
import { text } from "./setup.js";

const CLOCKS = ["3+2", "5+3", "10+5", "15+10", "1d", "3d", "none"];
const RANGES = [0, 100, 200, 400]; // points above and below my rating; 0: anybody may come
const NEWCOMER = 1500;
const LEVEL = 4; // of computers that fill up a table
const CHOICES = "triskele-lobby";

export class LobbyForm {
  /**
   * @param {Game[]} games @param {boolean} account whether I have one: rated games need it
   * @param {RatingHistory[]} ratings mine
   * @param {{find: () => void, stop: () => void, offer: () => void}} acts
   */
  constructor(games, account, ratings, acts) {
    this.games = games;
    this.ratings = ratings;
    this.account = account;
    this.acts = acts;
    this.looking = false;
    this.chosen = { game: games[0]?.name ?? "", clock: "5+3", rated: account, seats: 2, range: 0, engines: false };
    this.#recall();
    this.element = h("section", { class: "card lobby-form" });
    this.#draw();
  }

  #recall() {
    try {
      const kept = JSON.parse(localStorage.getItem(CHOICES) ?? "{}");
      if (this.games.some((game) => game.name === kept.game)) this.chosen.game = kept.game;
      if (CLOCKS.includes(kept.clock)) this.chosen.clock = kept.clock;
      if (this.account && kept.rated === false) this.chosen.rated = false;
    } catch {
      // a browser that keeps nothing begins anew
    }
  }

  /** @param {Partial<LobbyForm["chosen"]>} values */
  #set(values) {
    Object.assign(this.chosen, values);
    const { game, clock, rated } = this.chosen;
    try {
      localStorage.setItem(CHOICES, JSON.stringify({ game, clock, rated }));
    } catch {
      // it holds until the page is closed
    }
    this.#draw();
  }

  /** The game of a number of seats that is looked for. @param {number} seats @returns {SeekWanted} */
  wanted(seats) {
    const { game, clock } = this.chosen;
    return { game, seats, clock, rated: this.#rated() };
  }

  /** The game that is offered. @returns {SeekWanted} */
  offered() {
    const { seats, engines } = this.chosen;
    const own = this.#seatChoices().includes(seats) ? seats : 2;
    const fillUp = own > 2 && engines && !this.#rated() ? { engines: LEVEL } : {};
    return { ...this.wanted(own), ...fillUp, ...this.#range(own) };
  }

  /** The ratings that may come. @param {number} seats */
  #range(seats) {
    const { game, clock, range } = this.chosen;
    if (!this.account || !range) return {};
    const [pace, field] = [clock.endsWith("d") ? "days" : "live", seats === 2 ? "two" : "several"];
    const mine = this.ratings.find((each) => each.game === game && each.pace === pace && each.field === field);
    const rating = mine?.rating ?? NEWCOMER;
    return { low: Math.max(0, rating - range), high: rating + range };
  }

  #rated() {
    return this.account && this.chosen.rated && this.chosen.clock !== "none";
  }

  #seatChoices() {
    const seats = this.games.find((game) => game.name === this.chosen.game)?.seats ?? [2];
    return seats.filter((count) => count >= 2 && count <= 6);
  }

  /** Show that an opponent is looked for, or not. @param {boolean} looking */
  searching(looking) {
    if (looking === this.looking) return;
    this.looking = looking;
    this.#draw();
  }

  #draw() {
    const { chosen } = this;
    const seats = this.#seatChoices();
    fill(
      this.element,
      select(
        text("lobby-game"),
        chosen.game,
        this.games.map(({ name, title }) => [name, title]),
        (game) => this.#set({ game, seats: 2 }),
      ),
      select(
        text("lobby-pace"),
        chosen.clock,
        CLOCKS.map((clock) => [clock, paceWords(clock)]),
        (clock) => this.#set({ clock }),
      ),
      this.account
        ? flag(text("lobby-rated-game"), this.#rated(), chosen.clock === "none", (rated) => this.#set({ rated }))
        : h("small", { class: "muted" }, text("lobby-guests-unrated")),
      this.looking
        ? [
            h("p", { role: "status" }, text("lobby-looking")),
            button(text("lobby-stop"), () => this.acts.stop(), { class: "button" }),
          ]
        : button(text("lobby-find"), () => this.acts.find(), { class: "button primary" }),
      seats.length > 1
        ? select(
            text("lobby-seats"),
            String(chosen.seats),
            seats.map((count) => [String(count), number(count)]),
            (count) => this.#set({ seats: Number(count) }),
          )
        : null,
      this.account
        ? select(
            text("lobby-who"),
            String(chosen.range),
            RANGES.map((range) => [
              String(range),
              range ? text("lobby-range-near", { n: number(range) }) : text("lobby-range-any"),
            ]),
            (range) => this.#set({ range: Number(range) }),
          )
        : null,
      chosen.seats > 2 && !this.#rated()
        ? flag(text("lobby-fill"), chosen.engines, false, (engines) => this.#set({ engines }))
        : null,
      button(text("lobby-offer"), () => this.acts.offer()),
    );
  }
}

/**
 * @param {string} label @param {string} value @param {[string, string][]} choices
 * @param {(value: string) => void} changed
 */
function select(label, value, choices, changed) {
  return h(
    "label",
    { class: "option" },
    label,
    h(
      "select",
      { on: { change: (event) => changed(event.currentTarget.value) } },
      choices.map(([name, words]) => h("option", { value: name, selected: name === value }, words)),
    ),
  );
}

/** @param {string} label @param {boolean} checked @param {boolean} disabled @param {(on: boolean) => void} changed */
function flag(label, checked, disabled, changed) {
  return h(
    "label",
    { class: "option flag" },
    h("input", {
      type: "checkbox",
      checked,
      disabled,
      on: { change: (event) => changed(event.currentTarget.checked) },
    }),
    label,
  );
}
