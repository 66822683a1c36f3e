/** The panel of an analysis: the evaluation, the best lines, how far was looked. Its elements stay; what they say changes. */

/** @import { Found } from "./messages.js" */

import { button, h } from "../lib/dom.js";
import { capital, number, percent, say } from "../lib/i18n.js";
import { speak } from "../lib/toasts.js";
import { LINES } from "./live-analysis.js";
import { chance, worth } from "./words.js";

const MOVES = 8; // of a line that are written
const QUIET = 6000; // milliseconds between two things that are spoken

/**
 * @typedef {{names: string[], turn: number | null, found: Found | null, note: string, where: string,
 *   previews: boolean, shown: {line: number, step: number, last: number} | null}} PanelState
 * `names` of the seats; `turn`: the seat to act; `note`: said where there is no line; `where` it is computed;
 * `previews`: whether lines can be tried out on the board; `shown`: the one that is, as its number, the moves made and all
 * its moves
 */

/** @typedef {{preview: (line: number) => void, step: (by: number) => void, leave: () => void}} Acts */

/** What can be done while a line is tried out. @param {Acts} acts */
function previewControls({ step, leave }) {
  /** @param {string} words @param {string} picture @param {number} by */
  const key = (words, picture, by) => button(words, () => step(by), { icon: picture, bare: true });
  return h(
    "div",
    { class: "row preview", role: "group", "aria-label": say("web.line-preview"), hidden: true },
    key(say("web.previous"), "prev", -1),
    key(say("web.next"), "next", 1),
    button(say("web.line-leave"), leave, { icon: "close" }),
  );
}

/** Let an element say something; what it says already costs nothing. @param {Element} element @param {string} words */
function write(element, words) {
  const text = element.firstChild;
  if (!(text instanceof Text)) element.textContent = words;
  else if (text.data !== words) text.data = words;
}

export class AnalysisPanel {
  #bars = h("div", { class: "bars" });
  #lines;
  #foot = h("small", { class: "muted foot" });
  #note = h("p", { class: "muted", hidden: true });
  #controls;
  /** @type {{row: HTMLLIElement, score: HTMLElement, moves: HTMLElement, key: HTMLButtonElement}[]} */
  #rows;
  #barKey = "";
  /** @type {HTMLProgressElement[]} */
  #shares = [];
  /** @type {Element[]} */
  #percents = [];
  #spoken = "";
  #spokenAt = -Infinity;
  #said = 0;

  /**
   * @param {Acts} acts
   * @param {(move: string) => string} words a move in words, where its text is a code to people
   */
  constructor(acts, words = (move) => move) {
    this.words = words;
    this.#rows = Array.from({ length: LINES }, (_, number) => {
      const score = h("b", { class: "score" });
      const moves = h("span", { class: "line-moves" });
      const key = h(
        "button",
        { type: "button", class: "line-button", "aria-pressed": "false", on: { click: () => acts.preview(number) } },
        h("span", { class: `rank rank-${number + 1}`, "aria-hidden": "true" }, String(number + 1)),
        score,
        " ",
        moves,
      );
      return { row: h("li", { hidden: true }, key), score, moves, key };
    });
    this.#lines = h("ol", { class: "lines" }, ...this.#rows.map(({ row }) => row));
    this.#controls = previewControls(acts);
    /** The same controls over the board, for a phone, where the panel covers it. */
    this.overBoard = previewControls(acts);
    this.overBoard.classList.add("over-board");
    this.element = h(
      "section",
      { class: "analysis live", "aria-label": say("web.engine-view") },
      this.#bars,
      this.#note,
      this.#lines,
      this.#controls,
      this.#foot,
    );
  }

  /** @param {PanelState} state */
  draw({ names, turn, found, note, where, previews, shown }) {
    this.#note.hidden = !note;
    write(this.#note, note);
    this.#drawBars(names, found);
    this.#rows.forEach(({ row, score, moves, key }, number) => {
      const line = turn === null ? undefined : found?.lines[number];
      row.hidden = !line;
      if (!line || turn === null) return;
      write(score, worth(line, turn));
      write(moves, this.#written(line.texts.slice(0, MOVES)));
      key.dataset.move = line.texts[0];
      const pressed = String(shown?.line === number);
      if (key.getAttribute("aria-pressed") !== pressed) key.setAttribute("aria-pressed", pressed);
      if (key.disabled === previews) key.disabled = !previews;
    });
    this.#controls.hidden = this.overBoard.hidden = !shown;
    const depth = found?.depth ? say("web.depth", { n: found.depth }) : "";
    const nodes = found?.nodes ? say("web.positions", { n: found.nodes, count: this.#count(found.nodes) }) : "";
    write(this.#foot, [depth, nodes, found ? where : ""].filter(Boolean).join(" · "));
    if (found && turn !== null) this.#announce(found, turn);
  }

  /** A line as it is read. @param {string[]} texts */
  #written(texts) {
    const words = texts.map(this.words);
    return words.join(words.some((each) => each.includes(" ")) ? ", " : " ");
  }

  /** A large number, short. @param {number} value */
  #count(value) {
    return number(value, { notation: "compact", maximumSignificantDigits: 3 });
  }

  /** @param {string[]} names @param {Found | null} found */
  #drawBars(names, found) {
    const scores = found?.lines[0]?.scores ?? names.map(() => 0);
    const key = names.join("\n");
    if (key !== this.#barKey) {
      this.#barKey = key;
      const rows = names.length === 2 ? [this.#duel(names)] : names.map((name) => this.#bar(name));
      this.#bars.replaceChildren(...rows);
      this.#shares = [...this.#bars.querySelectorAll("progress")];
      this.#percents = [...this.#bars.querySelectorAll(".percent")];
    }
    this.#bars.classList.toggle("unknown", !found);
    this.#shares.forEach((bar, seat) => {
      const share = Number(chance(scores[seat] ?? 0).toFixed(3)); // less is not to be seen
      if (bar.value !== share) bar.value = share;
    });
    this.#percents.forEach((shown, seat) => write(shown, found ? percent(chance(scores[seat] ?? 0)) : ""));
  }

  /** One bar for two: what one gains, the other loses. @param {string[]} names */
  #duel([first, second]) {
    return h(
      "div",
      { class: "duel" },
      h("span", {}, first, " ", h("b", { class: "percent" })),
      h("span", {}, h("b", { class: "percent" }), " ", second),
      h("progress", { max: 1, value: 0.5, "aria-label": first }),
    );
  }

  /** @param {string} name */
  #bar(name) {
    return h(
      "div",
      { class: "bar" },
      h("span", {}, name),
      h("progress", { max: 1, value: 0.5, "aria-label": name }),
      h("span", { class: "percent" }),
    );
  }

  /** Say the best move to a screen reader: when it is another one, and not often. @param {Found} found @param {number} turn */
  #announce(found, turn) {
    const [best] = found.lines;
    if (!best || best.texts[0] === this.#spoken) return;
    const wait = this.#spokenAt + QUIET - performance.now();
    clearTimeout(this.#said);
    if (wait > 0) {
      this.#said = setTimeout(() => this.#announce(found, turn), wait);
      return;
    }
    [this.#spoken, this.#spokenAt] = [best.texts[0], performance.now()];
    speak(capital(say("web.line-best", { move: this.words(best.texts[0]), worth: worth(best, turn) })));
  }

  /** Another position: what is best there is news, and said at once. */
  reset() {
    clearTimeout(this.#said);
    this.#spoken = "";
    this.#spokenAt = -Infinity;
  }
}
