/**
 * The game on the board: shows one position after the other as they come, whose view it is, and takes the
 * moves of those who sit here.
 *
 * In a game with secrets a page with several seats shows one of them at a time, behind a curtain. In an
 * open game the view stays, and only who acts changes.
 *
 * @typedef {import("./table-model.js").TableModel} TableModel
 * @typedef {{
 *   send: (seat: number, move: string) => Promise<void>,
 *   complete: (seat: number, tokens: string[], scene?: boolean) => Promise<*>,
 *   changed: () => void,
 *   made: (made: import("./table-model.js").Made) => void,
 *   failed: (error: Error) => void,
 *   speak: (words: string) => void,
 * }} Owner `made` is called when a move begins to show
 */

import { Board } from "./board.js";
import { movesOf } from "./entry.js";
import { calm } from "./settings.js";

const BREATH = 140; // between two moves that are shown one after the other
const HURRY = 3; // so many waiting positions are shown faster
const JUMP = 9; // and of so many only the last

export class Stage {
  #queue = [];
  #showing = false;
  #rolling = false;
  #shown = Promise.resolve();
  #sending = false;

  /**
   * @param {TableModel} model
   * @param {boolean} hidden whether the game has secrets
   * @param {boolean} notes whether moves can have notes
   * @param {Owner} owner
   */
  constructor(model, hidden, notes, owner) {
    this.model = model;
    this.hidden = hidden;
    this.notes = notes;
    this.owner = owner;
    /** @type {number | null} whose view is shown; none for a spectator */
    this.seat = null;
    /** @type {number | null} who is to look next, while a curtain is down */
    this.veil = null;
    /** @type {{move: string, note: string} | null} a whole move that waits for a yes */
    this.confirming = null;
    /** Whether the past is shown instead of the game. */
    this.past = false;
    this.board = new Board({
      whole: (move) => this.#whole(move),
      changed: () => this.owner.changed(),
      refused: (tokens) => this.#explain(tokens),
      speak: (words) => this.owner.speak(words),
      foresee: (tokens) => this.#foresee(tokens),
    });
  }

  /** The seat that acts here: the one shown, or at one screen in an open game whoever's turn it is. */
  get actor() {
    const { turn, mine } = this.model;
    return !this.hidden && mine.includes(turn) ? turn : this.seat;
  }

  /** Whether moves are still being shown that the table has made already. */
  get showing() {
    return this.#showing;
  }

  /** How many of the moves made are yet to be seen: dice that still roll, and whatever waits behind them. */
  get unseen() {
    return this.#queue.length + (this.#rolling ? 1 : 0);
  }

  /** What is asked of whom here, in words. @returns {Map<number, string>} */
  get asked() {
    const look = this.model.look(this.actor);
    const shown = !this.#showing && !this.past && this.veil === null;
    const due = !this.model.over && this.actor !== null && this.model.turn === this.actor;
    return look && shown && due ? new Map([[this.actor, look.ask]]) : new Map();
  }

  /** What the scene in sight says in words. */
  get facts() {
    return this.board.scene?.facts ?? [];
  }

  // --- showing -------------------------------------------------------------------------------------

  /** Choose whose view is shown; a change among seats with secrets lets the curtain down. */
  #chooseSeat() {
    const { mine, turn, over } = this.model;
    if (!mine.includes(this.seat)) this.seat = null;
    if (mine.length < 2 || !this.hidden || over) {
      this.seat ??= mine[0] ?? null;
      this.veil = null;
      return;
    }
    const next = mine.includes(turn) ? turn : (this.seat ?? mine[0]);
    if (next !== this.seat) this.hide(next);
  }

  /** Let the curtain down before a seat's view is shown. @param {number} seat */
  hide(seat) {
    this.veil = seat;
    this.seat = null;
    this.board.clear();
    this.owner.changed();
  }

  /** Raise the curtain: the right person looks. */
  unveil() {
    this.seat = this.veil;
    this.veil = null;
    this.refresh();
  }

  /** Show the position as it stands, at once. @param {number} [pace] */
  async refresh(pace) {
    this.#queue = [];
    this.confirming = null;
    this.#chooseSeat();
    const look = this.model.look(this.seat);
    if (look && this.veil === null && !this.past) await this.board.show(look.scene, pace);
    this.#settle();
  }

  /** The game is over: ask nothing any more. Resolves when the last move has been shown. */
  async conclude() {
    await this.#shown;
    await this.refresh();
  }

  /** A move was made: show it after those before it. @param {import("./table-model.js").Made} made */
  follow(made) {
    this.#queue.push({ looks: this.model.looks, made });
    if (!this.#showing) this.#shown = this.#showQueue();
  }

  async #showQueue() {
    this.#showing = true;
    this.board.rest();
    this.confirming = null;
    while (this.#queue.length) {
      const { looks, made } = this.#queue.shift();
      const look = looks.find((each) => each.seat === this.seat);
      this.owner.made(made);
      if (!look || this.veil !== null || this.past) continue;
      const waiting = this.#queue.length;
      const pace = calm() || document.hidden || waiting >= JUMP ? undefined : waiting >= HURRY ? 2.5 : 1;
      this.#rolling = made.seat === "chance";
      await this.board.show(look.scene, pace);
      this.#rolling = false;
      this.owner.changed();
      if (pace && this.#queue.length) await new Promise((resolve) => setTimeout(resolve, BREATH));
    }
    this.#showing = false;
    this.#chooseSeat();
    this.#settle();
  }

  /** Show a position of the past. @param {*} scene @param {number} [pace] */
  async showPast(scene, pace) {
    this.past = true;
    this.confirming = null;
    this.board.rest();
    await this.board.show(scene, pace);
    this.owner.changed();
  }

  /** Come back to the game. */
  showLive() {
    this.past = false;
    return this.refresh(calm() ? undefined : 2);
  }

  // --- moving --------------------------------------------------------------------------------------

  #settle() {
    const look = this.model.look(this.actor);
    const moves = look && !this.past && this.veil === null && !this.model.over ? movesOf([
      ...look.moves,
      ...look.interrupts,
    ]) : [];
    if (moves.length && !this.#sending && !this.#showing) this.board.offer(moves);
    else this.board.rest();
    this.owner.changed();
  }

  async #whole(move) {
    if (!this.notes) return this.#send(move);
    try {
      const { note } = await this.owner.complete(this.actor, this.board.entry.tokens);
      if (!note) return await this.#send(move);
      this.confirming = { move, note };
      this.owner.speak(note);
      this.owner.changed();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Make the move that waits for a yes. */
  confirm() {
    const { move } = this.confirming;
    this.confirming = null;
    return this.#send(move);
  }

  async #send(move) {
    const seat = this.actor;
    this.#sending = true;
    this.board.rest();
    this.owner.changed();
    try {
      await this.owner.send(seat, move);
      this.#sending = false;
      // The move itself comes as a message, before or after; an engine may be at work already.
      if (!this.#showing) this.#settle();
    } catch (error) {
      this.#sending = false;
      this.#giveUp(error);
    }
  }

  #giveUp(error) {
    this.owner.failed(error);
    this.#settle();
  }

  /** The scene after a move, if it can be told. @param {string[]} tokens */
  async #foresee(tokens) {
    try {
      return (await this.owner.complete(this.actor, tokens, true)).scene;
    } catch {
      return undefined; // it can be made all the same
    }
  }

  async #explain(tokens) {
    try {
      const { reason } = await this.owner.complete(this.actor, tokens);
      if (reason) this.owner.failed(new Error(reason));
    } catch {
      // it is not this seat's turn to enter anything
    }
  }

  /** The move that takes back what was done in an unfinished turn, if the game has one now. */
  get #takeBack() {
    const next = this.board.entry?.next();
    return next?.get("back") ?? null;
  }

  /** Whether stepping back would do something. */
  get canStepBack() {
    return this.confirming !== null || Boolean(this.board.entry?.tokens.length) || this.#takeBack !== null;
  }

  /** Step back inside a half-entered move, or inside an unfinished turn where the game allows it. */
  stepBack() {
    this.confirming = null;
    if (this.board.back()) return true;
    if (this.#takeBack === null) return false;
    this.board.touch("back");
    return true;
  }
}
