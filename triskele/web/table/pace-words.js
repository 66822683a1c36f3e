/** Time controls in words. */

import { number, say } from "../lib/i18n.js";

/** Whether a control is over days, as far as can be told from its text. @param {string} control */
export const isDays = (control) => /^bank |^\d+[dh]\b/.test(control);

/** A time control in words. @param {string} control */
export function controlWords(control) {
  const live = /^([\d.]+)\+(\d+)(?: (\d+)x(\d+))?/.exec(control);
  const bank = /^bank (\d+)d(?:\+(\d+)d)?(?:\/(\d+)d)?/.exec(control);
  const turn = /^(\d+)([dh])/.exec(control);
  if (bank)
    return say("web.pace-bank", {
      n: Number(bank[1]),
      more: number(Number(bank[2] ?? 0)),
      most: number(Number(bank[3] ?? bank[1])),
    });
  if (turn) return say(turn[2] === "d" ? "web.pace-days" : "web.pace-hours", { n: Number(turn[1]) });
  if (!live) return control;
  const [, minutes, increment, periods, seconds] = live;
  const main = say("web.pace-live", { minutes: number(Number(minutes)), increment: number(Number(increment)) });
  return periods ? say("web.pace-periods", { main, n: Number(periods), seconds: number(Number(seconds)) }) : main;
}
