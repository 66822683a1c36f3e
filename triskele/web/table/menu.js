/** The tab of the table: what is not needed at every move, such as links, options, downloads, and resigning. */

import { address } from "../lib/api.js";
import { button, fill, h, icon } from "../lib/dom.js";
import { capital, has, language, say } from "../lib/i18n.js";
import { analysisLink } from "./analysis-link.js";
import { controlWords } from "./pace-words.js";
import { nameOf, seatTitle } from "./seat-names.js";
import { linkField, linkTo } from "./share-link.js";
import { theme } from "../lib/settings.js";

/** @import { Fact, OptionValue } from "../lib/protocol.js" */
/** @import { TableModel } from "./model.js" */
/** @import { TableDice } from "./table-dice.js" */

/**
 * @typedef {{
 *   resign: () => void, draw: () => void, prove: () => void, analyse: () => void,
 *   keys: () => void, conditional: () => void
 * }} Commands
 */

/** An option in words. @param {string} game @param {string} name @param {OptionValue} value */
export function optionWords(game, name, value) {
  const plain = `${game}.option.${name}.${value}`;
  const key = typeof value !== "boolean" ? plain : value ? "web.yes" : "web.no";
  return say("core.pair", {
    name: say(`${game}.option.${name}`),
    value: has(key) ? say(key) : typeof value === "number" ? value : String(value),
  });
}

/** @param {TableModel} model */
function links(model) {
  const free = model.seats.filter((seat) => !seat.mine && !seat.taken && seat.key);
  return h(
    "div",
    { class: "links" },
    free.map((seat) =>
      linkField(say("web.invite-seat", { seat: seatTitle(model.game, seat.seat) }), linkTo(model.id, seat.key ?? "")),
    ),
    model.watch ? linkField(say("web.watch-link"), linkTo(model.id, model.watch)) : null,
    model.seats
      .filter((seat) => seat.mine && seat.key && model.others)
      .map((seat) =>
        linkField(say("web.own-link", { seat: seatTitle(model.game, seat.seat) }), linkTo(model.id, seat.key ?? "")),
      ),
  );
}

/** What can be done about each of the others: a profile, muting, blocking, reporting. @param {TableModel} model */
function others(model) {
  if (!model.mine.length) return null;
  const people = model.seats.filter(
    ({ kind, mine, taken, deleted }) => kind !== "engine" && !mine && taken && !deleted,
  );
  /** The page about a person is loaded when it is first used (see `app.js`). @param {import("../lib/protocol.js").Seat} seat */
  const open = (seat) => dispatchEvent(new CustomEvent("person", { detail: { model, seat } }));
  return people.length
    ? h(
        "div",
        { class: "list" },
        people.map((seat) =>
          button(say("web.about-person", { name: nameOf(model, seat.seat) }), () => open(seat), { icon: "person" }),
        ),
      )
    : null;
}

/** @param {TableModel} model @param {Fact[]} facts */
function factList(model, facts) {
  /** @param {number} seat */
  const of = (seat) => facts.filter((fact) => fact.seat === seat).map((fact) => h("dd", {}, capital(fact.words)));
  const seats = model.seats.map(({ seat }) => [h("dt", {}, nameOf(model, seat)), of(seat)]);
  return h("dl", { class: "facts-list" }, seats);
}

/** @param {TableModel} model @param {number} at @param {number | null} seat @param {number} turn of the board */
function downloads(model, at, seat, turn) {
  /** @param {string} words @param {string} path @param {Object<string, string | number | null>} query @param {string} picture */
  const link = (words, path, query, picture) =>
    h(
      "a",
      { class: "button", href: address(`/tables/${model.id}/${path}`, query), download: "" },
      icon(picture),
      h("span", {}, words),
    );
  const query = { at, seat, turn, theme: theme(), language: language() };
  return [
    link(say("web.record"), "record", {}, "download"),
    link(say("web.picture-png"), "picture.png", query, "picture"),
    link(say("web.picture-svg"), "picture.svg", query, "picture"),
  ];
}

/**
 * @param {HTMLElement} panel @param {TableModel} model @param {Commands} commands
 * @param {{facts: Fact[], at: number, seat: number | null, turn: number, analysis: boolean, analysing: boolean,
 *   dice: TableDice}} state `analysis`: whether an analysis can be had; `analysing`: whether
 *   it is shown
 */
export function menu(panel, model, commands, { facts, at, seat, turn, analysis, analysing, dice }) {
  const playing = model.playing.length > 0 && !model.over;
  const options = Object.entries(model.options).filter(([name]) => name !== "players");
  fill(
    panel,
    model.rated && !model.over ? h("p", {}, say("web.rated-no-engines")) : null,
    h(
      "div",
      { class: "list" },
      model.over && model.dice ? button(say("web.prove"), commands.prove, { icon: "die" }) : null,
      playing && model.seats.length > 1 && model.others
        ? button(say("web.offer-draw"), commands.draw, { icon: "draw" })
        : null,
      playing ? button(say("web.resign"), commands.resign, { icon: "flag" }) : null,
      playing && model.clock?.pace === "days" && !model.isMine(model.turn)
        ? button(say("web.conditional"), commands.conditional, { icon: "moves" })
        : null,
      model.over ? analysisLink(model.game, model.id) : null,
      analysis
        ? button(say("web.engine-view"), commands.analyse, { icon: "eye", "aria-pressed": String(analysing) })
        : null,
    ),
    model.seats.some(({ page }) => page) && !model.over
      ? h("p", { class: "muted" }, capital(say(model.mine.length ? "web.in-your-browser" : "web.in-their-browser")))
      : null,
    others(model),
    links(model),
    factList(model, facts),
    dice.noted ? h("div", { class: "list" }, h("h2", {}, say("web.dice")), dice.verdictView(), dice.fields()) : null,
    h(
      "ul",
      { class: "muted" },
      model.clock
        ? h("li", {}, say("core.pair", { name: say("web.pace"), value: controlWords(model.clock.control) }))
        : null,
      options.map(([name, value]) => h("li", {}, capital(optionWords(model.game, name, value)))),
    ),
    h(
      "div",
      { class: "list" },
      downloads(model, at, seat, turn),
      button(say("web.shortcuts"), commands.keys, { icon: "keys" }),
    ),
  );
}
