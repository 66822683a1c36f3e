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
 *   done: (position: string) => void, leave: () => void}} Owner `scene`: one whose places and ground are drawn
 */

export class SetupBoard {
  #sign;
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
    this.beside = h("div", { class: "beside" });
    this.verdict = h("p", { class: "feedback", role: "status" });
    this.tools = h("div", { class: "row" });
    this.element = h("section", { class: "setup-tools" }, this.palette, this.beside, this.verdict, this.tools);
    this.#draw();
    this.#check();
    this.#show();
  }

  /** A place was chosen. @param {string} token */
  put(token) {
    const { setup, board } = this.owner;
    const empty = setup.empty;
    const same = this.#things[token] === this.#sign;
    if (this.#sign === "" || same) {
      if (empty) this.#things[token] = empty;
      else delete this.#things[token];
    } else this.#things[token] = this.#sign;
    speak(`${board.place(token)?.token ?? token}: ${this.#nameOf(this.#things[token])}`);
    this.#changed();
  }

  /** @param {string | undefined} sign */
  #nameOf(sign) {
    return this.owner.setup.things.find((thing) => thing.sign === sign)?.name ?? say("web.empty");
  }

  clear() {
    const { setup, scene } = this.owner;
    this.#things = setup.empty ? Object.fromEntries(scene.places.map(({ token }) => [token, setup.empty])) : {};
    this.#changed();
  }

  #changed() {
    this.#show();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), WAIT);
  }

  /** Draw the ground, and what was put on it. */
  #show() {
    const { scene, board, setup } = this.owner;
    const lowest = Math.min(...scene.pieces.map(({ layer }) => layer));
    const ground = scene.pieces.filter(({ layer, role }) => layer === lowest || role === "coordinate");
    const top = Math.max(...scene.pieces.map(({ layer }) => layer)) + 1;
    /** @type {Piece[]} */
    const things = scene.places.flatMap(({ token, x, y }) => {
      const sprite = setup.things.find(({ sign }) => sign === this.#things[token])?.sprite;
      return sprite ? [{ id: `set-${token}`, sprite, x, y, turn: 0, layer: top, label: "", on_turn: "turn" }] : [];
    });
    const places = scene.places.map((place) => ({
      ...place,
      name: `${place.token}, ${this.#nameOf(this.#things[place.token])}`,
      move: undefined,
      action: undefined,
      role: undefined,
    }));
    void board.show({ ...scene, pieces: [...ground, ...things], places, facts: [] });
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
    this.#draw();
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
            on: { change: () => (this.#sign = sign) },
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
