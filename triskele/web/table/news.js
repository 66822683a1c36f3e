/** What came of moves that the board does not show: told for as long as it needs, or until one goes on playing. */

import { showToast } from "../lib/toasts.js";

const TOLD = 9000; // milliseconds that something is told
const READ = 1500; // milliseconds after which whoever goes on playing has read it

export class News {
  /** @type {{element: Element, since: number}[]} */
  #told = [];

  /** @param {string} words */
  tell(words) {
    this.#told.push({ element: showToast(words, "plain", TOLD), since: performance.now() });
  }

  /** Somebody goes on playing: what was to be read is out of the way. */
  pass() {
    const now = performance.now();
    for (const { element, since } of this.#told) if (now - since >= READ) element.remove();
    this.#told = this.#told.filter(({ element }) => element.isConnected);
  }
}
