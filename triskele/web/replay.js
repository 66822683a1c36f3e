/** Positions of the past: fetched when asked for, shown one after the other. */

import { get } from "./api.js";
import { language } from "./i18n.js";

const BETWEEN = 900;

export class Replay {
  #known = new Map();
  #timer = 0;

  /**
   * @param {string} table
   * @param {{
   *   count: () => number, seat: () => number | null, show: (scene: *, at: number, next: boolean) => Promise<void>,
   *   live: () => void, changed: () => void, failed: (error: Error) => void
   * }} owner
   */
  constructor(table, owner) {
    this.table = table;
    this.owner = owner;
    /** @type {number | null} how many moves are shown; none when the game itself is */
    this.at = null;
  }

  get playing() {
    return this.#timer !== 0;
  }

  /** Forget positions that are no more (moves were taken back, another language). */
  forget() {
    this.#known.clear();
  }

  async #scene(at) {
    const seat = this.owner.seat();
    const key = `${at}/${seat}`;
    if (!this.#known.has(key)) {
      const query = new URLSearchParams({ language: language(), ...(seat === null ? {} : { seat: String(seat) }) });
      const answer = await get(`/tables/${this.table}/at/${at}?${query}`);
      this.#known.set(key, answer.look.scene);
    }
    return this.#known.get(key);
  }

  /** Show the position after so many moves; the last one is the game as it stands. @param {number} at */
  async go(at) {
    const count = this.owner.count();
    const from = this.at ?? count;
    if (at >= count) return this.live();
    this.at = Math.max(0, at);
    this.owner.changed();
    try {
      const scene = await this.#scene(this.at);
      if (this.at === Math.max(0, at)) await this.owner.show(scene, this.at, this.at === from + 1);
    } catch (error) {
      this.live();
      this.owner.failed(error);
    }
  }

  /** @param {number} steps */
  step(steps) {
    return this.go((this.at ?? this.owner.count()) + steps);
  }

  live() {
    this.pause();
    if (this.at === null) return;
    this.at = null;
    this.owner.live();
    this.owner.changed();
  }

  /** Show move after move, from the first if the game itself is shown. */
  async play() {
    if (this.at === null) await this.go(0);
    const tick = async () => {
      await this.step(1);
      if (this.at !== null && this.#timer) this.#timer = setTimeout(tick, BETWEEN);
    };
    this.#timer = setTimeout(tick, BETWEEN / 2);
    this.owner.changed();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.owner.changed();
  }
}
