/** Setting up a position by hand: things from a palette onto the places of the board; the rules say whether it can be. */

/** @import { Board } from "../board/board.js" */
/** @import { BoardSetup, Options, Piece, Scene } from "../lib/protocol.js" */

import { spriteImage } from "../board/sprites.js";
import { post } from "../lib/api.js";
import { button, fill, h } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { speak } from "../lib/toasts.js";

const WAIT = 250; // milliseconds until what was set up is looked at by the rules

/**
 * @typedef {{game: string, options: Options, setup: BoardSetup, board: Board, scene: Scene,
 *   done: (position: string) => void, leave: () => void}} Owner `scene`: the board with nothing on it
 */

/** A thing as a draft has it: its sign, and how many where there can be several. @param {string} [written] */
function parted(written = "") {
  const [sign, number = "1"] = written.split("*");
  return { sign, number: Number(number) };
}

export class SetupBoard {
  #sign;
  #number = 1; // how many are put, where there can be several
  /** @type {Object<string, string>} */
  #things;
  /** @type {Object<string, string>} */
  #fields;
  #position = "";
  #reason = "";
  #timer = 0;
  #run = 0;

  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner;
    const { setup } = owner;
    this.#sign = setup.things[0].sign;
    this.#things = { ...setup.draft?.board };
    this.#fields = { ...setup.draft?.fields };
    this.palette = h("div", { class: "choices palette", role: "radiogroup", "aria-label": say("web.setup-things") });
    const number = h("input", {
      type: "number",
      name: "number",
      min: "1",
      max: String(Math.max(...setup.things.map(({ most }) => most))),
      value: "1",
      on: { change: () => this.#count(number) },
    });
    this.howMany = h("label", { class: "field" }, h("span", {}, say("web.setup-how-many")), number);
    this.beside = h("div", { class: "beside" });
    this.verdict = h("p", { class: "feedback", role: "status" });
    this.tools = h("div", { class: "row" });
    this.element = h(
      "section",
      { class: "setup-tools" },
      this.palette,
      this.howMany,
      this.beside,
      this.verdict,
      this.tools,
    );
    this.#take(this.#sign);
    this.#draw();
    this.#check();
    this.#show();
  }

  /** Choose how many are put. @param {HTMLInputElement} field */
  #count(field) {
    const wanted = Math.round(Number(field.value)) || 1;
    this.#number = Math.min(Math.max(wanted, 1), this.#thing?.most ?? 1);
    field.value = String(this.#number);
  }

  /** A place was chosen. @param {string} token */
  put(token) {
    const { setup, board } = this.owner;
    const empty = setup.empty;
    const put = this.#thing && this.#thing.most > 1 ? `${this.#sign}*${this.#number}` : this.#sign;
    if (put === "" || this.#things[token] === put) {
      if (empty) this.#things[token] = empty;
      else delete this.#things[token];
    } else this.#things[token] = put;
    speak(`${board.place(token)?.token ?? token}: ${this.#nameOf(this.#things[token])}`);
    this.#changed();
  }

  /** The thing that is put now. */
  get #thing() {
    return this.owner.setup.things.find(({ sign }) => sign === this.#sign);
  }

  /** @param {string | undefined} written */
  #nameOf(written) {
    const { sign, number } = parted(written);
    const thing = this.owner.setup.things.find((each) => each.sign === sign);
    if (!thing) return say("web.empty");
    return thing.most > 1 ? say("core.pair", { name: thing.name, value: String(number) }) : thing.name;
  }

  /** Take a thing from the palette, to be put. @param {string} sign */
  #take(sign) {
    this.#sign = sign;
    this.howMany.hidden = !this.#thing || this.#thing.most < 2;
  }

  clear() {
    const { setup, scene } = this.owner;
    this.#things = setup.empty ? Object.fromEntries(scene.places.map(({ token }) => [token, setup.empty])) : {};
    this.#changed();
  }

  #changed() {
    this.#show();
    [this.#position, this.#reason] = ["", ""]; // until the rules have looked at it
    this.#drawVerdict();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), WAIT);
  }

  /** Draw the ground, and what was put on it. */
  #show() {
    const { scene, board, setup } = this.owner;
    const top = Math.max(...scene.pieces.map(({ layer }) => layer)) + 1;
    /** @type {Piece[]} */
    const things = scene.places.flatMap(({ token, x, y }) => {
      const { sign, number } = parted(this.#things[token]);
      const thing = setup.things.find((each) => each.sign === sign);
      if (!thing) return [];
      // What is written below a thing is written on it.
      const covered = scene.pieces.find((piece) => piece.x === x && piece.y === y && piece.label)?.label ?? "";
      const label = thing.most > 1 ? String(number) : covered;
      return [{ id: `set-${token}`, sprite: thing.sprite, x, y, turn: 0, layer: top, label, on_turn: "turn" }];
    });
    const places = scene.places.map((place) => ({
      ...place,
      name: `${place.token}, ${this.#nameOf(this.#things[place.token])}`,
      move: undefined,
      action: undefined,
      role: undefined,
    }));
    void board.show({ ...scene, pieces: [...scene.pieces, ...things], places });
    board.offer(places.map(({ token }) => ({ text: token, spellings: [[token]] })));
  }

  async #check() {
    const run = ++this.#run;
    const { game, options } = this.owner;
    try {
      const body = { game, options, board: this.#things, fields: this.#fields };
      const { position } = await post("/analysis/draft", body);
      if (run !== this.#run) return;
      [this.#position, this.#reason] = [position, ""];
    } catch (error) {
      if (run !== this.#run) return;
      [this.#position, this.#reason] = ["", error instanceof Error ? error.message : ""];
    }
    this.#drawVerdict();
  }

  #draw() {
    const { setup } = this.owner;
    const things = [...setup.things, ...(setup.empty ? [] : [{ sign: "", name: say("web.setup-erase"), sprite: "" }])];
    fill(
      this.palette,
      things.map(({ sign, name, sprite }) =>
        h(
          "label",
          { class: "choice", title: name },
          h("input", {
            type: "radio",
            name: "thing",
            value: sign,
            checked: sign === this.#sign,
            on: { change: () => this.#take(sign) },
          }),
          sprite ? spriteImage(sprite) : null,
          h("span", {}, capital(name)),
        ),
      ),
    );
    fill(
      this.beside,
      setup.fields.map(({ name, label, values }) =>
        h(
          "label",
          { class: "field" },
          h("span", {}, capital(label)),
          h(
            "select",
            {
              name,
              on: {
                change: (/** @type {Event & {currentTarget: HTMLSelectElement}} */ event) => {
                  this.#fields[name] = event.currentTarget.value;
                  this.#changed();
                },
              },
            },
            values.map(({ value, label: words }) =>
              h("option", { value, selected: value === this.#fields[name] }, capital(words)),
            ),
          ),
        ),
      ),
    );
    this.#drawVerdict();
  }

  #drawVerdict() {
    this.verdict.hidden = !this.#reason && !this.#position;
    this.verdict.className = `feedback ${this.#reason ? "bad" : "good"}`;
    fill(this.verdict, this.#reason ? capital(this.#reason) : say("web.setup-legal"));
    fill(
      this.tools,
      button(say("web.setup-clear"), () => this.clear()),
      button(say("web.cancel"), () => this.owner.leave()),
      button(say("web.setup-use"), () => this.owner.done(this.#position), {
        class: "button primary",
        disabled: !this.#position,
      }),
    );
  }

  close() {
    clearTimeout(this.#timer);
    this.#run++;
  }
}
