/** A course: its steps, played on the board one after the other, and the first game. */

/** @import { Game, LessonStep } from "../lib/protocol.js" */

import { loadSprites } from "../board/sprites.js";
import { get } from "../lib/api.js";
import { boardPicture, games } from "../lib/catalogue.js";
import { button, fill, h } from "../lib/dom.js";
import { language, number, say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { to } from "../lib/router.js";
import { noPage } from "../pages/message.js";
import { openTable, seatCount, usualSeats } from "../pages/new-table.js";
import { Exercise } from "./exercise.js";
import { feedbackLine } from "./feedback.js";
import { markSolved, solvedSteps } from "../lib/progress.js";

const HINT_AFTER = 2; // wrong tries until a hint is offered
const SHOW_AFTER = 3; // and until the solution is

/** @param {HTMLElement} host @param {string} name */
export async function lessonPage(host, name) {
  const game = (await games()).find((each) => each.name === name);
  if (!game) return noPage(host);
  /** @type {[LessonStep[], unknown]} */
  const [steps] = await Promise.all([
    get(`/games/${encodeURIComponent(name)}/lessons?language=${language()}`),
    loadSprites(name),
  ]);
  if (!steps.length) return noPage(host);
  const lesson = new Lesson(host, game, steps);
  return lesson.begin(lesson.firstStep());
}

class Lesson {
  #index = 0;

  /** @param {HTMLElement} host @param {Game} game @param {LessonStep[]} steps */
  constructor(host, game, steps) {
    this.game = game;
    this.steps = steps;
    this.heading = h("h1", { tabindex: "-1" });
    this.ways = h("div", { class: "row" });
    this.text = h("div", { class: "lesson-text", "aria-live": "polite" });
    this.tools = h("div", { class: "row lesson-tools" });
    this.list = h("ol", { class: "steps", "aria-label": say("web.lesson-steps") });
    this.exercise = new Exercise(game, {
      path: () => `/games/${encodeURIComponent(game.name)}/lessons/${this.#step.id}`,
      marks: () => this.#step.marks ?? [],
      previews: true,
      changed: () => this.#draw(),
      solved: () => this.#solved(),
    });
    const head = h("div", { class: "lesson-head" }, this.heading, this.ways);
    const card = h("section", { class: "lesson-card" }, head, this.text, this.tools);
    this.element = h("div", { class: "lesson" }, card, this.exercise.stage, this.list);
    fill(host, this.element);
  }

  get #step() {
    return this.steps[this.#index];
  }

  /** The step that the address names, or the first that is not solved yet. */
  firstStep() {
    const named = this.steps.findIndex(({ id }) => id === location.hash.slice(1));
    const solved = solvedSteps(this.game.name);
    return Math.max(0, named < 0 ? this.steps.findIndex(({ id }) => !solved.includes(id)) : named);
  }

  /** Set up a step. @param {number} index */
  async begin(index) {
    this.#index = index;
    if (this.element.contains(document.activeElement)) this.heading.focus(); // what was pressed is drawn anew
    const { id, name, level } = this.#step;
    history.replaceState(null, "", `#${id}`);
    if (level) this.exercise.rest(boardPicture(this.game.name));
    else await this.exercise.begin(name);
  }

  #solved() {
    markSolved(this.game.name, this.#step.id);
    this.#draw();
    /** @type {HTMLElement | null} */
    const next = this.tools.querySelector(".primary");
    next?.focus();
  }

  /** Begin the first game. @param {{currentTarget: HTMLButtonElement}} event */
  async #play(event) {
    const pressed = event.currentTarget;
    pressed.disabled = true;
    const { level, options, seat, id } = this.#step;
    const seats = usualSeats(seatCount(this.game, options ?? {}), level ?? 1);
    [seats[0], seats[seat]] = [seats[seat], seats[0]];
    try {
      await openTable({ game: this.game.name, options: options ?? {}, seats, first: "order", private: true });
      markSolved(this.game.name, id);
    } catch (error) {
      failed(error);
      pressed.disabled = false;
    }
  }

  // --- drawing -----------------------------------------------------------------------------------

  #draw() {
    const { name, say: words, watch } = this.#step;
    const { state, decisions, feedback } = this.exercise;
    Object.assign(this.element.dataset, { state, decisions: decisions.length });
    const place = { n: number(this.#index + 1), count: number(this.steps.length) };
    fill(this.heading, h("small", { class: "muted" }, say("web.lesson-place", place)), " ", name);
    fill(
      this.text,
      h("p", { class: "task" }, words),
      watch?.length ? h("h2", {}, say("web.lesson-watch")) : null,
      watch?.length ? h("ul", {}, ...watch.map((each) => h("li", {}, each))) : null,
      feedbackLine(feedback),
    );
    this.#drawWays();
    this.#drawTools();
    this.#drawList();
  }

  /** Draw the ways to the steps beside this one. */
  #drawWays() {
    const last = this.#index === this.steps.length - 1;
    const way = (/** @type {string} */ words, /** @type {string} */ icon, /** @type {number} */ by) =>
      button(words, () => this.begin(this.#index + by), { icon, bare: true, class: "button bare" });
    fill(
      this.ways,
      this.#index ? way(say("web.lesson-before"), "prev", -1) : null,
      last || this.exercise.state === "solved" ? null : way(say("web.lesson-skip"), "next", 1),
    );
  }

  #drawTools() {
    const { state, decisions, wrong, board } = this.exercise;
    const { solution } = this.#step;
    const hint = solution?.[decisions.length];
    const asked = state === "asked";
    const primary = { class: "button primary" };
    fill(
      this.tools,
      asked && hint && wrong >= HINT_AFTER ? button(say("web.hint"), () => board.advise(hint), { icon: "hint" }) : null,
      asked && solution && wrong >= SHOW_AFTER
        ? button(say("web.lesson-show"), () => this.exercise.demonstrate(solution))
        : null,
      state === "solved" ? button(say("web.lesson-next"), () => this.begin(this.#index + 1), primary) : null,
      this.#index === this.steps.length - 1
        ? button(say("web.lesson-play"), (event) => this.#play(event), primary)
        : null,
    );
  }

  #drawList() {
    const solved = solvedSteps(this.game.name);
    const entries = this.steps.map(({ id, name }, index) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: `step${solved.includes(id) ? " solved" : ""}`,
            "aria-current": index === this.#index ? "step" : null,
            title: name,
            on: { click: () => this.begin(index) },
          },
          h("span", { "aria-hidden": "true" }, number(index + 1)),
          h("span", { class: "unseen" }, solved.includes(id) ? say("web.lesson-solved", { name }) : name),
        ),
      ),
    );
    const help = h("li", {}, h("a", { href: to("learn", this.game.name) }, say("web.lesson-rules")));
    fill(this.list, ...entries, help);
  }
}
