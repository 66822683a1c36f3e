/** A line that is tried out on the board, move by move; the game itself does not change. */

import { prefersReducedMotion } from "../lib/settings.js";

const BETWEEN = 800; // milliseconds from a move to the next

/** @import { Scene } from "../lib/protocol.js" */

export class LinePreview {
  #timer = 0;
  /** @type {{at: number, seat: number | null, line: number, texts: string[], step: number} | null} */
  #shown = null;

  /**
   * @param {import("./position-source.js").PositionSource} positions
   * @param {{show: (scene: Scene, pace?: number) => void, live: () => void, changed: () => void,
   *   failed: (error: unknown) => void}} owner `live`: show again what was shown before
   */
  constructor(positions, owner) {
    this.positions = positions;
    this.owner = owner;
  }

  /** The line, the moves made of it and all its moves; none when the game is shown. */
  get shown() {
    const shown = this.#shown;
    return shown && { line: shown.line, step: shown.step, last: shown.texts.length };
  }

  /**
   * Show a line from its first move on, one move after the other.
   * @param {{at: number, seat: number | null, line: number, texts: string[]}} wanted
   */
  async begin(wanted) {
    clearTimeout(this.#timer);
    this.#shown = { ...wanted, step: 0 };
    await this.#go(1);
    const tick = async () => {
      await this.step(1, true);
      if (this.#shown && this.#shown.step < this.#shown.texts.length) this.#timer = setTimeout(tick, BETWEEN);
    };
    this.#timer = setTimeout(tick, BETWEEN);
  }

  /** @param {number} by @param {boolean} [itself] whether nobody asked */
  async step(by, itself = false) {
    if (!itself) clearTimeout(this.#timer);
    if (this.#shown) await this.#go(Math.min(this.#shown.texts.length, this.#shown.step + by));
  }

  /** @param {number} step */
  async #go(step) {
    const shown = this.#shown;
    if (!shown) return;
    if (step < 1) return void this.leave();
    const next = step === shown.step + 1;
    shown.step = step;
    this.owner.changed();
    try {
      const scene = await this.positions.scene(shown.at, shown.texts.slice(0, step), shown.seat);
      if (this.#shown === shown && shown.step === step)
        this.owner.show(scene, next && !prefersReducedMotion() ? 1 : undefined);
    } catch (error) {
      this.leave();
      this.owner.failed(error);
    }
  }

  /** Show again what was shown before. */
  leave() {
    clearTimeout(this.#timer);
    if (!this.#shown) return;
    this.#shown = null;
    this.owner.live();
    this.owner.changed();
  }
}
