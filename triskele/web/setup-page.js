/** Setting up a game: the usual one first, options in plain words, who sits where, who begins. */

import { games, inShort } from "./catalogue.js";
import { button, fill, h } from "./dom.js";
import { boardPicture } from "./home-page.js";
import { capital, number, say } from "./i18n.js";
import { noPage } from "./message-page.js";
import { failed } from "./notices.js";
import { open, seatCount, usualSeats } from "./opening.js";
import { optionField } from "./option-fields.js";
import { seatTitle } from "./people.js";
import { to } from "./router.js";
import { change, setting } from "./settings.js";

const SERIES = ["rulebook", "swap", "loser", "same"];
const KINDS = ["me", "here", "link", "engine"];

class Setup {
  /** @param {import("./catalogue.js").Game} game @param {HTMLElement} form */
  constructor(game, form) {
    // Ways to play that are only a matter of a layout are for the options, not for a list.
    const patterns = game.options.filter((option) => option.kind === "pattern");
    const plain = (preset) => !patterns.some((option) => option.name in preset.options);
    this.game = { ...game, presets: game.presets.filter(plain) };
    this.form = form;
    this.preset = 0;
    this.options = this.#optionsOf(0);
    this.seats = usualSeats(seatCount(game, this.options), setting("level"));
    this.first = "lots";
    this.series = "rulebook";
    this.private = true;
    this.render();
  }

  /** The options of a way to play, for as many players as now; a number that came with another way does not stay. */
  #optionsOf(preset) {
    const defaults = Object.fromEntries(this.game.options.map((option) => [option.name, option.default]));
    const fixed = "players" in (this.game.presets[this.preset]?.options ?? {});
    const players = this.options?.players === undefined || fixed ? {} : { players: this.options.players };
    return { ...defaults, ...players, ...this.game.presets[preset]?.options };
  }

  /** Fit the seats to the number of players. */
  #fitSeats() {
    const count = seatCount(this.game, this.options);
    const usual = usualSeats(count, setting("level"));
    this.seats = usual.map((seat, i) => this.seats[i] ?? seat);
    if (typeof this.first === "number" && this.first >= count) this.first = "lots";
  }

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
    const option = (preset, index) => h(
      "option",
      { value: String(index), selected: index === this.preset },
      capital(preset.text || say("web.usual")),
    );
    const own = this.preset < 0 ? h("option", { value: "-1", selected: true }, capital(say("web.own-variant"))) : null;
    const select = h(
      "select",
      { on: { change: (event) => this.#choosePreset(Number(event.target.value)) } },
      presets.map(option),
      own,
    );
    return h("label", { class: "option" }, h("b", {}, say("web.variant")), select);
  }

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
    const fields = rest.map((option) => optionField(
      option,
      this.options[option.name],
      (value) => this.#set(option.name, value),
    ));
    return h(
      "details",
      { class: "card", open: this.optionsOpen, on: { toggle: (event) => (this.optionsOpen = event.target.open) } },
      h("summary", {}, say("web.options")),
      h("div", { class: "options" }, fields, this.#next()),
    );
  }

  #seat(seat, index) {
    const title = seatTitle(this.game.name, index);
    const set = (values) => {
      this.seats[index] = { ...this.seats[index], ...values };
      if (values.level) change("level", values.level);
      if (values.kind === "me") this.seats = this.seats.map((each, i) => (i !== index && each.kind === "me" ? {
        ...each,
        kind: "here",
      } : each));
      if (values.name === undefined) this.render(); // a name changes nothing else, and the keyboard is on its way
    };
    const kinds = h("select", {
      "aria-label": say("web.who-sits", { seat: title }),
      on: { change: (event) => set({ kind: event.target.value, level: seat.level ?? setting("level") }) },
    },
      KINDS.map((kind) => h("option", { value: kind, selected: kind === seat.kind }, say(`web.kind-${kind}`))));
    return h(
      "li",
      {},
      h("span", { class: "disc", title }, number(index + 1)),
      kinds,
      this.#seatDetail(seat, title, set),
    );
  }

  #seatDetail(seat, title, set) {
    if (seat.kind === "engine") {
      const output = h("output", {}, number(seat.level));
      const slider = h(
        "input",
        {
          type: "range",
          min: 1,
          max: 10,
          value: seat.level,
          "aria-label": say("web.level-of", { seat: title }),
          on: {
            input: (event) => (output.value = number(event.target.valueAsNumber)),
            change: (event) => set({ level: event.target.valueAsNumber }),
          },
        },
      );
      return h("div", { class: "level" }, h("span", { class: "muted" }, say("web.level")), slider, output);
    }
    if (seat.kind === "link") return h("span", { class: "muted" }, say("web.link-later"));
    return h(
      "input",
      {
        type: "text",
        value: seat.name ?? "",
        maxLength: 40,
        placeholder: say("web.name"),
        "aria-label": say("web.name-of", { seat: title }),
        on: { change: (event) => set({ name: event.target.value.trim() }) },
      },
    );
  }

  #begins() {
    if (this.seats.length < 2) return null;
    const names = this.seats.map((seat, i) => (seat.kind === "engine" ? say(
      "web.engine-level",
      { level: seat.level },
    ) : seat.kind === "me" ? say("web.you") : seat.name || say("web.seat", { seat: i + 1 })));
    const radio = (value, words) => h(
      "label",
      { class: "choice" },
      h(
        "input",
        {
          type: "radio",
          name: "begins",
          checked: this.first === value,
          on: { change: () => ((this.first = value), this.render()) },
        },
      ),
      words,
    );
    return h("fieldset", {}, h("legend", {}, say("web.who-begins")),
      h(
        "div",
        { class: "choices even" },
        radio("lots", say("web.lots")),
        names.map((name, i) => radio(i, `${number(i + 1)} · ${name}`)),
      ));
  }

  /** Who begins a rematch. */
  #next() {
    if (this.seats.length < 2) return null;
    const says = this.game.presets[this.preset]?.series; // only for the ways to play that are known by name
    const plain = (name) => say(`web.series-${name}`);
    const words = (name) => (name === "rulebook" && says ? `${plain(name)} (${plain(says)})` : plain(name));
    const options = SERIES.map((name) => h(
      "option",
      { value: name, selected: name === this.series },
      capital(words(name)),
    ));
    return h(
      "label",
      { class: "option" },
      say("web.next-begins"),
      h("select", { on: { change: (event) => (this.series = event.target.value) } }, options),
    );
  }

  #open() {
    if (!this.seats.some((seat) => seat.kind === "link")) return null;
    const input = h(
      "input",
      { type: "checkbox", checked: !this.private, on: { change: (event) => (this.private = !event.target.checked) } },
    );
    return h("label", { class: "option flag" }, input, say("web.public"));
  }

  #start = async (event) => {
    event.preventDefault();
    const pressed = this.form.querySelector(".start button");
    pressed.disabled = true;
    const seats = this.seats.map(({ kind, name, level }) => (kind === "engine" ? { kind, level } : {
      kind,
      name: name ?? "",
    }));
    const own = this.seats.find((seat) => seat.kind === "me");
    if (own?.name) change("name", own.name);
    const series = this.series === "rulebook" ? {} : { series: this.series };
    await open({
      game: this.game.name,
      options: this.options,
      seats,
      first: this.first,
      private: this.private,
      ...series,
    }).catch(failed);
    pressed.disabled = false;
  };

  render() {
    this.form.onsubmit = this.#start;
    fill(this.form,
      this.#presets(),
      this.#players(),
      h(
        "fieldset",
        {},
        h("legend", {}, say("web.who-sits-where")),
        h("ol", { class: "seats" }, this.seats.map((seat, i) => this.#seat(seat, i))),
      ),
      this.#begins(),
      this.#open(),
      this.#optionFields(),
      h("div", { class: "start" }, button(say("web.start"), () => {}, { type: "submit", class: "button primary" })));
  }
}

/** @param {HTMLElement} host @param {string} name */
export async function setupPage(host, name) {
  const game = (await games()).find((each) => each.name === name);
  if (!game) return noPage(host);
  const form = h("form", {});
  fill(host,
    h("div", { class: "page setup" },
      h(
        "div",
        { class: "about" },
        boardPicture(game.name),
        h("h1", {}, game.title),
        h("p", { class: "muted" }, game.tagline),
        h("small", { class: "muted" }, inShort(game)),
        h("a", { href: to("learn", game.name) }, say("web.how-to-play")),
      ),
      form));
  return new Setup(game, form);
}
