/** What a browser calls itself, in few words. */

import { capital } from "../lib/i18n.js";
import { text } from "./setup.js";

/** @param {string} agent */
export function browserName(agent) {
  const known = /(Firefox|Edg|OPR|Chrome|Safari)\/(\d+)/.exec(agent.replace(/Chrome(?=.*(?:Edg|OPR))/, ""));
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent)?.[1];
  const name = known ? ({ Edg: "Edge", OPR: "Opera" }[known[1]] ?? known[1]) : agent.slice(0, 40);
  return capital([name, system].filter(Boolean).join(", ")) || text("unknown-browser");
}
