/** What seats and their players are called, in words. */

/** @import { Mover, Seat } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { h } from "../lib/dom.js";
import { has, listed, number as digits, say } from "../lib/i18n.js";

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

/** A level in the name that a record gives to an engine. */
const ENGINE_NAME = /^(?:triskele:level=|Triskele )(\d{1,2})$/;

/**
 * What a seat's player is called, whoever looks: engines by their level, wherever they come from.
 * @param {string} game
 * @param {{seat: number, kind: string, name: string, level: number | null, account?: string, deleted?: boolean}} seat
 */
export function nameIn(game, { seat, kind, name, level, account, deleted }) {
  if (deleted) return say("web.deleted-player");
  const recorded = kind === "link" ? null : ENGINE_NAME.exec(name)?.[1]; // nobody who comes is called as a computer is
  if (kind === "engine" || recorded) return say("web.engine-level", { level: level ?? Number(recorded) });
  return account || name || seatTitle(game, seat);
}

/**
 * Whether a seat is played under a name that anybody may take, since it is no account's: it may look like one's.
 * @param {{kind: string, taken: boolean, mine: boolean, name: string, account?: string, deleted?: boolean}} seat
 */
export const isGuest = ({ kind, taken, mine, name, account, deleted }) =>
  kind !== "engine" && taken && !mine && Boolean(name) && !account && !deleted;

/** The same where names stand in a sentence or a list: those of guests say so. @param {string} game @param {Seat} seat */
export const markedName = (game, seat) =>
  isGuest(seat) ? say("web.guest-named", { name: nameIn(game, seat) }) : nameIn(game, seat);

/** The mark of a guest beside a name. @param {Parameters<typeof isGuest>[0]} seat */
export const guestMark = (seat) => (isGuest(seat) ? h("small", { class: "guest" }, say("web.guest")) : null);

/** What the player of a seat is called here. @param {TableModel} model @param {Mover} number */
export function nameOf(model, number) {
  if (number === "chance") return say("web.dice");
  const seat = model.seats[number];
  if (seat.mine && model.mine.length === 1) return say("web.you");
  const { kind, level } = seat;
  const alike = kind === "engine" && model.seats.some((other) => other !== seat && isEngine(other, level));
  return alike ? say("web.engine-numbered-level", { seat: number + 1, level }) : nameIn(model.game, seat);
}

/** Whether an engine plays a seat, at a certain level if one is given. @param {import("../lib/protocol.js").Seat} seat @param {number | null} [level] */
const isEngine = (seat, level = seat.level) => seat.kind === "engine" && seat.level === level;

/** The same where there is little space: engines without their level. @param {TableModel} model @param {number} number */
export function briefNameOf(model, number) {
  if (!isEngine(model.seats[number])) return nameOf(model, number);
  const several = model.seats.filter((seat) => isEngine(seat)).length > 1;
  return several ? say("web.engine-numbered", { seat: number + 1 }) : say("web.engine");
}

/** The name beside the number of a seat, where there is hardly any space: engines by their level alone. @param {TableModel} model @param {number} number */
export function briefNameBeside(model, number) {
  const seat = model.seats[number];
  return isEngine(seat) ? `${say("web.level")} ${digits(seat.level ?? 0)}` : nameOf(model, number);
}
