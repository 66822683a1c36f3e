/** Where things are in a scene: which place is meant, and which is next in a direction. Pure. */

/** @import { Place, Point } from "../lib/protocol.js" */

/** Whether a point is inside a place's outline. @param {Place} place @param {number} x @param {number} y */
export function inside(place, x, y) {
  if (!place.points.length) return Math.hypot(x - place.x, y - place.y) <= place.radius;
  let odd = false;
  const corners = place.points.map(([dx, dy]) => [place.x + dx, place.y + dy]);
  corners.forEach(([x1, y1], i) => {
    const [x2, y2] = corners[(i + 1) % corners.length];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) odd = !odd;
  });
  return odd;
}

/** The middle of a place's outline: a triangle's is not that of its box. @param {Place} place @returns {Point} */
export function middle(place) {
  if (!place.points.length) return { x: place.x, y: place.y };
  /** @param {0 | 1} axis */
  const mean = (axis) => place.points.reduce((sum, point) => sum + point[axis], 0) / place.points.length;
  return { x: place.x + mean(0), y: place.y + mean(1) };
}

/** How wide a circle fits into a place, around its middle. @param {Place} place */
export function breadth(place) {
  if (!place.points.length) return 2 * place.radius;
  const { x, y } = middle(place);
  const sides = place.points.map(([dx, dy], i) => {
    const [ex, ey] = place.points[(i + 1) % place.points.length];
    const across = (ex - dx) * (place.y + dy - y) - (ey - dy) * (place.x + dx - x);
    return Math.abs(across) / Math.hypot(ex - dx, ey - dy);
  });
  return 2 * Math.min(...sides);
}

/**
 * The box around some places: x, y, width, height.
 * @param {Place[]} places @param {number} margin @returns {[number, number, number, number]}
 */
export function boxAround(places, margin) {
  const corners = places.flatMap(({ x, y, radius, points }) =>
    points.length
      ? points.map(([dx, dy]) => [x + dx, y + dy])
      : [
          [x - radius, y - radius],
          [x + radius, y + radius],
        ],
  );
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top];
}

/** The box around two boxes. @param {number[]} one @param {number[]} other @returns {number[]} */
export function boxOfBoth([x1, y1, width1, height1], [x2, y2, width2, height2]) {
  const [left, top] = [Math.min(x1, x2), Math.min(y1, y2)];
  return [left, top, Math.max(x1 + width1, x2 + width2) - left, Math.max(y1 + height1, y2 + height2) - top];
}

/**
 * The place that a touch means: one it is inside of, or else the nearest within reach of a finger.
 * @param {Place[]} places @param {number} x @param {number} y @param {number} reach in the scene's units
 */
export function touched(places, x, y, reach) {
  const within = places.filter((place) => inside(place, x, y));
  /** @param {Place} place */
  const near = (place) => Math.hypot(middle(place).x - x, middle(place).y - y);
  const pool = within.length ? within : places.filter((place) => near(place) <= reach);
  return pool.toSorted((a, b) => near(a) - near(b))[0];
}

const DETOUR = 10000; // units: farther than any scene is wide

/**
 * The place next to another in a direction.
 * @param {Place[]} places @param {Place} from @param {number} dx @param {number} dy a unit vector
 */
export function neighbour(places, from, dx, dy) {
  const here = middle(from);
  /** @type {Place | undefined} */
  let best;
  let least = Infinity;
  for (const place of places) {
    const there = middle(place);
    const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs((there.x - here.x) * dy - (there.y - here.y) * dx);
    if (place === from || along <= 1 || aside > 2 * along) continue;
    // A place that lies more ahead than to the side is preferred: else no arrow might lead to some place.
    const cost = along + 1.2 * aside + (aside > along ? DETOUR : 0);
    if (cost < least) [best, least] = [place, cost];
  }
  return best;
}
