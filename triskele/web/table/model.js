/** A table as the server describes it. Pure bookkeeping: messages go in, what changed comes out. */

/**
 * @import {
 *   AnsweredMessage, ChangedLook, ChatLine, ClockShown, Dice, Ended, Look, Made, MovedMessage, Mover, Offer, Options, Outcome, Scene,
 *   SceneChange, Seat, TableEvent, TableMessage
 * } from "../lib/protocol.js"
 */

/**
 * Replace or add what changed in a list, and leave out what is gone; the order is kept.
 * @template T
 * @param {T[]} old @param {T[]} changed @param {string[]} gone @param {(item: T) => string} key
 * @returns {T[]}
 */
function merged(old, changed, gone, key) {
  const items = new Map(old.map((item) => [key(item), item]));
  for (const name of gone) items.delete(name);
  for (const item of changed) items.set(key(item), item);
  return [...items.values()];
}

/** Apply a difference to the scene it is relative to. @param {Scene} scene @param {SceneChange} change @returns {Scene} */
function patched(scene, { base, pieces = [], gone = [], places = [], places_gone = [], ...rest }) {
  return {
    ...scene,
    ...rest,
    pieces: merged(scene.pieces, pieces, gone, (piece) => piece.id),
    places: merged(scene.places, places, places_gone, (place) => place.token),
  };
}

export class TableModel {
  #sceneSeq = 0;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.seq = 0;
    this.ready = false;
    this.game = "";
    this.title = "";
    /** @type {Options} */
    this.options = {};
    this.private = true;
    this.rated = false;
    /** Whether hints are allowed. */
    this.hints = true;
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {Made[]} */
    this.moves = [];
    /** @type {Look[]} one for each of my seats, or one as a spectator */
    this.looks = [];
    /** @type {Offer[]} */
    this.offers = [];
    /** @type {ChatLine[]} */
    this.chat = [];
    /** @type {Mover | null} */
    this.turn = null;
    /** @type {Outcome | null} */
    this.outcome = null;
    /** @type {Ended | null} the end outside the rules, if there was one */
    this.ended = null;
    /** How the game ended, in words. */
    this.text = "";
    /** @type {Dice | null} */
    this.dice = null;
    /** @type {(ClockShown & {received: number}) | null} the clocks, and when (`performance.now()`) they were told */
    this.clock = null;
    /** When the seats were told. */
    this.seatsReceived = 0;
    /** @type {string | null} the key for spectators */
    this.watch = null;
    /** @type {string | null} the table of the rematch */
    this.next_table = null;
  }

  /** My seats, as numbers. */
  get mine() {
    return this.seats.filter((seat) => seat.mine).map((seat) => seat.seat);
  }

  /** Those of my seats that have not given up and are not away, as numbers. */
  get playing() {
    return this.seats.filter((seat) => seat.mine && !seat.resigned && !seat.away).map((seat) => seat.seat);
  }

  /** Whether a seat is mine. @param {Mover | null | undefined} seat @returns {seat is number} */
  isMine(seat) {
    return typeof seat === "number" && this.mine.includes(seat);
  }

  /** Whether persons other than those at this screen sit here. */
  get others() {
    return this.seats.some((seat) => seat.kind !== "engine" && !seat.mine);
  }

  get over() {
    return this.outcome !== null;
  }

  /** @param {number | null} seat */
  look(seat) {
    return this.looks.find((look) => look.seat === seat);
  }

  /**
   * Take a message in; returns its type. `gap`: something before it is missing, and the table must be joined
   * again; `old`: it was known.
   * @param {TableEvent} message
   * @returns {TableEvent["type"] | "gap" | "old"}
   */
  receive(message) {
    const problem = this.#apply(message);
    if (problem) return problem;
    if (message.seq !== undefined) this.seq = Math.max(this.seq, message.seq);
    return message.type;
  }

  /** @param {TableEvent} message @returns {"gap" | "old" | undefined} */
  #apply(message) {
    switch (message.type) {
      case "table":
        return this.#replace(message);
      case "moved":
        return this.#moved(message);
      case "seats":
        return this.#seated(message.seats);
      case "offered":
        this.offers = message.offers;
        return undefined;
      case "answered":
        return this.#answered(message);
      case "ended":
        this.#setClock(message.clock);
        return this.#ended(message.outcome, message.ended, message.text);
      case "said":
        this.chat = [...this.chat, message];
        return undefined;
      case "dice":
        this.dice = message.dice;
        return undefined;
      default:
        return undefined;
    }
  }

  /** @param {TableMessage} message */
  #replace({ type, mine, clock, ...rest }) {
    Object.assign(this, rest);
    this.clock = null;
    this.#setClock(clock);
    this.seatsReceived = performance.now();
    this.looks = mine;
    this.ready = true;
    this.#sceneSeq = rest.seq;
    return undefined;
  }

  /** @param {MovedMessage} message */
  #moved(message) {
    // Compared with the last move or table: other messages, such as one about who is here, may carry the number of a
    // move that is still being stored and comes after them.
    if (message.seq <= this.#sceneSeq) return "old";
    if (message.at !== this.moves.length) return "gap";
    const looks = message.mine.map((look) => this.#whole(look));
    if (!looks.every((look) => look !== null)) return "gap";
    this.#sceneSeq = message.seq;
    this.moves = [...this.moves, { move: message.move, seat: message.seat, ms: message.ms }];
    this.turn = message.turn;
    this.looks = looks;
    this.#setClock(message.clock);
    this.offers = this.offers.filter((offer) => offer.what === "rematch");
    return undefined;
  }

  /** A look with its whole scene; `null` when the scene before is not known. @param {ChangedLook} look @returns {Look | null} */
  #whole(look) {
    const { scene } = look;
    if (!("base" in scene)) return { ...look, scene };
    const old = this.look(look.seat);
    return old && scene.base === this.#sceneSeq ? { ...look, scene: patched(old.scene, scene) } : null;
  }

  /** Keys of invitations come with the whole table only, and are kept. @param {Seat[]} seats */
  #seated(seats) {
    this.seats = seats.map((seat) => ({ ...this.seats[seat.seat], ...seat }));
    this.seatsReceived = performance.now();
    return undefined;
  }

  /** @param {ClockShown | null | undefined} clock */
  #setClock(clock) {
    if (clock) this.clock = { ...clock, received: performance.now() };
  }

  /** @param {AnsweredMessage} message */
  #answered(message) {
    this.offers = message.offers;
    if (message.next_table) this.next_table = message.next_table;
    return undefined;
  }

  /** @param {Outcome} outcome @param {Ended | null} ended @param {string} text */
  #ended(outcome, ended, text) {
    this.outcome = outcome;
    this.ended = ended;
    this.text = text;
    this.turn = null;
    this.offers = [];
    return undefined;
  }
}
