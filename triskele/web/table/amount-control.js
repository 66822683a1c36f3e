/** How many: a slider over the numbers that can follow, and a button to go with the number chosen; few have a button each. */

/**
 * @typedef {{
 *   board: import("../board/board.js").Board, game: {name: string}, amount: string,
 *   chooseAmount: (token: string) => void, noteOf: (token: string) => string
 * }} Chooser what the number is chosen for: `amount` is the token chosen so far, empty for none; `noteOf`: what is to be
 *   known of a number
 */

import { amountOf } from "../board/entry.js";
import { button, h } from "../lib/dom.js";
import { capital, has, say } from "../lib/i18n.js";

export class AmountControl {
  /** @type {string[]} */
  #numbers = [];
  #key = "";
  /** @type {HTMLElement[]} */
  #choices = [];
  /** @type {() => Chooser | null} */
  #chooser;

  /** @param {() => Chooser | null} chooser */
  constructor(chooser) {
    this.slider = h("input", {
      type: "range",
      class: "amount",
      min: 0,
      "aria-label": say("web.how-many"),
      on: { input: () => chooser()?.chooseAmount(this.#numbers[Number(this.slider.value)]) },
    });
    const go = () => chooser()?.board.touch(this.go.dataset.token ?? "");
    this.go = button("", go, { icon: "check", class: "button primary go" });
    this.#chooser = chooser;
  }

  /** The slider and its button, or the buttons of few numbers. @returns {HTMLElement[]} */
  get elements() {
    return this.#choices.length ? this.#choices : [this.slider, this.go];
  }

  /**
   * Show the numbers that can follow and which is chosen; the elements stay the same, so that a drag is not cut off.
   * Returns whether it is shown already.
   * @param {Chooser} chooser @returns {boolean}
   */
  update(chooser) {
    const { board, amount } = chooser;
    const numbers = board.amounts ?? [];
    const key = `${board.entry?.tokens.join(" ")}:${numbers.join(" ")}`;
    const same = numbers.length > 0 && key === this.#key && this.elements[0].isConnected;
    this.#key = key;
    this.#numbers = numbers;
    if (!same) this.#choices = board.choices ? numbers.map((token) => this.#choice(token, chooser.game.name)) : [];
    for (const each of this.#choices) {
      const note = each.querySelector("small");
      if (note) note.textContent = chooser.noteOf(each.dataset.token ?? "");
    }
    const chosen = numbers.includes(amount) ? amount : (numbers.at(-1) ?? "");
    this.slider.max = String(numbers.length - 1);
    this.slider.value = String(numbers.indexOf(chosen));
    this.slider.dataset.numbers = numbers.join(" ");
    this.slider.hidden = numbers.length < 2;
    this.slider.setAttribute("aria-valuetext", String(amountOf(chosen)));
    this.go.dataset.token = chosen;
    const words = this.go.querySelector("span");
    if (words) words.textContent = say("web.go-with", { n: amountOf(chosen) });
    return same;
  }

  /** A button that goes with a number, and says what is to be known of it. @param {string} token @param {string} game */
  #choice(token, game) {
    const key = `${game}.token.${token}`;
    const words = capital(has(key) ? say(key) : String(amountOf(token)));
    const touch = () => this.#chooser()?.board.touch(token);
    const made = button(words, touch, { class: "button primary choice", data: { token } });
    // Where there is little space the number stands for the words.
    made.append(h("b", { "aria-hidden": "true" }, String(amountOf(token))), h("small"));
    return made;
  }
}
