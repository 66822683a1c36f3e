/**
 * A table as the server tells it. Pure bookkeeping: messages go in, what changed comes out.
 *
 * @typedef {import("./scene-view.js").Scene} Scene
 * @typedef {{
 *   seat: number, kind: string, name: string, level: number | null, present: boolean, mine: boolean, taken: boolean,
 *   key?: string
 * }} Seat
 * @typedef {{move: string, seat: number | "chance", ms: number}} Made
 * @typedef {{
 *   seat: number | null, view: *, scene: Scene, ask: string, moves: [string, string[][]][],
 *   interrupts: [string, string[][]][]
 * }} Look
 */

/** @param {*[]} old @param {*[] | undefined} changed @param {string[] | undefined} gone @param {string} name */
function merged(old, changed, gone, name) {
  const items = new Map(old.map((item) => [item[name], item]));
  for (const item of gone ?? []) items.delete(item);
  for (const item of changed ?? []) items.set(item[name], item);
  return [...items.values()];
}

/** Apply a difference to the scene it is relative to. @param {Scene} scene @param {*} change @returns {Scene} */
function patched(scene, { base, pieces, gone, places, places_gone, ...rest }) {
  return {
    ...scene,
    ...rest,
    pieces: merged(scene.pieces, pieces, gone, "id"),
    places: merged(scene.places, places, places_gone, "token"),
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
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {Made[]} */
    this.moves = [];
    /** @type {Look[]} one for each of my seats, or one as a spectator */
    this.looks = [];
    /** @type {{seat: number, what: string, accepted: number[]}[]} */
    this.offers = [];
    /** @type {{seat: number, name: string, text: string, time: number}[]} */
    this.chat = [];
    /** @type {number | "chance" | null} */
    this.turn = null;
    /** @type {{winners: number[], scores: number[], reason: string} | null} */
    this.outcome = null;
    this.text = "";
    this.dice = null;
    this.watch = null;
    this.next_table = null;
  }

  /** My seats, as numbers. */
  get mine() {
    return this.seats.filter((seat) => seat.mine).map((seat) => seat.seat);
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
   * @param {*} message
   */
  hear(message) {
    const take = {
      table: () => this.#whole(message),
      moved: () => this.#moved(message),
      seats: () => this.#seated(message.seats),
      offered: () => (this.offers = message.offers),
      answered: () => this.#answered(message),
      ended: () => this.#ended(message),
      said: () => (this.chat = [...this.chat, message]),
      dice: () => (this.dice = message.dice),
    }[message.type];
    const problem = take?.();
    if (problem === "gap" || problem === "old") return problem;
    if (message.seq !== undefined) this.seq = Math.max(this.seq, message.seq);
    return message.type;
  }

  #whole({ type, mine, ...rest }) {
    Object.assign(this, rest);
    this.looks = mine;
    this.ready = true;
    this.#sceneSeq = rest.seq;
  }

  #moved(message) {
    if (message.seq <= this.seq) return "old";
    if (message.at !== this.moves.length) return "gap";
    for (const look of message.mine) {
      if (look.scene.base === undefined) continue;
      const old = this.look(look.seat);
      if (!old || look.scene.base !== this.#sceneSeq) return "gap";
      look.scene = patched(old.scene, look.scene);
    }
    this.#sceneSeq = message.seq;
    this.moves = [...this.moves, { move: message.move, seat: message.seat, ms: message.ms }];
    this.turn = message.turn;
    this.looks = message.mine;
    this.offers = this.offers.filter((offer) => offer.what === "rematch");
    return undefined;
  }

  /** Keys of invitations come with the whole table only, and are kept. */
  #seated(seats) {
    this.seats = seats.map((seat) => ({ ...this.seats[seat.seat], ...seat }));
  }

  #answered(message) {
    this.offers = message.offers;
    if (message.next_table) this.next_table = message.next_table;
  }

  #ended({ outcome, text }) {
    this.outcome = outcome;
    this.text = text;
    this.turn = null;
    this.offers = [];
  }
}
