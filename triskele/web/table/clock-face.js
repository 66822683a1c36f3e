/** Clocks: what each seat has left now, counted here from the server's numbers, drawn and spoken. */

/** @import { ClockShown } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */

import { h, icon } from "../lib/dom.js";
import { number, say } from "../lib/i18n.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TENTHS = 10 * SECOND; // with less left, tenths of seconds are shown
const LOW = { live: 20 * SECOND, days: 12 * HOUR }; // with less left, there is a sign
const SPOKEN = [10 * MINUTE, 5 * MINUTE, MINUTE, 30 * SECOND, 10 * SECOND]; // left of mine, when it is said aloud

/**
 * @typedef {{ms: number, periods: number, first: boolean}} Left milliseconds that are counted down now, periods that are
 * left after the main time (0: none is begun), and whether it is the time for a first move
 */

/** What a seat has left at a moment. @param {ClockShown & {received: number}} clock @param {number} seat @param {number} now @returns {Left} */
export function left(clock, seat, now) {
  const [main, periods, used] = clock.seats[seat];
  const runs = clock.running === seat;
  const passed = runs && !clock.resting ? now - clock.received : 0;
  const spent = runs ? clock.spent + passed : 0;
  if (runs && clock.calls_off) return { ms: Math.max(0, -spent), periods: 0, first: true };
  const charged = Math.max(0, spent);
  if (charged < main || !clock.period) return { ms: Math.max(0, main - charged), periods: 0, first: false };
  const over = charged - main + used;
  const begun = periods - Math.floor(over / clock.period);
  if (begun <= 0) return { ms: 0, periods: 0, first: false };
  return { ms: clock.period - (over % clock.period), periods: begun, first: false };
}

/** @param {number} value */
const two = (value) => String(value).padStart(2, "0");

/** Digits as on a clock: 4:07, 1:02:09, 0:08.3. @param {number} ms @param {boolean} [tenths] */
export function digits(ms, tenths = ms < TENTHS) {
  const whole = tenths ? Math.floor(ms / 100) * 100 : Math.ceil(ms / SECOND) * SECOND;
  const hours = Math.floor(whole / HOUR);
  const minutes = Math.floor((whole % HOUR) / MINUTE);
  const seconds = Math.floor((whole % MINUTE) / SECOND);
  const head = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
  return tenths ? `${head}.${Math.floor((whole % SECOND) / 100)}` : head;
}

/** A long time in words: two days and three hours, an hour and five minutes. @param {number} ms @returns {string} */
export function span(ms) {
  const days = Math.floor(ms / DAY);
  const hours = Math.floor((ms % DAY) / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  if (days) return say("web.time-days", { d: number(days), h: number(hours) });
  return hours
    ? say("web.time-hours", { h: number(hours), m: number(minutes) })
    : say("web.time-minutes", { m: number(minutes) });
}

/** The time left in words, for screen readers. @param {number} ms */
function spoken(ms) {
  const seconds = Math.round(ms / SECOND);
  return seconds < 60
    ? say("web.seconds-left", { n: seconds })
    : say("web.minutes-left", { n: Math.round(seconds / 60) });
}

/** What the clock of a seat shows. @param {ClockShown} clock @param {Left} rest */
function shown(clock, { ms, periods }) {
  if (clock.pace === "days") return span(ms);
  return periods ? `${digits(ms)} ×${number(periods)}` : digits(ms);
}

/** Whether little time is left, all periods together. @param {ClockShown} clock @param {Left} rest */
const isLow = (clock, { ms, periods, first }) =>
  !first && ms + Math.max(0, periods - 1) * clock.period < (clock.pace === "days" ? LOW.days : LOW.live);

/** The clock of a seat, as an element that :class:`ClockFace` keeps up to date. @param {TableModel} model @param {number} seat */
export function clockElement(model, seat) {
  if (!model.clock) return null;
  const made = h(
    "div",
    { class: "clock", role: "timer", "aria-live": "off", data: { clock: String(seat) } },
    icon("hourglass"),
    h("span"),
  );
  update(model, made, seat, performance.now());
  return made;
}

/** @param {TableModel} model @param {HTMLElement} element @param {number} seat @param {number} now */
function update(model, element, seat, now) {
  const { clock } = model;
  if (!clock) return;
  const rest = left(clock, seat, now);
  const words = shown(clock, rest);
  const text = element.lastElementChild;
  if (text && text.textContent !== words) text.textContent = words;
  const runs = clock.running === seat && !model.over;
  element.classList.toggle("running", runs && !clock.resting);
  element.classList.toggle("first", rest.first);
  element.classList.toggle("low", isLow(clock, rest));
  element.title = rest.first
    ? say("web.first-move")
    : runs && clock.resting
      ? say("web.clock-rests")
      : say("web.time-left");
}

export class ClockFace {
  #timer = 0;
  /** @type {Left | null} what was left of my running clock when it was looked at last */
  #mine = null;
  #claimable = false;

  /**
   * @param {HTMLElement} host where the clocks are @param {TableModel} model
   * @param {{speak: (words: string) => void, changed: () => void}} owner `changed`: something can be claimed now
   */
  constructor(host, model, owner) {
    this.host = host;
    this.model = model;
    this.owner = owner;
  }

  /** Draw all clocks, and again as soon as one of them shows something else. */
  tick = () => {
    clearTimeout(this.#timer);
    const { clock } = this.model;
    if (!clock) return;
    const now = performance.now();
    for (const element of this.host.querySelectorAll(".clock")) {
      if (element instanceof HTMLElement) update(this.model, element, Number(element.dataset.clock), now);
    }
    if (this.model.over || clock.running === null) return;
    const rest = left(clock, clock.running, now);
    this.#say(clock.running, rest);
    this.#watchClaim(now);
    const step = clock.pace === "days" ? MINUTE : rest.ms < TENTHS ? 100 : rest.ms % SECOND || SECOND;
    this.#timer = setTimeout(this.tick, Math.max(20, Math.min(step, SECOND)));
  };

  close() {
    clearTimeout(this.#timer);
  }

  /** Say aloud what is left of mine, at a few moments. @param {number} seat @param {Left} rest */
  #say(seat, rest) {
    const mine = this.model.isMine(seat) && !rest.first;
    const before = this.#mine;
    this.#mine = mine ? rest : null;
    if (!mine || !before || this.model.clock?.pace === "days") return;
    if (rest.periods && rest.periods !== before.periods) this.owner.speak(say("web.periods-left", { n: rest.periods }));
    else if (SPOKEN.some((moment) => before.ms > moment && rest.ms <= moment)) this.owner.speak(spoken(rest.ms));
  }

  /** @param {number} now */
  #watchClaim(now) {
    const claimable = claimedAgainst(this.model, now) !== null;
    if (claimable !== this.#claimable) this.owner.changed();
    this.#claimable = claimable;
  }
}

/**
 * The seat that has left a live game for so long that the game can be claimed; `null` if there is none.
 * @param {TableModel} model @param {number} [now] @returns {number | null}
 */
export function claimedAgainst(model, now = performance.now()) {
  const { clock, playing, over } = model;
  if (!clock || clock.pace !== "live" || over || clock.running === null || !playing.length) return null;
  const seat = model.seats[clock.running];
  if (!seat || seat.mine || seat.present || seat.absent === null) return null;
  return seat.absent + now - model.seatsReceived >= clock.claim ? seat.seat : null;
}
