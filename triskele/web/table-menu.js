/** Everything about a table that is not needed at every move: links, what the options are, downloads, the end. */

import { address } from "./api.js";
import { button, fill, h, icon } from "./dom.js";
import { capital, has, language, say } from "./i18n.js";
import { nameOf, seatTitle } from "./people.js";
import { linkField, linkTo } from "./share.js";
import { theme } from "./settings.js";

/**
 * @typedef {import("./table-model.js").TableModel} TableModel
 * @typedef {{
 *   resign: () => void, draw: () => void, rematch: () => void, prove: () => void, analyse: () => void,
 *   keys: () => void
 * }} Deeds
 */

/** An option in words. @param {string} game @param {string} name @param {*} value */
export function optionWords(game, name, value) {
  const plain = `${game}.option.${name}.${value}`;
  const key = typeof value !== "boolean" ? plain : value ? "web.yes" : "web.no";
  return say("web.pair", { name: say(`${game}.option.${name}`), value: has(key) ? say(key) : value });
}

/** @param {TableModel} model */
function links(model) {
  const free = model.seats.filter((seat) => !seat.mine && !seat.taken && seat.key);
  return h("div", { class: "links" },
    free.map((seat) => linkField(
      say("web.invite-seat", { seat: seatTitle(model.game, seat.seat) }),
      linkTo(model.id, seat.key),
    )),
    model.watch ? linkField(say("web.watch-link"), linkTo(model.id, model.watch)) : null,
    model.seats.filter((seat) => seat.mine && seat.key && model.others).map((seat) => linkField(
      say("web.own-link", { seat: seatTitle(model.game, seat.seat) }),
      linkTo(model.id, seat.key),
    )));
}

/** @param {TableModel} model @param {{words: string, seat: number | null}[]} facts */
function notebook(model, facts) {
  const of = (seat) => facts.filter((fact) => fact.seat === seat).map((fact) => h("dd", {}, capital(fact.words)));
  const seats = model.seats.map(({ seat }) => [h("dt", {}, nameOf(model, seat)), of(seat)]);
  return h("dl", { class: "facts-list" }, seats);
}

/** @param {TableModel} model @param {number} at @param {number | null} seat */
function downloads(model, at, seat) {
  const link = (words, path, query, picture) => h(
    "a",
    { class: "button", href: address(`/tables/${model.id}/${path}`, query), download: "" },
    icon(picture),
    h("span", {}, words),
  );
  const query = { at, seat, theme: theme(), language: language() };
  return [
    link(say("web.record"), "record", {}, "download"),
    link(say("web.picture-png"), "picture.png", query, "picture"),
    link(say("web.picture-svg"), "picture.svg", query, "picture"),
  ];
}

/**
 * @param {HTMLElement} panel @param {TableModel} model @param {Deeds} deeds
 * @param {{facts: {words: string, seat: number | null}[], at: number, seat: number | null, analysis: boolean,
 *   analysing: boolean}} state `analysis`: whether an engine's view can be had; `analysing`: whether it is shown
 */
export function menu(panel, model, deeds, { facts, at, seat, analysis, analysing }) {
  const playing = model.mine.length > 0 && !model.over;
  const options = Object.entries(model.options).filter(([name]) => name !== "players");
  fill(panel,
    h("div", { class: "list" },
      model.over && model.mine.length ? button(
        say("web.rematch"),
        deeds.rematch,
        { icon: "again", class: "button primary" },
      ) : null,
      model.over && model.dice ? button(say("web.prove"), deeds.prove, { icon: "die" }) : null,
      playing && model.seats.length > 1 && model.others ? button(
        say("web.offer-draw"),
        deeds.draw,
        { icon: "draw" },
      ) : null,
      playing ? button(say("web.resign"), deeds.resign, { icon: "flag" }) : null,
      analysis ? button(
        say("web.engine-view"),
        deeds.analyse,
        { icon: "eye", "aria-pressed": String(analysing) },
      ) : null),
    links(model),
    notebook(model, facts),
    h(
      "ul",
      { class: "muted" },
      options.map(([name, value]) => h("li", {}, capital(optionWords(model.game, name, value)))),
    ),
    h(
      "div",
      { class: "list" },
      downloads(model, at, seat),
      button(say("web.shortcuts"), deeds.keys, { icon: "keys" }),
    ));
}
