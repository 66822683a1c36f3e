/**
 * The keyboard on the board: exactly one place is in the tab order, and keys lead from place to place.
 *
 * @typedef {{
 *   lit: () => Set<string>, enter: (token: string) => void, rotate: (way: 1 | -1) => boolean,
 *   focused: (token: string) => void
 * }} Owner `lit`: the tokens of places that can be chosen; `enter`: the place is chosen; `rotate`: returns whether there
 *   is something to rotate; `focused`: the keyboard came to a place
 */

/** @import { SceneView } from "./scene-view.js" */

import { neighbour } from "./geometry.js";

/** @type {Object<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** The token of the place that an event is on. @param {Event} event */
export function tokenOf({ target }) {
  /** @type {SVGElement | null} */
  const spot = target instanceof Element ? target.closest("[data-token]") : null;
  return spot?.dataset.token;
}

export class BoardKeys {
  #current = ""; // the token of the place in the tab order
  #refocus = false;

  /** @param {SceneView} view @param {Owner} owner */
  constructor(view, owner) {
    this.view = view;
    this.owner = owner;
    view.svg.addEventListener("keydown", (event) => this.#key(event));
    view.svg.addEventListener("focusin", (event) => this.#focused(event));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.view.scene) return;
    const handled = this.#handle(event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key @returns {boolean} whether it means something here */
  #handle(key) {
    if (key in ARROWS) this.#walk(...ARROWS[key]);
    else if (key === "Enter" || key === " ") this.#current && this.owner.enter(this.#current);
    else if (key === "n" || key === "p") this.#go(this.#nextLit(key === "n" ? 1 : -1));
    else return (key === "r" || key === "R") && this.owner.rotate(key === "r" ? 1 : -1);
    return true;
  }

  /** @param {1 | -1} way */
  #nextLit(way) {
    const tokens = this.view.places.map((place) => place.token);
    const lit = this.owner.lit();
    const here = tokens.indexOf(this.#current);
    const ring = tokens.map((_, i) => tokens[(here + way * (i + 1) + 2 * tokens.length) % tokens.length]);
    return ring.find((token) => lit.has(token));
  }

  /** Go to the next place in a direction. @param {number} dx @param {number} dy */
  #walk(dx, dy) {
    const here = this.view.place(this.#current);
    this.#go(here && neighbour(this.view.places, here, dx, dy)?.token);
  }

  /** @param {string | undefined} token */
  #go(token) {
    if (token !== undefined) this.view.spot(token)?.focus();
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const token = tokenOf(event);
    if (token === undefined) return;
    this.#current = token;
    this.update();
    this.owner.focused(token);
  }

  /** Keep exactly one place in the tab order. */
  update() {
    const { places } = this.view;
    if (!this.view.place(this.#current)) this.#current = [...this.owner.lit()][0] ?? places[0]?.token ?? "";
    for (const { token } of places) {
      this.view.spot(token)?.setAttribute("tabindex", token === this.#current ? "0" : "-1");
    }
  }

  /** Draw the places again by a function, and note whether the keyboard lost its place by it. @param {() => void} draw */
  during(draw) {
    const had = this.view.svg.contains(document.activeElement);
    draw();
    if (had && !this.view.svg.contains(document.activeElement)) this.#refocus = true;
    this.update();
  }

  /** Bring the keyboard back to the board if it was lost there. */
  restore() {
    this.update();
    if (!this.#refocus || !this.#current) return;
    this.#refocus = false;
    this.focus();
  }

  /** Bring the keyboard to the board, to something that can be chosen. */
  focus() {
    const [first] = this.owner.lit();
    if (first !== undefined && !this.owner.lit().has(this.#current)) this.#current = first;
    this.update();
    this.view.spot(this.#current)?.focus();
  }
}
