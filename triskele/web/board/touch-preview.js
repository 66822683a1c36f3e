/**
 * What a move would do, on a touch screen: there is no pointing without touching, so a first tap shows what else the move
 * changes, and a second one on the same place makes it. A move that changes nothing else is made at once.
 *
 * @typedef {{
 *   ask: (tokens: string[]) => Promise<Scene | undefined>, show: (scene: Scene | null) => void,
 *   held: () => void, make: (token: string) => void
 * }} Owner `ask`: the scene after the move of these tokens, if it can be known; `show`: draws the board as it would be, or
 *   with none as it is; `held`: a move waits for the second tap; `make`: the move
 *   is to be made by this place
 */

/** @import { Piece, Scene } from "../lib/protocol.js" */
/** @import { SceneView } from "./scene-view.js" */

export class TouchPreview {
  #key = "";
  /** The token of the place whose second tap makes the move; none when nothing waits. @type {string | null} */
  token = null;

  /** @param {SceneView} view @param {Owner} owner */
  constructor(view, owner) {
    this.view = view;
    this.owner = owner;
  }

  /** A place was tapped that completes a move. @param {string} token @param {string[]} tokens of the whole move */
  async tap(token, tokens) {
    const key = tokens.join(" ");
    if (key === this.#key) return this.#make(token); // also when what it changes has not come yet
    this.stop();
    this.#key = key;
    const scene = await this.owner.ask(tokens);
    if (this.#key !== key) return;
    if (!scene || !this.#changesMore(scene, tokens)) return this.#make(token);
    this.owner.show(scene);
    this.token = token;
    this.owner.held();
  }

  /** @param {string} token */
  #make(token) {
    this.#forget();
    this.owner.make(token);
  }

  /** Show the board as it is, if a move was waiting. */
  stop() {
    if (this.token !== null) this.owner.show(null);
    this.#forget();
  }

  #forget() {
    this.#key = "";
    this.token = null;
  }

  /** Whether pieces change on places that the move does not name. @param {Scene} scene @param {string[]} tokens */
  #changesMore(scene, tokens) {
    const after = new Map(scene.pieces.map((piece) => [piece.id, piece]));
    /** @param {Piece} piece */
    const named = (piece) => tokens.includes(this.view.placeOf(piece)?.token ?? "");
    /** @param {Piece} piece */
    const changed = (piece) => {
      const then = after.get(piece.id);
      return !then || then.sprite !== piece.sprite || then.x !== piece.x || then.y !== piece.y;
    };
    const lying = this.view.pieces.filter((piece) => piece.role !== "trace" && this.view.placeOf(piece));
    return lying.some((piece) => changed(piece) && !named(piece));
  }
}
