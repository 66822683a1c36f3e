/** Who is who at a table, in words. */

import { has, listed, say } from "./i18n.js";

/** What a seat is called in its game ("White"), if it has a name there. @param {string} game @param {number} seat */
export function seatColour(game, seat) {
  const key = `${game}.seat.${seat}`;
  return has(key) ? say(key) : "";
}

/** What a seat is called in its game, or its number. @param {string} game @param {number} seat */
export const seatTitle = (game, seat) => seatColour(game, seat) || say("web.seat", { seat: seat + 1 });

/**
 * Some seats in words; several engines, and several free seats, are counted.
 * @template {{kind: string, taken: boolean}} Seat @param {Seat[]} seats @param {(seat: Seat) => string} name
 */
export function together(seats, name) {
  const groups = {
    "web.engines": seats.filter(({ kind }) => kind === "engine"),
    "web.seats-free": seats.filter(({ taken }) => !taken),
  };
  const counted = Object.entries(groups).filter(([, group]) => group.length > 1);
  const named = seats.filter((seat) => !counted.some(([, group]) => group.includes(seat)));
  return listed([...named.map(name), ...counted.map(([key, group]) => say(key, { n: group.length }))]);
}

/**
 * How the one in a seat is called here.
 * @param {import("./table-model.js").TableModel} model @param {number | "chance"} number
 */
export function nameOf(model, number) {
  if (number === "chance") return say("web.dice");
  const seat = model.seats[number];
  if (seat.kind === "engine") return say("web.engine-level", { level: seat.level });
  if (seat.mine && model.mine.length === 1) return say("web.you");
  return seat.name || seatTitle(model.game, number);
}
