/**
 * Motion that explains: what changed between two scenes, when each change shows, and how.
 *
 * The order tells the story: what moves goes first, what it passes turns over as it passes, what is new or
 * gone follows. Pieces that move by the same way slide as one.
 *
 * @typedef {import("./scene-view.js").Piece} Piece
 * @typedef {{
 *   kind: "slide" | "flip" | "tumble" | "appear" | "fade", id: string, delay: number, length: number, from?: Piece,
 *   to?: Piece
 * }} Change
 */

const SLIDE = [180, 380];
const FLIP = 240;
const TUMBLE = 400;
const APPEAR = 180;
const FADE = 220;
const BETWEEN = 80; // from one to the next, when several change one after the other
const LONGEST = 500; // all of them together

const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
const isDie = (piece) => /-die(-\d+)?$/.test(piece.sprite) && piece.label !== "";

/** Let several follow each other without taking long. @param {number} count */
const step = (count) => Math.min(BETWEEN, LONGEST / Math.max(1, count));

/** @param {Piece} one @param {Piece} other */
const went = (one, other) => one.x !== other.x || one.y !== other.y || one.turn !== other.turn;

/** @param {{from: Piece, to: Piece}[]} moved @param {number} size the scene's, to judge what is far */
function slides(moved, size) {
  const ways = new Map();
  for (const pair of moved) {
    const way = `${Math.round(pair.to.x - pair.from.x)},${Math.round(pair.to.y - pair.from.y)}`;
    ways.set(way, [...(ways.get(way) ?? []), pair]);
  }
  return [...ways.values()].flatMap((pairs, group) =>
    pairs.map(({ from, to }) => {
      const length = SLIDE[0] + (SLIDE[1] - SLIDE[0]) * Math.min(1, (2 * distance(from, to)) / size);
      return { kind: "slide", id: to.id, from, to, delay: group * step(ways.size), length };
    }),
  );
}

/** @param {{from: Piece, to: Piece}[]} changed @param {Change | undefined} mover @param {Set<string>} sliding */
function flips(changed, mover, sliding) {
  const start = mover?.from ?? changed[0]?.from;
  const reach = mover ? distance(mover.from, mover.to) : 0;
  const ordered = changed.toSorted((a, b) => distance(a.from, start) - distance(b.from, start));
  return ordered.map(({ from, to }, index) => {
    const passing = mover && !sliding.has(to.id) && distance(from, start) < reach;
    const delay = passing ? mover.delay + (0.85 * mover.length * distance(
      from,
      start,
    )) / reach : sliding.has(to.id) ? 0 : index * step(ordered.length);
    return { kind: "flip", id: to.id, from, to, delay, length: FLIP };
  });
}

/**
 * The changes from one scene to the next, in time.
 * @param {{pieces: Piece[], width: number}} before @param {{pieces: Piece[], width: number}} after
 * @returns {Change[]}
 */
export function changes(before, after) {
  const old = new Map(before.pieces.map((piece) => [piece.id, piece]));
  const now = new Map(after.pieces.map((piece) => [piece.id, piece]));
  const pairs = after.pieces.filter((piece) => old.has(piece.id)).map((to) => ({ from: old.get(to.id), to }));
  const rolled = after.pieces.filter((piece) => isDie(piece) && old.get(piece.id)?.label !== piece.label);
  const dice = new Set(rolled.map((piece) => piece.id));
  const still = rolled.length ? TUMBLE : 0; // dice settle before anything follows from them
  const moved = pairs.filter(({ from, to }) => went(from, to) && !dice.has(to.id));
  const sliding = slides(moved, after.width);
  const mover = sliding.toSorted((a, b) => b.to.layer - a.to.layer || distance(
    b.from,
    b.to,
  ) - distance(a.from, a.to))[0];
  const changed = pairs.filter(({ from, to }) => from.sprite !== to.sprite && !dice.has(to.id));
  const gone = before.pieces.filter((piece) => !now.has(piece.id));
  const fresh = after.pieces.filter((piece) => !old.has(piece.id) && !dice.has(piece.id));
  const later = (change) => ({ ...change, delay: change.delay + still });
  return [
    ...rolled.map((to, index) => ({
      kind: "tumble",
      id: to.id,
      from: old.get(to.id),
      to,
      delay: index * 60,
      length: TUMBLE,
    })),
    ...sliding.map(later),
    ...flips(changed, mover, new Set(moved.map(({ to }) => to.id))).map(later),
    ...gone.map((from, i) => later({
      kind: "fade",
      id: from.id,
      from,
      delay: i * Math.min(40, 200 / gone.length),
      length: FADE,
    })),
    ...fresh.map((to) => later({ kind: "appear", id: to.id, to, delay: 0, length: APPEAR })),
  ];
}

const at = (piece) => `translate(${piece.x}px, ${piece.y}px)`;

/** Plays changes on drawn pieces; can be cut short, which leaves everything where it belongs. */
export class Motion {
  /** @type {Set<Animation>} */
  #running = new Set();

  /**
   * @param {Element} element @param {Keyframe[]} frames @param {number} delay @param {number} length
   * @param {() => void} [after]
   */
  #run(element, frames, delay, length, after) {
    const animation = element.animate(
      frames,
      { delay, duration: length, fill: "backwards", easing: "cubic-bezier(.3,.1,.2,1)" },
    );
    this.#running.add(animation);
    const end = () => {
      this.#running.delete(animation);
      after?.();
    };
    animation.finished.then(end, end);
  }

  /**
   * @param {Change[]} list
   * @param {(id: string) => import("./scene-view.js").Drawn} drawn
   * @param {number} pace 1 is usual, 2 twice as fast
   * @returns {Promise<void>} when all is where it belongs
   */
  async play(list, drawn, pace) {
    for (const change of list) {
      const delay = change.delay / pace;
      const length = change.length / pace;
      const { outer, inner, use, text } = drawn(change.id);
      if (change.kind === "slide") {
        this.#run(outer, [{ transform: at(change.from) }, { transform: at(change.to) }], delay, length);
        if (change.from.turn !== change.to.turn) {
          this.#run(
            inner,
            [{ transform: `rotate(${change.from.turn}deg)` }, { transform: `rotate(${change.to.turn}deg)` }],
            delay,
            length,
          );
        }
      } else if (change.kind === "flip") this.#flip(inner, use, change.from.sprite, delay, length);
      else if (change.kind === "tumble") this.#tumble(change, outer, inner, text, delay, length);
      else if (change.kind === "appear") this.#run(outer, [{ opacity: 0 }, { opacity: 1 }], delay, length);
      else this.#run(outer, [{ opacity: 1 }, { opacity: 0 }], delay, length, () => outer.remove());
    }
    await Promise.allSettled([...this.#running].map((animation) => animation.finished));
  }

  /** The old side turns away, then the new one comes. */
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

  #tumble({ from, to }, outer, inner, text, delay, length) {
    const hop = { x: to.x, y: to.y - 34 };
    this.#run(
      outer,
      [{ transform: at(from ?? to) }, { transform: at(hop), offset: 0.4 }, { transform: at(to) }],
      delay,
      length,
    );
    this.#run(
      inner,
      [{ transform: `rotate(${to.turn - 400}deg)` }, { transform: `rotate(${to.turn}deg)` }],
      delay,
      length,
    );
    if (text) this.#run(text, [{ opacity: 0 }, { opacity: 0, offset: 0.75 }, { opacity: 1 }], delay, length);
  }

  /** Bring everything to its end at once. */
  finish() {
    for (const animation of [...this.#running]) animation.finish();
  }
}
