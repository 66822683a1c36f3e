/** The form of the lobby: which game and variant, at which pace, rated or not; one click finds an opponent, another offers it. */

/** @import { Game, Options, RatingHistory, SeekWanted } from "../lib/protocol.js" */

import { button, fill, h } from "../lib/dom.js";
import { capital, number, say } from "../lib/i18n.js";
import { isDays } from "../table/pace-words.js";
import { paceWords } from "./players.js";
import { text } from "./setup.js";
import { changedOptions, variantFields } from "./variants.js";

const CLOCKS = ["3+2", "5+3", "10+5", "15+10", "30+20", "10+0 3x30", "1d", "3d", "7d", "bank 7d+1d/14d", "none"];
const OWN = "own"; // a time control that is written by hand
const RANGES = [0, 100, 200, 400]; // points above and below my rating; 0: anybody may come
const NEWCOMER = 1500;
const LEVEL = 4; // of computers that fill up a table
const CHOICES = "triskele-lobby";

export class LobbyForm {
  /**
   * @param {Game[]} games @param {boolean} account whether I have one: rated games need it
   * @param {RatingHistory[]} ratings mine
   * @param {{find: () => void, stop: () => void, offer: () => void, challenge: (name: string) => void}} acts
   * @param {string} opponent who is to be challenged, if somebody is
   */
  constructor(games, account, ratings, acts, opponent) {
    this.opponent = opponent;
    this.games = games;
    this.ratings = ratings;
    this.account = account;
    this.acts = acts;
    this.looking = false;
    this.chosen = {
      game: games[0]?.name ?? "",
      clock: "5+3",
      own: false,
      rated: account,
      seats: 2,
      range: 0,
      engines: false,
      options: /** @type {Options} */ ({}),
    };
    this.variantShown = false;
    this.ratedPlace = h("div", { class: "held" });
    this.fillPlace = h("div", { class: "held" });
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
    const rated = this.#rated();
    return { game, seats, clock, rated, options: rated ? {} : this.#options() };
  }

  #game() {
    return this.games.find((game) => game.name === this.chosen.game);
  }

  /** What differs from the usual game. */
  #options() {
    return changedOptions(this.#game(), this.chosen.options);
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
    const [pace, field] = [isDays(clock) ? "days" : "live", seats === 2 ? "two" : "several"];
    const mine = this.ratings.find((each) => each.game === game && each.pace === pace && each.field === field);
    const rating = mine?.rating ?? NEWCOMER;
    return { low: Math.max(0, rating - range), high: rating + range };
  }

  #rated() {
    return this.account && this.chosen.rated && this.#canBeRated();
  }

  /** Rated games have a clock and the usual options. */
  #canBeRated() {
    return this.chosen.clock !== "none" && !Object.keys(this.#options()).length;
  }

  #seatChoices() {
    const seats = this.#game()?.seats ?? [2];
    return seats.filter((count) => count >= 2 && count <= 6);
  }

  /** Show that an opponent is looked for, or not. @param {boolean} looking */
  searching(looking) {
    if (looking === this.looking) return;
    this.looking = looking;
    this.#draw();
  }

  /** A time control by hand, for what the list does not have. */
  #ownClock() {
    return [
      h("input", {
        type: "text",
        value: this.chosen.clock,
        maxLength: 40,
        spellcheck: false,
        "aria-label": ownPace(),
        on: {
          input: (event) => {
            this.chosen.clock = event.currentTarget.value.trim(); // nothing is drawn anew under the pointer
            this.#drawRated();
          },
        },
      }),
      h("small", { class: "muted" }, say("web.pace-own-words")),
    ];
  }

  /** The options of the game, which most leave as they are. */
  #variant() {
    const fields = variantFields(this.#game(), this.chosen.options, (options) => {
      this.chosen.options = options;
      this.#drawRated();
    });
    if (!fields.length) return null;
    const toggle = (/** @type {{currentTarget: HTMLDetailsElement}} */ event) => {
      this.variantShown = event.currentTarget.open;
    };
    return h(
      "details",
      { class: "more", open: this.variantShown, on: { toggle } },
      h("summary", {}, say("web.options")),
      fields,
    );
  }

  /** What depends on whether the game can be rated, without the fields that say so. */
  #drawRated() {
    const { chosen } = this;
    fill(
      this.ratedPlace,
      this.account
        ? flag(text("lobby-rated-game"), this.#rated(), !this.#canBeRated(), (rated) => this.#set({ rated }))
        : h("small", { class: "muted" }, text("lobby-guests-unrated")),
    );
    fill(
      this.fillPlace,
      chosen.seats > 2 && !this.#rated()
        ? flag(text("lobby-fill"), chosen.engines, false, (engines) => this.#set({ engines }))
        : null,
    );
  }

  #draw() {
    const { chosen } = this;
    this.#drawRated();
    const seats = this.#seatChoices();
    fill(
      this.element,
      select(
        text("lobby-game"),
        chosen.game,
        this.games.map(({ name, title }) => [name, title]),
        (game) => this.#set({ game, seats: 2, options: {} }),
      ),
      select(
        text("lobby-pace"),
        chosen.own ? OWN : chosen.clock,
        [...CLOCKS.map((clock) => /** @type {[string, string]} */ ([clock, paceWords(clock)])), [OWN, ownPace()]],
        (clock) => this.#set(clock === OWN ? { clock: "10+5", own: true } : { clock, own: false }),
      ),
      chosen.own ? this.#ownClock() : null,
      this.#variant(),
      this.ratedPlace,
      this.looking
        ? [
            h("p", { role: "status" }, text("lobby-looking")),
            button(text("lobby-stop"), () => this.acts.stop(), { class: "button" }),
          ]
        : [
            this.account && this.opponent
              ? button(
                  text("lobby-challenge-person", { name: this.opponent }),
                  () => this.acts.challenge(this.opponent),
                  { class: "button primary" },
                )
              : null,
            button(text("lobby-find"), () => this.acts.find(), { class: this.opponent ? "button" : "button primary" }),
          ],
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
      this.fillPlace,
      button(text("lobby-offer"), () => this.acts.offer()),
    );
  }
}

const ownPace = () => capital(say("web.pace-own"));

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
