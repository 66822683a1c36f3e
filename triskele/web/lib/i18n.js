/** Words in the reader's language, from the server's catalogue: `say("web.undo")`, `say("web.players", {n: 3})`. */

import { setting } from "./settings.js";
import { SITE } from "./site.js";

/** The languages there are, by their tags: the server writes them into the page. @type {string[]} */
export const LANGUAGES = (document.querySelector("meta[name=languages]")?.getAttribute("content") ?? "en").split(" ");

/** The name of a language in its own words. @param {string} tag @returns {string} */
export const languageName = (tag) => capital(new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? tag);

/** @typedef {Object<string, string | Object<string, string>>} Catalogue texts, or their plural forms, by key */

/** @type {Catalogue} */
let words = {};
let current = "en";

/** The language chosen, or else the first of the browser's that there is. @returns {string} */
function preferred() {
  const asked = [setting("language"), ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return asked.find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

/** @type {Map<string, Promise<Catalogue>>} the catalogues that were asked for, by language */
const catalogues = new Map();

/** @param {string} tag @returns {Promise<Catalogue>} */
async function fetchWords(tag) {
  const response = await fetch(`${SITE}api/v1/words/${tag}`);
  if (!response.ok) throw new Error(say("web.failed"));
  return response.json();
}

/** Load the catalogue of the preferred language; rejects, and changes nothing, when it cannot be fetched. */
export async function loadWords() {
  const tag = preferred();
  const asked = catalogues.get(tag) ?? fetchWords(tag);
  catalogues.set(tag, asked);
  asked.catch(() => catalogues.delete(tag));
  words = await asked;
  current = tag;
  document.documentElement.lang = tag;
}

/** @type {Map<string, string>} the parts of the catalogue that were loaded later, with their language */
const parts = new Map();

/** Load the words of a part of the page that does not belong to the first load. @param {string} part */
export async function loadPart(part) {
  const tag = current;
  if (parts.get(part) === tag && Object.keys(words).some((key) => key.startsWith(`web/${part}.`))) return;
  const more = await fetchWords(`${tag}/${part}`);
  if (tag === current) words = { ...words, ...more };
  parts.set(part, tag);
}

/** The language in use, as two letters. */
export const language = () => current;

/** Whether the catalogue has a text. @param {string} key */
export const has = (key) => key in words;

/**
 * A text of the catalogue with its values filled in; the form is chosen by the value `n`.
 * A key that is missing stands for itself.
 * @param {string} key @param {Object<string, string | number | null>} [values]
 */
export function say(key, values = {}) {
  let text = words[key] ?? key;
  if (typeof text !== "string") {
    const rules = kept(`plural ${current}`, () => new Intl.PluralRules(current));
    const form = rules.select(Number(values.n ?? 0));
    text = text[form] ?? text.other;
  }
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = values[name];
    return value === undefined ? placeholder : typeof value === "number" ? number(value) : String(value);
  });
}

/** Words as they stand at the beginning of a line; a place or a move (`j5`) stays as it is. @param {string} text */
export const capital = (text) =>
  text.replace(/^\p{L}(?=\p{L}*(?![\p{L}\d]))/u, (first) => first.toLocaleUpperCase(current));

/** @type {Map<string, unknown>} */
const formats = new Map();

/** A format that is made once: making it takes a hundred times as long as using it. @template T @param {string} key @param {() => T} make @returns {T} */
function kept(key, make) {
  if (!formats.has(key)) formats.set(key, make());
  return /** @type {T} */ (formats.get(key));
}

/** @param {number} value @param {Intl.NumberFormatOptions} [format] */
export const number = (value, format) =>
  kept(`${current} ${JSON.stringify(format)}`, () => new Intl.NumberFormat(current, format)).format(value);

/** @param {number} share from 0 to 1 */
export const percent = (share) => number(share, { style: "percent", maximumFractionDigits: 0 });

/** A list in words: "a, b and c". @param {string[]} items */
export const listed = (items) => new Intl.ListFormat(current).format(items);

/** @type {[Intl.RelativeTimeFormatUnit, number][]} units of time with their length in seconds */
const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/** How long ago, in words. @param {number} time milliseconds since 1970 */
export function ago(time) {
  const seconds = Math.min(0, (time - Date.now()) / 1000);
  const format = new Intl.RelativeTimeFormat(current, { numeric: "auto", style: "short" });
  const found = UNITS.find(([, length]) => -seconds >= length);
  return found ? format.format(Math.round(seconds / found[1]), found[0]) : format.format(0, "second");
}

/** The time of day. @param {number} time milliseconds since 1970 */
export const clock = (time) => new Intl.DateTimeFormat(current, { timeStyle: "short" }).format(time);
