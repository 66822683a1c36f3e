/**
 * The engine of the page at a table: fetched when it is first needed, it analyses the position in sight, gives hints
 * and computes the moves of opponents.
 *
 * @typedef {{
 *   controller: () => GameController | null, at: () => number, ask: (request: TableRequest) => Promise<Done>,
 *   changed: () => void, previewing: () => void, closed: () => boolean
 * }} Owner `at`: how many moves the position in sight has; `previewing`: a line is about to be shown on the board;
 *   `changed`: something has to be drawn again
 */

/** @import { Done, Hint, TableRequest } from "../lib/protocol.js" */
/** @import { TableEngine } from "../engine/table-engine.js" */
/** @import { GameController } from "../table/game-controller.js" */
/** @import { TableModel } from "../table/model.js" */
/** @import { Replay } from "../table/replay.js" */

import { failed } from "../lib/toasts.js";

export class TableAnalysis {
  /** Whether the position in sight is analysed. */
  on = false;
  /** @type {TableEngine | null} the engine of the page, once it was needed */
  #engine = null;
  /** @type {Promise<TableEngine | null> | null} */
  #coming = null;

  /** @param {TableModel} model @param {Replay} replay @param {Owner} owner */
  constructor(model, replay, owner) {
    this.model = model;
    this.replay = replay;
    this.owner = owner;
  }

  /** What it found, to be shown beside the board; none without an engine. */
  get panel() {
    return this.#engine?.panel ?? null;
  }

  /** Analyse the position in sight from now on, or no more. @param {boolean} on */
  switch(on) {
    this.on = on;
    this.#with((engine) => engine.analyse(this.on));
    if (!on || !this.model.over || this.replay.at !== null) return;
    // At the end there is nothing to decide: show the last decision.
    const last = this.model.moves.findLastIndex(({ seat }) => typeof seat === "number");
    if (last >= 0) this.replay.go(last);
  }

  /** Fetch what an analysis needs: it is about to be switched on. Nothing is drawn again by it. */
  prepare() {
    if (this.on || !this.owner.controller()?.game.engine) return;
    this.#coming ??= this.#load();
    this.#coming.then((engine) => void (this.owner.closed() || engine?.prepare()));
  }

  /** @param {number} seat @returns {Promise<Hint | null>} */
  async hint(seat) {
    this.#coming ??= this.#load();
    return (await this.#coming)?.hint(seat) ?? null;
  }

  /** Let the page compute its opponents' moves, where nobody else plays and there is nothing to hide or to roll. */
  playOpponents() {
    const { model } = this;
    const game = this.owner.controller()?.game;
    const alone = model.mine.length > 0 && !model.others && !model.rated && !model.over;
    if (this.#coming || !alone || !game?.engine || game.hidden || game.chance) return;
    if (model.seats.some(({ kind }) => kind === "engine")) this.#with((engine) => engine.play());
  }

  /** Take a key; returns whether it meant something. @param {string} key */
  key(key) {
    return this.#engine?.key(key) ?? false;
  }

  /** Something changed at the table. */
  update() {
    this.#engine?.update();
  }

  reconnected() {
    this.#engine?.reconnected();
  }

  close() {
    this.#engine?.close();
  }

  /** Do something with the engine when it is there. @param {(engine: TableEngine) => void} act */
  #with(act) {
    this.#coming ??= this.#load();
    this.#coming.then((engine) => {
      if (!engine || this.owner.closed()) return;
      act(engine);
      this.owner.changed();
    });
  }

  /** @returns {Promise<TableEngine | null>} */
  async #load() {
    const { model, replay, owner } = this;
    try {
      const { TableEngine } = await import("../engine/table-engine.js");
      const controller = owner.controller();
      if (!controller || owner.closed()) return null;
      this.#engine = new TableEngine({
        id: model.id,
        model,
        controller,
        at: owner.at,
        ask: owner.ask,
        changed: owner.changed,
        previewing: owner.previewing,
        restore: () => (replay.at === null ? controller.showLive() : replay.go(replay.at)),
      });
      return this.#engine;
    } catch (error) {
      this.#coming = null;
      this.on = false;
      failed(error);
      return null;
    }
  }
}
