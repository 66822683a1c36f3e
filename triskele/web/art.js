/**
 * The games' artwork: fetched once, its shapes put into the page for `<use>`, its style linked as a sheet of its own.
 */

import { address } from "./api.js";
import { h, s } from "./dom.js";
import { theme } from "./settings.js";

/** @type {Map<string, Promise<void>>} */
const loaded = new Map();

/** The style of an artwork comes apart from it: the page's policy forbids style inside of what is read. */
const STYLE = /<style[^>]*>[\s\S]*?<\/style>/g;

/** Rules for the dark theme, each with its selector as written and without the theme in it. */
const darkRules = [];
const DARK = /\[data-theme="?dark"?\]\s+/g;

/** @param {string} href @returns {Promise<CSSStyleSheet>} */
function linked(href) {
  return new Promise((resolve, reject) => {
    const link = h(
      "link",
      { rel: "stylesheet", href, on: { load: () => resolve(link.sheet), error: () => reject(new Error(href)) } },
    );
    document.head.append(link);
  });
}

/**
 * Let the artwork wear a theme. Inside of a `<use>` browsers see the sprite alone, and not the theme that is
 * written on the page: so the rules for the dark theme are given selectors without it, and back.
 * @param {"light" | "dark"} worn
 */
export function wear(worn) {
  for (const { rule, written, plain } of darkRules) rule.selectorText = worn === "dark" ? plain : written;
}

/** @param {string} game */
async function load(game) {
  const path = `/games/${encodeURIComponent(game)}/sprites`;
  const [text, sheet] = await Promise.all([
    fetch(address(`${path}.svg`)).then((answer) => answer.text()),
    linked(address(`${path}.css`)),
  ]);
  const drawing = new DOMParser().parseFromString(text.replace(STYLE, ""), "image/svg+xml");
  for (const rule of sheet.cssRules) {
    const written = rule.selectorText ?? "";
    if (written.match(DARK)) darkRules.push({ rule, written, plain: written.replace(DARK, "") });
  }
  wear(theme());
  const defs = [...drawing.querySelectorAll("defs")].map((each) => document.importNode(each, true));
  document.body.append(s("svg", { class: "artwork", width: 0, height: 0, "aria-hidden": "true" }, defs));
}

/** Bring a game's artwork into the page. @param {string} game */
export function artwork(game) {
  if (!loaded.has(game)) {
    const asked = load(game);
    asked.catch(() => loaded.delete(game));
    loaded.set(game, asked);
  }
  return loaded.get(game);
}

/** Whether a sprite is in the page. @param {string} sprite */
export const drawn = (sprite) => document.getElementById(sprite) !== null;

/** @type {Map<string, string>} the extents of the sprites that were measured, as view boxes */
const extents = new Map();

/**
 * A sprite as a small picture of its own.
 * @param {string} sprite @param {string} [label] drawn on it
 */
export function picture(sprite, label = "") {
  const use = s("use", { href: `#${sprite}` });
  const image = s("svg", { class: "sprite", "aria-hidden": "true" }, use);
  if (label) image.append(s("text", { class: `label-${sprite}`, dy: ".35em", "text-anchor": "middle" }, label));
  if (extents.has(sprite)) image.setAttribute("viewBox", extents.get(sprite));
  else requestAnimationFrame(() => measure(sprite, use, image));
  return image;
}

/** Its extent is known only in the page: measured once it is there, so that it does not flicker when it is drawn again. */
function measure(sprite, use, image) {
  const { x, y, width, height } = use.getBBox();
  const box = `${x} ${y} ${width || 1} ${height || 1}`;
  if (width) extents.set(sprite, box);
  image.setAttribute("viewBox", box);
}
