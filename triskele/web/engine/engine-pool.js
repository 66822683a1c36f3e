/** The Workers of one game's engine: one, or two where the machine has the processors; memory is bounded for all. */

/** @import { Game } from "../lib/protocol.js" */

import { address } from "../lib/api.js";
import { EngineFailure, EngineWorker } from "./engine-worker.js";

const MEMORY = 64; // megabytes of all Workers together on a phone or a small machine
const MEMORY_LARGE = 192; // and elsewhere

/** How many gigabytes the machine has, as far as the browser tells. */
function gigabytes() {
  return "deviceMemory" in navigator ? Number(navigator.deviceMemory) : 8;
}

/** Megabytes for all engines of this page. */
export function memoryForAll() {
  const small = gigabytes() <= 4 || matchMedia("(pointer: coarse)").matches;
  return small ? MEMORY : MEMORY_LARGE;
}

/** How many Workers search at once. */
export const workersForAll = () => ((navigator.hardwareConcurrency || 1) > 1 ? 2 : 1);

/** Whether this browser has what engines need. */
export const canRun = () => typeof WebAssembly === "object" && typeof Worker === "function";

export class EnginePool {
  /** @type {EngineWorker[]} */
  #workers = [];

  /** @param {Game} game */
  constructor(game) {
    this.game = game;
  }

  /** The Workers, started when they are first asked for. Throws an `EngineFailure` where there can be none. */
  get workers() {
    const { engine } = this.game;
    if (!engine) throw new EngineFailure("missing");
    if (!canRun()) throw new EngineFailure("unsupported");
    if (!this.#workers.length) {
      const count = workersForAll();
      const memory = Math.floor(memoryForAll() / count);
      const folder = `/games/${encodeURIComponent(this.game.name)}/engine`;
      const [module, description] = [engine.module, engine.description].map((file) => address(`${folder}/${file}`));
      this.#workers = Array.from({ length: count }, () => new EngineWorker({ module, description }, memory));
    }
    return this.#workers;
  }

  close() {
    for (const worker of this.#workers) worker.close();
    this.#workers = [];
  }
}
