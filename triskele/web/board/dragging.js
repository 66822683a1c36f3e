/**
 * Dragging a piece from a place, or out of a hand, to a place.
 *
 * @typedef {{
 *   ready: () => boolean, targets: (token: string | undefined) => Set<string>, marks: () => void,
 *   over: (from: string | undefined, to: string | undefined) => void,
 *   dropped: (from: string | undefined, to: string | undefined) => void
 * }} Owner `ready`: whether a piece may be dragged now; `targets`: where a drag from a place can end, or without one that
 *   of a piece in hand; `marks`: what is marked changed; `over`: the place that is dragged over, if it is a target;
 *   `dropped`: the same when the drag ends
 * @typedef {{token: string | undefined, piece: Piece}} Grip the piece that is dragged, and the token of its place if it
 *   lies on one
 */

/** @import { Piece } from "../lib/protocol.js" */
/** @import { Ghost, SceneView } from "./scene-view.js" */

const FAR = 7; // pixels until a press becomes a drag

export class Dragging {
  /** @type {(Grip & {x: number, y: number}) | null} */
  #press = null;
  /** @type {(Grip & {targets: Set<string>, ghost: Ghost}) | null} */
  #drag = null;
  /** Whether a drag has just ended: the click that ends it is no tap. */
  ended = false;

  /** @param {SceneView} view @param {Owner} owner */
  constructor(view, owner) {
    this.view = view;
    this.owner = owner;
    view.svg.addEventListener("pointerdown", (event) => this.#down(event));
    view.svg.addEventListener("pointermove", (event) => this.#move(event));
    view.svg.addEventListener("pointerup", (event) => this.#up(event));
    view.svg.addEventListener("pointercancel", () => this.drop());
  }

  /** What is dragged: the token of its place if it lies on one, and where it can be dropped; none when nothing is. */
  get drag() {
    return this.#drag;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!event.isPrimary || event.button !== 0 || !this.owner.ready()) return;
    const tokens = this.view.places.map((place) => place.token);
    const token = this.view.touched(
      event,
      tokens.filter((each) => this.view.pieceOn(each) && this.owner.targets(each).size),
    );
    const piece = token ? this.view.pieceOn(token) : this.#inHand(event.target);
    this.#press = piece ? { token, piece, x: event.clientX, y: event.clientY } : null;
  }

  /** The piece touched, if it is one in hand. @param {EventTarget | null} target */
  #inHand(target) {
    const piece = target instanceof Node ? this.view.pieceUnder(target) : undefined;
    return piece?.role === "hand" ? piece : undefined;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (press && !this.#drag && Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR) {
      const { token, piece } = press;
      this.#drag = { token, piece, targets: this.owner.targets(token), ghost: this.view.ghost(piece, "dragged") };
      this.view.lift(piece.id, true);
      this.view.svg.setPointerCapture(event.pointerId);
      this.owner.marks();
    }
    if (!this.#drag) return;
    const { x, y } = this.view.toScene(event);
    this.#drag.ghost.move(x, y);
    this.owner.over(this.#drag.token, this.view.touched(event, this.#drag.targets));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    this.#press = null;
    if (!drag) return;
    const target = this.view.touched(event, drag.targets);
    this.drop();
    this.ended = true;
    setTimeout(() => (this.ended = false));
    this.owner.dropped(drag.token, target);
  }

  /** Let go of what is dragged, and leave it where it was. */
  drop() {
    this.#press = null;
    if (!this.#drag) return;
    this.#drag.ghost.remove();
    this.view.lift(this.#drag.piece.id, false);
    this.#drag = null;
  }
}
