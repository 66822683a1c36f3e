/** The analysis board: a game with variations, comments, marks and an engine beside it. Kept by the browser. */

/** @import { AnalysisDocument, BoardSetup, Game } from "../lib/protocol.js" */
/** @import { Node, Path } from "./tree.js" */

import { post } from "../lib/api.js";
import { button, fill, h } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { failed, toast, speak } from "../lib/toasts.js";
import { go, to } from "../lib/router.js";
import { prefersReducedMotion } from "../lib/settings.js";
import { nameIn, seatTitle } from "../table/seat-names.js";
import { EngineLines } from "./engine-lines.js";
import { keep, newId } from "./kept.js";
import { MarksLayer } from "./marks-layer.js";
import { MoveEntry } from "./move-entry.js";
import { OpeningsPanel } from "./openings-panel.js";
import { Positions } from "./positions.js";
import { SetupBoard } from "./setup-board.js";
import { exportDialog, positionDialog } from "./dialogs.js";
import * as trees from "./tree.js";
import { TreeView } from "./tree-view.js";

const UNDONE = 500; // edits that can be undone
const SHOWN = 40; // positions that an animation has at most

export class AnalysisPage {
  /** @type {Node} */
  #tree;
  /** @type {Path} */
  #path;
  /** @type {{tree: Node, path: Path}[]} */
  #past = [];
  /** @type {{tree: Node, path: Path}[]} */
  #future = [];
  /** @type {"play" | "marks" | "setup"} */
  #mode = "play";
  #from = ""; // the place that an arrow begins at
  #run = 0;
  /** @type {string[] | null} the moves of the position in sight */
  #shown = null;
  /** @type {Map<string, string>} who made the last of some moves */
  #movers = new Map();
  /** @type {SetupBoard | null} */
  #setup = null;

  /**
   * @param {HTMLElement} host @param {Game} game @param {AnalysisDocument} document @param {string} id under which it is
   *   kept, or nothing if it is not yet
   */
  constructor(host, game, document, id = "") {
    this.game = game;
    this.id = id;
    this.document = document;
    this.#tree = trees.treeOf(document);
    this.#path = id ? [] : trees.mainEnd(this.#tree, []);
    this.positions = new Positions({ game: game.name, options: document.options, start: document.start });
    this.entry = new MoveEntry(game, {
      made: (move) => this.#make(move),
      chosen: (token) => this.#choose(token),
      place: () => this.place,
      look: async (move) => {
        const moves = [...trees.movesTo(this.#tree, this.#path), move];
        return this.positions.after(moves).then(
          ({ look }) => look.scene,
          () => undefined,
        );
      },
    });
    const { board } = this.entry;
    this.marks = new MarksLayer(board);
    this.engine = new EngineLines({
      game,
      board,
      names: () => this.#names(),
      place: () => this.place,
      play: (texts) => this.#playLine(texts),
    });
    this.openings = new OpeningsPanel((move) => this.#make(move));
    this.view = new TreeView({
      go: (path) => this.#go(path),
      mover: (_, moves) => this.#movers.get(moves.join("\n")) ?? "",
    });
    this.tools = h("div", { class: "row analysis-tools", role: "toolbar", "aria-label": say("web.analysis-tools") });
    this.steps = h("div", { class: "row analysis-steps", role: "group", "aria-label": say("web.moves") });
    this.comment = h("textarea", {
      rows: 2,
      maxLength: trees.COMMENT,
      "aria-label": say("web.comment"),
      placeholder: say("web.comment"),
      on: { change: () => this.#comment(this.comment.value) },
    });
    const title = say("web.analysis-of", { game: game.title });
    this.side = h(
      "section",
      { class: "analysis-side", "aria-label": say("web.analysis") },
      h("h1", {}, title),
      this.tools,
      this.engine.element,
      this.view.element,
      this.steps,
      h("label", { class: "comment" }, h("span", { class: "unseen" }, say("web.comment")), this.comment),
      this.openings.element,
    );
    this.element = h("div", { class: "lesson analysis-board" }, this.entry.stage, this.side);
    fill(host, this.element);
    this.keys = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    addEventListener("keydown", this.keys);
    void this.#show();
  }

  /** What the interface is asked about now. */
  get place() {
    return this.positions.place(trees.movesTo(this.#tree, this.#path));
  }

  /** The same, with what is marked in the last positions that lead there. */
  get #marked() {
    const marks = this.#path.map((_, depth) => trees.nodeAt(this.#tree, this.#path.slice(0, depth + 1)).marks);
    const marked = [this.#tree.marks, ...marks].map((each, at) => ({ at, marks: each }));
    return { ...this.place, marked: marked.slice(-SHOWN).filter((each) => each.marks.length) };
  }

  #names() {
    const { seats } = this.document;
    const count = seats.length || Math.min(...this.game.seats);
    return Array.from({ length: count }, (_, seat) =>
      nameIn(this.game.name, { seat, kind: "me", name: seats[seat] === "?" ? "" : (seats[seat] ?? ""), level: null }),
    );
  }

  /** The analysis as plain data. @returns {AnalysisDocument} */
  get written() {
    const { game, options, start, seats } = this.document;
    return { game, options, start, seats, ...trees.lineOf(this.#tree) };
  }

  // --- edits -------------------------------------------------------------------------------------

  /** @param {{tree: Node, path: Path}} next */
  #edit({ tree, path }) {
    if (tree !== this.#tree) {
      if (trees.size(tree) > trees.NODES) return void toast(capital(say("web.tree-full", { n: trees.NODES })), "bad");
      this.#past = [...this.#past.slice(-UNDONE), { tree: this.#tree, path: this.#path }];
      this.#future = [];
    }
    [this.#tree, this.#path] = [tree, path];
    this.#keep();
    void this.#show();
  }

  #keep() {
    if (!this.#past.length && !this.#future.length) return;
    const first = !this.id;
    this.id ||= newId();
    const kept = keep(this.id, this.written);
    if (first && kept) history.replaceState(null, "", `#s=${this.id}`);
    if (!kept) toast(say("web.not-kept"), "bad");
  }

  /** @param {"undo" | "redo"} way */
  #turnBack(way) {
    const [from, into] = way === "undo" ? [this.#past, this.#future] : [this.#future, this.#past];
    const found = from.pop();
    if (!found) return;
    into.push({ tree: this.#tree, path: this.#path });
    [this.#tree, this.#path] = [found.tree, trees.within(found.tree, found.path)];
    this.#keep();
    void this.#show();
  }

  /** @param {string} move */
  #make(move) {
    this.#edit(trees.push(this.#tree, this.#path, move));
  }

  /** @param {string[]} texts */
  #playLine(texts) {
    if (!texts.length) return;
    const before = this.#path;
    let next = { tree: this.#tree, path: before };
    for (const text of texts.slice(0, 8)) next = trees.push(next.tree, next.path, text);
    this.#edit({ tree: next.tree, path: next.path.slice(0, before.length + 1) });
  }

  /** @param {string} words */
  #comment(words) {
    const said = words.trim();
    if (said !== trees.nodeAt(this.#tree, this.#path).comment)
      this.#edit({ tree: trees.comment(this.#tree, this.#path, said), path: this.#path });
  }

  // --- marks -------------------------------------------------------------------------------------

  /** A place was chosen: for a mark, for an arrow, or for a thing. @param {string} token */
  #choose(token) {
    if (this.#setup) return void this.#setup.put(token);
    if (!this.#from) {
      this.#from = token;
      this.entry.askPlaces(say("web.marks-second", { place: token }));
      this.entry.board.point([token]);
      return undefined;
    }
    const mark = token === this.#from ? [token] : [this.#from, token];
    this.#from = "";
    this.#edit({ tree: trees.mark(this.#tree, this.#path, mark), path: this.#path });
    return undefined;
  }

  // --- setting up --------------------------------------------------------------------------------

  async #beginSetup() {
    const { game, options } = this.document;
    try {
      const { position } = await this.positions.after(trees.movesTo(this.#tree, this.#path));
      /** @type {BoardSetup} */
      const setup = await post("/analysis/setup", { game, options, start: position });
      if (!setup.ground) return void positionDialog(position, setup.reason, (text) => this.#begin(text));
      this.#mode = "setup";
      this.engine.rest();
      this.marks.show([]);
      this.entry.askPlaces(say("web.setup-asked"));
      this.#setup = new SetupBoard({
        game,
        options,
        setup,
        board: this.entry.board,
        scene: setup.ground,
        done: (text) => void this.#begin(text),
        leave: () => this.#endSetup(),
      });
      this.tools.after(this.#setup.element);
      this.element.dataset.mode = "setup";
      /** @type {HTMLElement | null} */
      const first = this.#setup.element.querySelector("input");
      first?.focus();
    } catch (error) {
      failed(error);
    }
  }

  #endSetup() {
    this.#setup?.close();
    this.#setup?.element.remove();
    this.#setup = null;
    this.#mode = "play";
    delete this.element.dataset.mode;
    this.#shown = null;
    void this.#show();
  }

  /** Begin a new analysis with a position; what is kept of this one stays. @param {string} text */
  async #begin(text) {
    const { game, options } = this.document;
    try {
      /** @type {AnalysisDocument} */
      const document = await post("/analysis/read", { game, options, start: text, moves: [] });
      const id = newId();
      keep(id, document);
      go(`${to("analysis", game)}#s=${id}`);
    } catch (error) {
      failed(error);
    }
  }

  // --- going -------------------------------------------------------------------------------------

  /** @param {Path} path */
  #go(path) {
    this.#path = path;
    void this.#show();
  }

  /** Go on by moves: to the next of the line, or back. @param {number} by */
  #step(by) {
    if (by < 0) return this.#go(this.#path.slice(0, by));
    return trees.nodeAt(this.#tree, this.#path).children.length ? this.#go([...this.#path, 0]) : undefined;
  }

  /** Go to what was tried instead. @param {number} by */
  #beside(by) {
    const above = this.#path.slice(0, -1);
    const { children } = trees.nodeAt(this.#tree, above);
    const index = (this.#path.at(-1) ?? 0) + by;
    if (this.#path.length && children[index]) this.#go([...above, index]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (this.#setup || target?.closest("input, textarea, select, dialog") || event.altKey) return;
    const command = event.ctrlKey || event.metaKey;
    /** @type {Object<string, () => void>} */
    const acts = command
      ? { z: () => this.#turnBack(event.shiftKey ? "redo" : "undo"), y: () => this.#turnBack("redo") }
      : {
          ArrowLeft: () => this.#step(-1),
          ArrowRight: () => this.#step(1),
          ArrowUp: () => this.#beside(-1),
          ArrowDown: () => this.#beside(1),
          Home: () => this.#go([]),
          End: () => this.#go(trees.mainEnd(this.#tree, this.#path)),
        };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // --- drawing -----------------------------------------------------------------------------------

  async #show() {
    const run = ++this.#run;
    const moves = trees.movesTo(this.#tree, this.#path);
    const key = moves.join("\n");
    this.#draw();
    const before = this.#shown;
    if (before && key === before.join("\n")) {
      if (this.#mode === "marks") this.#askMarks();
      return;
    }
    try {
      const position = await this.positions.after(moves);
      if (run !== this.#run) return;
      const forward =
        before !== null && moves.length === before.length + 1 && before.every((each, i) => each === moves[i]);
      this.#shown = moves;
      const { made } = position;
      if (made) this.#movers.set(key, made.seat === "chance" ? say("web.dice") : seatTitle(this.game.name, made.seat));
      this.marks.show([]);
      void this.engine.show(position);
      void this.openings.show(this.place);
      if (made && forward) speak(this.#spoken(made.move, this.#movers.get(key) ?? ""));
      await this.entry.show(position, forward && !prefersReducedMotion() ? 1 : undefined);
      if (run !== this.#run) return;
      this.element.dataset.moves = String(moves.length);
      this.#draw();
      if (this.#mode === "marks") this.#askMarks();
    } catch (error) {
      if (run === this.#run) failed(error);
    }
  }

  /** @param {string} move @param {string} mover */
  #spoken(move, mover) {
    return say("core.pair", { name: mover, value: move });
  }

  #askMarks() {
    this.#from = "";
    this.entry.askPlaces(say("web.marks-first"));
  }

  #toggleMarks() {
    this.#mode = this.#mode === "marks" ? "play" : "marks";
    if (this.#mode === "marks") this.#askMarks();
    else this.entry.ask();
    this.#draw();
  }

  #draw() {
    const node = trees.nodeAt(this.#tree, this.#path);
    this.view.draw(this.#tree, this.#path);
    this.marks.show(node.marks);
    if (document.activeElement !== this.comment) this.comment.value = node.comment;
    this.#drawTools(node);
  }

  /** @param {Node} node */
  #drawTools(node) {
    const above = this.#path.slice(0, -1);
    const tool = (
      /** @type {string} */ words,
      /** @type {() => void} */ act,
      /** @type {string} */ picture,
      more = {},
    ) => button(words, act, { icon: picture, bare: true, class: "button bare", ...more });
    const pressed = (/** @type {boolean} */ on) => ({ "aria-pressed": String(on) });
    fill(
      this.tools,
      tool(say("web.undo-edit"), () => this.#turnBack("undo"), "undo", { disabled: !this.#past.length }),
      tool(say("web.redo-edit"), () => this.#turnBack("redo"), "redo", { disabled: !this.#future.length }),
      tool(say("web.engine-view"), () => this.#switchEngine(), "eye", pressed(this.engine.on)),
      tool(say("web.marks"), () => this.#toggleMarks(), "mark", pressed(this.#mode === "marks")),
      tool(say("web.setup-position"), () => void this.#beginSetup(), "setup"),
      tool(say("web.export"), () => exportDialog(this.game, this.written, this.#marked), "share"),
      tool(say("web.analyses"), () => go(to("analysis")), "moves"),
    );
    fill(
      this.steps,
      tool(say("web.tree-start"), () => this.#go([]), "first", { disabled: !this.#path.length }),
      tool(say("web.previous"), () => this.#step(-1), "prev", { disabled: !this.#path.length }),
      tool(say("web.next"), () => this.#step(1), "next", { disabled: !node.children.length }),
      tool(say("web.tree-end"), () => this.#go(trees.mainEnd(this.#tree, this.#path)), "last", {
        disabled: !node.children.length,
      }),
      tool(say("web.promote"), () => this.#edit(trees.promote(this.#tree, this.#path)), "promote", {
        disabled: !this.#path.at(-1),
      }),
      tool(
        say("web.delete-from-here"),
        () => this.#edit({ ...trees.remove(this.#tree, this.#path), path: above }),
        "close",
        {
          disabled: !this.#path.length,
        },
      ),
    );
  }

  #switchEngine() {
    this.engine.switch(!this.engine.on);
    this.engine.element.hidden = !this.engine.on;
    this.#draw();
  }

  close() {
    removeEventListener("keydown", this.keys);
    this.#run++;
    this.#setup?.close();
    this.engine.close();
  }
}
