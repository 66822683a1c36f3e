/**
 * The board as an input device: taps, drags, keys and the wheel become tokens, tokens become a move.
 * It knows no game. Where the tokens that can follow are rotations (`Place.role`), they are previewed one after
 * the other, and turned through until one is confirmed. What the move would do is shown meanwhile, if the owner can tell.
 *
 * @typedef {{
 *   entered: (move: string) => void,
 *   changed: () => void,
 *   refused: (tokens: string[]) => void,
 *   counting: (tokens: string[]) => void,
 *   speak: (words: string) => void,
 *   preview: (tokens: string[]) => Promise<Scene | undefined>,
 * }} Owner `entered`: a whole move is; `changed`: what is entered changed; `refused`: no move has these tokens;
 *   `counting`: after these tokens it is chosen how many;
 *   `preview`: the scene after the move of these tokens, if it can be known
 * @typedef {{
 *   tokens: string[], index: number, at: Place, ghost: Ghost | null, previews: Map<string, Scene>,
 *   landing: string | undefined
 * }} Rotation the rotations that can be chosen and which is previewed; `at`: the place entered before them; `previews`:
 *   scenes by token; `landing`: the token of the place where the piece comes to lie
 * @typedef {{token: string | undefined, piece: Piece}} Grip the piece that is dragged, and the token of its place if it
 *   lies on one
 */

/** @import { Piece, Place, Scene } from "../lib/protocol.js" */
/** @import { Ghost } from "./scene-view.js" */

import { prefersReducedMotion } from "../lib/settings.js";
import { Entry } from "./entry.js";
import { Foresight } from "./foresight.js";
import { neighbour } from "./geometry.js";
import { turned } from "./orientation.js";
import { SceneView } from "./scene-view.js";

const DRAG = 7; // pixels until a press becomes a drag
/** @type {Object<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
  #view = new SceneView();
  /** @type {(Grip & {x: number, y: number}) | null} */
  #press = null;
  /** @type {(Grip & {targets: Set<string>, ghost: Ghost}) | null} */
  #drag = null;
  #dragged = false;
  /** @type {Rotation | null} */
  #rotation = null;
  #current = ""; // the token of the place in the tab order
  #refocus = false;
  /** @type {string[]} */
  #advised = [];
  /** @type {Scene | null} the scene as it came, not turned */
  #given = null;
  #turn = 0;
  #foresight = new Foresight({
    ask: (tokens) => this.owner.preview(tokens),
    show: (scene) => {
      if (this.#open && !this.#rotation) this.#view.preview(scene && turned(scene, this.#turn));
    },
  });

  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner;
    /** @type {Entry | null} what is being entered; none when nothing is asked here */
    this.entry = null;
    /** Whether the first token was chosen without a tap, since no other place could be. */
    this.begun = false;
    this.svg = this.#view.svg;
    this.svg.addEventListener("pointerdown", (event) => this.#down(event));
    this.svg.addEventListener("pointermove", (event) => this.#move(event));
    this.svg.addEventListener(
      "pointerover",
      (event) => event.pointerType === "mouse" && this.#foresee(this.#tokenOf(event)),
    );
    this.svg.addEventListener("pointerleave", () => this.#foresee(undefined));
    this.svg.addEventListener("pointerup", (event) => this.#up(event));
    this.svg.addEventListener("pointercancel", () => this.#drop());
    this.svg.addEventListener("click", (event) => this.#click(event));
    this.svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => this.#focused(event));
  }

  get scene() {
    return this.#view.scene;
  }

  /** @param {string} token @returns {Place | undefined} */
  place(token) {
    return this.#view.place(token);
  }

  /** @param {string} token */
  isPlace(token) {
    return this.#view.place(token) !== undefined;
  }

  /** The piece on a place, to picture its token elsewhere. @param {string} token */
  pieceOn(token) {
    return this.#view.pieceOn(token);
  }

  /** Let motion end at once. */
  finish() {
    this.#view.finish();
  }

  clear() {
    this.rest();
    this.#given = null;
    this.#view.clear();
  }

  /** How the board is turned, clockwise in degrees. */
  get turn() {
    return this.#turn;
  }

  /** Turn the board; what is half entered stays. @param {number} degrees @param {number} [pace] */
  turnTo(degrees, pace) {
    if (degrees === this.#turn) return;
    this.#turn = degrees;
    if (!this.#given) return;
    this.#stopRotation();
    this.show(this.#given, pace);
    if (this.entry) this.#view.zoomTo(this.entry.moves.flatMap((move) => move.spellings.flat()));
    if (this.#open) this.#startRotation(this.#open);
  }

  /**
   * Show a scene, moving what changed when there is a pace.
   * @param {Scene} scene
   * @param {number} [pace]
   */
  async show(scene, pace) {
    const had = this.svg.contains(document.activeElement);
    this.#given = scene;
    const shown = this.#view.show(turned(scene, this.#turn), { pace });
    if (had && !this.svg.contains(document.activeElement)) this.#refocus = true;
    this.#updateTabOrder();
    this.#mark();
    await shown;
  }

  /** Offer moves to be entered. @param {import("./entry.js").Move[]} moves */
  offer(moves) {
    this.#reset();
    this.#view.preview(null); // a move that was refused is not to be seen any more
    this.entry = new Entry(moves);
    this.#begin(this.entry);
    this.#view.zoomTo(moves.flatMap((move) => move.spellings.flat()));
    this.#updateTabOrder();
    this.#mark();
    if (this.#refocus && this.#current) {
      this.#refocus = false;
      this.focus();
    }
  }

  /**
   * Where one place alone can be chosen, and then only how many: choose it. What is no place can still be chosen instead.
   * @param {Entry} entry
   */
  #begin(entry) {
    const places = [...entry.next().keys()].filter((token) => this.isPlace(token));
    if (places.length !== 1 || !entry.choose(places[0])) return;
    this.begun = entry.amounts() !== null;
    if (!this.begun) entry.clear();
    else this.owner.counting([...entry.tokens]);
  }

  /** Ask nothing. */
  rest() {
    this.#reset();
    this.entry = null;
    this.#view.zoomTo([]);
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

  /** Point out places. @param {string[]} tokens */
  point(tokens) {
    this.#advised = tokens;
    this.#mark();
  }

  /** Enter a whole move. @param {string} move its text */
  enter(move) {
    const spelling = this.#spelling(move);
    this.entry?.clear();
    this.#stopRotation();
    if (spelling.length && this.entry?.choose(...spelling)) this.#entered(this.entry);
  }

  #reset() {
    this.#drop();
    this.#stopRotation();
    this.#advised = [];
    this.begun = false;
    this.#foresight.stop();
  }

  // --- what can be chosen ------------------------------------------------------------------------

  /** What is being entered, as long as it is no whole move. */
  get #open() {
    return this.entry && !this.entry.move ? this.entry : null;
  }

  /** The tokens of places that can be chosen now. @returns {Set<string>} */
  #lit() {
    const entry = this.#open;
    /** @param {string} token */
    const isPlace = (token) => this.isPlace(token);
    const tokens = this.#view.places.map((place) => place.token);
    return new Set(entry ? tokens.filter((token) => entry.reach(token, isPlace) || this.#standsFor(token)) : []);
  }

  /** The move that a place stands for as a whole, if it can be made and nothing is entered. @param {string} token */
  #standsFor(token) {
    const move = this.#open?.tokens.length ? undefined : this.place(token)?.move;
    return move && this.entry?.moves.some(({ text }) => text === move) ? move : undefined;
  }

  /** Places that a drag from one can end on. @param {string} token @returns {Set<string>} */
  #targets(token) {
    const others = this.#view.places.map((place) => place.token).filter((other) => other !== token);
    return new Set(others.filter((other) => this.#joined(token, other)));
  }

  /**
   * The tokens that join two places by a drag: in the order dragged, or else as the move is written.
   * @param {string} from @param {string} to
   */
  #joined(from, to) {
    const orders = [
      [from, to],
      [to, from],
    ];
    return orders.find((tokens) => this.#open?.allows(...tokens));
  }

  #mark() {
    if (!this.scene) return;
    const lit = this.#drag ? this.#drag.targets : this.#lit();
    const chosen = this.#drag?.token ? [this.#drag.token] : [...(this.entry?.tokens ?? [])];
    if (this.#rotation) chosen.push(this.#rotation.tokens[this.#rotation.index]);
    this.#view.mark({ lit, chosen, advised: this.#advised });
  }

  // --- entering ----------------------------------------------------------------------------------

  /** Take a token, from the board or from a button. @param {string} token */
  touch(token) {
    const entry = this.#open;
    if (!entry) return;
    if (this.#rotation && this.#touchWhileRotating(this.#rotation, token)) return;
    const whole = this.#standsFor(token);
    if (whole) return this.enter(whole);
    const tokens = entry.reach(token, (other) => this.isPlace(other));
    if (tokens) entry.choose(...tokens);
    else if (entry.tokens.at(-1) === token) entry.back();
    else if (!this.#startOver(entry, token)) return this.owner.refused([...entry.tokens, token]);
    this.#entered(this.entry ?? entry);
  }

  /** Touching another thing that begins a move discards what was entered. @param {Entry} entry @param {string} token */
  #startOver(entry, token) {
    const fresh = new Entry(entry.moves);
    const tokens = entry.tokens.length ? fresh.reach(token, (other) => this.isPlace(other)) : null;
    if (!tokens) return false;
    this.#stopRotation();
    this.begun = false;
    this.entry = fresh;
    return fresh.choose(...tokens);
  }

  /** @param {Entry} entry */
  #entered(entry) {
    const { move } = entry;
    this.#advised = [];
    if (move) this.#stopRotation(true);
    else this.#startRotation(entry);
    this.#mark();
    this.owner.changed();
    if (move) this.owner.entered(move);
    else if (entry.amounts()) this.owner.counting([...entry.tokens]);
  }

  /** Step back inside a half-entered move; returns whether there was something to take back. */
  back() {
    const { entry } = this;
    if (this.begun || !entry?.back()) return false;
    // A word that only leads to places is taken back with the place.
    if (entry.tokens.length === 1 && !this.isPlace(entry.tokens[0])) entry.back();
    this.#stopRotation();
    this.#view.preview(null); // a whole move that waited to be confirmed was left in sight
    this.#startRotation(entry);
    this.#mark();
    this.owner.changed();
    return true;
  }

  // --- rotating what was put down ----------------------------------------------------------------

  /** Whether rotations are previewed now. */
  get rotating() {
    return this.#rotation !== null;
  }

  /** Preview rotations if nothing else can follow. @param {Entry} entry */
  #startRotation(entry) {
    const next = entry.next();
    const tokens = this.#view.places.filter((place) => next.has(place.token) && place.role === "rotation");
    const at = this.place(entry.tokens.at(-1) ?? "");
    if (next.size < 2 || tokens.length < next.size || !at) return this.#stopRotation();
    this.#rotation = {
      tokens: tokens.map((place) => place.token),
      index: 0,
      at,
      ghost: null,
      previews: new Map(),
      landing: undefined,
    };
    this.#showRotation(this.#rotation);
    this.owner.speak(tokens[0].name);
    this.#fetchPreviews(entry, this.#rotation);
  }

  /** @param {boolean} [made] whether the move is made, so that what was previewed stays */
  #stopRotation(made = false) {
    if (!this.#rotation) return;
    this.#rotation.ghost?.remove();
    this.#rotation = null;
    if (!made) this.#view.preview(null);
  }

  /** Find out what each rotation would do. @param {Entry} entry @param {Rotation} rotation */
  async #fetchPreviews(entry, rotation) {
    const scenes = rotation.tokens.map((token) => this.owner.preview([...entry.tokens, token]));
    for (const [index, asked] of scenes.entries()) {
      const given = await asked;
      if (this.#rotation !== rotation) return;
      if (!given) continue;
      const scene = turned(given, this.#turn);
      rotation.previews.set(rotation.tokens[index], this.#withChoices(scene, entry, rotation));
      rotation.landing ??= this.#landing(scene);
      if (rotation.index === index) this.#showRotation(rotation);
    }
  }

  /** The token of the place on which a piece comes to lie that lay beside the board. @param {Scene} scene */
  #landing(scene) {
    const beside = new Set(this.#view.pieces.filter((piece) => !this.#view.placeOf(piece)).map(({ id }) => id));
    const landed = scene.pieces.filter(({ id }) => beside.has(id)).map((piece) => this.#view.placeOf(piece));
    return landed.find((place) => place !== undefined)?.token;
  }

  /**
   * A scene to come, with those pieces of this one that stand for what can still be chosen.
   * @param {Scene} scene @param {Entry} entry @param {Rotation} rotation @returns {Scene}
   */
  #withChoices(scene, entry, rotation) {
    const begins = [...new Entry(entry.moves).next().keys(), ...rotation.tokens];
    const choices = new Set(begins.map((token) => this.#view.pieceOn(token)?.id));
    const there = new Set(scene.pieces.map((piece) => piece.id));
    const kept = this.#view.pieces.filter((piece) => choices.has(piece.id) && !there.has(piece.id));
    return { ...scene, pieces: [...scene.pieces, ...kept] };
  }

  /**
   * Show the rotation that is previewed: in the scene to come, or until that is known on the place entered before.
   * @param {Rotation} rotation
   */
  #showRotation(rotation) {
    const { tokens, index, at, ghost, previews } = rotation;
    const scene = previews.get(tokens[index]);
    const piece = this.#view.pieceOn(tokens[index]);
    ghost?.remove();
    rotation.ghost = scene || !piece ? null : this.#view.ghost({ ...piece, x: at.x, y: at.y }, "preview");
    if (scene) this.#view.preview(scene, prefersReducedMotion() ? undefined : 2);
    this.#mark();
  }

  /** Preview the next rotation, or the one before. @param {1 | -1} way */
  rotate(way) {
    if (!this.#rotation) return;
    const count = this.#rotation.tokens.length;
    this.#rotateTo(this.#rotation, (this.#rotation.index + way + count) % count);
  }

  /** @param {Rotation} rotation @param {number} index */
  #rotateTo(rotation, index) {
    rotation.index = index;
    this.#showRotation(rotation);
    this.owner.speak(this.place(rotation.tokens[index])?.name ?? "");
    this.owner.changed();
  }

  /** Choose the rotation that is previewed. */
  confirmRotation() {
    if (!this.#rotation || !this.entry) return;
    this.entry.choose(this.#rotation.tokens[this.#rotation.index]);
    this.#entered(this.entry);
  }

  /** @param {Rotation} rotation @param {string} token @returns {boolean} whether it meant a rotation */
  #touchWhileRotating(rotation, token) {
    const { tokens, index, landing } = rotation;
    if (token === tokens[index]) this.confirmRotation();
    else if (tokens.includes(token)) this.#rotateTo(rotation, tokens.indexOf(token));
    else if (token === this.entry?.tokens.at(-1) || token === landing) this.rotate(1);
    else return false;
    return true;
  }

  // --- pointer -----------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  #down(event) {
    if (!event.isPrimary || event.button !== 0 || !this.entry || this.#rotation) return;
    const tokens = this.#view.places.map((place) => place.token);
    const token = this.#view.touched(
      event,
      tokens.filter((each) => this.pieceOn(each) && this.#targets(each).size),
    );
    const piece = token ? this.pieceOn(token) : this.#inHand(event.target);
    this.#press = piece ? { token, piece, x: event.clientX, y: event.clientY } : null;
  }

  /** The piece touched, if it is one in hand. @param {EventTarget | null} target */
  #inHand(target) {
    const piece = target instanceof Node ? this.#view.pieceUnder(target) : undefined;
    return piece?.role === "hand" ? piece : undefined;
  }

  /** @param {PointerEvent} event */
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
      const over = this.#view.touched(event, this.#drag.targets);
      const joined = over && this.#drag.token ? this.#joined(this.#drag.token, over) : undefined;
      this.#foresight.look(joined && this.#open?.completes(joined) ? joined : null);
    }
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    this.#press = null;
    if (!drag) return;
    const target = this.#view.touched(event, drag.targets);
    this.#drop();
    this.#dragged = true;
    setTimeout(() => (this.#dragged = false)); // the click that ends a drag is no tap
    const joined = target && drag.token ? this.#joined(drag.token, target) : undefined;
    if (joined && this.entry) {
      this.entry.choose(...joined);
      this.#entered(this.entry);
    } else if (target && !drag.token) this.touch(target);
    else this.#mark();
  }

  #drop() {
    this.#press = null;
    if (!this.#drag) return;
    this.#drag.ghost.remove();
    this.#view.lift(this.#drag.piece.id, false);
    this.#drag = null;
  }

  /** The token of the place that an event is on. @param {Event} event */
  #tokenOf({ target }) {
    /** @type {SVGElement | null} */
    const spot = target instanceof Element ? target.closest("[data-token]") : null;
    return spot?.dataset.token;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (this.#dragged || !this.entry) return;
    // A click without a pointer comes from a screen reader, and means the very element.
    const own = this.#tokenOf(event);
    const token = event.detail === 0 ? own : (this.#view.touched(event, [...this.#lit(), ...this.entry.tokens]) ?? own);
    if (token !== undefined) this.touch(token);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!this.#rotation) return;
    event.preventDefault();
    this.rotate(event.deltaY > 0 ? 1 : -1);
  }

  // --- keys --------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.scene) return;
    const handled = this.#handle(event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key @returns {boolean} whether it means something here */
  #handle(key) {
    if (key in ARROWS) this.#walk(...ARROWS[key]);
    else if (key === "Enter" || key === " ") this.#enter();
    else if (key === "n" || key === "p") this.#go(this.#nextLit(key === "n" ? 1 : -1));
    else if (this.#rotation && (key === "r" || key === "R")) this.rotate(key === "r" ? 1 : -1);
    else return false;
    return true;
  }

  #enter() {
    if (this.#rotation && this.#current === this.entry?.tokens.at(-1)) this.confirmRotation();
    else if (this.#current) this.touch(this.#current);
  }

  /** @param {1 | -1} way */
  #nextLit(way) {
    const tokens = this.#view.places.map((place) => place.token);
    const lit = this.#lit();
    const here = tokens.indexOf(this.#current);
    const ring = tokens.map((_, i) => tokens[(here + way * (i + 1) + 2 * tokens.length) % tokens.length]);
    return ring.find((token) => lit.has(token));
  }

  /** Go to the next place in a direction. @param {number} dx @param {number} dy */
  #walk(dx, dy) {
    const here = this.place(this.#current);
    this.#go(here && neighbour(this.#view.places, here, dx, dy)?.token);
  }

  /** @param {string | undefined} token */
  #go(token) {
    if (token !== undefined) this.#view.spot(token)?.focus();
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const token = this.#tokenOf(event);
    if (token === undefined) return;
    this.#current = token;
    this.#updateTabOrder();
    if (document.documentElement.dataset.by === "keys") this.#foresee(token);
  }

  /**
   * Show what would come of choosing a place, where that completes a move and it can be known; what is asked for comes
   * when it comes, and stops nobody.
   * @param {string | undefined} token
   */
  #foresee(token) {
    const entry = this.#open;
    const reached = token !== undefined && !this.#rotation && entry?.reach(token, (other) => this.isPlace(other));
    const tokens = entry && reached ? [...entry.tokens, ...reached] : null;
    this.#foresight.look(tokens && tokens.length > 1 && entry?.completes(tokens) ? tokens : null);
  }

  /** Keep exactly one place in the tab order. */
  #updateTabOrder() {
    const { places } = this.#view;
    if (!this.isPlace(this.#current)) this.#current = [...this.#lit()][0] ?? places[0]?.token ?? "";
    for (const { token } of places) {
      this.#view.spot(token)?.setAttribute("tabindex", token === this.#current ? "0" : "-1");
    }
  }

  /** Where a place is in the window. @param {string} token @returns {DOMRect | undefined} */
  boxOf(token) {
    return this.#view.spot(token)?.getBoundingClientRect();
  }

  /** Bring the keyboard to the board, to something that can be chosen. */
  focus() {
    const [first] = this.#lit();
    if (first !== undefined && !this.#lit().has(this.#current)) this.#current = first;
    this.#updateTabOrder();
    this.#view.spot(this.#current)?.focus();
  }
}
