// An engine that runs here: in a Worker of the page, in node, or in another site.
//
//   const engine = await PageEngine.load({module, description, memoryMb: 64});
//   engine.start({state, seat, level: null, seed: 0, lines: 3});
//   for (let done = false; !done; ) ({done, info} = engine.resume(50));
//   engine.best(); // {code, text}
//
// It drives the game's search program, the same that Triskele runs in native code: the same question, level, seed,
// number of nodes and memory give the same answer. core/contract/search_program.py states the calling convention.

import { ModuleError, WasmModule, compile } from "./wasm-module.js";

export { ModuleError };

/** @typedef {import("./wasm-module.js").WasmArray} WasmArray */
/** @typedef {{codes: number[], texts: string[], scores: number[], proven: number | null}} Line the best first */
/** @typedef {{depth: number, nodes: number, scores: number[], lines: Line[], proven: number | null}} Info */
/**
 * @typedef {object} Question
 * @property {BigInt64Array} state what the seat may know, as the rules have it
 * @property {number[]} [history] the codes of all moves made, -1 for those that the seat has not seen: a search with
 *   `history` reads them, others need none
 * @property {number} seat the seat that asks
 * @property {number | null} [level] from 1 to 10; null is full strength without a limit of its own
 * @property {number} [seed] decides what weak levels get wrong
 * @property {number} [lines] how many lines are wanted
 * @property {number | null} [nodes] how many nodes to search at most; null for any number
 * @property {number | null} [appraised] the code of a move: the answer is the best line and, where it is worse, that move;
 *   -1 asks a search with exact values what the position is worth
 * @property {boolean} [interrupt] which move the seat makes out of turn; the answer has no line if it makes none
 */

const FULL_LEVEL = 10;
const USUAL_MEMORY_MB = 256;
/** Milliseconds of a slice. */
const SLICE = 8;
/** The part of the memory that the search's table gets: a little stays for the rest. */
const TABLE_BYTES_PER_MB = 800_000;

/** A search with its workspace, which is kept from one question to the next. */
export class PageEngine {
  /**
   * Load the engine of a game's module. Throws a ModuleError whose `reason` says why it cannot be used.
   * @param {{module: ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module,
   *   description: import("./description.js").Description, memoryMb?: number}} options
   */
  static async load({ module, description, memoryMb = USUAL_MEMORY_MB }) {
    return new PageEngine(new WasmModule(await compile(module, description), description), memoryMb);
  }

  /**
   * @param {WasmModule} module
   * @param {number} memoryMb how much memory it may use, about
   */
  constructor(module, memoryMb = USUAL_MEMORY_MB) {
    this.module = module;
    this.memoryMb = memoryMb;
    const { search, game } = module.description;
    if (!search) throw new ModuleError("unsupported", `the module of ${game} has no engine`);
    this.search = search;
    /** @type {Record<string, number>} the sizes that arrays have now, and that there is room for */
    this.sizes = { root: 0, capacity: 0 };
    this.room = { root: 0, capacity: 0 };
    /** @type {Map<string, WasmArray>} */
    this.arrays = new Map();
    this.question = module.array("int64", search.question.length);
    /** @type {WasmArray | null} */
    this.root = null;
    this.status = 0;
    this.rate = 0;
    this.deadline = Infinity;
    /** @type {Map<number, string>} */
    this.texts = new Map();
  }

  /** Begin to answer a question; an earlier one is dropped. */
  start(/** @type {Question} */ question) {
    const { seed = this.search.seed, seat, level = null, lines = 1, nodes = null, interrupt = false } = question;
    const { appraised = null } = question;
    if (appraised !== null && !this.search.appraises) {
      throw new ModuleError("unsupported", `the search of ${this.module.description.game} does not appraise moves`);
    }
    const state = this.rootWords(question);
    const its = this.search.levels[(level ?? FULL_LEVEL) - 1];
    if (its === undefined || !Number.isInteger(level ?? FULL_LEVEL)) {
      throw new ModuleError("argument", `level cannot be ${level}; allowed: 1 to ${this.search.levels.length}, null`);
    }
    const limit = level === null ? nodes : least(nodes, its.nodes);
    this.provide(state.length, this.wantedCapacity(limit, level === null ? null : its.seconds));
    const root = /** @type {WasmArray} */ (this.root);
    root.lengths = [state.length];
    root.values.set(state);
    /** @type {Record<string, number | null>} */
    const words = {
      ...its,
      seat,
      level: its.number,
      nodes: limit ?? 0,
      depth: its.depth ?? 0,
      seed: Number(BigInt.asUintN(31, BigInt(seed))),
      lines,
      interrupt: Number(interrupt),
      appraised: appraised === null ? 0 : appraised + 2,
    };
    if (level === null) Object.assign(words, { depth: 0, noise: 0, oversight: 0, lapses: 1000 });
    const names = /** @type {string[]} */ (this.search.question.words);
    this.question.values.fill(0n);
    this.question.values.set(names.map((name) => BigInt(words[name] ?? 0)));
    this.module.call(this.search.start, this.workspace(), root, this.question);
    this.status = this.search.statuses.RUNNING;
    this.deadline = performance.now() + 1000 * ((level === null ? null : its.seconds) ?? Infinity);
    this.texts.clear();
  }

  /**
   * Search for some milliseconds. `done`: there is nothing more to search, or the level's time is over.
   * @returns {{done: boolean, info: Info}}
   */
  resume(/** @type {number} */ milliseconds) {
    const { SETTLED, SPENT } = this.search.statuses;
    const began = performance.now();
    const end = Math.min(began + milliseconds, this.deadline);
    for (let now = began; this.status !== SETTLED && this.status !== SPENT;) {
      const budget = this.rate
        ? Math.max(4, Math.round(this.rate * Math.min(SLICE, end - now)))
        : this.search.first_slice;
      const before = this.nodes;
      this.status = Number(this.module.call(this.search.resume, this.workspace(), budget));
      const after = performance.now();
      const fresh = (this.nodes - before) / Math.max(after - now, 0.05);
      this.rate = this.rate ? (this.rate + fresh) / 2 : fresh;
      now = after;
      if (now >= end) break;
    }
    const done = this.status === SETTLED || this.status === SPENT || performance.now() >= this.deadline;
    return { done, info: this.info() };
  }

  /** The nodes that were searched for the last question. */
  get nodes() {
    return Number(this.values("found")[this.search.found.NODES]);
  }

  /** Return what was found so far, as an answer to the question. */
  info() {
    const { found, line } = this.search;
    const words = this.values("found");
    const codes = this.values("line_codes");
    const scores = Float64Array.from(this.values("line_scores"), Number);
    const [, width] = this.shape("line_codes");
    const [, room] = this.shape("line_scores");
    const seats = Number(words[found.SEATS]);
    /** @type {Line[]} */
    const lines = [];
    for (let number = 0; number < Number(words[found.LINES]); number++) {
      const row = Array.from(codes.subarray(number * width, (number + 1) * width), Number);
      const moves = row.slice(line.CODES, line.CODES + row[line.LENGTH]);
      lines.push({
        codes: moves,
        texts: moves.map((code) => this.moveText(code)),
        scores: Array.from(scores.subarray(number * room, number * room + seats)),
        proven: row[line.PROVEN] < 0 ? null : row[line.PROVEN],
      });
    }
    const [best] = lines;
    const depth = Number(words[found.DEPTH]);
    return { depth, nodes: this.nodes, scores: best?.scores ?? [], lines, proven: best?.proven ?? null };
  }

  /** Return the move to make; null where the seat makes none out of turn. */
  best() {
    const [line] = this.info().lines;
    return line ? { code: line.codes[0], text: line.texts[0] } : null;
  }

  /** Drop what earlier searches found: the next answer is that of a new engine. */
  forget() {
    for (const field of this.search.fields) {
      const array = this.arrays.get(field.name);
      if (array && !("data" in field)) fill(array, field.fill);
    }
    this.sizes.capacity = 0;
  }

  // --- the workspace ---------------------------------------------------------------------------------

  /**
   * Return what the search begins with: the state, and the moves made if it reads them.
   * @private
   */
  rootWords(/** @type {Question} */ { state, history = [] }) {
    return this.search.history ? BigInt64Array.from([...state, ...history.map(BigInt)]) : state;
  }

  /** @private */
  moveText(/** @type {number} */ code) {
    let text = this.texts.get(code);
    if (text === undefined) {
      text = this.module.moveText(/** @type {WasmArray} */ (this.root), code);
      this.texts.set(code, text);
    }
    return text;
  }

  /** @private */
  wantedCapacity(/** @type {number | null} */ nodes, /** @type {number | null} */ seconds) {
    const its = this.search.capacity;
    if (its === null) return 0;
    const expected = Math.min((seconds ?? Infinity) * its.nodes_per_second, nodes ?? Infinity);
    const useful = expected === Infinity ? its.most : Math.max(Math.floor(expected), its.usual);
    const within = Math.max(its.least, Math.floor((this.memoryMb * TABLE_BYTES_PER_MB) / its.item_bytes));
    return 2 ** Math.floor(Math.log2(Math.max(its.least, Math.min(within, useful))));
  }

  /**
   * Have room for states of `root` words and at least `capacity`; what gets a larger capacity begins anew.
   * @private
   */
  provide(/** @type {number} */ root, /** @type {number} */ capacity) {
    if (root > this.room.root) {
      this.room.root = this.sizes.root = 2 * root;
      this.root = this.module.array("int64", this.room.root);
      this.allocate("root");
    }
    if (capacity > this.sizes.capacity) {
      this.sizes.capacity = capacity;
      if (capacity > this.room.capacity) {
        this.allocateLarge();
      } else {
        for (const field of this.search.fields) {
          if ("data" in field || !dependsOn(field, "capacity")) continue;
          const array = /** @type {WasmArray} */ (this.arrays.get(field.name));
          array.lengths = this.shape(field.name);
          fill(array, field.fill);
        }
      }
    }
    if (this.arrays.size < this.search.fields.length) this.allocate(null);
  }

  /**
   * Make the arrays that depend on the capacity; with less of it, where the machine does not have the memory.
   * @private
   */
  allocateLarge() {
    for (;;) {
      try {
        this.allocate("capacity");
        this.room.capacity = this.sizes.capacity;
        return;
      } catch (error) {
        this.sizes.capacity /= 2;
        if (!(error instanceof ModuleError) || this.sizes.capacity < (this.search.capacity?.least ?? 0)) throw error;
      }
    }
  }

  /**
   * Make the arrays that depend on a size, or on none. Memory is not given back, so those that can become large are the
   * last ones, and take their old place again where nothing lies behind it.
   * @private
   */
  allocate(/** @type {string | null} */ size) {
    for (const field of this.search.fields) {
      const sized = dependsOn(field, "root") ? "root" : dependsOn(field, "capacity") ? "capacity" : null;
      if (sized !== size) continue;
      if ("data" in field) {
        const at = this.module.exports.search_data.value + field.data;
        this.arrays.set(field.name, this.module.arrayAt(at, field.type, field.shape));
        continue;
      }
      const old = this.arrays.get(field.name);
      if (old && old.at + old.values.byteLength === this.module.top) this.module.top = old.at;
      const array = this.module.array(field.type, ...this.shape(field.name));
      this.arrays.set(field.name, array);
      if (field.fill !== 0) fill(array, field.fill);
    }
  }

  /** @private @returns {number[]} */
  shape(/** @type {string} */ name) {
    const field = this.search.fields.find((each) => each.name === name);
    if (!field) throw new ModuleError("version", `the search has no array ${name}`);
    return field.shape.map((length) => (typeof length === "number" ? length : this.sizes[length.size] + length.plus));
  }

  /** @private */
  workspace() {
    return this.search.fields.map((field) => this.arrays.get(field.name));
  }

  /** @private */
  values(/** @type {string} */ name) {
    return /** @type {WasmArray} */ (this.arrays.get(name)).values;
  }
}

/** Return the lesser of two limits, where null is none. */
function least(/** @type {number | null} */ one, /** @type {number | null} */ other) {
  return one === null ? other : other === null ? one : Math.min(one, other);
}

function dependsOn(/** @type {import("./description.js").Field} */ field, /** @type {string} */ size) {
  return field.shape.some((length) => typeof length !== "number" && length.size === size);
}

function fill(/** @type {WasmArray} */ array, /** @type {number} */ value) {
  array.values.fill(array.type.endsWith("int64") ? BigInt(value) : value);
}
