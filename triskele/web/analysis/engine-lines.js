/** An engine beside an analysis: in the page's Workers, or the server's advice where the page has none. */

/** @import { AnalysedPosition, Game } from "../lib/protocol.js" */
/** @import { Found } from "../engine/messages.js" */

import { AnalysisPanel } from "../engine/analysis-panel.js";
import { Arrows } from "../engine/arrows.js";
import { EnginePool, canRun } from "../engine/engine-pool.js";
import { EngineFailure } from "../engine/engine-worker.js";
import { LINES, LiveAnalysis } from "../engine/live-analysis.js";
import { serverAdvice } from "../engine/server-advice.js";
import { failureWords } from "../engine/words.js";
import { capital, say } from "../lib/i18n.js";
import { toast } from "../lib/toasts.js";

/**
 * @typedef {{game: Game, board: import("../board/board.js").Board, names: () => string[],
 *   place: () => unknown, play: (texts: string[]) => void}} Owner `place`: what the interface is asked about; `play`: a
 *   line was chosen
 */

export class EngineLines {
  #pool;
  #analysis;
  #panel;
  #arrows;
  /** @type {AnalysedPosition | null} */
  #position = null;
  /** @type {Found | null} */
  #found = null;
  #note = "";
  #here = true;
  #run = 0;
  #broken = false;
  #due = false;

  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner;
    this.on = true;
    this.#pool = new EnginePool(owner.game);
    this.#analysis = new LiveAnalysis(owner.game.hidden);
    this.#arrows = new Arrows(owner.board);
    this.#panel = new AnalysisPanel({
      preview: (line) => owner.play([...(this.#found?.lines[line]?.texts ?? [])]),
      step: () => {},
      leave: () => {},
    });
    this.element = this.#panel.element;
  }

  /** @param {boolean} on */
  switch(on) {
    this.on = on;
    if (on && this.#position) this.show(this.#position);
    else this.rest();
  }

  /** Think about nothing. */
  rest() {
    this.#run++;
    this.#analysis.stop();
    this.#arrows.clear();
  }

  /** Think about a position. @param {AnalysedPosition} position */
  async show(position) {
    this.rest();
    this.#position = position;
    if (!this.on) return;
    const run = this.#run;
    this.#panel.reset();
    this.#found = null;
    this.#note = typeof position.turn === "number" ? capital(say("web.thinking")) : say("web.nothing-to-decide");
    this.#draw();
    if (typeof position.turn !== "number") return;
    try {
      if (this.#broken || !this.owner.game.engine || !canRun()) return void (await this.#askServer(run));
      const question = { state: position.state, history: position.history, seat: position.turn };
      await this.#analysis.start(this.#pool.workers, question, (found) => this.#tell(run, found, true));
    } catch (error) {
      if (run !== this.#run) return;
      if (error instanceof EngineFailure) {
        this.#broken = true;
        toast(capital(failureWords(error.reason)));
        return void this.show(position);
      }
      this.#note = error instanceof Error ? capital(error.message) : "";
      this.#draw();
    }
  }

  /** @param {number} run */
  async #askServer(run) {
    const found = await serverAdvice("/analysis/advice", this.owner.place(), {
      wanted: () => run === this.#run,
      waits: (words) => {
        this.#note = words;
        this.#draw();
      },
    });
    if (found) this.#tell(run, found, false);
  }

  /** @param {number} run @param {Found} found @param {boolean} here */
  #tell(run, found, here) {
    if (run !== this.#run) return;
    [this.#found, this.#note, this.#here] = [found, "", here];
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => {
      this.#due = false;
      if (run === this.#run) this.#draw();
    });
  }

  #draw() {
    const turn = typeof this.#position?.turn === "number" ? this.#position.turn : null;
    const where = this.#here ? say("web.in-your-browser") : "";
    const names = this.owner.names();
    const [found, note] = [this.#found, this.#note];
    this.#panel.draw({ names, turn, found, note, where, previews: true, shown: null });
    const tokens = new Map(this.#position?.look.moves.map(([text, spellings]) => [text, spellings[0]]));
    const lines = (this.#found?.lines ?? []).slice(0, LINES);
    this.#arrows.show(lines.map(({ texts }) => tokens.get(texts[0]) ?? []));
  }

  close() {
    this.rest();
    this.#pool.close();
  }
}
