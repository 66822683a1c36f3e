/** The profile of an account: results, opponents, last games, what was learned; ratings where the server has them. */

/** @import { PlayedGame, Profile, Rating, Results } from "./types.js" */

import { get, post } from "../lib/api.js";
import { games } from "../lib/catalogue.js";
import { button, fill, h, icon, s } from "../lib/dom.js";
import { ago, listed, number, say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { to } from "../lib/router.js";
import { setting } from "../lib/settings.js";
import { noPage } from "../pages/message.js";
import { reportPerson } from "./about-person.js";
import { day } from "./account.js";
import { prepare, text } from "./setup.js";

const WIDTH = 320; // of the drawing of a rating's history
const HEIGHT = 90;

/** @param {HTMLElement} host @param {string} name */
export async function profilePage(host, name) {
  if (!name) return noPage(host);
  await prepare();
  const path = `/people/${encodeURIComponent(name)}`;
  /** @type {[Profile, import("../lib/protocol.js").Game[]]} */
  const [profile, list] = await Promise.all([get(path), games()]);
  /** @type {{ratings: Rating[]}} */
  const { ratings } = profile.ratings ? await get(`${path}/ratings`) : { ratings: [] };
  /** @param {string} game */
  const title = (game) => list.find((each) => each.name === game)?.title ?? game;
  return fill(
    host,
    h(
      "div",
      { class: "page profile" },
      h("h1", {}, profile.name, profile.bot ? h("span", { class: "badge" }, icon("engine"), say("web.bot")) : null),
      h(
        "p",
        { class: "muted" },
        text("member-since", { day: day(profile.created) }),
        profile.owner
          ? [" · ", h("a", { href: to("people", profile.owner) }, text("bot-of", { name: profile.owner }))]
          : null,
      ),
      actions(host, profile),
      ratings.length
        ? section(
            text("ratings"),
            h(
              "ul",
              { class: "ratings" },
              ratings.map((each) => rating(each, title)),
            ),
          )
        : null,
      profile.results.length ? section(text("results"), results(profile.results)) : null,
      profile.opponents.length ? section(text("opponents"), opponents(profile.opponents)) : null,
      section(
        text("last-games"),
        profile.games.length
          ? h("ul", { class: "entries" }, profile.games.map(game))
          : [
              h("p", { class: "muted" }, text(profile.mine ? "no-games-mine" : "no-games")),
              profile.mine ? h("a", { class: "button primary", href: to("lobby") }, say("web.lobby")) : null,
            ],
      ),
      learned(profile, title),
    ),
  );
}

/** @param {string} title @param {import("../lib/elements.js").Child} content */
const section = (title, content) => h("section", { class: "card", "aria-label": title }, h("h2", {}, title), content);

/** @param {HTMLElement} host @param {Profile} profile */
function actions(host, profile) {
  if (profile.mine) {
    return h("div", { class: "row acts" }, h("a", { class: "button", href: to("account") }, text("my-account")));
  }
  /** @param {"mute" | "block"} kind @param {boolean} on */
  const toggle = (kind, on) => async () => {
    try {
      await post(`/people/${encodeURIComponent(profile.name)}/aversion`, { kind, on: !on });
      await profilePage(host, profile.name);
    } catch (error) {
      failed(error);
    }
  };
  const challenge =
    setting("account") && !profile.blocked
      ? h("a", { class: "button primary", href: to("lobby", profile.name) }, text("challenge"))
      : null;
  const rated = profile.ratings ? h("a", { class: "button", href: to("rated", profile.name) }, text("ratings")) : null;
  return h(
    "div",
    { class: "row acts" },
    challenge,
    rated,
    button(text(profile.muted ? "unmute" : "mute"), toggle("mute", profile.muted), {
      "aria-pressed": String(profile.muted),
    }),
    button(text(profile.blocked ? "unblock" : "block"), toggle("block", profile.blocked), {
      "aria-pressed": String(profile.blocked),
    }),
    button(text("report"), () => reportPerson({ name: profile.name }, profile.name), { icon: "flag" }),
  );
}

/** @param {Results} found */
const counts = ({ win, draw, loss }) => [win, draw, loss].map((each) => h("td", {}, number(each)));

/** @param {string} first */
const head = (first) =>
  h(
    "thead",
    {},
    h(
      "tr",
      {},
      [first, text("won"), text("drawn"), text("lost")].map((words) => h("th", { scope: "col" }, words)),
    ),
  );

/** @param {Profile["results"]} rows */
function results(rows) {
  const lines = rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.title), counts(row)));
  return h("table", { class: "counts" }, head(text("game")), h("tbody", {}, lines));
}

/** @param {Profile["opponents"]} rows */
function opponents(rows) {
  const lines = rows.map((row) =>
    h("tr", {}, h("th", { scope: "row" }, h("a", { href: to("people", row.name) }, row.name)), counts(row)),
  );
  return h("table", { class: "counts" }, head(text("opponent")), h("tbody", {}, lines));
}

/** @param {PlayedGame} played */
function game(played) {
  const others = listed(
    played.others.map(({ name, level }) => name ?? (level ? say("web.engine-level", { level }) : text("somebody"))),
  );
  return h(
    "li",
    {},
    h("span", { class: `result ${played.result}` }, text(played.result)),
    h(
      "span",
      { class: "what" },
      h("a", { href: to("table", played.table) }, played.title),
      h("small", { class: "muted" }, `${others} · ${ago(played.opened)}`),
    ),
  );
}

/** @param {Profile} profile @param {(game: string) => string} title */
function learned({ learned: { lessons, puzzles } }, title) {
  const names = [...new Set([...Object.keys(lessons), ...Object.keys(puzzles)])].sort();
  if (!names.length) return null;
  /** @param {string} name */
  const line = (name) =>
    h(
      "li",
      {},
      h("span", { class: "what" }, h("b", {}, title(name))),
      h(
        "span",
        { class: "muted" },
        listed(
          [
            lessons[name] ? text("steps-solved", { n: lessons[name] }) : "",
            puzzles[name] ? text("puzzles-solved", { n: puzzles[name] }) : "",
          ].filter(Boolean),
        ),
      ),
    );
  return section(text("learned"), h("ul", { class: "entries" }, names.map(line)));
}

// --- ratings ----------------------------------------------------------------------------------------

/** A rating with its history, drawn. @param {Rating} found @param {(game: string) => string} title */
function rating(found, title) {
  const words = text("rating-words", {
    rating: String(found.rating),
    deviation: found.high - found.rating,
    n: found.games,
  });
  return h(
    "li",
    {},
    h("b", {}, `${title(found.game)} · ${text(`pace-${found.pace}`)}`),
    h("span", {}, words),
    found.history.length > 1 ? drawing(found, words) : null,
  );
}

/** @param {Rating} found @param {string} words */
function drawing({ history }, words) {
  const times = history.map(([time]) => time);
  const low = Math.min(...history.map(([, value, deviation]) => value - deviation));
  const high = Math.max(...history.map(([, value, deviation]) => value + deviation));
  const [first, last] = [times[0], times[times.length - 1]];
  /** @param {number} time */
  const x = (time) => (last === first ? 0 : ((time - first) / (last - first)) * WIDTH);
  /** @param {number} value */
  const y = (value) => HEIGHT - ((value - low) / (high - low || 1)) * HEIGHT;
  /** @param {[number, number][]} points */
  const path = (points) => points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(" ");
  const above = history.map(
    ([time, value, deviation]) => /** @type {[number, number]} */ ([x(time), y(value + deviation)]),
  );
  const below = history.map(
    ([time, value, deviation]) => /** @type {[number, number]} */ ([x(time), y(value - deviation)]),
  );
  return s(
    "svg",
    {
      class: "history",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": words,
      preserveAspectRatio: "none",
    },
    s("polygon", { class: "interval", points: path([...above, ...below.toReversed()]) }),
    s("polyline", { class: "line", points: path(history.map(([time, value]) => [x(time), y(value)])) }),
  );
}
