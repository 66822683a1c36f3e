/** Positions of the past: fetched when asked for, shown one after the other. */

/** @import { Look, Scene } from "../lib/protocol.js" */

import { get } from "../lib/api.js";
import { language } from "../lib/i18n.js";

const BETWEEN = 900; // milliseconds from a move to the next

export class Replay {
  /** @type {Map<string, Scene>} */
  #known = new Map();
  #timer = 0;

  /**
   * @param {string} table
   * @param {{
   *   count: () => number, seat: () => number | null, show: (scene: Scene, next: boolean) => Promise<void>,
   *   live: () => void, changed: () => void, failed: (error: unknown) => void
   * }} owner `count`: of the moves made; `seat`: whose view; `show`: a position, `next` if it follows the one shown;
   *   `live`: show the game as it stands
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

  /** Drop the positions fetched: moves were taken back, or the language changed. */
  forget() {
    this.#known.clear();
  }

  /** @param {number} at @returns {Promise<Scene>} */
  async #scene(at) {
    const seat = this.owner.seat();
    const key = `${at}/${seat}`;
    const known = this.#known.get(key);
    if (known) return known;
    const query = new URLSearchParams({ language: language(), ...(seat === null ? {} : { seat: String(seat) }) });
    /** @type {{look: Look}} */
    const { look } = await get(`/tables/${this.table}/at/${at}?${query}`);
    this.#known.set(key, look.scene);
    return look.scene;
  }

  /** Show the position after a number of moves; the last one is the game as it stands. @param {number} at */
  async go(at) {
    const count = this.owner.count();
    const from = this.at ?? count;
    if (at >= count) return this.live();
    this.at = Math.max(0, at);
    this.owner.changed();
    try {
      const scene = await this.#scene(this.at);
      if (this.at === Math.max(0, at)) await this.owner.show(scene, this.at === from + 1);
    } catch (error) {
      this.live();
      this.owner.failed(error);
    }
  }

  /** @param {number} steps */
  step(steps) {
    return this.go((this.at ?? this.owner.count()) + steps);
  }

  /** Show the game as it stands. */
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

  /** Stop showing move after move. */
  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.owner.changed();
  }
}
