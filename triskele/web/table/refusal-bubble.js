/** Why something cannot be chosen, or how to go on: said on the board, one at a time, and gone by itself. */

import { h } from "../lib/dom.js";
import { capital } from "../lib/i18n.js";

const SHOWN_MS = 3500;
const GAP = 8; // pixels between the place and the words, and from the edge of the board

export class RefusalBubble {
  #timer = 0;

  constructor() {
    this.element = h("p", { class: "refusal", role: "status", hidden: true });
  }

  /** @param {string} words @param {DOMRect | undefined} box the place in the window; without one in the middle */
  show(words, box) {
    const { element } = this;
    element.textContent = capital(words);
    element.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), SHOWN_MS);
    const around = element.offsetParent?.getBoundingClientRect();
    if (!around) return;
    const at = box ?? around;
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = at.x + at.width / 2 - around.x - width / 2;
    const above = at.y - around.y - height - GAP;
    const below = at.y + at.height - around.y + GAP;
    element.style.left = `${Math.max(GAP, Math.min(left, around.width - width - GAP))}px`;
    element.style.top = `${above >= 0 ? above : below}px`;
  }

  /** Say something at the lower edge of the board, where it covers little. @param {string} words */
  showBelow(words) {
    const around = this.element.parentElement?.getBoundingClientRect();
    this.show(words, around && new DOMRect(around.x, around.bottom, around.width, 0));
  }

  hide() {
    this.element.hidden = true;
  }
}
