/** Setting up a game: the usual one first, options in plain words, who sits where, who begins. */

/** @import { Game, Options, OptionValue, Plan, PlannedSeat, Preset, SeatKind } from "../lib/protocol.js" */

import { boardPicture, games, inShort } from "../lib/catalogue.js";
import { button, fill, h } from "../lib/dom.js";
import { capital, number, say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { to } from "../lib/router.js";
import { change, levelOf, rememberLevel, setting } from "../lib/settings.js";
import { seatTitle } from "../table/seat-names.js";
import { clockField, clockText, noClock } from "./clock-field.js";
import { friendlyName } from "./invitation.js";
import { levelField } from "./level-field.js";
import { noPage } from "./message.js";
import { openTable, seatCount, usualSeats } from "./new-table.js";
import { optionField } from "./option-fields.js";

const SERIES = ["rulebook", "swap", "loser", "same"];
/** @type {SeatKind[]} */
const KINDS = ["me", "here", "link", "engine"];

class Setup {
  /** @param {Game} game @param {HTMLFormElement} form */
  constructor(game, form) {
    // Ways to play that are only a matter of a layout are for the options, not for a list.
    const patterns = game.options.filter((option) => option.kind === "pattern");
    /** @param {Preset} preset */
    const plain = (preset) => !patterns.some((option) => option.name in preset.options);
    this.game = { ...game, presets: game.presets.filter(plain) };
    this.form = form;
    this.preset = 0; // its index; -1 when the options are those of none
    /** @type {Options} */
    this.options = {};
    this.options = this.#optionsOf(0);
    this.optionsOpen = false;
    this.seats = usualSeats(seatCount(game, this.options), levelOf(game.name));
    /** @type {Plan["first"]} */
    this.first = "lots";
    this.series = "rulebook";
    this.private = true;
    this.hints = false;
    this.pace = noClock();
    this.render();
  }

  /**
   * The options of a preset, for as many players as now; a number of players that came with another preset does not stay.
   * @param {number} preset @returns {Options}
   */
  #optionsOf(preset) {
    const defaults = Object.fromEntries(this.game.options.map((option) => [option.name, option.default]));
    const fixed = "players" in (this.game.presets[this.preset]?.options ?? {});
    /** @type {Options} */
    const players = this.options.players === undefined || fixed ? {} : { players: this.options.players };
    return { ...defaults, ...players, ...this.game.presets[preset]?.options };
  }

  /** Fit the seats to the number of players. */
  #fitSeats() {
    const count = seatCount(this.game, this.options);
    const usual = usualSeats(count, levelOf(this.game.name));
    this.seats = usual.map((seat, i) => this.seats[i] ?? seat);
    if (typeof this.first === "number" && this.first >= count) this.first = "lots";
  }

  /** @param {string} name @param {OptionValue} value */
  #set(name, value) {
    this.options = { ...this.options, [name]: value };
    const chosen = JSON.stringify(this.options);
    this.preset = this.game.presets.findIndex((_, i) => JSON.stringify(this.#optionsOf(i)) === chosen);
    this.#fitSeats();
    this.render();
  }

  #presets() {
    const { presets } = this.game;
    if (presets.length < 2) return null;
    /** @param {Preset} preset @param {number} index */
    const option = (preset, index) =>
      h("option", { value: String(index), selected: index === this.preset }, capital(preset.text || say("web.usual")));
    const own = this.preset < 0 ? h("option", { value: "-1", selected: true }, capital(say("web.own-variant"))) : null;
    const select = h(
      "select",
      { on: { change: (event) => this.#choosePreset(Number(event.currentTarget.value)) } },
      presets.map(option),
      own,
    );
    return h("label", { class: "option" }, h("b", {}, say("web.variant")), select);
  }

  /** @param {number} index */
  #choosePreset(index) {
    this.options = this.#optionsOf(index);
    this.preset = index;
    this.#fitSeats();
    this.render();
  }

  #players() {
    const option = this.game.options.find((each) => each.name === "players");
    return option ? optionField(option, this.options.players, (value) => this.#set("players", value)) : null;
  }

  #optionFields() {
    const rest = this.game.options.filter((option) => option.name !== "players");
    const fields = rest.map((option) =>
      optionField(option, this.options[option.name], (value) => this.#set(option.name, value)),
    );
    return h(
      "details",
      {
        class: "card",
        open: this.optionsOpen,
        on: { toggle: (event) => (this.optionsOpen = event.currentTarget.open) },
      },
      h("summary", {}, say("web.options")),
      h("div", { class: "options" }, fields, this.#next()),
    );
  }

  /** @param {PlannedSeat} seat @param {number} index */
  #seat(seat, index) {
    const title = seatTitle(this.game.name, index);
    /** @param {Partial<PlannedSeat>} values */
    const set = (values) => {
      // There is one "me": another seat that was it becomes a friend at this screen.
      if (values.kind === "me") this.seats.filter(({ kind }) => kind === "me").forEach((each) => (each.kind = "here"));
      Object.assign(this.seats[index], values);
      if (values.kind === "engine" || values.level) rememberLevel(this.game.name, this.seats[index].level ?? 1);
      if (values.name === undefined) this.render(); // a name changes nothing else, and the keyboard is on its way
    };
    const kinds = h(
      "select",
      {
        "aria-label": say("web.who-sits", { seat: title }),
        on: {
          change: (event) =>
            set({ kind: KINDS[event.currentTarget.selectedIndex], level: seat.level ?? levelOf(this.game.name) }),
        },
      },
      KINDS.map((kind) => h("option", { value: kind, selected: kind === seat.kind }, say(`web.kind-${kind}`))),
    );
    return h(
      "li",
      {},
      h("span", { class: "disc", title }, number(index + 1)),
      kinds,
      this.#seatDetail(seat, title, set),
    );
  }

  /** @param {PlannedSeat} seat @param {string} title @param {(values: Partial<PlannedSeat>) => void} set */
  #seatDetail(seat, title, set) {
    if (seat.kind === "engine") {
      const label = say("web.level-of", { seat: title });
      return levelField(seat.level ?? levelOf(this.game.name), label, false, (level) => set({ level }));
    }
    if (seat.kind === "link") return h("span", { class: "muted" }, say("web.link-later"));
    const invites = this.seats.some(({ kind }) => kind === "link");
    if (seat.kind === "me" && setting("account")) return h("span", {}, setting("account"));
    if (seat.kind === "me" && invites) seat.name ||= friendlyName(); // whoever is invited sees who invites
    return h("input", {
      type: "text",
      value: seat.name ?? "",
      maxLength: 40,
      placeholder: say("web.name"),
      "aria-label": say("web.name-of", { seat: title }),
      on: { change: (event) => set({ name: event.currentTarget.value.trim() }) },
    });
  }

  #begins() {
    if (this.seats.length < 2) return null;
    /** @param {PlannedSeat} seat @param {number} index */
    const name = ({ kind, name, level }, index) => {
      if (kind === "engine") return say("web.engine-level", { level: level ?? null });
      return kind === "me" ? say("web.you") : name || say("web.seat", { seat: index + 1 });
    };
    /** @param {Plan["first"]} value */
    const choose = (value) => {
      this.first = value;
      this.render();
    };
    /** @param {Plan["first"]} value @param {string} words */
    const radio = (value, words) =>
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "radio",
          name: "begins",
          checked: this.first === value,
          on: { change: () => choose(value) },
        }),
        words,
      );
    return h(
      "fieldset",
      {},
      h("legend", {}, say("web.who-begins")),
      h(
        "div",
        { class: "choices even" },
        radio("lots", say("web.lots")),
        this.seats.map((seat, i) => radio(i, `${number(i + 1)} · ${name(seat, i)}`)),
      ),
    );
  }

  /** Who begins a rematch. */
  #next() {
    if (this.seats.length < 2) return null;
    const says = this.game.presets[this.preset]?.series; // the server tells it only of presets
    /** @param {string} name */
    const plain = (name) => say(`web.series-${name}`);
    /** @param {string} name */
    const words = (name) => (name === "rulebook" && says ? `${plain(name)} (${plain(says)})` : plain(name));
    const options = SERIES.map((name) =>
      h("option", { value: name, selected: name === this.series }, capital(words(name))),
    );
    return h(
      "label",
      { class: "option" },
      say("web.next-begins"),
      h("select", { on: { change: (event) => (this.series = event.currentTarget.value) } }, options),
    );
  }

  #open() {
    if (!this.seats.some((seat) => seat.kind === "link")) return null;
    const input = h("input", {
      type: "checkbox",
      checked: !this.private,
      on: { change: (event) => (this.private = !event.currentTarget.checked) },
    });
    const hints = h("input", {
      type: "checkbox",
      checked: this.hints,
      on: { change: (event) => (this.hints = event.currentTarget.checked) },
    });
    return [
      h("label", { class: "option flag" }, input, say("web.public")),
      h("label", { class: "option flag" }, hints, say("web.hints-allowed")),
    ];
  }

  async #start() {
    const pressed = this.form.querySelector("button[type=submit]");
    pressed?.setAttribute("disabled", "");
    const seats = this.seats.map(({ kind, name = "", level }) =>
      kind === "engine" ? { kind, level } : { kind, name },
    );
    const own = this.seats.find((seat) => seat.kind === "me");
    if (own?.name) change("name", own.name);
    const series = this.series === "rulebook" ? {} : { series: this.series };
    const hints = this.seats.some((seat) => seat.kind === "link") ? { hints: this.hints } : {};
    const clock = clockText(this.pace, this.seats.length);
    await openTable({
      game: this.game.name,
      options: this.options,
      seats,
      first: this.first,
      private: this.private,
      ...series,
      ...hints,
      ...(clock ? { clock } : {}),
    }).catch(failed);
    pressed?.removeAttribute("disabled");
  }

  render() {
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.#start();
    };
    fill(
      this.form,
      this.#presets(),
      this.#players(),
      h(
        "fieldset",
        {},
        h("legend", {}, say("web.who-sits-where")),
        h(
          "ol",
          { class: "seats" },
          this.seats.map((seat, i) => this.#seat(seat, i)),
        ),
        this.game.chance && this.seats.some((seat) => seat.kind === "engine")
          ? h("small", { class: "muted" }, say("web.level-luck"))
          : null,
      ),
      this.#begins(),
      clockField(this.pace, this.seats.length, (pace) => {
        this.pace = pace;
        this.render();
      }),
      this.#open(),
      this.#optionFields(),
      h(
        "div",
        { class: "start" },
        button(say("web.start"), () => {}, { type: "submit", class: "button primary" }),
      ),
    );
  }
}

/** @param {HTMLElement} host @param {string} name */
export async function setupPage(host, name) {
  const game = (await games()).find((each) => each.name === name);
  if (!game) return noPage(host);
  const form = h("form", {});
  fill(
    host,
    h(
      "div",
      { class: "page setup" },
      h(
        "div",
        { class: "about" },
        boardPicture(game.name),
        h("h1", {}, game.title),
        h("p", { class: "muted" }, game.tagline),
        h("small", { class: "muted" }, inShort(game)),
        h("a", { href: to("learn", game.name) }, say("web.how-to-play")),
      ),
      form,
    ),
  );
  return new Setup(game, form);
}
