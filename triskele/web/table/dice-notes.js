/**
 * What this browser notes of a table's dice before it can be changed, and the check of all rolls against it at the end.
 *
 * Noted are, as soon as they are known: the commitment and the faces of the die, this browser's own seeds (before they
 * are sent), the hashes of all seeds, and every roll (before it is shown). The notes outlive the page: they are in the
 * browser's storage. A server that changes any of it later, or rolls what it likes, is found out here.
 *
 * @typedef {{key: string, seat?: number, roll?: number, due?: string, shown?: string}} Fault `seat` and `roll` from 1;
 *   `key` is the end of the name of its words
 * @typedef {{
 *   time: number, early: boolean, id: string, commitment: string, faces: number, outcomes: WeightedOutcome[] | null,
 *   hashes: (string | null)[], seeds: Object<number, {seed: string, taken: boolean}>, rolls: string[], faults: Fault[]
 * }} Noted `early`: since before the first roll; `taken`: the server said that it took the seed
 * @typedef {{faults: Fault[], rolls: number, early: boolean, own: boolean, die: boolean, computed: boolean}} Verdict `own`:
 *   a seed of this browser is in the dice; `die`: every roll is that of one fair die; `computed`: all rolls were
 *   computed here
 */

/** @import { Dice as KnownDice, WeightedOutcome } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { Dice, canCompute, seedHash } from "../lib/dice.js";
import { say } from "../lib/i18n.js";

const STORE = "triskele-dice:";
const TABLES_KEPT = 40;
const FAULTS_NAMED = 5;

/** A seed that nobody can guess. */
const newSeed = () => [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join("");

/** @param {string} table @returns {Noted | null} */
function read(table) {
  try {
    return JSON.parse(localStorage.getItem(STORE + table) ?? "null");
  } catch {
    return null; // a browser that keeps nothing notes as long as the page is open
  }
}

/** Keep the notes of the newest tables only. */
function forgetOld() {
  const tables = Object.keys(localStorage)
    .filter((key) => key.startsWith(STORE))
    .map((key) => key.slice(STORE.length));
  const newestFirst = tables.sort((one, other) => (read(other)?.time ?? 0) - (read(one)?.time ?? 0));
  for (const table of newestFirst.slice(TABLES_KEPT)) localStorage.removeItem(STORE + table);
}

/** The rolls that were made. @param {TableModel} model */
const rollsOf = ({ moves }) => moves.filter(({ seat }) => seat === "chance").map(({ move }) => move);

/** Whether outcomes can be such: different texts, each with a positive whole weight. @param {WeightedOutcome[] | undefined} outcomes */
const possible = (outcomes) =>
  Array.isArray(outcomes) &&
  outcomes.length > 0 &&
  new Set(outcomes.map(([text]) => text)).size === outcomes.length &&
  outcomes.every(([, weight]) => Number.isSafeInteger(weight) && weight > 0);

/** Whether the dice state all faces of one fair die. @param {{faces: number, outcomes?: WeightedOutcome[] | null}} dice */
const isFairDie = ({ faces, outcomes }) =>
  possible(outcomes ?? undefined) && outcomes?.length === faces && outcomes.every(([, weight]) => weight === 1);

export class DiceNotes {
  /** @type {Noted | null} */
  #noted;
  #written = "";

  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.#noted = read(table);
  }

  /** What is noted, to be shown; nothing before the dice are known. */
  get noted() {
    return this.#noted;
  }

  /** Note what is new of the dice, and compare the rest. @param {TableModel} model @returns {Fault[]} faults found now */
  note(model) {
    const { dice } = model;
    if (!dice) return [];
    const rolls = rollsOf(model);
    this.#noted ??= {
      time: Date.now(),
      early: rolls.length === 0 && !model.over,
      id: dice.id,
      commitment: dice.commitment,
      faces: dice.faces,
      outcomes: dice.outcomes ?? null,
      hashes: dice.seeds.map(() => null),
      seeds: {},
      rolls: [],
      faults: [],
    };
    const before = this.#noted.faults.length;
    this.#compare(this.#noted, dice, rolls);
    this.#save();
    return this.#noted.faults.slice(before);
  }

  /** @param {Noted} noted @param {KnownDice} dice @param {string[]} rolls */
  #compare(noted, dice, rolls) {
    if (dice.commitment !== noted.commitment || dice.id !== noted.id) this.#fault({ key: "commitment" });
    const same = dice.faces === noted.faces && JSON.stringify(dice.outcomes ?? null) === JSON.stringify(noted.outcomes);
    if (!same) this.#fault({ key: "faces" });
    dice.seed_hashes.forEach((hash, seat) => {
      if (noted.hashes[seat] && hash !== noted.hashes[seat]) this.#fault({ key: "announced", seat: seat + 1 });
      noted.hashes[seat] ??= hash;
    });
    noted.rolls.forEach((shown, index) => {
      if (rolls[index] !== shown) this.#fault({ key: "changed", roll: index + 1, shown });
    });
    noted.rolls.push(...rolls.slice(noted.rolls.length));
  }

  /** @param {Fault} fault */
  #fault(fault) {
    const faults = this.#noted?.faults ?? [];
    if (!faults.some((known) => JSON.stringify(known) === JSON.stringify(fault))) faults.push(fault);
  }

  #save() {
    const noted = this.#noted;
    if (!noted) return;
    // Another tab of this browser may have the same table open.
    const stored = read(this.table);
    for (const [seat, given] of Object.entries(noted.seeds)) {
      const other = stored?.seeds[Number(seat)];
      given.taken ||= Boolean(other?.taken && other.seed === given.seed);
    }
    const written = JSON.stringify(noted);
    if (written === this.#written) return;
    this.#written = written;
    try {
      localStorage.setItem(STORE + this.table, written);
      if (!stored) forgetOld();
    } catch {
      // it holds until the page is closed
    }
  }

  /** The seed to send for a seat, noted before it is sent; none if it was sent and taken. @param {number} seat */
  seedFor(seat) {
    const noted = this.#noted;
    if (!noted) return null;
    const known = noted.seeds[seat] ?? read(this.table)?.seeds[seat];
    noted.seeds[seat] = known ?? { seed: newSeed(), taken: false };
    this.#save();
    return noted.seeds[seat].taken ? null : noted.seeds[seat].seed;
  }

  /** The server took the seed of a seat. @param {number} seat */
  taken(seat) {
    const given = this.#noted?.seeds[seat];
    if (given) given.taken = true;
    this.#save();
  }

  /**
   * Compute all rolls of a finished game, and compare them with the notes.
   * @param {TableModel} model
   * @param {() => Promise<WeightedOutcome[][]>} ask what each roll could bring, where it is not one fair die
   * @returns {Promise<Verdict | null>} nothing if there are no dice
   */
  async check(model, ask) {
    this.note(model);
    const { dice } = model;
    const noted = this.#noted;
    if (!dice || !noted) return null;
    const own = Object.entries(noted.seeds).some(([seat, { seed }]) => dice.seeds[Number(seat)] === seed);
    /** @type {Verdict} */
    const verdict = {
      faults: [...noted.faults],
      rolls: noted.rolls.length,
      early: noted.early,
      own,
      die: noted.faces > 0,
      computed: false,
    };
    verdict.faults.push(...this.#swapped(model, dice, noted));
    if (!dice.secret) verdict.faults.push({ key: "secret-missing" });
    else if (canCompute()) {
      const known = { ...dice, secret: dice.secret };
      verdict.faults.push(...(await this.#unbound(known, noted)));
      if (!verdict.faults.length) verdict.faults.push(...(await this.#wrongRolls(known, noted, ask)));
      verdict.computed = true;
    }
    return verdict;
  }

  /** The seeds that are not as they were given. @param {TableModel} model @param {KnownDice} dice @param {Noted} noted @returns {Fault[]} */
  #swapped({ seats }, dice, noted) {
    const mine = Object.entries(noted.seeds)
      .filter(([seat, { seed, taken }]) => taken && dice.seeds[Number(seat)] !== seed)
      .map(([seat]) => ({ key: "swapped", seat: Number(seat) + 1 }));
    // Whoever knows the secret could choose such a seed so that the rolls are to its liking.
    const engines = seats
      .filter(({ kind, seat }) => kind === "engine" && dice.seeds[seat] !== null)
      .map(({ seat }) => ({ key: "engine", seat: seat + 1 }));
    return [...mine, ...engines];
  }

  /** What is not bound by what was published before the first roll. @param {KnownDice & {secret: string}} dice @param {Noted} noted */
  async #unbound(dice, noted) {
    /** @type {Fault[]} */
    const faults = [];
    if ((await new Dice(dice).commitment()) !== noted.commitment) faults.push({ key: "secret" });
    for (const [seat, seed] of dice.seeds.entries()) {
      const hash = seed === null ? null : await seedHash(dice.id, seat, seed);
      if (hash !== noted.hashes[seat]) faults.push({ key: "announced", seat: seat + 1 });
    }
    return faults;
  }

  /** @param {KnownDice & {secret: string}} known @param {Noted} noted @param {() => Promise<WeightedOutcome[][]>} ask */
  async #wrongRolls(known, noted, ask) {
    if (noted.faces && !isFairDie(noted)) return [{ key: "faces" }];
    const outcomes = noted.faces ? noted.rolls.map(() => noted.outcomes ?? []) : await ask();
    const dice = new Dice(known);
    /** @type {Fault[]} */
    const faults = [];
    for (const [index, shown] of noted.rolls.entries()) {
      if (!possible(outcomes[index])) return [{ key: "outcomes", roll: index + 1 }];
      const due = (await dice.due(index, outcomes[index])) ?? "";
      if (due !== shown) faults.push({ key: "roll", roll: index + 1, due, shown });
    }
    return faults;
  }
}

/** A fault in words. @param {Fault} fault */
export const faultWords = ({ key, ...values }) => say(`web.dice-fault-${key}`, values);

/** What came of the check, in words: the result, then what should be known about it. @param {Verdict} verdict @returns {string[]} */
export function verdictWords({ faults, rolls, early, own, die, computed }) {
  if (faults.length) return [say("web.dice-bad"), ...faults.slice(0, FAULTS_NAMED).map(faultWords)];
  if (!computed) return [say("web.dice-no-https")];
  const cautions = [
    early ? "" : say("web.dice-late"),
    own ? "" : say("web.dice-not-own"),
    die ? "" : say("web.dice-weights"),
  ].filter(Boolean);
  return [say(cautions.length ? "web.dice-fit" : "web.dice-proved", { n: rolls }), ...cautions];
}
