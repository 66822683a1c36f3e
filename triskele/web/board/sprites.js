/**
 * The games' artwork: fetched once, its shapes put into the page for `<use>`, its style linked as a sheet of its own.
 */

import { address } from "../lib/api.js";
import { h, s } from "../lib/dom.js";
import { theme } from "../lib/settings.js";

/** @type {Map<string, Promise<void>>} */
const requests = new Map();

/** The style of an artwork comes apart from it: the page's policy forbids inline style. */
const STYLE = /<style[^>]*>[\s\S]*?<\/style>/g;

/**
 * Rules for the dark theme, each with its selector as written and without the theme in it.
 * @type {{rule: CSSStyleRule, written: string, plain: string}[]}
 */
const darkRules = [];
const DARK = /\[data-theme="?dark"?\]\s+/g;

/** @param {string} href @returns {Promise<CSSStyleSheet>} */
function linkStyle(href) {
  return new Promise((resolve, reject) => {
    const link = h("link", { rel: "stylesheet", href });
    link.addEventListener("load", () => (link.sheet ? resolve(link.sheet) : reject(new Error(href))));
    link.addEventListener("error", () => reject(new Error(href)));
    document.head.append(link);
  });
}

/**
 * Draw the sprites in a theme. Inside of a `<use>` browsers match selectors against the sprite alone, and not against
 * the theme that is written on the page: so the rules for the dark theme are given selectors without it, and back.
 * @param {"light" | "dark"} chosen
 */
export function setSpriteTheme(chosen) {
  for (const { rule, written, plain } of darkRules) rule.selectorText = chosen === "dark" ? plain : written;
}

/** @param {string} game */
async function load(game) {
  const path = `/games/${encodeURIComponent(game)}/sprites`;
  const [text, sheet] = await Promise.all([
    fetch(address(`${path}.svg`)).then((answer) => answer.text()),
    linkStyle(address(`${path}.css`)),
  ]);
  const drawing = new DOMParser().parseFromString(text.replace(STYLE, ""), "image/svg+xml");
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSStyleRule)) continue;
    const written = rule.selectorText;
    if (written.match(DARK)) darkRules.push({ rule, written, plain: written.replace(DARK, "") });
  }
  setSpriteTheme(theme());
  const defs = [...drawing.querySelectorAll("defs")].map((each) => document.importNode(each, true));
  document.body.append(s("svg", { class: "artwork", width: 0, height: 0, "aria-hidden": "true" }, defs));
}

/** Bring a game's artwork into the page. @param {string} game */
export function loadSprites(game) {
  const asked = requests.get(game) ?? load(game);
  requests.set(game, asked);
  asked.catch(() => requests.delete(game));
  return asked;
}

/** @type {Map<string, string>} the extents of the sprites that were measured, as view boxes */
const extents = new Map();

/**
 * A sprite as a small picture of its own.
 * @param {string} sprite
 */
export function spriteImage(sprite) {
  const use = s("use", { href: `#${sprite}` });
  const image = s("svg", { class: "sprite", "aria-hidden": "true" }, use);
  const known = extents.get(sprite);
  if (known) image.setAttribute("viewBox", known);
  else requestAnimationFrame(() => measure(sprite, use, image));
  return image;
}

/**
 * Fit a picture to its sprite. The extent is known only once it is in the page; it is remembered, so that the sprite
 * does not flicker when it is drawn again.
 * @param {string} sprite @param {SVGUseElement} use @param {SVGSVGElement} image
 */
function measure(sprite, use, image) {
  const { x, y, width, height } = use.getBBox();
  const box = `${x} ${y} ${width || 1} ${height || 1}`;
  if (width) extents.set(sprite, box);
  image.setAttribute("viewBox", box);
}
