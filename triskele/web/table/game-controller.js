/**
 * The game on the board: shows positions one after the other as they arrive, decides whose view is shown, and takes the
 * moves of the seats at this screen.
 *
 * In a game with secrets a page with several seats shows one of them at a time, behind a curtain. In an
 * open game the view stays, and only who acts changes.
 *
 * @typedef {{
 *   send: (seat: number, move: string) => Promise<void>,
 *   complete: (seat: number, tokens: string[], scene?: boolean) => Promise<Done>,
 *   changed: () => void,
 *   made: (made: Made, told: string) => void,
 *   refused: (token: string, why: string) => void,
 *   held: () => void,
 *   forced: (move: string) => void,
 *   news: (words: string) => void,
 *   failed: (error: unknown) => void,
 *   speak: (words: string) => void,
 * }} Owner `made` is called when a move begins to show, with what it did if that is told; `refused`: a token cannot be chosen, and why;
 *   `held`: what a move changes is shown, and a second tap makes it; `forced`: a move is made by itself, because there is no other;
 *   `news`: something came of a move that the board does not show
 */

/** @import { Done, Fact, Game, Look, Made, Mover, Scene } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { Board } from "../board/board.js";
import { movesOf } from "../board/entry.js";
import { ownTurn } from "../board/orientation.js";
import { say } from "../lib/i18n.js";
import { change, prefersReducedMotion, setting } from "../lib/settings.js";
import { factsWithNames, withNames } from "./move-words.js";
import { TurnStory } from "./turn-story.js";

const SEEN = 700; // milliseconds that the last move of a game is in sight before the result is told
const PAUSE = 140; // milliseconds between two moves that are shown one after the other
const TOLD = 700; // milliseconds that what another's move did is to be read before the next is shown
const HURRY = 3; // with as many positions waiting, they are shown faster
const SKIPPABLE = 2; // with as many waiting, one can skip ahead
const JUMP = 60; // with as many, they are not animated
const FORCED = 350; // milliseconds before the only move there is is made by itself

export class GameController {
  /** @type {{looks: Look[], made: Made, turn: Mover | null}[]} moves that are yet to be shown */
  #queue = [];
  #showing = false;
  #rolling = false;
  #shown = Promise.resolve();
  #sending = false;
  #skipping = false;
  /** @type {() => void} ends the pause between two moves */
  #goOn = () => {};
  /** Whether the only move there is is made by itself; not after one was taken back. */
  #forcing = true;
  #forcedDue = 0;
  /** A move that is made as often as this, each time when the one before it has arrived. */
  #repeat = { move: "", times: 0, made: 0 };
  /** How many pieces were dragged out of a hand at once, until their move is made; else none. */
  #handed = 0;
  /** @type {{tokens: string[], ask: string}} what is asked after these tokens */
  #asked = { tokens: [], ask: "" };
  /** @type {{tokens: string[], notes: Object<string, string>}} what to know of each number, while it is chosen how many */
  #notes = { tokens: [], notes: {} };

  /**
   * @param {TableModel} model
   * @param {Game} game
   * @param {Owner} owner
   */
  constructor(model, game, owner) {
    this.model = model;
    this.game = game;
    this.owner = owner;
    /** @type {number | null} whose view is shown; none for a spectator */
    this.seat = null;
    /** @type {number | null} whose view the curtain hides; none when it is up */
    this.curtain = null;
    /** @type {{move: string, note: string} | null} a whole move that waits to be confirmed */
    this.confirming = null;
    /** How many were chosen, as a token, while that is chosen. */
    this.amount = "";
    /** Whether the past is shown instead of the game. */
    this.past = false;
    /** @type {Mover | null} who is to move in the position that is in sight, which may lag behind the table's */
    this.turn = null;
    /** Whether the game is over, and its last move has been seen. */
    this.concluded = false;
    /** @type {Fact[]} what the position in sight says in words */
    this.facts = [];
    this.story = new TurnStory(model);
    this.board = new Board({
      entered: (move) => this.#entered(move),
      changed: () => this.#changed(),
      refused: (tokens) => this.#explain(tokens),
      counting: (tokens) => this.#count(tokens),
      speak: (words) => this.owner.speak(words),
      preview: (tokens) => this.#preview(tokens),
      previewsTouch: () => this.game.previews && setting("touchPreview"),
      held: () => this.owner.held(),
      handed: (begins) => (this.#handed = begins ? this.#inHand : 0),
    });
  }

  /** The seat that acts here: the one shown, or at one screen in an open game the one to move. */
  get actor() {
    const { turn } = this.model;
    return !this.game.hidden && this.model.isMine(turn) ? turn : this.seat;
  }

  /** Whether moves are still being shown that the table has made already. */
  get showing() {
    return this.#showing;
  }

  /** How many of the moves made are yet to be seen: a roll whose dice still tumble, and all that wait behind it. */
  get unseen() {
    return this.#queue.length + (this.#rolling ? 1 : 0);
  }

  /** What is asked of which seat here, in words. @returns {Map<number, string>} */
  get asked() {
    const { actor } = this;
    const look = this.model.look(actor);
    const shown = !this.#showing && !this.past && this.curtain === null;
    const due = !this.model.over && this.model.turn === actor;
    return look && shown && due && actor !== null ? new Map([[actor, look.ask]]) : new Map();
  }

  // --- showing -----------------------------------------------------------------------------------

  /** Choose whose view is shown; a change among seats with secrets lowers the curtain. */
  #chooseSeat() {
    const { mine, turn, over } = this.model;
    if (!this.model.isMine(this.seat)) this.seat = null;
    if (mine.length < 2 || !this.game.hidden || over) {
      this.seat ??= mine[0] ?? null;
      this.curtain = null;
      return;
    }
    const next = this.model.isMine(turn) ? turn : (this.seat ?? mine[0]);
    if (next !== this.seat) this.lowerCurtain(next);
  }

  /** Hide the board before a seat's view is shown. @param {number} seat */
  lowerCurtain(seat) {
    this.curtain = seat;
    this.seat = null;
    this.facts = []; // what was said beside the board was for the one before
    this.board.clear();
    this.owner.changed();
  }

  /** Show the view behind the curtain: the right person is at the screen. */
  raiseCurtain() {
    this.seat = this.curtain;
    this.curtain = null;
    this.refresh();
  }

  /** Show the position as it stands, at once. @param {number} [pace] */
  async refresh(pace) {
    this.#queue = [];
    this.confirming = null;
    this.#chooseSeat();
    const look = this.model.look(this.seat);
    if (look) this.#orient(look.scene);
    if (look && this.curtain === null && !this.past) await this.board.show(look.scene, pace);
    this.#arrive(this.model.turn);
    this.concluded = this.model.over;
    this.#offerMoves();
  }

  /** The seat whose side lies at the bottom: the one shown, at one screen the first. */
  get #near() {
    return this.seat ?? this.model.mine[0] ?? null;
  }

  /** Turn the board so that the own side is at the bottom, or as it was turned in this game before. @param {Scene} scene */
  #orient(scene) {
    const turns = scene.turning?.turns ?? [0];
    const steps = setting("turns")[this.game.name] ?? 0;
    this.board.turnTo(turns[(turns.indexOf(ownTurn(scene, this.#near)) + steps) % turns.length] ?? 0);
  }

  /** Whether the board can be turned. */
  get canTurn() {
    return (this.board.scene?.turning?.turns.length ?? 0) > 1;
  }

  /** Turn the board to the next side, and remember it for this game. */
  turnBoard() {
    const { scene, turn } = this.board;
    const turns = scene?.turning?.turns ?? [0];
    const next = turns[(turns.indexOf(turn) + 1) % turns.length];
    const own = turns.indexOf(scene ? ownTurn(scene, this.#near) : 0);
    const steps = (turns.indexOf(next) - own + turns.length) % turns.length;
    change("turns", { ...setting("turns"), [this.game.name]: steps });
    this.board.turnTo(next, prefersReducedMotion() ? undefined : 1.5);
    this.owner.changed();
  }

  /** A position is in sight: what is said beside the board follows. @param {Mover | null} turn */
  #arrive(turn) {
    this.turn = turn;
    this.facts = factsWithNames(this.board.scene?.facts ?? [], this.model);
  }

  /** The game is over: ask nothing any more. Resolves when the last move has been shown. */
  async conclude() {
    await this.#shown;
    if (!document.hidden) await new Promise((resolve) => setTimeout(resolve, SEEN));
    await this.refresh();
  }

  /** Moves were taken back: what was forced is not made again at once. */
  hold() {
    this.#forcing = false;
    this.#repeat.times = 0;
    this.story.forget();
  }

  /** Whether so much is still to be shown that one may want to skip it. */
  get canSkip() {
    return this.#showing && !this.#skipping && !this.past && this.#queue.length >= SKIPPABLE;
  }

  /** Show what is to be shown without animation. */
  skip() {
    this.#skipping = true;
    this.board.finish();
    this.#goOn();
  }

  /** What the last move did, while others have the turn; none where that is not told. */
  get telling() {
    return this.past || this.board.entry || this.model.over ? null : this.story.last;
  }

  /** Wait before the next move is shown. @param {number} ms */
  #pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#goOn = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  /** A move was made: show it after those before it. @param {Made} made */
  follow(made) {
    this.#forcing = true;
    this.#queue.push({ looks: this.model.looks, made, turn: this.model.turn });
    if (!this.#showing) this.#shown = this.#showQueue();
  }

  async #showQueue() {
    this.#showing = true;
    this.board.rest();
    this.confirming = null;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const look = next.looks.find((each) => each.seat === this.seat);
      const told = look?.scene.told ?? "";
      this.story.tell(next.made, told);
      this.owner.made(next.made, withNames(told, this.model));
      if (told) this.owner.changed();
      if (!look || this.curtain !== null || this.past || this.#isShownWith(look, this.#queue[0])) {
        this.turn = next.turn;
        continue;
      }
      const pace = this.#pace(this.#queue.length);
      this.#rolling = next.made.seat === "chance";
      await this.board.show(look.scene, pace);
      this.#rolling = false;
      this.#arrive(next.turn);
      for (const { words, news } of this.facts) if (news) this.owner.news(words);
      this.owner.changed();
      const pause = told && !this.model.isMine(next.turn) ? TOLD : this.#queue.length ? PAUSE : 0;
      if (pace && pause && !this.#skipping) await this.#pause(pause / pace);
    }
    this.#showing = false;
    this.#skipping = false;
    this.#chooseSeat();
    this.#offerMoves();
  }

  /**
   * Whether a roll is seen with the next one, which shows the same dice and one more: dice of one throw fall together.
   * @param {Look} look @param {{looks: Look[], made: Made} | undefined} next
   */
  #isShownWith(look, next) {
    if (next?.made.seat !== "chance") return false;
    const after = next.looks.find((each) => each.seat === this.seat)?.scene.pieces ?? [];
    const dice = look.scene.pieces.filter(({ role, label }) => role === "die" && label !== "");
    const kept = new Map(after.filter(({ role }) => role === "die").map((piece) => [piece.id, piece.label]));
    return dice.length > 0 && dice.every(({ id, label }) => kept.get(id) === label) && kept.size >= dice.length;
  }

  /** How fast a move is animated; not at all without a pace. @param {number} waiting moves behind it */
  #pace(waiting) {
    if (prefersReducedMotion() || document.hidden || this.#skipping || waiting >= JUMP) return undefined;
    return (waiting >= HURRY ? 1.6 : 1) * setting("speed");
  }

  /** Show a position of the past. @param {Scene} scene @param {number} [pace] */
  async showPast(scene, pace) {
    this.past = true;
    this.confirming = null;
    this.board.rest();
    await this.board.show(scene, pace);
    this.facts = factsWithNames(scene.facts, this.model);
    this.owner.changed();
  }

  /** Return to the game. */
  showLive() {
    this.past = false;
    return this.refresh(prefersReducedMotion() ? undefined : 2);
  }

  // --- moving ------------------------------------------------------------------------------------

  /** Offer on the board what can be entered now. */
  #offerMoves() {
    const look = this.model.look(this.actor);
    const live = look && !this.past && this.curtain === null && !this.model.over;
    /** @type {import("../board/entry.js").Move[]} */
    const interrupts = live ? movesOf(look.interrupts).map((move) => ({ ...move, interrupt: true })) : [];
    const moves = live ? [...movesOf(look.moves), ...interrupts] : [];
    const free = moves.length > 0 && !this.#sending && !this.#showing;
    if (free) this.board.offer(moves);
    else this.board.rest();
    clearTimeout(this.#forcedDue);
    if (free && this.#goOnRepeating(moves.map(({ text }) => text))) return;
    if (free && look && this.#forcing && this.game.forced && moves.length === 1) this.#force(moves[0].text);
    this.owner.changed();
  }

  /** How many pieces are in hand, where it is a pile; else none. */
  get #inHand() {
    return Number(this.board.scene?.pieces.find(({ role }) => role === "hand")?.label) || 0;
  }

  /** How many pieces in hand could all follow the one just put down, if that can be done again; else none. */
  get canRepeat() {
    const { entry } = this.board;
    const last = this.model.moves.at(-1);
    const again = entry?.moves.some(
      ({ text, spellings }) => text === last?.move && this.board.isPlace(spellings[0][0]),
    );
    const left = this.#inHand;
    return again && !entry?.tokens.length && this.model.isMine(last?.seat) && left > 1 ? left : 0;
  }

  /** Put all that is in hand where the last piece went. */
  repeat() {
    this.#repeat = { move: this.model.moves.at(-1)?.move ?? "", times: this.canRepeat, made: -1 };
    this.#offerMoves();
  }

  /** Make the move that is to be repeated, if it is time for it; returns whether. @param {string[]} moves that can be made */
  #goOnRepeating(moves) {
    const { move, times, made } = this.#repeat;
    const arrived = this.model.moves.length;
    if (!times || arrived === made) return false;
    if (!moves.includes(move)) {
      this.#repeat.times = 0; // it cannot be made any more
      return false;
    }
    this.#repeat = { move, times: times - 1, made: arrived };
    this.#send(move);
    return true;
  }

  /** Make the only move there is, and say so. @param {string} move */
  #force(move) {
    const [seat, made] = [this.actor, this.model.moves.length];
    this.#forcedDue = setTimeout(() => {
      if (this.actor !== seat || this.model.moves.length !== made || this.past || this.#sending) return;
      this.owner.forced(move);
      this.#send(move);
    }, FORCED);
  }

  /** What is entered changed: ask the game what it asks now, where it has something to say to that. */
  #changed() {
    const tokens = [...(this.board.entry?.tokens ?? [])];
    this.#asked = { tokens: [], ask: "" };
    if (this.game.asks && tokens.length && !this.board.entry?.move) this.#askNext(tokens);
    this.owner.changed();
  }

  /** @param {string[]} tokens */
  async #askNext(tokens) {
    try {
      const ask = (await this.#complete(tokens))?.ask ?? "";
      if (this.board.entry?.tokens.join(" ") !== tokens.join(" ")) return;
      this.#asked = { tokens, ask };
      this.owner.changed();
    } catch {
      // it can go on all the same
    }
  }

  /** What the game asks after what is entered, where it says so. */
  get askedNext() {
    const { tokens, ask } = this.#asked;
    return tokens.length && this.board.entry?.tokens.join(" ") === tokens.join(" ") ? ask : "";
  }

  /** It is chosen how many: find out what is to be known of each number. @param {string[]} tokens */
  async #count(tokens) {
    this.amount = "";
    this.#notes = { tokens: [], notes: {} };
    if (!this.game.notes) return;
    try {
      const notes = (await this.#complete(tokens))?.notes ?? {};
      if (this.board.entry?.tokens.join(" ") !== tokens.join(" ")) return;
      const [only, ...others] = this.board.amounts ?? [];
      // With all places chosen by hand, one number possible and nothing to know of it, there is nothing left to ask.
      const settled = tokens.length > 0 && !this.board.begun && !this.board.added && !others.length;
      if (settled && only && !(only in notes)) return void this.board.touch(only);
      this.#notes = { tokens, notes };
      this.owner.changed();
    } catch {
      // it can be chosen all the same
    }
  }

  /** Choose how many, without doing it yet. @param {string} token */
  chooseAmount(token) {
    this.amount = token;
    this.owner.changed();
  }

  /** What is to be known of the number chosen now. */
  get amountNote() {
    const { amounts, choices } = this.board;
    if (!amounts || choices || this.board.entry?.tokens.join(" ") !== this.#notes.tokens.join(" ")) return "";
    const token = amounts.includes(this.amount) ? this.amount : (amounts.at(-1) ?? "");
    return this.#notes.notes[token] ?? "";
  }

  /** What is to be known of a number that can follow. @param {string} token */
  noteOf(token) {
    return this.#notes.notes[token] ?? "";
  }

  /** Whether a note was read while its number was chosen. @param {string[]} tokens */
  #wasNoted(tokens) {
    const same = tokens.slice(0, -1).join(" ") === this.#notes.tokens.join(" ");
    return same && (tokens.at(-1) ?? "") in this.#notes.notes;
  }

  /** What a half-entered move of the seat that acts can become. @param {string[]} tokens @param {boolean} [scene] */
  async #complete(tokens, scene) {
    return this.actor === null ? null : this.owner.complete(this.actor, tokens, scene);
  }

  /** A whole move is entered: make it, or ask for a confirmation if there is a note to it. @param {string} move */
  async #entered(move) {
    const tokens = this.board.entry?.tokens ?? [];
    if (this.#handed > 1) this.#repeat = { move, times: this.#handed - 1, made: this.model.moves.length };
    this.#handed = 0;
    if (!this.game.notes || !setting("confirm") || this.#wasNoted(tokens)) return this.#send(move);
    try {
      const note = (await this.#complete(tokens))?.note;
      if (!note) return await this.#send(move);
      this.confirming = { move, note };
      this.owner.speak(note);
      this.owner.changed();
    } catch (error) {
      this.#giveUp(error);
    }
    return undefined;
  }

  /** Make the move that waits to be confirmed. */
  async confirm() {
    const confirmed = this.confirming;
    this.confirming = null;
    if (confirmed) await this.#send(confirmed.move);
  }

  /** @param {string} move */
  async #send(move) {
    const seat = this.actor;
    if (seat === null) return;
    this.#sending = true;
    this.board.rest();
    this.owner.changed();
    try {
      await this.owner.send(seat, move);
      this.#sending = false;
      // The move itself comes as a message, before or after; an engine may be at work already.
      if (!this.#showing) this.#offerMoves();
    } catch (error) {
      this.#sending = false;
      this.#giveUp(error);
    }
  }

  /** @param {unknown} error */
  #giveUp(error) {
    this.#repeat.times = 0;
    this.owner.failed(error);
    this.#offerMoves();
  }

  /** The scene after a move, if it can be known. @param {string[]} tokens */
  async #preview(tokens) {
    try {
      return (await this.#complete(tokens, true))?.scene;
    } catch {
      return undefined; // the move can be made all the same
    }
  }

  /** Say why no move has these tokens. @param {string[]} tokens */
  async #explain(tokens) {
    try {
      const answer = await this.#complete(tokens);
      if (answer?.reason) this.owner.refused(tokens.at(-1) ?? "", answer.why ?? say("web.not-here"));
    } catch {
      // it is not this seat's turn to enter anything
    }
  }

  /** The token that takes back what was done in an unfinished turn, if it can be chosen now. */
  get #takeBack() {
    const next = this.board.entry?.next();
    const places = this.board.scene?.places ?? [];
    return places.find(({ role, token }) => role === "take-back" && next?.get(token))?.token ?? null;
  }

  /** Whether stepping back would do something. */
  get canStepBack() {
    const entered = Boolean(this.board.entry?.tokens.length) && !this.board.begun;
    return this.confirming !== null || entered || this.#takeBack !== null;
  }

  /** Step back inside a half-entered move, or inside an unfinished turn where the game allows it. */
  stepBack() {
    this.confirming = null;
    if (this.board.back()) return true;
    const token = this.#takeBack;
    if (token === null) return false;
    this.board.touch(token);
    return true;
  }
}
