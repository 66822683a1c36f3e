/**
 * A scene on the page: its pieces drawn and moved, its places as things to point at.
 *
 * @typedef {{outer: SVGGElement, inner: SVGGElement, use: SVGUseElement, text: SVGTextElement | null}} Drawn a piece's
 *   elements
 * @typedef {{move: (x: number, y: number) => void, remove: () => void}} Ghost a piece drawn in addition to the scene
 * @typedef {{
 *   lit: Set<string>, chosen: string[], advised: string[]
 * }} Marks the tokens that can be chosen, that are entered, and of a hint
 */

/** @import { Piece, Place, Scene } from "../lib/protocol.js" */

import { s } from "../lib/dom.js";
import { boxAround, boxOfBoth, breadth, middle, touched } from "./geometry.js";
import { Motion, changes } from "./motion.js";

const FINGER = 24; // pixels around a touch in which a place is still meant
const MARGIN = 3; // units around the scene, for outlines at its very edge
const SMALL = 22; // pixels: smaller places are too small for a finger, and are zoomed in to
const SMALL_WIDE = 20; // the same on a phone on its side, where zooming in leaves little of the board in sight
const ZOOM_MARGIN = 90; // units around the places that are zoomed in to
const LEAST_ZOOM = 1.4; // less is not worth it

/** Whether an outline is a box with level sides. @param {[number, number][]} points */
const isBox = (points) =>
  points.length === 4 &&
  points.every(([x, y]) => Math.abs(x) === Math.abs(points[0][0]) && Math.abs(y) === Math.abs(points[0][1]));

/** @param {Place} place @param {number} share of its size */
function box(place, share) {
  const [width, height] = place.points[0].map((size) => 2 * Math.abs(size) * share);
  return s("rect", {
    x: place.x - width / 2,
    y: place.y - height / 2,
    width,
    height,
    rx: Math.min(width, height) * 0.2,
  });
}

/** @param {Place} place @param {number} share of its size */
function outline(place, share) {
  if (!place.points.length) return s("circle", { cx: place.x, cy: place.y, r: place.radius * share });
  if (isBox(place.points)) return box(place, share);
  const centre = middle(place);
  /** @param {[number, number]} point */
  const corner = ([dx, dy]) => {
    const x = centre.x + (place.x + dx - centre.x) * share;
    const y = centre.y + (place.y + dy - centre.y) * share;
    return `${x.toFixed(2)},${y.toFixed(2)}`;
  };
  return s("polygon", { points: place.points.map(corner).join(" ") });
}

/** Whether a piece lies on a place. @param {Piece} piece @param {Place} place */
function isOn(piece, place) {
  const size = place.radius || Math.min(...place.points.map(([x, y]) => Math.hypot(x, y)));
  return Math.hypot(piece.x - place.x, piece.y - place.y) < 0.45 * size;
}

export class SceneView {
  /** @type {Map<string, Drawn>} */
  #drawn = new Map();
  /** @type {Map<string, SVGGElement>} the elements of the places, by token */
  #spots = new Map();
  #motion = new Motion();
  #pieces = s("g");
  #marks = s("g", { class: "marks" });
  #places = s("g");
  #ghosts = s("g", { class: "ghosts" });
  /** @type {Scene | null} whose pieces are drawn: the scene's own, or those of a preview */
  #drawnScene = null;
  /** @type {Set<string>} the places that are zoomed in to where they are small */
  #zoomed = new Set();
  #windowWidth = 0;
  /** @type {number[] | null} what was zoomed in to last */
  #zoomBox = null;

  constructor() {
    /** @type {Scene | null} */
    this.scene = null;
    this.svg = s("svg", { class: "board", role: "group" }, this.#pieces, this.#marks, this.#ghosts, this.#places);
    // After a phone is turned, or when a board comes into sight, the zoom is chosen again; what comes and goes below the
    // board changes nothing.
    new ResizeObserver(() => innerWidth === this.#windowWidth || this.zoomTo(this.#zoomed)).observe(this.svg);
  }

  /** Show nothing at all (behind a curtain, say). */
  clear() {
    this.#motion.finish();
    this.scene = null;
    this.#drawnScene = null;
    this.#drawn.clear();
    this.#spots.clear();
    for (const group of [this.#pieces, this.#marks, this.#places, this.#ghosts]) group.replaceChildren();
  }

  /**
   * Show a scene; resolves when everything is where it belongs.
   * @param {Scene} scene @param {{pace?: number}} [how] without a pace nothing moves
   */
  async show(scene, { pace } = {}) {
    this.scene = scene;
    this.zoomTo([]);
    const shown = this.#movePieces(scene, pace);
    this.#drawPlaces(scene);
    await shown;
  }

  /**
   * Draw the pieces as they would be, and leave the places as they are; with none, draw them as they are again.
   * @param {Scene | null} scene @param {number} [pace]
   */
  preview(scene, pace) {
    const wanted = scene ?? this.scene;
    if (wanted && wanted !== this.#drawnScene) this.#movePieces(wanted, pace);
  }

  /** @param {Scene} scene @param {number} [pace] @returns {Promise<void>} */
  #movePieces(scene, pace) {
    this.#motion.finish();
    const list = pace && this.#drawnScene ? changes(this.#drawnScene, scene) : [];
    const fading = new Set(list.filter((change) => change.kind === "fade").map((change) => change.id));
    const leaving = new Map([...fading].map((id) => [id, this.#drawn.get(id)]));
    this.#drawnScene = scene;
    this.#drawPieces(scene, fading);
    return this.#motion.play(list, (id) => this.#drawn.get(id) ?? leaving.get(id), pace ?? 1);
  }

  /** @param {Scene} scene @param {Set<string>} fading ids that stay in the page until they have faded */
  #drawPieces(scene, fading) {
    const wanted = new Set(scene.pieces.map((piece) => piece.id));
    for (const [id, { outer }] of this.#drawn) {
      if (wanted.has(id)) continue;
      if (!fading.has(id)) outer.remove();
      this.#drawn.delete(id);
    }
    /** @type {SVGGElement | null} */
    let behind = null;
    for (const piece of scene.pieces.toSorted((a, b) => a.layer - b.layer)) {
      const { outer } = this.#draw(piece);
      /** @type {ChildNode | null} */
      const next = behind ? behind.nextSibling : this.#pieces.firstChild;
      if (next !== outer) this.#pieces.insertBefore(outer, next);
      behind = outer;
    }
  }

  /** @param {Piece} piece @returns {Drawn} */
  #draw(piece) {
    let drawn = this.#drawn.get(piece.id);
    if (!drawn) {
      const use = s("use");
      const inner = s("g", {}, use);
      drawn = { outer: s("g", {}, inner), inner, use, text: null };
      this.#drawn.set(piece.id, drawn);
    }
    const { outer, inner, use } = drawn;
    outer.setAttribute("transform", `translate(${piece.x} ${piece.y})`);
    outer.classList.toggle("coordinate", piece.role === "coordinate");
    inner.setAttribute("transform", `rotate(${piece.turn})`);
    if (use.getAttribute("href") !== `#${piece.sprite}`) use.setAttribute("href", `#${piece.sprite}`);
    if (piece.label && !drawn.text) {
      drawn.text = s("text", { dy: ".35em", "text-anchor": "middle" });
      outer.append(drawn.text);
    }
    if (drawn.text) {
      drawn.text.setAttribute("class", `label-${piece.sprite}`);
      if (drawn.text.textContent !== piece.label) drawn.text.textContent = piece.label;
    }
    return drawn;
  }

  /** @param {Scene} scene */
  #drawPlaces(scene) {
    const old = this.#spots;
    this.#spots = new Map();
    for (const place of scene.places) {
      const shape = outline(place, 1);
      const spot =
        old.get(place.token) ?? s("g", { class: "place", role: "button", tabindex: "-1", "data-token": place.token });
      spot.replaceChildren(shape);
      spot.setAttribute("aria-label", place.name);
      this.#spots.set(place.token, spot);
      old.delete(place.token);
      if (spot.parentNode !== this.#places) this.#places.append(spot);
    }
    for (const spot of old.values()) spot.remove();
  }

  /**
   * Zoom in to some places if they would be too small for a finger; else show the whole scene.
   * @param {Iterable<string>} tokens
   */
  zoomTo(tokens) {
    if (!this.scene) return;
    this.#zoomed = new Set(tokens);
    const windowWidth = this.svg.clientWidth ? innerWidth : 0; // without a size yet, it is chosen as soon as there is one
    if (windowWidth !== this.#windowWidth) this.#zoomBox = null;
    this.#windowWidth = windowWidth;
    const whole = [-MARGIN, -MARGIN, this.scene.width + 2 * MARGIN, this.scene.height + 2 * MARGIN];
    const zoomed = this.#zoom(this.scene, this.#zoomed, whole);
    this.svg.classList.toggle("near", zoomed !== null);
    this.svg.setAttribute("viewBox", (zoomed ?? whole).join(" "));
  }

  /** @param {Scene} scene @param {Set<string>} tokens @param {number[]} whole @returns {number[] | null} */
  #zoom(scene, tokens, whole) {
    // A hand lies beside the board, and need not be seen: what is in it can be put down by a tap as well.
    const places = scene.places.filter(({ token, role }) => tokens.has(token) && role !== "hand");
    const { width, height } = this.svg.getBoundingClientRect();
    const scale = Math.min(width / whole[2], height / whole[3]);
    const small = width > height ? SMALL_WIDE : SMALL;
    if (!scale || !places.length || Math.min(...places.map(breadth)) * scale >= small) return null;
    const box = boxAround(places, ZOOM_MARGIN);
    /** @param {number[]} shown */
    const near = (shown) => Math.min(width / shown[2], height / shown[3]) >= LEAST_ZOOM * scale;
    // What was in sight before stays in sight as long as that is near enough: the board is to jump as little as can be.
    const wider = this.#zoomBox && boxOfBoth(this.#zoomBox, box);
    this.#zoomBox = wider && near(wider) ? wider : near(box) ? box : null;
    return this.#zoomBox;
  }

  /** The element of a place. @param {string} token */
  spot(token) {
    return this.#spots.get(token);
  }

  /** The places of the scene; none when nothing is shown. */
  get places() {
    return this.scene?.places ?? [];
  }

  /** The pieces of the scene; none when nothing is shown. */
  get pieces() {
    return this.scene?.pieces ?? [];
  }

  /** The pieces above the ground, which is the lowest layer. */
  get #movable() {
    const ground = Math.min(...this.pieces.map((piece) => piece.layer));
    return this.pieces.filter((piece) => piece.layer > ground);
  }

  /** @param {string} token @returns {Place | undefined} */
  place(token) {
    return this.places.find((place) => place.token === token);
  }

  /** Show what can be done and what was entered. @param {Marks} marks */
  mark({ lit, chosen, advised }) {
    this.#marks.replaceChildren();
    for (const place of this.places) {
      const spot = this.#spots.get(place.token);
      if (!spot) continue;
      const isChosen = chosen.includes(place.token);
      spot.setAttribute("aria-disabled", String(!lit.has(place.token)));
      spot.setAttribute("aria-pressed", String(isChosen));
      spot.classList.toggle("lit", lit.has(place.token));
      if (place.role === "rotation") this.#await(place.token, !lit.has(place.token) && !isChosen);
      if (advised.includes(place.token)) this.#marks.append(this.#mark(place, "advised"));
      if (isChosen) this.#marks.append(this.#mark(place, "chosen"));
      else if (lit.has(place.token)) this.#marks.append(this.#mark(place, "lit"));
    }
  }

  /** Show that what lies on a place cannot be chosen yet. @param {string} token @param {boolean} on */
  #await(token, on) {
    const piece = this.pieceOn(token);
    if (piece) this.#drawn.get(piece.id)?.outer.classList.toggle("waiting", on);
  }

  /** @param {Place} place @param {"advised" | "chosen" | "lit"} kind */
  #mark(place, kind) {
    const round = !place.points.length;
    const dot = kind === "lit" && round && !this.pieceOn(place.token);
    const mark = outline(place, dot ? 0.28 : round ? 1.08 : isBox(place.points) ? 0.98 : 0.9);
    mark.setAttribute("class", `mark ${kind}${dot ? " dot" : ""}`);
    return mark;
  }

  /**
   * The uppermost piece that lies on a place; the ground under everything does not count.
   * @param {string} token
   * @returns {Piece | undefined}
   */
  pieceOn(token) {
    const place = this.place(token);
    if (!place) return undefined;
    const on = this.#movable.filter((piece) => isOn(piece, place));
    return on.toSorted((a, b) => b.layer - a.layer)[0];
  }

  /** The place that a piece lies on. @param {Piece} piece @returns {Place | undefined} */
  placeOf(piece) {
    return this.places.find((place) => isOn(piece, place));
  }

  /** The piece that an element of the page belongs to. @param {Node} element @returns {Piece | undefined} */
  pieceUnder(element) {
    return this.pieces.find(({ id }) => this.#drawn.get(id)?.outer.contains(element));
  }

  /** From the scene's units to pixels of the window. */
  get #matrix() {
    return this.svg.getScreenCTM() ?? new DOMMatrix();
  }

  /** Where a point of the window is in the scene. @param {{clientX: number, clientY: number}} point */
  toScene({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.#matrix.inverse());
  }

  /**
   * The place meant by a touch, among those with these tokens.
   * @param {PointerEvent | MouseEvent} event
   * @param {Iterable<string>} tokens
   */
  touched(event, tokens) {
    const { x, y } = this.toScene(event);
    const among = new Set(tokens);
    const places = this.places.filter((place) => among.has(place.token));
    return touched(places, x, y, FINGER / this.#matrix.a)?.token;
  }

  /**
   * Draw something that is not in the scene: a piece being dragged, a preview.
   * @param {Pick<Piece, "sprite" | "x" | "y" | "turn">} piece
   * @param {"dragged" | "preview"} kind
   * @returns {Ghost}
   */
  ghost(piece, kind) {
    const use = s("use", { href: `#${piece.sprite}`, transform: `rotate(${piece.turn})` });
    const ghost = s("g", { class: `ghost ${kind}`, transform: `translate(${piece.x} ${piece.y})` }, use);
    this.#ghosts.append(ghost);
    return {
      move: (x, y) => ghost.setAttribute("transform", `translate(${x} ${y})`),
      remove: () => ghost.remove(),
    };
  }

  /** Hide a piece that is being dragged, or show it again. @param {string} id @param {boolean} on */
  lift(id, on) {
    this.#drawn.get(id)?.outer.classList.toggle("lifted", on);
  }

  /** Let motion end at once. */
  finish() {
    this.#motion.finish();
  }
}
