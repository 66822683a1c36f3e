/** Choosing the pace of a game: no clock, live, or over days. */

import { h } from "../lib/dom.js";
import { capital, say } from "../lib/i18n.js";
import { controlWords, isDays } from "../table/pace-words.js";

const LIVE = ["3+2", "5+3", "10+5", "15+10", "30+20", "10+0 3x30"];
const DAYS = ["1d", "3d", "7d", "bank 7d+1d/14d"];
const OWN = "own";

/** @typedef {{control: string, weekdays: boolean, out: boolean, own: boolean}} Pace the time control without what may follow it */

/** @returns {Pace} */
export const noClock = () => ({ control: "none", weekdays: false, out: false, own: false });

/** The text of a pace for the server; none without a clock. @param {Pace} pace @param {number} seats @returns {string | null} */
export function clockText({ control, weekdays, out }, seats) {
  if (control === "none" || seats < 2) return null;
  return control + (weekdays && isDays(control) ? " weekdays" : "") + (out && seats > 2 ? " out" : "");
}

/** @param {Pace} pace @param {number} seats @param {(pace: Pace) => void} changed */
export function clockField(pace, seats, changed) {
  if (seats < 2) return null;
  /** @param {string} control */
  const option = (control) =>
    h("option", { value: control, selected: !pace.own && pace.control === control }, capital(controlWords(control)));
  const select = h(
    "select",
    {
      on: {
        change: (event) => {
          const control = event.currentTarget.value;
          changed(control === OWN ? { ...pace, control: "10+5", own: true } : { ...pace, control, own: false });
        },
      },
    },
    h("option", { value: "none", selected: pace.control === "none" }, capital(say("web.pace-none"))),
    h("optgroup", { label: say("web.pace-live-group") }, LIVE.map(option)),
    h("optgroup", { label: say("web.pace-days-group") }, DAYS.map(option)),
    h("option", { value: OWN, selected: pace.own }, capital(say("web.pace-own"))),
  );
  const own = h("input", {
    type: "text",
    value: pace.control,
    maxLength: 40,
    spellcheck: false,
    "aria-label": say("web.pace-own"),
    on: { change: (event) => changed({ ...pace, control: event.currentTarget.value.trim() }) },
  });
  /** @param {"weekdays" | "out"} name */
  const flag = (name) =>
    h(
      "label",
      { class: "option flag" },
      h("input", {
        type: "checkbox",
        checked: pace[name],
        on: { change: (event) => changed({ ...pace, [name]: event.currentTarget.checked }) },
      }),
      say(`web.pace-${name}`),
    );
  return [
    h("label", { class: "option" }, h("b", {}, say("web.pace")), select, pace.own ? own : null),
    pace.own ? h("small", { class: "muted" }, say("web.pace-own-words")) : null,
    isDays(pace.control) ? flag("weekdays") : null,
    pace.control !== "none" && seats > 2 ? flag("out") : null,
  ];
}
