/**
 * Motion that explains: what changed between two scenes, when each change is shown, and how.
 *
 * The order tells what happened: what moves goes first, what it passes turns over as it passes, what is new or
 * gone follows. Pieces that move by the same vector slide as one. The traces of the last move belong to what moved: one
 * that lies where a piece arrives travels with it, the others come when everything has arrived.
 *
 * @typedef {{id: string, delay: number, length: number}} Timing in milliseconds
 * @typedef {Timing & {kind: "slide" | "flip", from: Piece, to: Piece}} Move from one state of a piece to another
 * @typedef {Timing & {kind: "tumble", from: Piece | undefined, to: Piece}} Tumble of a die
 * @typedef {Move | Tumble | (Timing & {kind: "appear" | "fade"})} Change
 * @typedef {{from: Piece, to: Piece}} Pair
 */

/** @import { Piece, Point } from "../lib/protocol.js" */

const SLIDE = [180, 380];
const FLIP = 240;
const TUMBLE = 400;
const APPEAR = 180;
const FADE = 220;
const BETWEEN = 80; // from one to the next, when several change one after the other
const LONGEST = 500; // all of them together

/** @param {Point} one @param {Point} other */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/** Whether a piece is a die that shows a number. @param {Piece} piece */
const isRolled = (piece) => piece.role === "die" && piece.label !== "";

/** Whether a piece shows what the last move did. @param {Piece} piece */
const isTrace = (piece) => piece.role === "trace";

/** The delay between several changes, so that all together do not take long. @param {number} count */
const step = (count) => Math.min(BETWEEN, LONGEST / Math.max(1, count));

/** @param {Pair} pair */
const moved = ({ from, to }) => from.x !== to.x || from.y !== to.y || from.turn !== to.turn;

/** @param {Pair[]} pairs @param {number} size the scene's, to judge what is far @returns {Move[]} */
function slides(pairs, size) {
  /** @type {Map<string, Pair[]>} */
  const vectors = new Map();
  for (const pair of pairs) {
    const vector = `${Math.round(pair.to.x - pair.from.x)},${Math.round(pair.to.y - pair.from.y)}`;
    vectors.set(vector, [...(vectors.get(vector) ?? []), pair]);
  }
  return [...vectors.values()].flatMap((alike, group) =>
    alike.map(({ from, to }) => {
      const length = SLIDE[0] + (SLIDE[1] - SLIDE[0]) * Math.min(1, (2 * distance(from, to)) / size);
      return { kind: "slide", id: to.id, from, to, delay: group * step(vectors.size), length };
    }),
  );
}

/**
 * @param {Pair[]} changed @param {Move | undefined} mover @param {Set<string>} sliding ids of the pieces that slide
 * @returns {Move[]}
 */
function flips(changed, mover, sliding) {
  if (!changed.length) return [];
  const start = mover?.from ?? changed[0].from;
  const reach = mover ? distance(mover.from, mover.to) : 0;
  const ordered = changed.toSorted((a, b) => distance(a.from, start) - distance(b.from, start));
  return ordered.map(({ from, to }, index) => {
    const passed = mover && !sliding.has(to.id) && distance(from, start) < reach ? mover : null;
    const inTurn = sliding.has(to.id) ? 0 : index * step(ordered.length);
    const delay = passed ? passed.delay + (0.85 * passed.length * distance(from, start)) / reach : inTurn;
    return { kind: "flip", id: to.id, from, to, delay, length: FLIP };
  });
}

/**
 * The changes from one scene to the next, in time.
 * @param {{pieces: Piece[], width: number}} before @param {{pieces: Piece[], width: number}} after
 * @returns {Change[]}
 */
export function changes(before, after) {
  /** @param {{pieces: Piece[], width: number}} scene */
  const solid = ({ pieces, width }) => ({ pieces: pieces.filter((piece) => !isTrace(piece)), width });
  const list = solidChanges(solid(before), solid(after));
  return [...list, ...traces(before.pieces.filter(isTrace), after.pieces.filter(isTrace), list)];
}

/**
 * The traces of the move before go at once; those of this move come with what moved.
 * @param {Piece[]} before @param {Piece[]} after @param {Change[]} list how everything else changes
 * @returns {Change[]}
 */
function traces(before, after, list) {
  const old = new Map(before.map((piece) => [piece.id, piece]));
  const now = new Set(after.map((piece) => piece.id));
  /** @param {Piece} piece */
  const isNew = (piece) => {
    const from = old.get(piece.id);
    return !from || from.sprite !== piece.sprite || moved({ from, to: piece });
  };
  const arrived = Math.max(0, ...list.map((change) => (isArrival(change) ? change.delay + change.length : 0)));
  const fresh = after.filter(isNew).map((to) => {
    const carrier = list.find((change) => change.kind === "slide" && distance(change.to, to) < 1);
    if (carrier?.kind !== "slide") return appear(to.id, arrived);
    const { from, delay, length } = carrier;
    return /** @type {Change} */ ({
      kind: "slide",
      id: to.id,
      from: { ...to, x: from.x, y: from.y },
      to,
      delay,
      length,
    });
  });
  return [...before.filter(({ id }) => !now.has(id)).map(({ id }) => fade(id, 0)), ...fresh];
}

/** Whether a change brings something to its place. @param {Change} change */
const isArrival = ({ kind }) => kind === "slide" || kind === "tumble";

/**
 * The changes of what is no trace.
 * @param {{pieces: Piece[], width: number}} before @param {{pieces: Piece[], width: number}} after
 * @returns {Change[]}
 */
function solidChanges(before, after) {
  const old = new Map(before.pieces.map((piece) => [piece.id, piece]));
  const now = new Set(after.pieces.map((piece) => piece.id));
  const rolled = after.pieces.filter((piece) => isRolled(piece) && old.get(piece.id)?.label !== piece.label);
  const dice = new Set(rolled.map((piece) => piece.id));
  const settled = rolled.length ? TUMBLE : 0; // dice come to rest before anything follows from them
  /** @type {Pair[]} */
  const pairs = [];
  for (const to of after.pieces) {
    const from = old.get(to.id);
    if (from && !dice.has(to.id)) pairs.push({ from, to });
  }
  const moving = pairs.filter(moved);
  const sliding = slides(moving, after.width);
  const mover = sliding.toSorted(
    (a, b) => b.to.layer - a.to.layer || distance(b.from, b.to) - distance(a.from, a.to),
  )[0];
  const changed = pairs.filter(({ from, to }) => from.sprite !== to.sprite);
  const gone = before.pieces.filter((piece) => !now.has(piece.id));
  const fresh = after.pieces.filter((piece) => !old.has(piece.id) && !dice.has(piece.id));
  /** @type {Change[]} */
  const tumbles = rolled.map((to, index) => ({
    kind: "tumble",
    id: to.id,
    from: old.get(to.id),
    to,
    delay: index * 60,
    length: TUMBLE,
  }));
  /** @type {Change[]} */
  const rest = [
    ...sliding,
    ...flips(changed, mover, new Set(moving.map(({ to }) => to.id))),
    ...gone.map(({ id }, i) => fade(id, i * Math.min(40, 200 / gone.length))),
    ...fresh.map(({ id }) => appear(id)),
  ];
  return [...tumbles, ...rest.map((change) => ({ ...change, delay: change.delay + settled }))];
}

/** @param {string} id @param {number} delay @returns {Change} */
const fade = (id, delay) => ({ kind: "fade", id, delay, length: FADE });

/** @param {string} id @param {number} [delay] @returns {Change} */
const appear = (id, delay = 0) => ({ kind: "appear", id, delay, length: APPEAR });

/** @param {Point} point */
const at = ({ x, y }) => `translate(${x}px, ${y}px)`;

/** @param {Piece} piece */
const rotated = (piece) => `rotate(${piece.turn}deg)`;

/** Plays changes on drawn pieces; can be cut short, which leaves everything where it belongs. */
export class Motion {
  /** @type {Set<Animation>} */
  #running = new Set();

  /**
   * @param {Element} element @param {Keyframe[]} frames @param {number} delay @param {number} length
   * @param {() => void} [after]
   */
  #run(element, frames, delay, length, after) {
    const animation = element.animate(frames, {
      delay,
      duration: length,
      fill: "backwards",
      easing: "cubic-bezier(.3,.1,.2,1)",
    });
    this.#running.add(animation);
    const end = () => {
      this.#running.delete(animation);
      after?.();
    };
    animation.finished.then(end, end);
  }

  /**
   * @param {Change[]} list
   * @param {(id: string) => import("./scene-view.js").Drawn | undefined} drawn
   * @param {number} pace 1 is usual, 2 twice as fast
   * @returns {Promise<void>} when all is where it belongs
   */
  async play(list, drawn, pace) {
    for (const change of list) {
      const elements = drawn(change.id);
      if (elements) this.#play(change, elements, change.delay / pace, change.length / pace);
    }
    await Promise.allSettled([...this.#running].map((animation) => animation.finished));
  }

  /**
   * @param {Change} change @param {import("./scene-view.js").Drawn} drawn @param {number} delay @param {number} length
   */
  #play(change, { outer, inner, use, text }, delay, length) {
    if (change.kind === "slide") {
      const { from, to } = change;
      this.#run(outer, [{ transform: at(from) }, { transform: at(to) }], delay, length);
      if (from.turn !== to.turn) {
        this.#run(inner, [{ transform: rotated(from) }, { transform: rotated(to) }], delay, length);
      }
    } else if (change.kind === "flip") this.#flip(inner, use, change.from.sprite, delay, length);
    else if (change.kind === "tumble") this.#tumble(change, { outer, inner, text }, delay, length);
    else if (change.kind === "appear") this.#run(outer, [{ opacity: 0 }, { opacity: 1 }], delay, length);
    else this.#run(outer, [{ opacity: 1 }, { opacity: 0 }], delay, length, () => outer.remove());
  }

  /**
   * Turn the old side away, then the new one in.
   * @param {SVGElement} inner @param {SVGElement} use @param {string} sprite the old one
   * @param {number} delay @param {number} length
   */
  #flip(inner, use, sprite, delay, length) {
    const old = /** @type {SVGElement} */ (use.cloneNode());
    old.setAttribute("href", `#${sprite}`);
    inner.append(old);
    this.#run(
      old,
      [{ transform: "scaleX(1)" }, { transform: "scaleX(0)", offset: 0.5 }, { transform: "scaleX(0)" }],
      delay,
      length,
      () => old.remove(),
    );
    this.#run(
      use,
      [{ transform: "scaleX(0)" }, { transform: "scaleX(0)", offset: 0.5 }, { transform: "scaleX(1)" }],
      delay,
      length,
    );
  }

  /**
   * @param {Tumble} change @param {Omit<import("./scene-view.js").Drawn, "use">} drawn
   * @param {number} delay @param {number} length
   */
  #tumble({ from, to }, { outer, inner, text }, delay, length) {
    const hop = { x: to.x, y: to.y - 34 };
    this.#run(
      outer,
      [{ transform: at(from ?? to) }, { transform: at(hop), offset: 0.4 }, { transform: at(to) }],
      delay,
      length,
    );
    this.#run(inner, [{ transform: `rotate(${to.turn - 400}deg)` }, { transform: rotated(to) }], delay, length);
    if (text) this.#run(text, [{ opacity: 0 }, { opacity: 0, offset: 0.75 }, { opacity: 1 }], delay, length);
  }

  /** Bring everything to its end at once. */
  finish() {
    for (const animation of [...this.#running]) animation.finish();
  }
}
