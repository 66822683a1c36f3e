/**
 * The review of a game: the graph of winning chances, accuracy, mistakes with the better line on the board, the turning
 * point, luck and skill, and each of one's mistakes as a puzzle.
 */

/** @import { Game, TableMessage } from "../lib/protocol.js" */
/** @import { Grade, JudgedMove, JudgedPlayer, Progress, Review } from "./types.js" */

import { loadSprites } from "../board/sprites.js";
import { EngineFailure } from "../engine/engine-worker.js";
import { failureWords } from "../engine/words.js";
import { get } from "../lib/api.js";
import { games } from "../lib/catalogue.js";
import { button, fill, h, icon } from "../lib/dom.js";
import { capital, language, number, percent, say } from "../lib/i18n.js";
import { failed, toast } from "../lib/toasts.js";
import { to } from "../lib/router.js";
import { Exercise } from "../learn/exercise.js";
import { feedbackLine } from "../learn/feedback.js";
import { noPage } from "../pages/message.js";
import { TableModel } from "../table/model.js";
import { markedName } from "../table/seat-names.js";
import { ChanceGraph, gradeMark } from "./graph.js";
import { reviewHere, reviewThere, runsHere } from "./runs.js";
import { judged, lineWords, sentence, signed } from "./sentences.js";
import { ReviewStage } from "./stage.js";

/** @type {Grade[]} */
const GRADES = ["inaccuracy", "mistake", "blunder"];
/** @type {ReviewPage | null} the page that is shown, which goes on working until another is */
let current = null;
/** @type {Map<string, {progress: Progress, here: boolean}>} what was worked out in this visit, by table and moves */
const finished = new Map();

/** Bring the styles of what is here, once. */
function loadStyles() {
  for (const file of ["./review.css", "../engine/engine.css"]) {
    const href = new URL(file, import.meta.url).href;
    if (!document.head.querySelector(`link[href="${href}"]`))
      document.head.append(h("link", { rel: "stylesheet", href }));
  }
}

/** @param {HTMLElement} host @param {string} table */
export async function reviewPage(host, table) {
  current?.close();
  if (!table) return noPage(host);
  loadStyles();
  /** @type {[Game[], Omit<TableMessage, "type">]} */
  const [list, shown] = await Promise.all([games(), get(`/tables/${table}?language=${language()}`)]);
  const game = list.find((each) => each.name === shown.game);
  if (!game) return noPage(host);
  await loadSprites(game.name);
  current = new ReviewPage(host, game, shown);
  return void current.run();
}

class ReviewPage {
  #at = 0;
  #own = true; // whether only one's own mistakes are listed
  /** @type {Progress | null} */
  #progress = null;
  #stop = new AbortController();
  #here = true;
  /** @type {Retry | null} */
  #retry = null;

  /** @param {HTMLElement} host @param {Game} game @param {Omit<TableMessage, "type">} shown */
  constructor(host, game, shown) {
    this.game = game;
    this.table = shown.table;
    this.moves = shown.moves.length;
    this.over = shown.outcome !== null;
    const model = new TableModel(shown.table);
    model.seats = shown.seats;
    this.mine = model.mine.length < shown.seats.length ? model.mine : [];
    this.names = shown.seats.map((seat) => markedName(game.name, seat));
    const seat = model.mine.length === 1 ? model.mine[0] : null;
    this.stage = new ReviewStage(game, this.table, seat, {
      go: (by) => this.go(by === "first" ? 0 : by === "last" ? this.moves : this.#at + by),
      changed: () => this.#drawCurrent(),
    });
    this.graph = new ChanceGraph({
      go: (at) => this.go(at),
      say: (at) => (this.#review ? sentence(this.#review, at, this.names) : ""),
      names: this.names,
      moves: this.moves,
      apart: game.hidden,
    });
    this.bar = h("progress", { max: 1, value: 0, "aria-label": say("web.review-game") });
    this.barWords = h("small", { class: "muted", role: "status" });
    this.working = h("div", { class: "review-progress" }, this.bar, this.barWords);
    this.players = h("div", { class: "review-players" });
    this.turned = h("p", { class: "turned" });
    this.current = h("div", { class: "review-current", "aria-live": "polite" });
    this.mistakes = h("section", { class: "review-mistakes", "aria-label": say("reviewing.mistakes") });
    this.every = h("ol", { class: "review-every" });
    this.notes = h("div", { class: "review-notes muted" });
    const details = h("details", {}, h("summary", {}, say("reviewing.every-move")), this.every);
    const back = h("a", { class: "button", href: to("table", this.table) }, icon("back"), say("web.review-table"));
    const title = h("h1", {}, say("reviewing.title", { game: game.title }));
    const head = h("header", { class: "review-head" }, title, back, this.working);
    const side = [this.players, this.turned, this.mistakes, this.notes, details];
    this.element = h(
      "div",
      { class: "game-review", data: { state: "working" } },
      head,
      h("div", { class: "review-graph" }, this.graph.element),
      h("div", { class: "review-main" }, this.stage.element, this.current),
      h("div", { class: "review-side" }, side),
    );
    this.host = host;
    this.keys = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    addEventListener("keydown", this.keys);
    addEventListener("routed", () => this.close(), { once: true });
    addEventListener("popstate", () => this.close(), { once: true });
    fill(host, this.element);
  }

  get #name() {
    return `${this.table}/${this.moves}`;
  }

  /** @returns {Review | null} */
  get #review() {
    return this.#progress?.review ?? null;
  }

  close() {
    this.#stop.abort();
    removeEventListener("keydown", this.keys);
    if (current === this) current = null;
  }

  // --- working it out ----------------------------------------------------------------------------

  async run() {
    this.go(0);
    const tell = (/** @type {Progress} */ progress) => this.#tell(progress);
    const known = finished.get(this.#name);
    if (known) {
      this.#here = known.here;
      this.#tell(known.progress);
      return void this.#finish("done");
    }
    const { signal } = this.#stop;
    try {
      this.#here = runsHere(this.game);
      if (this.#here) await reviewHere(this.game, this.table, tell, signal);
      else await reviewThere(this.table, tell, signal);
      this.#finish("done");
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof EngineFailure)) return void this.#failed(error);
      toast(capital(failureWords(error.reason)));
      this.#here = false;
      try {
        await reviewThere(this.table, tell, signal);
        this.#finish("done");
      } catch (why) {
        if (!signal.aborted) this.#failed(why);
      }
    }
  }

  /** @param {"done" | "failed"} state */
  #finish(state) {
    if (this.#stop.signal.aborted) return;
    this.element.dataset.state = state;
    if (state === "done" && this.#progress) finished.set(this.#name, { progress: this.#progress, here: this.#here });
    this.bar.hidden = true;
    this.barWords.textContent = say(this.#here ? "web.in-your-browser" : "web.review-server");
    if (state === "done" && this.#at === 0) this.#selectFirst();
  }

  /** @param {unknown} error */
  #failed(error) {
    this.#finish("failed");
    this.barWords.textContent = error instanceof Error ? capital(error.message) : "";
    failed(error);
  }

  /** Show the turning point, or the first mistake, when nothing was chosen meanwhile. */
  #selectFirst() {
    const [first] = this.#listed();
    if (first) this.go(first.number);
    else if (this.#review?.turning_point) this.go(this.#review.turning_point);
  }

  /** @param {Progress} progress */
  #tell(progress) {
    this.#progress = progress;
    const { done, of } = progress;
    Object.assign(this.bar, { max: of, value: done });
    this.barWords.textContent = say("web.review-progress", { done, count: of });
    this.graph.draw(progress.review);
    this.#drawPlayers(progress.review);
    this.#drawMistakes();
    this.#drawEvery(progress.review);
    this.#drawCurrent();
  }

  // --- going through the moves -------------------------------------------------------------------

  /** @param {number} at */
  go(at) {
    this.#at = Math.max(0, Math.min(this.moves, at));
    this.element.dataset.at = String(this.#at);
    this.graph.select(this.#at);
    this.stage.show(this.#at, this.#mistakeHere(), this.#viewer());
    this.#drawCurrent();
    this.#drawMistakes();
  }

  /** @returns {JudgedMove | null} */
  #mistakeHere() {
    return this.#review?.moves.find(({ number: at, grade }) => at === this.#at && grade) ?? null;
  }

  /**
   * The seat whose view is shown: one's own. When a game with secrets is over, it is that of who decided, since a move is
   * judged by what its player knew.
   * @returns {number | null}
   */
  #viewer() {
    if (!this.game.hidden || !this.over) return this.stage.seat;
    const here = this.#review?.moves.find(({ number: at }) => at >= this.#at) ?? this.#review?.moves.at(-1);
    return here?.seat ?? this.stage.seat;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const inside = event.target instanceof Element && event.target.closest("input, select, .boardbox svg, .chances");
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || this.#retry || inside) return;
    if (this.stage.key(event.key)) return void event.preventDefault();
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return undefined;
    event.preventDefault();
    return this.go(this.#at + by);
  }

  #drawCurrent() {
    const review = this.#review;
    const mistake = this.#mistakeHere();
    const preview = this.stage.preview;
    const words = review ? sentence(review, this.#at, this.names) : "";
    fill(
      this.current,
      h("p", { class: mistake?.grade ?? "" }, mistake?.grade ? gradeMark(mistake.grade) : null, h("span", {}, words)),
      mistake
        ? h(
            "div",
            { class: "row" },
            preview
              ? button(say("web.line-leave"), () => this.stage.leave(), { icon: "close" })
              : button(say("web.review-better"), () => this.stage.play(mistake), { icon: "play" }),
            button(say("web.review-try"), () => this.#tryAgain(mistake), { icon: "again", class: "button primary" }),
          )
        : null,
    );
  }

  // --- who played how ----------------------------------------------------------------------------

  /** @param {Review} review */
  #drawPlayers(review) {
    const dice = review.players.some(({ luck }) => luck !== undefined);
    fill(
      this.players,
      review.players.map((player) => this.#playerCard(player, dice)),
    );
    const move = review.turning_point;
    const made = review.moves.find((each) => each.number === move)?.move;
    const rolled = review.rolls?.find((each) => each.number === move)?.move;
    const text = move ? say("reviewing.turned", { number: move, move: made ?? rolled ?? "" }) : "";
    fill(this.turned, move ? button(text, () => this.go(move), { class: "button turned-key", icon: "flip" }) : "");
    fill(
      this.notes,
      this.game.hidden ? h("p", {}, say("reviewing.seen")) : null,
      dice ? h("p", {}, say(review.exact ? "reviewing.luck-about-score" : "reviewing.luck-about-chance")) : null,
    );
  }

  /** @param {JudgedPlayer} player @param {boolean} dice */
  #playerCard({ seat, accuracy, grades, luck = 0, skill = 0, sum = 0 }, dice) {
    const shown = accuracy === null ? "–" : percent(accuracy / 100);
    const counts = GRADES.map((grade) =>
      h("li", { class: grade }, gradeMark(grade), say(`reviewing.count.${grade}`, { n: grades[grade] })),
    );
    const ring = h("span", { class: "ring", "aria-hidden": "true" });
    ring.style.setProperty("--part", String((accuracy ?? 0) / 100));
    return h(
      "section",
      { class: "review-player", "aria-label": this.names[seat] },
      h("div", { class: "accuracy" }, ring, h("b", {}, shown)),
      h("div", {}, h("h2", {}, this.names[seat]), h("small", { class: "muted" }, say("reviewing.accuracy"))),
      h("ul", { class: "counts" }, counts),
      dice
        ? h(
            "p",
            { class: "split" },
            say("reviewing.split", { luck: signed(luck), skill: signed(skill), sum: signed(sum) }),
          )
        : null,
    );
  }

  /** The mistakes that are listed. @returns {JudgedMove[]} */
  #listed() {
    const found = this.#review?.moves.filter(({ grade }) => grade) ?? [];
    return this.mine.length && this.#own ? found.filter(({ seat }) => this.mine.includes(seat)) : found;
  }

  #drawMistakes() {
    const listed = this.#listed();
    const done = this.element.dataset.state === "done";
    const choice = (/** @type {boolean} */ own, /** @type {string} */ words) =>
      button(words, () => this.#choose(own), { class: "button small", "aria-pressed": String(this.#own === own) });
    fill(
      this.mistakes,
      h("h2", {}, say("reviewing.mistakes")),
      this.mine.length
        ? h("div", { class: "row" }, choice(true, say("web.review-own")), choice(false, say("web.review-all")))
        : null,
      listed.length
        ? h(
            "ul",
            {},
            listed.map((move) => this.#mistakeRow(move)),
          )
        : h("p", { class: "muted" }, done ? say("reviewing.no-mistakes") : ""),
    );
  }

  /** @param {boolean} own */
  #choose(own) {
    this.#own = own;
    this.#drawMistakes();
  }

  /** @param {JudgedMove} move */
  #mistakeRow(move) {
    const { grade, number: at } = move;
    if (!grade) return null;
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: `mistake-row ${grade}`,
          "aria-label": judged(move, this.names),
          "aria-current": at === this.#at ? "true" : null,
          on: { click: () => this.go(at) },
        },
        gradeMark(grade),
        h(
          "span",
          { class: "what" },
          h("b", {}, `${number(at)}. ${move.move}`),
          h("small", {}, say(`reviewing.grade.${grade}`)),
        ),
        h("span", { class: "fall" }, `${percent(move.chance_before)} → ${percent(move.chance_after)}`),
        h("small", { class: "better muted" }, lineWords(move)),
      ),
    );
  }

  /** @param {Review} review */
  #drawEvery(review) {
    const rows = [...review.moves, ...(review.rolls ?? [])].map((each) => each.number).toSorted((a, b) => a - b);
    fill(
      this.every,
      rows.map((at) => h("li", {}, sentence(review, at, this.names))),
    );
  }

  // --- try again ---------------------------------------------------------------------------------

  /** @param {JudgedMove} mistake */
  #tryAgain(mistake) {
    this.stage.leave();
    this.#retry = new Retry(this.game, this.table, mistake, {
      leave: () => this.#leaveRetry(),
      next: () => this.#nextMistake(mistake),
    });
    this.element.hidden = true;
    this.host.append(this.#retry.element);
    this.#retry.begin();
  }

  #leaveRetry() {
    this.#retry?.element.remove();
    this.#retry = null;
    this.element.hidden = false;
    /** @type {HTMLElement | null} */
    const key = this.current.querySelector(".primary");
    key?.focus();
  }

  /** @param {JudgedMove} mistake @returns {(() => void) | null} */
  #nextMistake(mistake) {
    const next = this.#listed().find(({ number: at, seat }) => at > mistake.number && seat === mistake.seat);
    if (!next) return null;
    return () => {
      this.#leaveRetry();
      this.go(next.number);
      this.#tryAgain(next);
    };
  }
}

/** A mistake as a puzzle: find a better move in the position it was made in. */
class Retry {
  /**
   * @param {Game} game @param {string} table @param {JudgedMove} mistake
   * @param {{leave: () => void, next: () => (() => void) | null}} owner
   */
  constructor(game, table, mistake, owner) {
    this.mistake = mistake;
    this.owner = owner;
    this.task = say("web.review-task", { move: mistake.move });
    this.text = h("div", { class: "lesson-text", "aria-live": "polite" });
    this.tools = h("div", { class: "row lesson-tools" });
    this.heading = h("h1", { tabIndex: -1 }, h("small", { class: "muted" }, game.title), " ", say("web.review-try"));
    this.exercise = new Exercise(game, {
      path: () => `/tables/${table}/review/${mistake.number}`,
      marks: () => [],
      previews: false,
      changed: () => this.#draw(),
      solved: () => this.#draw(),
    });
    const card = h("section", { class: "lesson-card" }, this.heading, this.text, this.tools);
    this.element = h("div", { class: "lesson retry" }, card, this.exercise.stage);
  }

  begin() {
    this.heading.focus();
    void this.exercise.begin(this.task);
  }

  #draw() {
    const { state, feedback, wrong } = this.exercise;
    Object.assign(this.element.dataset, { state, wrong, number: this.mistake.number });
    const next = state === "solved" ? this.owner.next() : null;
    const line = this.mistake.better_line ?? [];
    const gaveUp = wrong > 1 && state !== "solved" && line.length;
    fill(
      this.text,
      h("p", {}, this.task),
      feedbackLine(feedback),
      gaveUp ? h("p", { class: "muted" }, say("reviewing.better", { line: line[0] })) : null,
    );
    fill(
      this.tools,
      button(say("web.review-back"), this.owner.leave, { icon: "back" }),
      next ? button(say("web.review-next"), next, { class: "button primary", icon: "next" }) : null,
    );
  }
}
