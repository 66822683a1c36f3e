/** Time controls in words. */

import { number, say } from "../lib/i18n.js";

export const CLOCKS = ["3+2", "5+3", "10+5", "15+10", "1d", "3d", "none"];

/** @param {string} clock such as `5+3` or `3d` */
export function clockWords(clock) {
  if (clock === "none") return say("web.lobby-no-clock");
  const live = /^([\d.]+)\+(\d+)$/.exec(clock);
  if (live) return say("web.lobby-live", { minutes: number(Number(live[1])), seconds: number(Number(live[2])) });
  const days = /^(\d+)d$/.exec(clock);
  return days ? say("web.lobby-days", { n: Number(days[1]) }) : clock;
}
