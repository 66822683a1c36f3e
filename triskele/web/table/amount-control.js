/** How many: a slider over the numbers that can follow, and a button to go with the number chosen. */

/**
 * @typedef {{
 *   board: import("../board/board.js").Board, amount: string, chooseAmount: (token: string) => void
 * }} Chooser what the number is chosen for: `amount` is the token chosen so far, empty for none
 */

import { amountOf } from "../board/entry.js";
import { button, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

export class AmountControl {
  /** @type {string[]} */
  #numbers = [];
  #key = "";

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
    /** @type {HTMLElement[]} */
    this.elements = [this.slider, this.go];
  }

  /**
   * Show the numbers that can follow and which is chosen; the elements stay the same, so that a drag is not cut off.
   * Returns whether it is shown already.
   * @param {Chooser} chooser @returns {boolean}
   */
  update({ board, amount }) {
    const numbers = board.amounts ?? [];
    const key = `${board.entry?.tokens.join(" ")}:${numbers.join(" ")}`;
    const same = numbers.length > 0 && key === this.#key && this.go.isConnected;
    this.#key = key;
    this.#numbers = numbers;
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
}
