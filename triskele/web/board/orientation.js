/** Turn a scene, so that another side lies at the bottom: as `triskele/core/orientation.py` does. Pure. */

/** @import { Piece, Place, Scene } from "../lib/protocol.js" */

/** The angle that brings a seat's side to the bottom. @param {Scene} scene @param {number | null} seat */
export const ownTurn = ({ turning }, seat) => (turning && seat !== null ? (turning.seats[seat] ?? 0) : 0);

/**
 * The scene with its board turned clockwise; `triskele/core/scene.py` says what becomes of what.
 * @param {Scene} scene @param {number} degrees one of its turns @returns {Scene}
 */
export function turned(scene, degrees) {
  const { turning } = scene;
  if (!turning || !degrees || !turning.turns.includes(degrees)) return scene;
  const angle = (degrees * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const wider = degrees % 180 === 90 ? turning.height - turning.width : 0;
  /** @param {number} x @param {number} y @returns {[number, number]} */
  const around = (x, y) => [x * cosine - y * sine, x * sine + y * cosine];
  /** @param {Piece | Place} item */
  const stays = ({ x, y, on_turn }) =>
    on_turn === "stay" || 2 * Math.abs(x - turning.x) > turning.width || 2 * Math.abs(y - turning.y) > turning.height;
  /** @param {Piece | Place} item */
  const at = (item) => {
    const { x, y } = item;
    if (stays(item)) return { x: x + wider / 2, y: y - wider };
    const [dx, dy] = around(x - turning.x, y - turning.y);
    return { x: turning.x + wider / 2 + dx, y: turning.y - wider / 2 + dy };
  };
  /** @param {Piece} piece @returns {Piece} */
  const piece = (piece) => {
    return { ...piece, ...at(piece), turn: piece.on_turn === "turn" ? piece.turn + degrees : piece.turn };
  };
  /** @param {Place} place @returns {Place} */
  const place = (place) => {
    const points = stays(place) ? place.points : place.points.map(([x, y]) => around(x, y));
    return { ...place, ...at(place), points };
  };
  return {
    ...scene,
    width: scene.width + wider,
    height: scene.height - wider,
    pieces: scene.pieces.map(piece),
    places: scene.places.map(place),
  };
}
