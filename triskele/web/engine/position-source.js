/** Positions for an engine in the page: fetched once, as the seat may know them. */

/** @import { KnownState, Scene } from "../lib/protocol.js" */

import { get } from "../lib/api.js";
import { language } from "../lib/i18n.js";

const KEPT = 64;

/** @template T @param {Map<string, T>} known @param {string} key @param {() => T} make @returns {T} */
function once(known, key, make) {
  const found = known.get(key) ?? make();
  known.delete(key);
  known.set(key, found);
  if (known.size > KEPT) known.delete([...known.keys()][0]);
  return found;
}

export class PositionSource {
  /** @type {Map<string, Promise<KnownState>>} */
  #states = new Map();
  /** @type {Map<string, Promise<Scene>>} */
  #scenes = new Map();

  /** @param {string} table */
  constructor(table) {
    this.table = table;
  }

  /** Drop what is known: moves were taken back. */
  forget() {
    this.#states.clear();
    this.#scenes.clear();
  }

  /**
   * The position after a number of moves. @param {number} at @param {number | null} seat whose view
   * @returns {Promise<KnownState>}
   */
  state(at, seat) {
    const key = `${at}/${seat}`;
    const query = new URLSearchParams({ at: String(at), ...(seat === null ? {} : { seat: String(seat) }) });
    const asked = once(this.#states, key, () => get(`/tables/${this.table}/state?${query}`));
    asked.catch(() => this.#states.delete(key));
    return asked;
  }

  /**
   * The scene after a number of moves and those of a line, which are only tried out.
   * @param {number} at @param {string[]} line @param {number | null} seat @returns {Promise<Scene>}
   */
  scene(at, line, seat) {
    const query = new URLSearchParams({ language: language(), ...(seat === null ? {} : { seat: String(seat) }) });
    for (const move of line) query.append("line", move);
    const key = `${at}?${query}`;
    const asked = once(this.#scenes, key, () => this.#fetchScene(key));
    asked.catch(() => this.#scenes.delete(key));
    return asked;
  }

  /** @param {string} path @returns {Promise<Scene>} */
  async #fetchScene(path) {
    /** @type {{look: import("../lib/protocol.js").Look}} */
    const { look } = await get(`/tables/${this.table}/at/${path}`);
    return look.scene;
  }
}
