/**
 * The board under a person's hands: taps, drags, keys and wheel become tokens, tokens become a move.
 * It knows no game. A piece with the id `turn-TOKEN` on the place TOKEN says that the token turns what is
 * being put: such a choice is shown where the thing goes, and turned until it is right. What the move would do is
 * shown meanwhile, if the owner can tell.
 *
 * @typedef {{lit: Set<string>, tokens: string[]}} Offer
 * @typedef {{
 *   whole: (move: string) => void,
 *   changed: () => void,
 *   refused: (tokens: string[]) => void,
 *   speak: (words: string) => void,
 *   foresee: (tokens: string[]) => Promise<import("./scene-view.js").Scene | undefined>,
 * }} Owner `whole`: a move is entered; `changed`: what is entered changed; `refused`: these tokens lead nowhere;
 * `foresee`: the scene after the move of these tokens, if it can be told
 */

import { Entry } from "./entry.js";
import { neighbour } from "./geometry.js";
import { SceneView } from "./scene-view.js";
import { calm } from "./settings.js";

const DRAG = 7; // pixels until a press becomes a drag
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
  #view = new SceneView();
  #press = null;
  #drag = null;
  #turning = null;
  #current = "";
  #refocus = false;
  #advised = [];

  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner;
    /** @type {Entry | null} what is being entered; none when nothing is asked here */
    this.entry = null;
    this.svg = this.#view.svg;
    this.svg.addEventListener("pointerdown", (event) => this.#down(event));
    this.svg.addEventListener("pointermove", (event) => this.#move(event));
    this.svg.addEventListener("pointerup", (event) => this.#up(event));
    this.svg.addEventListener("pointercancel", () => this.#drop());
    this.svg.addEventListener("click", (event) => this.#click(event));
    this.svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => this.#focused(event.target));
  }

  get scene() {
    return this.#view.scene;
  }

  /** @param {string} token */
  isPlace(token) {
    return this.#view.place(token) !== undefined;
  }

  /** The piece on a place, to picture its token elsewhere. @param {string} token */
  pieceOn(token) {
    return this.#view.pieceOn(token);
  }

  /** What a place is called. @param {string} token */
  nameOf(token) {
    return this.#view.place(token)?.name;
  }

  clear() {
    this.rest();
    this.#view.clear();
  }

  /**
   * Show a scene, moving what changed when there is a pace.
   * @param {import("./scene-view.js").Scene} scene
   * @param {number} [pace]
   */
  async show(scene, pace) {
    const had = this.svg.contains(document.activeElement);
    const shown = this.#view.show(scene, { pace });
    if (had && !this.svg.contains(document.activeElement)) this.#refocus = true;
    this.#rove();
    this.#mark();
    await shown;
  }

  /** Let motion end at once. */
  hurry() {
    this.#view.finish();
  }

  /** Offer moves to be entered. @param {import("./entry.js").Move[]} moves */
  offer(moves) {
    this.#settle();
    this.#view.preview(null); // a move that was refused is not to be seen any more
    this.entry = new Entry(moves);
    this.#view.approach(moves.flatMap((move) => move.spellings.flat()));
    this.#rove();
    this.#mark();
    if (this.#refocus && this.#current) {
      this.#refocus = false;
      this.focus();
    }
  }

  /** Ask nothing. */
  rest() {
    this.#settle();
    this.entry = null;
    this.#view.approach([]);
    this.#mark();
  }

  /** @param {string} move its text @returns {string[]} its tokens, if it can be made now */
  #spelling(move) {
    return this.entry?.moves.find((each) => each.text === move)?.spellings[0] ?? [];
  }

  /** Point out the places of a move, or of none. @param {string | null} move its text */
  advise(move) {
    this.#advised = move === null ? [] : this.#spelling(move);
    this.#mark();
  }

  /** Enter a whole move. @param {string} move its text */
  enter(move) {
    const spelling = this.#spelling(move);
    this.entry?.clear();
    this.#stopTurning();
    if (spelling.length && this.entry.choose(...spelling)) this.#entered();
  }

  #settle() {
    this.#drop();
    this.#stopTurning();
    this.#advised = [];
  }

  // --- what can be touched ---------------------------------------------------------------------

  /** The tokens of places that can be touched now. @returns {Set<string>} */
  #lit() {
    const { entry, scene } = this;
    if (!entry || !scene || entry.move) return new Set();
    const isPlace = (token) => this.isPlace(token);
    return new Set(scene.places.map((place) => place.token).filter((token) => entry.reach(token, isPlace)));
  }

  /** Places that a drag from one can end on. @param {string} token @returns {Set<string>} */
  #targets(token) {
    const { entry, scene } = this;
    if (!entry || entry.move) return new Set();
    const others = scene.places.map((place) => place.token).filter((other) => other !== token);
    return new Set(others.filter((other) => this.#joined(token, other)));
  }

  /** The tokens that join two places by a drag: in the order dragged, or else as the move is written. */
  #joined(from, to) {
    return [[from, to], [to, from]].find((tokens) => this.entry.allows(...tokens));
  }

  #mark() {
    if (!this.scene) return;
    const lit = this.#drag ? this.#drag.targets : this.#lit();
    const chosen = this.#drag?.token ? [this.#drag.token] : [...(this.entry?.tokens ?? [])];
    if (this.#turning) chosen.push(this.#turning.tokens[this.#turning.index]);
    this.#view.mark({ lit, chosen, advised: this.#advised });
  }

  // --- entering --------------------------------------------------------------------------------

  /** Take a token, from the board or from a button. @param {string} token */
  touch(token) {
    const { entry } = this;
    if (!entry || entry.move) return;
    if (this.#turning && this.#touchWhileTurning(token)) return;
    const way = entry.reach(token, (other) => this.isPlace(other));
    if (way) entry.choose(...way);
    else if (entry.tokens.at(-1) === token) entry.back();
    else if (!this.#startOver(token)) return this.owner.refused([...entry.tokens, token]);
    this.#entered();
  }

  /** Touching another thing that begins a move changes the mind. */
  #startOver(token) {
    const fresh = new Entry(this.entry.moves);
    const way = this.entry.tokens.length ? fresh.reach(token, (other) => this.isPlace(other)) : null;
    if (!way) return false;
    this.#stopTurning();
    this.entry = fresh;
    return fresh.choose(...way);
  }

  #entered() {
    const move = this.entry.move;
    this.#advised = [];
    if (move) this.#stopTurning(true);
    else this.#startTurning();
    this.#mark();
    this.owner.changed();
    if (move) this.owner.whole(move);
  }

  /** Step back inside a half-entered move; says whether there was something to take back. */
  back() {
    if (!this.entry?.back()) return false;
    // A word that only opens the way to a place goes with it.
    if (this.entry.tokens.length === 1 && !this.isPlace(this.entry.tokens[0])) this.entry.back();
    this.#stopTurning();
    this.#view.preview(null); // a whole move that waited for a yes was left in sight
    this.#startTurning();
    this.#mark();
    this.owner.changed();
    return true;
  }

  // --- turning what is being put -----------------------------------------------------------------

  /**
   * The ways to turn that are being previewed, and which it is now.
   * @returns {{tokens: string[], index: number} | null}
   */
  get turning() {
    return this.#turning;
  }

  #startTurning() {
    const next = [...this.entry.next().keys()];
    const ids = new Set(this.scene.pieces.map((piece) => piece.id));
    const turns = next.length > 1 && next.every((token) => ids.has(`turn-${token}`));
    const at = this.#view.place(this.entry.tokens.at(-1) ?? "");
    if (!turns || !at) return this.#stopTurning();
    const order = this.scene.places.map((place) => place.token).filter((token) => next.includes(token));
    this.#turning = { tokens: order, index: 0, at, ghost: null, ahead: new Map(), lands: undefined };
    this.#preview();
    this.owner.speak(this.nameOf(order[0]));
    this.#foresee(this.#turning);
  }

  /** @param {boolean} [made] whether the move is made, so that what was previewed comes to be */
  #stopTurning(made = false) {
    if (!this.#turning) return;
    this.#turning.ghost?.remove();
    this.#turning = null;
    if (!made) this.#view.preview(null);
  }

  /** Find out what each way to turn would do. @param {NonNullable<Board["turning"]>} turning */
  async #foresee(turning) {
    const entered = [...this.entry.tokens];
    const scenes = turning.tokens.map((token) => this.owner.foresee([...entered, token]));
    for (const [index, asked] of scenes.entries()) {
      const scene = await asked;
      if (this.#turning !== turning) return;
      if (!scene) continue;
      turning.ahead.set(turning.tokens[index], this.#withChoices(scene));
      turning.lands ??= this.#landing(scene);
      if (turning.index === index) this.#preview();
    }
  }

  /** The token of the place on which a piece comes to lie that lay beside the board. */
  #landing(scene) {
    const beside = this.scene.pieces.filter((piece) => !this.#view.placeOf(piece)).map((piece) => piece.id);
    const landed = scene.pieces.filter((piece) => beside.includes(piece.id)).map((piece) => this.#view.placeOf(piece));
    return landed.find((place) => place !== undefined)?.token;
  }

  /** A scene to come, with those pieces of this one that stand for what can still be chosen. */
  #withChoices(scene) {
    const begins = [...new Entry(this.entry.moves).next().keys(), ...this.#turning.tokens];
    const choices = new Set(begins.map((token) => this.#view.pieceOn(token)?.id));
    const there = new Set(scene.pieces.map((piece) => piece.id));
    const kept = this.scene.pieces.filter((piece) => choices.has(piece.id) && !there.has(piece.id));
    return { ...scene, pieces: [...scene.pieces, ...kept] };
  }

  /** Show what is being put as it is turned now: in the scene to come, or until that is known where it goes in. */
  #preview() {
    const { tokens, index, at, ghost, ahead } = this.#turning;
    const scene = ahead.get(tokens[index]);
    ghost?.remove();
    if (scene) {
      this.#turning.ghost = null;
      this.#view.preview(scene, calm() ? undefined : 2);
    } else {
      const piece = this.#view.pieceOn(tokens[index]);
      this.#turning.ghost = this.#view.ghost({ ...piece, x: at.x, y: at.y }, "preview");
    }
    this.#mark();
  }

  /** Turn what is being put by one step. @param {1 | -1} way */
  turn(way) {
    const count = this.#turning.tokens.length;
    this.#turnTo((this.#turning.index + way + count) % count);
  }

  /** @param {number} index */
  #turnTo(index) {
    this.#turning.index = index;
    this.#preview();
    this.owner.speak(this.nameOf(this.#turning.tokens[index]));
    this.owner.changed();
  }

  /** Put it as it is turned now. */
  confirmTurn() {
    this.entry.choose(this.#turning.tokens[this.#turning.index]);
    this.#entered();
  }

  #touchWhileTurning(token) {
    const { tokens, index, lands } = this.#turning;
    if (token === tokens[index]) this.confirmTurn();
    else if (tokens.includes(token)) this.#turnTo(tokens.indexOf(token));
    else if (token === this.entry.tokens.at(-1) || token === lands) this.turn(1);
    else return false;
    return true;
  }

  // --- pointer -----------------------------------------------------------------------------------

  #down(event) {
    if (!event.isPrimary || event.button !== 0 || !this.entry || this.#turning) return;
    const places = this.scene.places.map((place) => place.token);
    const token = this.#view.touched(
      event,
      places.filter((each) => this.#view.pieceOn(each) && this.#targets(each).size),
    );
    const piece = token ? this.#view.pieceOn(token) : this.#inHand(event.target);
    this.#press = piece ? { token, piece, x: event.clientX, y: event.clientY } : null;
  }

  /**
   * The piece touched, if it is what is being put: something can be turned, and the piece lies beside the board but
   * is of a kind that lies on it.
   * @param {Element} target
   */
  #inHand(target) {
    const puts = this.scene.pieces.some((piece) => piece.id.startsWith("turn-"));
    const piece = puts ? this.#view.pieceUnder(target) : undefined;
    const kind = piece?.id.replace(/[^-]*$/, "");
    return this.scene.places.some(({ token }) => kind && this.#view.pieceOn(token)?.id.startsWith(kind)) ? piece : undefined;
  }

  #move(event) {
    const press = this.#press;
    if (press && !this.#drag && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG) {
      const { token, piece } = press;
      const targets = token ? this.#targets(token) : this.#lit();
      this.#drag = { token, piece, targets, ghost: this.#view.ghost(piece, "dragged") };
      this.#view.lift(piece.id, true);
      this.svg.setPointerCapture(event.pointerId);
      this.#mark();
    }
    if (this.#drag) {
      const { x, y } = this.#view.toScene(event);
      this.#drag.ghost.move(x, y);
    }
  }

  #up(event) {
    const drag = this.#drag;
    this.#press = null;
    if (!drag) return;
    const target = this.#view.touched(event, drag.targets);
    this.#drop();
    this.#dragged = true;
    setTimeout(() => (this.#dragged = false)); // the click that ends a drag is no tap
    if (!target) return this.#mark();
    if (!drag.token) return this.touch(target);
    this.entry.choose(...this.#joined(drag.token, target));
    this.#entered();
  }

  #dragged = false;

  #drop() {
    this.#press = null;
    if (!this.#drag) return;
    this.#drag.ghost.remove();
    this.#view.lift(this.#drag.piece.id, false);
    this.#drag = null;
  }

  #click(event) {
    if (this.#dragged || !this.entry) return;
    // A click without a pointer comes from a screen reader, and means the very element.
    const own = event.target.closest?.("[data-token]")?.dataset.token;
    const token = event.detail === 0 ? own : (this.#view.touched(event, [...this.#lit(), ...this.entry.tokens]) ?? own);
    if (token !== undefined) this.touch(token);
  }

  #wheel(event) {
    if (!this.#turning) return;
    event.preventDefault();
    this.turn(event.deltaY > 0 ? 1 : -1);
  }

  // --- keys --------------------------------------------------------------------------------------

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.scene) return;
    const handled = this.#handle(event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key */
  #handle(key) {
    if (key in ARROWS) return this.#go(neighbour(
      this.scene.places,
      this.#view.place(this.#current),
      ...ARROWS[key],
    )?.token);
    if (key === "Enter" || key === " ") return this.#enter();
    if (key === "n" || key === "p") return this.#go(this.#nextLit(key === "n" ? 1 : -1));
    if (this.#turning && (key === "r" || key === "R")) this.turn(key === "r" ? 1 : -1);
    else return false;
    return true;
  }

  #enter() {
    if (this.#turning && this.#current === this.entry.tokens.at(-1)) this.confirmTurn();
    else if (this.#current) this.touch(this.#current);
    return true;
  }

  /** @param {1 | -1} way */
  #nextLit(way) {
    const places = this.scene.places.map((place) => place.token);
    const lit = this.#lit();
    const here = places.indexOf(this.#current);
    const ring = places.map((_, i) => places[(here + way * (i + 1) + 2 * places.length) % places.length]);
    return ring.find((token) => lit.has(token));
  }

  /** @param {string | undefined} token */
  #go(token) {
    if (token !== undefined) this.#view.spot(token).focus();
    return true;
  }

  #focused(target) {
    const token = target.dataset?.token;
    if (token === undefined) return;
    this.#current = token;
    this.#rove();
  }

  /** Keep exactly one place in the tab order. */
  #rove() {
    const places = this.scene?.places ?? [];
    if (!this.isPlace(this.#current)) this.#current = this.#lit().values().next().value ?? places[0]?.token ?? "";
    for (const { token } of places) this.#view.spot(token).setAttribute(
      "tabindex",
      token === this.#current ? "0" : "-1",
    );
  }

  /** Bring the keyboard to the board, to something that can be touched. */
  focus() {
    const lit = this.#lit();
    if (lit.size && !lit.has(this.#current)) this.#current = lit.values().next().value;
    this.#rove();
    this.#view.spot(this.#current)?.focus();
  }
}
