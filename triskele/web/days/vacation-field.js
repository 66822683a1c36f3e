/** Vacations: for some days my clocks in games over days rest. */

import { get, post } from "../lib/api.js";
import { button, fill, h } from "../lib/dom.js";
import { language, say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";

/** @typedef {{until: number | null, days_left: number}} Vacation */

/** @param {number} time */
const dayOf = (time) => new Date(time).toLocaleDateString(language(), { day: "numeric", month: "long" });

/** Fill a place with what begins or ends a vacation, when the server has said what there is. @param {HTMLElement} host */
export function fillVacation(host) {
  /** @param {Promise<Vacation>} asked */
  const update = (asked) => asked.then((vacation) => fill(host, content(vacation, update))).catch(failed);
  update(get("/vacation"));
}

/** @param {Vacation} vacation @param {(asked: Promise<Vacation>) => void} update */
function content({ until, days_left: left }, update) {
  const title = h("h2", {}, say("web.vacation"));
  if (until !== null) {
    const end = () => update(post("/vacation/end", {}));
    return [title, h("p", {}, say("web.vacation-until", { date: dayOf(until) })), button(say("web.vacation-end"), end)];
  }
  const days = h("input", {
    type: "number",
    min: 1,
    max: left,
    value: Math.min(7, left),
    "aria-label": say("web.vacation-days"),
  });
  const begin = () => days.reportValidity() && update(post("/vacation", { days: days.valueAsNumber }));
  const row = h("div", { class: "row" }, days, button(say("web.vacation-begin"), begin, { disabled: left < 1 }));
  return [title, h("p", { class: "muted" }, say("web.vacation-words", { n: left })), row];
}
