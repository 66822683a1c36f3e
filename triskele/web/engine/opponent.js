/**
 * The engine opponents, computed in this page: at a table that one person opened alone, unrated, in a game without
 * secrets and dice. Their moves go to the server like any other, which referees them. Whenever something fails here the
 * server's engine plays on.
 */

/** @import { TableRequest } from "../lib/protocol.js" */
/** @import { EnginePool } from "./engine-pool.js" */
/** @import { PositionSource } from "./position-source.js" */

import { Refused } from "../lib/live-connection.js";
import { EngineFailure } from "./engine-worker.js";

/**
 * @typedef {{
 *   model: import("../table/model.js").TableModel, pool: EnginePool, positions: PositionSource,
 *   ask: (request: TableRequest) => Promise<unknown>, failed: (reason: string) => void, changed: () => void
 * }} Owner
 */

/** Do something when nothing else is to be done: the board comes first. @param {() => void} act */
const whenIdle = (act) => ("requestIdleCallback" in window ? requestIdleCallback(act) : setTimeout(act, 300));

export class PageOpponent {
  /** @type {"no" | "asked" | "yes" | "given up"} whether this page computes */
  #state = "no";
  #closed = false;
  #at = -1; // the number of moves of the position that is being thought about

  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner;
  }

  /** Whether it thinks about a move now. */
  get busy() {
    return this.#at >= 0;
  }

  /** The connection is a new one: what was said on the one before does not hold. */
  reconnected() {
    if (this.#state !== "given up") this.#state = "no";
  }

  /** Something changed at the table: offer to compute, or think about a move. */
  update() {
    const { model } = this.owner;
    const { turn, seats, moves } = model;
    if (this.#state === "given up" || model.over) return;
    if (this.#state === "no") return void this.#offer();
    // The server has waited long enough. What is being loaded goes on: if that fails, it is still told why.
    if (this.#state === "yes" && !seats.some(({ page }) => page)) return void (this.#state = "given up");
    const seat = typeof turn === "number" && seats[turn]?.kind === "engine" ? turn : null;
    const at = seat === null ? -1 : moves.length;
    if (this.#state !== "yes" || at === this.#at) return;
    if (this.busy) this.owner.pool.workers[0].stop();
    this.#at = at;
    if (seat !== null) this.#play(seat, at);
  }

  async #offer() {
    this.#state = "asked";
    try {
      await this.owner.ask({ type: "compute", on: true });
      if (this.#state === "asked") this.#state = "yes";
      this.update();
      whenIdle(() => this.#prepare());
    } catch (error) {
      // Lost: it is offered again when there is a connection. Refused: the server's engine plays here.
      this.#state = error instanceof Refused && error.code === "lost" ? "no" : "given up";
    }
  }

  /** Load the engine before it is needed. If that fails it is told now, whoever is to move. */
  async #prepare() {
    if (this.#closed) return;
    try {
      await this.owner.pool.workers[0].ready;
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** @param {number} seat @param {number} at */
  async #play(seat, at) {
    const { model, pool, positions, ask, changed } = this.owner;
    changed();
    try {
      const { state, history, seed, seconds } = await positions.state(at, null);
      if (at !== this.#at) return;
      const level = model.seats[seat].level ?? undefined;
      const question = { state, history, seat, lines: 1, level, seed, within: 1000 * seconds };
      const found = await pool.workers[0].search(question);
      if (found && at === this.#at && this.#state === "yes")
        await ask({ type: "move", seat, move: found.lines[0].texts[0], at });
    } catch (error) {
      // It went on without us (an undo, or the server's engine), or the connection is lost: no reason to give up.
      const moved = error instanceof Refused && ["stale", "turn", "over", "lost"].includes(error.code);
      if (!moved) this.#giveUp(error);
    }
    if (at === this.#at) this.#at = -1;
    changed();
  }

  /** Leave the moves to the server, and say why. @param {unknown} error */
  #giveUp(error) {
    if (this.#closed) return;
    this.#state = "given up";
    this.owner.ask({ type: "compute", on: false }).catch(() => {});
    this.owner.failed(error instanceof EngineFailure ? error.reason : "broken");
  }

  close() {
    this.#state = "given up";
    this.#closed = true;
  }
}
