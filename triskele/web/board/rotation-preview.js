/**
 * Rotations of what was put down (`Place.role`): previewed one after the other, and turned through until one is chosen.
 *
 * @typedef {{
 *   preview: (tokens: string[]) => Promise<Scene | undefined>, turned: (scene: Scene) => Scene,
 *   speak: (words: string) => void, marks: () => void, changed: () => void
 * }} Owner `preview`: the scene after the move of these tokens, if it can be known; `turned`: a scene as the board lies;
 *   `marks`: what is marked changed; `changed`: another rotation is previewed
 * @typedef {{
 *   entry: Entry, tokens: string[], index: number, at: Place, ghost: Ghost | null, previews: Map<string, Scene>,
 *   landing: string | undefined
 * }} Rotation the rotations that can be chosen and which is previewed; `at`: the place entered before them; `previews`:
 *   scenes by token; `landing`: the token of the place where the piece comes to lie
 */

/** @import { Place, Scene } from "../lib/protocol.js" */
/** @import { Ghost, SceneView } from "./scene-view.js" */

import { prefersReducedMotion } from "../lib/settings.js";
import { Entry } from "./entry.js";

export class RotationPreview {
  /** @type {Rotation | null} */
  #rotation = null;

  /** @param {SceneView} view @param {Owner} owner */
  constructor(view, owner) {
    this.view = view;
    this.owner = owner;
  }

  /** The token of the rotation that is previewed; none when there is nothing to rotate. */
  get token() {
    return this.#rotation?.tokens[this.#rotation.index];
  }

  /** Preview rotations if nothing else can follow. @param {Entry} entry */
  start(entry) {
    const next = entry.next();
    const tokens = this.view.places.filter((place) => next.has(place.token) && place.role === "rotation");
    const at = this.view.place(entry.tokens.at(-1) ?? "");
    if (next.size < 2 || tokens.length < next.size || !at) return this.stop();
    this.#rotation = {
      entry,
      tokens: tokens.map((place) => place.token),
      index: 0,
      at,
      ghost: null,
      previews: new Map(),
      landing: undefined,
    };
    this.#show(this.#rotation);
    this.owner.speak(tokens[0].name);
    this.#fetch(this.#rotation);
  }

  /** @param {boolean} [made] whether the move is made, so that what was previewed stays */
  stop(made = false) {
    if (!this.#rotation) return;
    this.#rotation.ghost?.remove();
    this.#rotation = null;
    if (!made) this.view.preview(null);
  }

  /** Find out what each rotation would do. @param {Rotation} rotation */
  async #fetch(rotation) {
    const scenes = rotation.tokens.map((token) => this.owner.preview([...rotation.entry.tokens, token]));
    for (const [index, asked] of scenes.entries()) {
      const given = await asked;
      if (this.#rotation !== rotation) return;
      if (!given) continue;
      const scene = this.owner.turned(given);
      rotation.previews.set(rotation.tokens[index], this.#withChoices(scene, rotation));
      rotation.landing ??= this.#landing(scene);
      if (rotation.index === index) this.#show(rotation);
    }
  }

  /** The token of the place on which a piece comes to lie that lay beside the board. @param {Scene} scene */
  #landing(scene) {
    const beside = new Set(this.view.pieces.filter((piece) => !this.view.placeOf(piece)).map(({ id }) => id));
    const landed = scene.pieces.filter(({ id }) => beside.has(id)).map((piece) => this.view.placeOf(piece));
    return landed.find((place) => place !== undefined)?.token;
  }

  /**
   * A scene to come, with those pieces of this one that stand for what can still be chosen.
   * @param {Scene} scene @param {Rotation} rotation @returns {Scene}
   */
  #withChoices(scene, { entry, tokens }) {
    const begins = [...new Entry(entry.moves).next().keys(), ...tokens];
    const choices = new Set(begins.map((token) => this.view.pieceOn(token)?.id));
    const there = new Set(scene.pieces.map((piece) => piece.id));
    const kept = this.view.pieces.filter((piece) => choices.has(piece.id) && !there.has(piece.id));
    return { ...scene, pieces: [...scene.pieces, ...kept] };
  }

  /**
   * Show the rotation that is previewed: in the scene to come, or until that is known on the place entered before.
   * @param {Rotation} rotation
   */
  #show(rotation) {
    const { tokens, index, at, ghost, previews } = rotation;
    const scene = previews.get(tokens[index]);
    const piece = this.view.pieceOn(tokens[index]);
    ghost?.remove();
    rotation.ghost = scene || !piece ? null : this.view.ghost({ ...piece, x: at.x, y: at.y }, "preview");
    if (scene) this.view.preview(scene, prefersReducedMotion() ? undefined : 2);
    this.owner.marks();
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
    this.#show(rotation);
    this.owner.speak(this.view.place(rotation.tokens[index])?.name ?? "");
    this.owner.changed();
  }

  /**
   * Take a touch: of another rotation, which is previewed, or of what is rotated.
   * @param {string} token @returns {boolean} whether it meant a rotation
   */
  touch(token) {
    const rotation = this.#rotation;
    if (!rotation) return false;
    const { entry, tokens, landing } = rotation;
    if (tokens.includes(token)) this.#rotateTo(rotation, tokens.indexOf(token));
    else if (token === entry.tokens.at(-1) || token === landing) this.rotate(1);
    else return false;
    return true;
  }
}
