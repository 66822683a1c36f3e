/**
 * The engine of the page at a table: live analysis, hints, and opponents. Loaded when it is first needed.
 *
 * Where there is none (no module of the game, a browser without WebAssembly) or it fails, the server's advice serves.
 */

/** @import { Explanation, Hint, TableRequest } from "../lib/protocol.js" */
/** @import { Found } from "./messages.js" */

import { post } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { failed, toast } from "../lib/toasts.js";
import { moveWords } from "../table/move-words.js";
import { nameOf } from "../table/seat-names.js";
import { AnalysisPanel } from "./analysis-panel.js";
import { Arrows } from "./arrows.js";
import { EnginePool, canRun } from "./engine-pool.js";
import { EngineFailure } from "./engine-worker.js";
import { LinePreview } from "./line-preview.js";
import { LINES, LiveAnalysis } from "./live-analysis.js";
import { PageOpponent } from "./opponent.js";
import { PositionSource } from "./position-source.js";
import { serverAdvice } from "./server-advice.js";
import { failureWords, reason } from "./words.js";

const HINT = 1000; // milliseconds that a hint may take

/**
 * @typedef {{
 *   id: string, model: import("../table/model.js").TableModel,
 *   controller: import("../table/game-controller.js").GameController, at: () => number,
 *   ask: (request: TableRequest) => Promise<unknown>, changed: () => void, previewing: () => void, restore: () => void
 * }} Owner `at`: the number of moves of the position in sight; `previewing`: a line is going to be shown on the board;
 *   `restore`: shows that position again
 */

/** Bring the style of what is here, once. */
function loadStyle() {
  const href = new URL("./engine.css", import.meta.url).href;
  if (document.head.querySelector(`link[href="${href}"]`)) return;
  document.head.append(h("link", { rel: "stylesheet", href }));
}

/** A seed that nobody can know: what an engine draws by lot with it is not for others to compute. */
const secretSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] >>> 2;

export class TableEngine {
  #pool;
  #positions;
  #analysis;
  #panel;
  #arrows;
  #preview;
  /** @type {PageOpponent | null} */
  #opponent = null;
  #on = false;
  #key = ""; // the position that is analysed, and by how many Workers
  /** @type {{found: Found | null, turn: number | null, note: string, tokens: Map<string, string[]>, here: boolean}} */
  #view = { found: null, turn: null, note: "", tokens: new Map(), here: true };
  #broken = false;
  #drawDue = false;
  #moves = 0;

  /** @param {Owner} owner */
  constructor(owner) {
    loadStyle();
    this.owner = owner;
    const { model, controller } = owner;
    this.#pool = new EnginePool(controller.game);
    this.#analysis = new LiveAnalysis(controller.game.hidden);
    this.#positions = new PositionSource(owner.id);
    this.#arrows = new Arrows(controller.board);
    this.#preview = new LinePreview(this.#positions, {
      show: (scene, pace) => void controller.showPast(scene, pace),
      live: () => owner.restore(),
      changed: () => this.#drawSoon(),
      failed,
    });
    const acts = {
      preview: (/** @type {number} */ line) => this.#togglePreview(line),
      step: (/** @type {number} */ by) => void this.#preview.step(by),
      leave: () => this.#preview.leave(),
    };
    this.#panel = new AnalysisPanel(acts, (move) => moveWords(controller.game, move, model));
    controller.board.svg.parentElement?.append(this.#panel.overBoard);
    this.#moves = model.moves.length;
  }

  /** Whether the page's own engine can be used here; it is said once why not, if there is one. */
  get #usable() {
    if (this.#broken || !this.owner.controller.game.engine) return false;
    if (!canRun()) this.#fail("unsupported");
    return canRun();
  }

  /** Say once why the page's engine cannot be used; the server's serves from now on. @param {string} why */
  #fail(why) {
    if (!this.#broken) toast(capital(failureWords(why)));
    this.#broken = true;
    this.#key = "";
    this.owner.changed();
  }

  // --- analysis ----------------------------------------------------------------------------------

  /** The panel, while the analysis is on. */
  get panel() {
    return this.#on ? this.#panel.element : null;
  }

  /** Load the engine and the position in sight, so that an analysis can begin at once. */
  prepare() {
    if (this.#broken || !this.owner.controller.game.engine || !canRun()) return;
    this.#positions.state(this.owner.at(), this.#viewer).catch(() => {}); // a failure is told when it is asked for
    return void this.#pool.workers;
  }

  /** @param {boolean} on */
  analyse(on) {
    this.#on = on;
    this.#key = "";
    if (!on) this.#rest();
    this.update();
  }

  #rest() {
    this.#analysis.stop();
    this.#preview.leave();
    this.#arrows.clear();
  }

  /** Something changed at the table, or another position is shown. */
  update() {
    const { model } = this.owner;
    if (model.moves.length < this.#moves) this.#positions.forget(); // moves were taken back
    this.#moves = model.moves.length;
    this.#opponent?.update();
    if (!this.#on || this.owner.controller.curtain !== null) return; // nobody looks
    const at = this.owner.at();
    const seat = this.#viewer;
    const spared = this.#opponent?.busy ? 1 : 0; // a Worker that an opponent needs
    const key = `${at}/${seat}/${spared}/${this.#broken}`;
    if (key !== this.#key) {
      const same = key.split("/", 2).join() === this.#key.split("/", 2).join();
      this.#key = key;
      this.#begin(key, at, seat, spared, same);
    }
    this.#drawSoon();
  }

  /** @param {string} key @param {number} at @param {number | null} seat @param {number} spared @param {boolean} same */
  async #begin(key, at, seat, spared, same) {
    this.#analysis.stop();
    if (!same) {
      this.#preview.leave();
      this.#panel.reset();
      this.#view = { found: null, turn: null, note: capital(say("web.thinking")), tokens: new Map(), here: true };
    }
    try {
      const { state, history, turn, moves } = await this.#known(at, seat);
      if (key !== this.#key) return;
      if (typeof turn !== "number") return void this.#nothing();
      Object.assign(this.#view, { turn, tokens: new Map(moves.map(([text, spellings]) => [text, spellings[0]])) });
      const usable = this.#usable;
      if (key !== this.#key) return; // just found out that it is not, and begun again
      if (!usable) return void (await this.#askServer(key, at, seat));
      const workers = this.#pool.workers.slice(spared);
      const question = { state, history, seat: seat ?? turn, seed: this.#seed };
      await this.#analysis.start(workers, question, (found) => {
        if (key !== this.#key) return;
        Object.assign(this.#view, { found, note: "", here: true });
        this.#drawSoon();
      });
    } catch (error) {
      if (key !== this.#key) return;
      if (error instanceof EngineFailure) return void this.#fail(error.reason);
      this.#view.note = "";
      failed(error);
    }
    this.#drawSoon();
  }

  /** The seat whose knowledge counts: in a game with secrets the one that is looked at, until it is over. */
  get #viewer() {
    const { game, seat } = this.owner.controller;
    return game.hidden && !this.owner.model.over ? seat : null;
  }

  /** The seed of a search: where engines draw by lot to keep a secret, another one each time. */
  get #seed() {
    return this.owner.controller.game.hidden ? secretSeed() : 0;
  }

  /** The position as the seat knows it; when a game with secrets is over, as the seat to act knew it. */
  async #known(/** @type {number} */ at, /** @type {number | null} */ seat) {
    const known = await this.#positions.state(at, seat);
    const { hidden } = this.owner.controller.game;
    if (seat !== null || !hidden || typeof known.turn !== "number") return known;
    return this.#positions.state(at, known.turn);
  }

  /** There is nothing to decide in the position. */
  #nothing() {
    this.#view.note = say("web.nothing-to-decide");
    this.#drawSoon();
  }

  /** @param {string} key @param {number} at @param {number | null} seat */
  async #askServer(key, at, seat) {
    const found = await serverAdvice(
      `/tables/${this.owner.id}/analysis`,
      { at, seat },
      {
        wanted: () => key === this.#key,
        waits: (words) => {
          this.#view.note = words;
          this.#drawSoon();
        },
      },
    );
    if (!found) return;
    Object.assign(this.#view, { found, note: "", here: false });
    this.#drawSoon();
  }

  #drawSoon() {
    if (this.#drawDue || !this.#on) return;
    this.#drawDue = true;
    requestAnimationFrame(() => {
      this.#drawDue = false;
      if (this.#on) this.#draw();
    });
  }

  #draw() {
    const { model, controller } = this.owner;
    const { found, turn, note, tokens, here } = this.#view;
    const names = model.seats.map(({ seat }) => nameOf(model, seat));
    const where = here ? say("web.in-your-browser") : "";
    const previews = !controller.game.hidden || model.over; // what a move reveals is told only when it is made
    this.#panel.draw({ names, turn, found, note, where, previews, shown: this.#preview.shown });
    const steady = !this.#preview.shown && !controller.showing && controller.curtain === null;
    const lines = steady ? (found?.lines ?? []).slice(0, LINES) : [];
    this.#arrows.show(lines.map(({ texts }) => tokens.get(texts[0]) ?? []));
  }

  // --- a line on the board -----------------------------------------------------------------------

  /** @param {number} line */
  #togglePreview(line) {
    if (this.#preview.shown?.line === line) return void this.#preview.leave();
    const texts = this.#view.found?.lines[line]?.texts;
    if (!texts) return undefined;
    const seat = this.owner.controller.seat;
    this.owner.previewing();
    return void this.#preview.begin({ at: this.owner.at(), seat, line, texts: [...texts] });
  }

  /** Take a key while a line is tried out; returns whether it was meant for it. @param {string} key */
  key(key) {
    if (!this.#preview.shown) return false;
    if (key === "Escape") this.#preview.leave();
    else if (key === "ArrowRight") this.#preview.step(1);
    else if (key === "ArrowLeft") this.#preview.step(-1);
    else return false;
    return true;
  }

  // --- hints -------------------------------------------------------------------------------------

  /**
   * A good move for a seat, and why it is good; nothing where the server is to be asked.
   * @param {number} seat @returns {Promise<Hint | null>}
   */
  async hint(seat) {
    if (!this.#usable) return null;
    const viewer = this.owner.controller.game.hidden ? seat : null;
    const at = this.owner.model.moves.length;
    this.#analysis.stop();
    this.#key = "";
    try {
      const position = await this.#positions.state(at, viewer);
      const { state, history } = position;
      const worker = this.#pool.workers.at(-1);
      const found = await worker?.search({ state, history, seat, lines: LINES, seed: this.#seed, within: HINT });
      if (!found) return null;
      const { texts } = found.lines[0];
      const why = await reason(position, found, seat, () => this.#explain(at, viewer, texts));
      return { move: texts[0], why: say("engines.hint", { move: texts[0], reason: why }) };
    } catch (error) {
      if (error instanceof EngineFailure) this.#fail(error.reason);
      return null;
    } finally {
      this.update();
    }
  }

  /**
   * What the game says about a line. @param {number} at @param {number | null} seat who knows the position
   * @param {string[]} line @returns {Promise<Explanation | null>}
   */
  async #explain(at, seat, line) {
    try {
      return await post(`/tables/${this.owner.id}/explanation`, { at, line, seat });
    } catch {
      return null;
    }
  }

  // --- opponents ---------------------------------------------------------------------------------

  /** Compute the moves of the engines at the table from now on, as long as it works. */
  play() {
    if (this.#opponent || !this.#usable) return;
    this.#opponent = new PageOpponent({
      model: this.owner.model,
      pool: this.#pool,
      positions: this.#positions,
      ask: this.owner.ask,
      failed: (why) => this.#fail(why),
      changed: () => this.update(),
    });
    this.#opponent.update();
  }

  reconnected() {
    this.#opponent?.reconnected();
  }

  close() {
    this.#on = false;
    this.#rest();
    this.#opponent?.close();
    this.#pool.close();
  }
}
