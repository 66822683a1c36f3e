/**
 * The board as an input device: taps, drags, keys and the wheel become tokens, tokens become a move.
 * It knows no game. What the move would do is shown meanwhile, if the owner can tell.
 *
 * @typedef {{
 *   entered: (move: string) => void,
 *   changed: () => void,
 *   refused: (tokens: string[]) => void,
 *   counting: (tokens: string[]) => void,
 *   speak: (words: string) => void,
 *   preview: (tokens: string[]) => Promise<Scene | undefined>,
 *   previewsTouch: () => boolean,
 *   held: () => void,
 *   handed?: (begins: boolean) => void,
 * }} Owner `entered`: a whole move is; `changed`: what is entered changed; `refused`: no move has these tokens;
 *   `counting`: after these tokens it is chosen how many;
 *   `preview`: the scene after the move of these tokens, if it can be known; `previewsTouch`: whether a tap on a touch
 *   screen shows what a move changes before a second one makes it; `held`: a move waits for a second tap;
 *   `handed`: what is touched from now on, or no longer, was dragged out of a hand, with all that is in it
 */

/** @import { Place, Scene } from "../lib/protocol.js" */

import { prefersReducedMotion } from "../lib/settings.js";
import { BoardKeys, tokenOf } from "./board-keys.js";
import { Dragging } from "./dragging.js";
import { Entry } from "./entry.js";
import { Foresight } from "./foresight.js";
import { turned } from "./orientation.js";
import { RotationPreview } from "./rotation-preview.js";
import { SceneView } from "./scene-view.js";
import { TouchPreview } from "./touch-preview.js";

const FEW = 4; // numbers that have a button each

export class Board {
  #view = new SceneView();
  /** @type {string[]} */
  #advised = [];
  /** @type {Scene | null} the scene as it came, not turned */
  #given = null;
  #turn = 0;
  #foresight = new Foresight({
    ask: (tokens) => this.owner.preview(tokens),
    show: (scene) => {
      if (this.#open && !this.rotating) this.#view.preview(scene && turned(scene, this.#turn));
    },
  });
  #rotation = new RotationPreview(this.#view, {
    preview: (tokens) => this.owner.preview(tokens),
    turned: (scene) => turned(scene, this.#turn),
    speak: (words) => this.owner.speak(words),
    marks: () => this.#mark(),
    changed: () => this.owner.changed(),
  });
  #touchPreview = new TouchPreview(this.#view, {
    ask: async (tokens) => {
      const scene = await this.owner.preview(tokens);
      return scene && turned(scene, this.#turn);
    },
    show: (scene) => this.#view.preview(scene, this.#pace),
    held: () => {
      this.#mark();
      this.owner.held();
      this.owner.changed();
    },
    make: (token) => this.touch(token),
  });
  #byTouch = false;
  #dragging = new Dragging(this.#view, {
    ready: () => this.entry !== null && !this.rotating,
    targets: (token) => (token ? this.#targets(token) : this.#lit()),
    marks: () => this.#mark(),
    over: (from, to) => this.#draggedOver(from, to),
    dropped: (from, to) => this.#dropped(from, to),
  });
  #keys = new BoardKeys(this.#view, {
    lit: () => this.#lit(),
    enter: (token) =>
      this.rotating && token === this.entry?.tokens.at(-1) ? this.confirmRotation() : this.touch(token),
    rotate: (way) => this.rotate(way),
    focused: (token) => document.documentElement.dataset.by === "keys" && this.#foresee(token),
  });

  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner;
    /** @type {Entry | null} what is being entered; none when nothing is asked here */
    this.entry = null;
    /** Whether the first token was chosen without a tap, since no other place could be. */
    this.begun = false;
    /** How many tokens at the end of what is entered were chosen without a tap, since no others could be. */
    this.added = 0;
    this.svg = this.#view.svg;
    this.svg.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#foresee(tokenOf(event)));
    this.svg.addEventListener("pointerleave", () => this.#foresee(undefined));
    this.svg.addEventListener("pointerdown", ({ pointerType }) => (this.#byTouch = pointerType === "touch"));
    this.svg.addEventListener("click", (event) => this.#click(event));
    this.svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
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

  /** Whether a token says where something is put, and not where it comes from. @param {string} token */
  #isGoal(token) {
    return this.isPlace(token) && this.place(token)?.role !== "hand";
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

  /** How fast what is previewed moves; not at all without a pace. */
  get #pace() {
    return prefersReducedMotion() ? undefined : 2;
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
    this.#rotation.stop();
    this.show(this.#given, pace);
    if (this.entry) this.#zoom(this.entry);
    if (this.#open) this.#rotation.start(this.#open);
  }

  /**
   * Show a scene, moving what changed when there is a pace.
   * @param {Scene} scene
   * @param {number} [pace]
   */
  async show(scene, pace) {
    this.#given = scene;
    /** @type {Promise<void> | undefined} */
    let shown;
    this.#keys.during(() => (shown = this.#view.show(turned(scene, this.#turn), { pace })));
    this.#mark();
    await shown;
  }

  /** Offer moves to be entered. @param {import("./entry.js").Move[]} moves */
  offer(moves) {
    this.#reset();
    this.#view.preview(null); // a move that was refused is not to be seen any more
    this.entry = new Entry(moves);
    this.#begin(this.entry);
    this.#zoom(this.entry);
    this.#mark();
    this.#keys.restore();
  }

  /** Come nearer to small places that can be touched; those of a word are picked beside the board. @param {Entry} entry */
  #zoom(entry) {
    this.#view.zoomTo(entry.word() ? [] : entry.moves.flatMap((move) => move.spellings.flat()));
  }

  /**
   * Where one place alone can be chosen, and then only how many: choose it. What is no place can still be chosen instead.
   * @param {Entry} entry
   */
  #begin(entry) {
    const places = [...entry.next().keys()].filter((token) => this.isPlace(token));
    if (this.#amountsOf(entry)) return this.owner.counting([]);
    if (places.length !== 1 || !entry.choose(places[0])) return undefined;
    this.begun = this.#amountsOf(entry) !== null;
    if (!this.begun) entry.clear();
    else this.owner.counting([...entry.tokens]);
    return undefined;
  }

  /** @param {Entry} entry */
  #amountsOf(entry) {
    return entry.amounts((token) => this.isPlace(token));
  }

  /** The tokens that say how many, in order, when it is that which is to be chosen. */
  get amounts() {
    return this.entry && this.#amountsOf(this.entry);
  }

  /** Whether those are few and all that is asked, so that each is better chosen by a button of its own. */
  get choices() {
    return !this.entry?.tokens.length && (this.amounts?.length ?? FEW + 1) <= FEW;
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
    const touched = this.entry?.moves.some(({ spellings }) => spellings.flat().some((token) => this.isPlace(token)));
    if (!touched) this.#view.zoomTo(tokens); // nothing else on the board is asked for
    this.#mark();
  }

  /** Enter a whole move. @param {string} move its text */
  enter(move) {
    const spelling = this.#spelling(move);
    this.entry?.clear();
    this.#rotation.stop();
    if (spelling.length && this.entry?.choose(...spelling)) this.#entered(this.entry);
  }

  #reset() {
    this.#dragging.drop();
    this.#rotation.stop();
    this.#touchPreview.stop();
    this.#advised = [];
    this.begun = false;
    this.added = 0;
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
    const tokens = this.#view.places.map((place) => place.token);
    return new Set(entry ? tokens.filter((token) => this.#reach(entry, token) || this.#standsFor(token)) : []);
  }

  /** The tokens to enter when a place is touched. @param {Entry} entry @param {string} token */
  #reach(entry, token) {
    return entry.reach(token, (other) => this.#isGoal(other));
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
   * The tokens that join two places by a drag: in the order dragged, or else as the move is written; out of a hand those
   * of a whole move, where it has one for that place.
   * @param {string} from @param {string} to
   */
  #joined(from, to) {
    const drops = this.place(from)?.drops;
    if (drops && this.#open && !this.#open.tokens.length) return this.#open.spelled(drops, from, to);
    const orders = [
      [from, to],
      [to, from],
    ];
    return orders.find((tokens) => this.#open?.allows(...tokens));
  }

  #mark() {
    if (!this.scene) return;
    const { drag } = this.#dragging;
    const lit = drag?.targets ?? this.#lit();
    const chosen = drag?.token ? [drag.token] : [...(this.entry?.tokens ?? [])];
    for (const token of [this.#rotation.token, this.#touchPreview.token]) if (token) chosen.push(token);
    this.#view.mark({ lit, chosen, advised: this.#advised });
  }

  // --- entering ----------------------------------------------------------------------------------

  /** Take a token, from the board or from a button. @param {string} token */
  touch(token) {
    const entry = this.#open;
    if (!entry) return;
    this.#touchPreview.stop();
    if (token === this.#rotation.token) return this.confirmRotation();
    if (this.#rotation.touch(token)) return;
    const whole = this.#standsFor(token);
    if (whole) return this.enter(whole);
    const tokens = this.#reach(entry, token);
    if (tokens) entry.choose(...tokens);
    else if (entry.tokens.slice(entry.tokens.length - this.added).includes(token)) return this.#mark();
    else if (entry.tokens.at(-1 - this.added) === token) this.#takeBack(entry);
    else if (!this.#startOver(entry, token)) return this.owner.refused([...entry.tokens, token]);
    this.#entered(this.entry ?? entry);
  }

  /** Touching another thing that begins a move discards what was entered. @param {Entry} entry @param {string} token */
  #startOver(entry, token) {
    const fresh = new Entry(entry.moves);
    const tokens = entry.tokens.length ? this.#reach(fresh, token) : null;
    if (!tokens) return false;
    this.#rotation.stop();
    this.begun = false;
    this.entry = fresh;
    return fresh.choose(...tokens);
  }

  /** Take back the last token that was chosen, with those that followed by themselves. @param {Entry} entry */
  #takeBack(entry) {
    for (; this.added > 0; this.added--) entry.back();
    return entry.back();
  }

  /** @param {Entry} entry */
  #entered(entry) {
    this.added = entry.advance();
    const { move } = entry;
    this.#advised = [];
    if (move) this.#rotation.stop(true);
    else this.#rotation.start(entry);
    this.#mark();
    this.owner.changed();
    if (move) this.owner.entered(move);
    else if (this.#amountsOf(entry)) this.owner.counting([...entry.tokens]);
  }

  /** Step back inside a half-entered move; returns whether there was something to take back. */
  back() {
    const { entry } = this;
    if (this.begun || !entry || !this.#takeBack(entry)) return false;
    // A word that only leads to places is taken back with the place.
    if (entry.tokens.length === 1 && !this.#isGoal(entry.tokens[0])) entry.back();
    this.#rotation.stop();
    this.#touchPreview.stop();
    this.#view.preview(null); // a whole move that waited to be confirmed was left in sight
    this.#rotation.start(entry);
    this.#mark();
    this.owner.changed();
    return true;
  }

  // --- rotating what was put down ----------------------------------------------------------------

  /** Whether rotations are previewed now. */
  get rotating() {
    return this.#rotation.token !== undefined;
  }

  /** Preview the next rotation, or the one before; returns whether there is something to rotate. @param {1 | -1} way */
  rotate(way) {
    this.#rotation.rotate(way);
    return this.rotating;
  }

  /** Choose the rotation that is previewed. */
  confirmRotation() {
    const { token } = this.#rotation;
    if (token === undefined || !this.entry) return;
    this.entry.choose(token);
    this.#entered(this.entry);
  }

  // --- pointer -----------------------------------------------------------------------------------

  /** @param {string | undefined} from @param {string | undefined} to */
  #draggedOver(from, to) {
    const joined = from && to ? this.#joined(from, to) : undefined;
    this.#foresight.look(joined && this.#open?.completes(joined) ? joined : null);
  }

  /** @param {string | undefined} from @param {string | undefined} to */
  #dropped(from, to) {
    const joined = from && to ? this.#joined(from, to) : undefined;
    if (joined && this.entry) {
      this.entry.choose(...joined);
      this.#entered(this.entry);
    } else if (to && !from) {
      this.owner.handed?.(true);
      this.touch(to);
      this.owner.handed?.(false);
    } else this.#mark();
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (this.#dragging.ended || !this.entry) return;
    // A click without a pointer comes from a screen reader, and means the very element.
    const own = tokenOf(event);
    const token = event.detail === 0 ? own : (this.#view.touched(event, [...this.#lit(), ...this.entry.tokens]) ?? own);
    if (token === undefined) return;
    const tokens = event.detail !== 0 && this.#byTouch && this.owner.previewsTouch() ? this.#completed(token) : null;
    if (tokens) this.#touchPreview.tap(token, tokens);
    else this.touch(token);
  }

  /** The tokens of the move of several that choosing a place completes, if it does. @param {string | undefined} token */
  #completed(token) {
    const entry = this.#open;
    const reached = token !== undefined && !this.rotating && entry && this.#reach(entry, token);
    const tokens = entry && reached ? [...entry.tokens, ...reached] : null;
    return tokens && tokens.length > 1 && entry?.completes(tokens) ? tokens : null;
  }

  /** Whether a move waits for a second tap. */
  get holding() {
    return this.#touchPreview.token !== null;
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!this.rotating) return;
    event.preventDefault();
    this.rotate(event.deltaY > 0 ? 1 : -1);
  }

  /**
   * Show what would come of choosing a place, where that completes a move and it can be known; what is asked for comes
   * when it comes, and stops nobody.
   * @param {string | undefined} token
   */
  #foresee(token) {
    this.#foresight.look(this.#completed(token));
  }

  /** Where a place is in the window. @param {string} token @returns {DOMRect | undefined} */
  boxOf(token) {
    return this.#view.spot(token)?.getBoundingClientRect();
  }

  /** Bring the keyboard to the board, to something that can be chosen. */
  focus() {
    this.#keys.focus();
  }
}
