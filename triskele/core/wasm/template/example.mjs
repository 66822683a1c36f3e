// The rules of a game of Triskele in JavaScript: a loader to copy into your own site, and a command for node.
//
//   node example.mjs perft N [OPTION=VALUE ...]   the number of sequences of 1, 2 ... N moves, one a line
//   node example.mjs games N SEED                 N random games: one line of JSON
//   node example.mjs best "POSITION TEXT" NODES   the best move that a search of so many nodes finds
//
// In a page: import {load} from "./example.mjs"; const game = await load();

import {PageEngine} from "./page-engine.mjs";
import {ModuleError, WasmModule, compile} from "./wasm-module.mjs";

export {ModuleError, PageEngine};

const NAME = "GAME_NAME";

/** A game: the rules in its module. A state is an array of int64 in the module's memory. */
export class Game extends WasmModule {
  /** @param {WebAssembly.Module} module  @param {object} description what is in the JSON beside the module */
  constructor(module, description) {
    super(module, description);
    this.moves = this.array("int64", description.constants.MOVES);
  }

  /** Return the numbers that the rules get for options by name; what is left out has its default. */
  encode(options = {}) {
    const known = this.description.options;
    for (const name of Object.keys(options)) {
      if (!known.some((option) => option.name === name)) {
        throw new ModuleError("argument", `there is no option ${name}; there are: ${known.map((option) => option.name).join(", ")}`);
      }
    }
    return known.flatMap((option) => encoded(option, options[option.name] ?? option.default));
  }

  /** Return a state at the start of a game, with room for the log of `moves` moves. */
  start(options = {}, moves = 2000) {
    const {SIZE, LOG} = this.description.constants;
    const numbers = this.encode(options);
    const given = this.array("int64", numbers.length);
    given.values.set(numbers);
    const state = this.array("int64", SIZE + LOG * moves);
    state.values[0] = BigInt(SIZE);
    this.call("start", state, given);
    return state;
  }

  /** Return the state of a position text, such as Triskele prints it: `GAME OPTION=VALUE ...: POSITION`. */
  read(line, moves = 2000) {
    const {game} = this.description;
    const [head, ...rest] = line.trim().split(": ");
    const [name, ...words] = head.split(/\s+/);
    if (name !== game || rest.length === 0) throw new ModuleError("argument", `a position of ${game} begins with ${game}`);
    if (!this.signatures.has("read_position")) {
      throw new ModuleError("unsupported", `the module of ${game} reads no positions`);
    }
    const state = this.start(optionsOf(words), moves);
    const body = rest.join(": ");
    const text = this.array("uint8", body.length);
    text.values.set(Array.from(body, (sign) => Math.min(sign.charCodeAt(0), 127)));
    const refused = Number(this.call("read_position", text, body.length, state));
    if (refused !== 0) throw new ModuleError("argument", `this is not a position of ${game} (reason ${refused & 255})`);
    return state;
  }

  /** Return the text of the best move that a search of `nodes` nodes finds; the only move without a search. */
  best(state, nodes) {
    const seat = this.actor(state);
    const {CHANCE, OVER} = this.description.constants;
    if (seat === OVER) throw new ModuleError("argument", "the game is over");
    if (this.description.hidden) throw new ModuleError("unsupported", `${NAME} has secrets: ask PageEngine, with what the seat has seen`);
    if (seat === CHANCE) throw new ModuleError("argument", "a die has to be rolled first");
    const moves = this.legal(state);
    if (moves.length === 1) return this.moveText(state, moves[0]);
    this.engine ??= new PageEngine(this);
    this.engine.forget();
    const {values} = state;
    this.engine.start({state: values.slice(0, Number(values[0])), seat, nodes});
    while (!this.engine.resume(1000).done);
    return this.engine.best().text;
  }

  /** Return the seat to act, or one of the constants CHANCE and OVER. */
  actor(state) {
    return Number(this.call("actor", state));
  }

  /** Return the codes of the legal moves. */
  legal(state) {
    const number = Number(this.call("legal", state, this.moves));
    return Array.from(this.moves.values.subarray(0, number), Number);
  }

  /** Return the codes of what seats that are not to act may do now. */
  interrupts(state) {
    const number = Number(this.call("interrupts", state, this.moves));
    return Array.from(this.moves.values.subarray(0, number), Number);
  }

  /** Make a legal move. */
  apply(state, move) {
    this.call("apply", state, move);
  }

  /** Return the number of sequences of exactly `depth` moves from a state. */
  perft(state, depth) {
    const {LOG, MOVES} = this.description.constants;
    const states = this.array("int64", depth, Number(state.values[0]) + (depth + 1) * LOG);
    const moves = this.array("int64", depth, MOVES);
    return Number(this.call("perft", state, depth, states, moves, this.array("int64", 2 * depth)));
  }

  /** Play random games from a state; return how many moves were made. The same seed gives the same games. */
  playouts(first, games, seed) {
    const {LOG} = this.description.constants;
    const state = this.array("int64", first.lengths[0] + 4096 * LOG);
    const generator = this.array("uint64", 1);
    generator.values[0] = BigInt.asUintN(64, BigInt(seed));
    const made = Number(this.call("playouts", first, state, this.moves, generator, games, 1_000_000));
    if (made < 0) throw new ModuleError("argument", "a random game did not end");
    return made;
  }
}

/** Return the numbers of an option's value, which may be written as text. */
function encoded(option, value) {
  const refuse = (allowed) => {
    throw new ModuleError("argument", `${option.name} cannot be ${value}; allowed: ${allowed}`);
  };
  const written = String(value).toLowerCase();
  if (option.kind === "flag") {
    if (["true", "yes", "on", "1"].includes(written)) return [1n];
    return ["false", "no", "off", "0"].includes(written) ? [0n] : refuse("true, false");
  }
  if (option.kind === "number") {
    const number = /^-?\d{1,9}$/.test(written) ? Number(written) : NaN;
    if (option.only) return option.only.includes(number) ? [BigInt(number)] : refuse(option.only.join(", "));
    return number >= option.low && number <= option.high ? [BigInt(number)] : refuse(`${option.low} to ${option.high}`);
  }
  if (option.kind === "choice") {
    const index = option.choices.indexOf(String(value));
    return index >= 0 ? [BigInt(index)] : refuse(option.choices.join(", "));
  }
  if (option.kind === "digits") {
    const rows = String(value).split("/");
    const fit = rows.length === option.rows.length && rows.every((row, i) => row.length === option.rows[i]);
    const digits = [...rows.join("")];
    if (fit && digits.every((digit) => digit >= "1" && digit <= String(option.high))) return digits.map(BigInt);
    return refuse(`rows of ${option.rows.join(", ")} digits from 1 to ${option.high}, such as ${option.default}`);
  }
  const numbers = option.encodings[String(value)];
  return numbers ? numbers.map(BigInt) : refuse(Object.keys(option.encodings).join(", "));
}

/** Load the game that lies beside this file (or beside `base`), in a page or in node. */
export async function load(name = NAME, base = import.meta.url) {
  const [bytes, text] = await Promise.all([read(new URL(`${name}.wasm`, base)), read(new URL(`${name}.json`, base))]);
  const description = JSON.parse(new TextDecoder().decode(text));
  return new Game(await compile(bytes, description), description);
}

async function read(url) {
  if (url.protocol === "file:") return (await import("node:fs/promises")).readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new ModuleError("truncated", `${url}: ${answer.status}`);
  return answer.arrayBuffer();
}

// --- the command -------------------------------------------------------------------------------------------

const USAGE = 'usage: node example.mjs perft N [OPTION=VALUE ...] | games N SEED | best "POSITION TEXT" NODES';

/** Return options that are written as NAME=VALUE each. */
function optionsOf(words) {
  return Object.fromEntries(words.map((word) => [word.split("=")[0], word.slice(word.indexOf("=") + 1)]));
}

function whole(written, low, high) {
  const number = /^\d{1,9}$/.test(written ?? "") ? Number(written) : NaN;
  if (!(number >= low && number <= high)) throw new ModuleError("argument", `${written} is not a whole number from ${low} to ${high}`);
  return number;
}

async function main(words) {
  const [command, number, ...rest] = words;
  const game = await load();
  if (command === "perft" && number !== undefined) {
    const state = game.start(optionsOf(rest), 64);
    const mark = game.top;
    for (let depth = 1, leaves = 1; depth <= whole(number, 1, 64); depth++) {
      game.top = mark; // the arrays of the last depth are not needed any more
      leaves = leaves && game.perft(state, depth);
      console.log(String(leaves));
    }
  } else if (command === "games" && rest.length === 1 && /^-?\d+$/.test(rest[0])) {
    const games = whole(number, 1, 999_999_999);
    const first = game.start();
    const began = performance.now();
    const moves = game.playouts(first, games, rest[0]);
    const seconds = (performance.now() - began) / 1000;
    const speed = Math.round((games / seconds) * 10) / 10;
    console.log(JSON.stringify({game: NAME, games, moves, seconds: Number(seconds.toFixed(3)), games_per_second: speed}));
  } else if (command === "best" && rest.length === 1) {
    console.log(game.best(game.read(number), whole(rest[0], 1, 999_999_999)));
  } else {
    console.error(USAGE);
    return 2;
  }
  return 0;
}

if (typeof process !== "undefined" && process.argv?.[1]) {
  const {pathToFileURL} = await import("node:url");
  const {realpathSync} = await import("node:fs");
  if (pathToFileURL(realpathSync(process.argv[1])).href === import.meta.url) {
    try {
      process.exitCode = await main(process.argv.slice(2));
    } catch (error) {
      if (!(error instanceof ModuleError)) throw error;
      console.error(error.message);
      process.exitCode = 1;
    }
  }
}
