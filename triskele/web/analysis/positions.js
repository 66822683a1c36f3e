/** Positions of an analysis, from the server, each asked for once. */

/** @import { AnalysedPosition, Options } from "../lib/protocol.js" */

import { post } from "../lib/api.js";

const KEPT = 200;

export class Positions {
  /** @type {Map<string, Promise<AnalysedPosition>>} */
  #known = new Map();

  /** @param {{game: string, options: Options, start: string | null}} beginning */
  constructor(beginning) {
    this.beginning = beginning;
  }

  /** What the interface is asked about. @param {string[]} moves */
  place(moves) {
    return { ...this.beginning, moves };
  }

  /** @param {string[]} moves @returns {Promise<AnalysedPosition>} */
  after(moves) {
    const key = moves.join("\n");
    const asked = this.#known.get(key) ?? post("/analysis/position", this.place(moves));
    this.#known.delete(key);
    this.#known.set(key, asked);
    if (this.#known.size > KEPT) this.#known.delete([...this.#known.keys()][0]);
    asked.catch(() => this.#known.delete(key));
    return asked;
  }
}
