/** Puzzles of a game: one after the other, as hard as the solver can take; one of them is today's. */

/** @import { Game, Puzzle } from "../lib/protocol.js" */

import { loadSprites } from "../board/sprites.js";
import { get } from "../lib/api.js";
import { games } from "../lib/catalogue.js";
import { button, fill, h } from "../lib/dom.js";
import { capital, language, number, say } from "../lib/i18n.js";
import { go, to } from "../lib/router.js";
import { noPage } from "../pages/message.js";
import { seatTitle } from "../table/seat-names.js";
import { Exercise } from "./exercise.js";
import { feedbackLine } from "./feedback.js";
import { puzzleProgress, recordPuzzle } from "../lib/progress.js";

const DAY = 24 * 3600 * 1000;

/** @param {HTMLElement} host @param {string} name */
export async function puzzlesPage(host, name) {
  const list = await games();
  const game = list.find((each) => each.name === (name || list[0].name));
  if (!game) return noPage(host);
  /** @type {[Puzzle[], unknown]} */
  const [puzzles] = await Promise.all([
    get(`/games/${encodeURIComponent(game.name)}/puzzles?language=${language()}`),
    loadSprites(game.name),
  ]);
  if (!puzzles.length) return noPage(host);
  const page = new PuzzlesPage(host, list, game, puzzles);
  return page.begin(page.first());
}

/** The puzzle of a day: the same for everybody. @param {Puzzle[]} puzzles @param {number} [now] */
export function puzzleOfTheDay(puzzles, now = Date.now()) {
  const ordered = puzzles.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return ordered[Math.floor(now / DAY) % ordered.length];
}

/**
 * The next puzzle for a solver: not solved yet, as near to the wanted difficulty as there is. What was asked already in
 * this visit comes again when all others were.
 * @param {Puzzle[]} puzzles @param {string[]} solved @param {number} difficulty @param {Set<string>} [asked]
 */
export function nextPuzzle(puzzles, solved, difficulty, asked = new Set()) {
  const open = puzzles.filter(({ id }) => !solved.includes(id));
  const pool = open.length ? open : puzzles;
  if (pool.every(({ id }) => asked.has(id))) pool.forEach(({ id }) => asked.delete(id));
  const others = pool.filter(({ id }) => !asked.has(id));
  return others.toSorted((a, b) => Math.abs(a.difficulty - difficulty) - Math.abs(b.difficulty - difficulty))[0];
}

class PuzzlesPage {
  #task = ""; // which kind of puzzle is wanted, by what is to be done; empty for any
  /** Whether this try counts: a puzzle is solved at once, or not. */
  #counts = true;
  /** @type {Set<string>} puzzles that were asked in this visit */
  #asked = new Set();

  /** @param {HTMLElement} host @param {Game[]} list @param {Game} game @param {Puzzle[]} puzzles */
  constructor(host, list, game, puzzles) {
    this.list = list;
    this.game = game;
    this.puzzles = puzzles;
    this.puzzle = puzzles[0];
    this.heading = h("h1", {});
    this.choices = h("div", { class: "row lesson-tools" });
    this.text = h("div", { class: "lesson-text", "aria-live": "polite" });
    this.tools = h("div", { class: "row lesson-tools" });
    this.exercise = new Exercise(game, {
      path: () => `/games/${encodeURIComponent(game.name)}/puzzles/${this.puzzle.id}`,
      marks: () => [],
      previews: false,
      changed: () => this.#draw(),
      solved: () => this.#judged(true),
    });
    const card = h("section", { class: "lesson-card" }, this.heading, this.choices, this.text, this.tools);
    this.element = h("div", { class: "lesson" }, card, this.exercise.stage);
    fill(host, this.element);
  }

  /** The puzzle that the address names, or the next for this solver. */
  first() {
    return this.puzzles.find(({ id }) => id === location.hash.slice(1)) ?? this.#next();
  }

  #next() {
    const { solved, difficulty } = puzzleProgress(this.game.name);
    const pool = this.puzzles.filter(({ task, id }) => (!this.#task || task === this.#task) && id !== this.puzzle.id);
    return nextPuzzle(pool.length ? pool : this.puzzles, solved, difficulty, this.#asked);
  }

  /** @param {Puzzle} puzzle */
  async begin(puzzle) {
    this.puzzle = puzzle;
    this.#asked.add(puzzle.id);
    this.#counts = true;
    history.replaceState(null, "", `#${puzzle.id}`);
    await this.exercise.begin(puzzle.task);
  }

  /** @param {boolean} right */
  #judged(right) {
    if (this.#counts) recordPuzzle(this.game.name, this.puzzle, right);
    this.#counts = false;
    this.#draw();
    /** @type {HTMLElement | null} */
    const next = right ? this.tools.querySelector(".primary") : null;
    next?.focus();
  }

  #draw() {
    const { state, decisions, feedback, wrong } = this.exercise;
    if (wrong && this.#counts) this.#judged(false);
    const { difficulty, task, id, seat } = this.puzzle;
    const { solved } = puzzleProgress(this.game.name);
    Object.assign(this.element.dataset, { state, decisions: decisions.length, puzzle: id });
    const today = puzzleOfTheDay(this.puzzles);
    const small = `${say("web.puzzle-difficulty", { n: number(difficulty) })} · ${seatTitle(this.game.name, seat)}`;
    fill(this.heading, h("small", { class: "muted" }, small), " ", say("web.puzzles-of", { game: this.game.title }));
    fill(this.choices, this.#gameSelect(), this.#kindSelect());
    const done = { n: solved.length, solved: number(solved.length), count: number(this.puzzles.length) };
    fill(
      this.text,
      h("p", { class: "task" }, capital(task)),
      feedbackLine(feedback),
      h("p", { class: "muted" }, say("web.puzzles-solved", done)),
    );
    const right = state === "solved";
    fill(
      this.tools,
      id === today.id ? null : button(say("web.puzzle-today"), () => this.begin(today)),
      button(say(right ? "web.puzzle-next" : "web.puzzle-another"), () => this.begin(this.#next()), {
        class: right ? "button primary" : "button",
      }),
    );
  }

  #gameSelect() {
    const chosen = (/** @type {Event & {currentTarget: HTMLSelectElement}} */ event) =>
      go(to("puzzles", event.currentTarget.value));
    const options = this.list.map(({ name, title }) =>
      h("option", { value: name, selected: name === this.game.name }, title),
    );
    return h("select", { name: "game", "aria-label": say("web.puzzle-game"), on: { change: chosen } }, options);
  }

  /** @returns {HTMLElement | null} */
  #kindSelect() {
    const tasks = [...new Set(this.puzzles.map(({ task }) => task))];
    if (tasks.length < 2) return null;
    const chosen = (/** @type {Event & {currentTarget: HTMLSelectElement}} */ event) => {
      this.#task = event.currentTarget.value;
      this.begin(this.#next());
    };
    const options = ["", ...tasks].map((task) =>
      h("option", { value: task, selected: task === this.#task }, task || say("web.puzzle-all")),
    );
    return h("select", { name: "kind", "aria-label": say("web.puzzle-kind"), on: { change: chosen } }, options);
  }
}
