/** What would come of a move that is pointed at: asked for after a moment, shown when it is known, and gone again. */

/** @import { Scene } from "../lib/protocol.js" */

const PAUSE = 90; // milliseconds on a place until it is asked what would come of it

export class Foresight {
  #key = "";
  #timer = 0;

  /** @param {{ask: (tokens: string[]) => Promise<Scene | undefined>, show: (scene: Scene | null) => void}} owner */
  constructor(owner) {
    this.owner = owner;
  }

  /** Look ahead to a whole move, or to none. @param {string[] | null} tokens */
  look(tokens) {
    const key = tokens?.join(" ") ?? "";
    if (key === this.#key) return;
    if (this.#key) this.owner.show(null);
    this.stop();
    this.#key = key;
    if (!tokens) return;
    this.#timer = setTimeout(async () => {
      const scene = await this.owner.ask(tokens);
      if (scene && this.#key === key) this.owner.show(scene);
    }, PAUSE);
  }

  /** Forget what was looked at; what is shown is left to others. */
  stop() {
    clearTimeout(this.#timer);
    this.#key = "";
  }
}
