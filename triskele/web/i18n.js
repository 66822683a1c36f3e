/** Words in the reader's language, from the server's catalogue: `say("web.undo")`, `say("yinsh.fact-pool", {n: 3})`. */

import { setting } from "./settings.js";

/** The languages there are, each in its own words. */
export const LANGUAGES = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  pl: "Polski",
};

/** @type {Object<string, string | Object<string, string>>} */
let words = {};
let current = "en";

/** The language chosen, or else the first of the browser's that we speak. @returns {string} */
function wanted() {
  const asked = [setting("language"), ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return asked.find((tag) => tag in LANGUAGES) ?? "en";
}

/** @type {Map<string, Promise<Object<string, *>>>} the catalogues that were asked for, by language */
const catalogues = new Map();

/** @param {string} tag */
async function fetchWords(tag) {
  const response = await fetch(`/api/v1/words/${tag}`);
  if (!response.ok) throw new Error(say("web.failed"));
  return response.json();
}

/** Take the catalogue of the language wanted; rejects, and changes nothing, when it cannot be had. */
export async function loadWords() {
  const tag = wanted();
  if (!catalogues.has(tag)) {
    catalogues.set(tag, fetchWords(tag));
    catalogues.get(tag).catch(() => catalogues.delete(tag));
  }
  words = await catalogues.get(tag);
  current = tag;
  document.documentElement.lang = tag;
}

/** The language in use, as two letters. */
export const language = () => current;

/** Whether the catalogue has a text. @param {string} key */
export const has = (key) => key in words;

/** Whether the catalogue has some text whose key begins so. @param {string} beginning */
export const mentions = (beginning) => Object.keys(words).some((key) => key.startsWith(beginning));

/**
 * A text of the catalogue with its values filled in; the form is chosen by the value `n`.
 * A key that is missing stands for itself.
 * @param {string} key @param {Object<string, string | number>} [values]
 */
export function say(key, values = {}) {
  let text = words[key] ?? key;
  if (typeof text !== "string") {
    const form = new Intl.PluralRules(current).select(Number(values.n ?? 0));
    text = text[form] ?? text.other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? number(value) : value;
  });
}

/** Words as they stand at the beginning of a line; a place or a move (`j5`) stays as it is. @param {string} text */
export const capital = (text) =>
  text.replace(/^\p{L}(?=\p{L}*(?![\p{L}\d]))/u, (first) => first.toLocaleUpperCase(current));

/** @param {number} value @param {Intl.NumberFormatOptions} [format] */
export const number = (value, format) => new Intl.NumberFormat(current, format).format(value);

/** @param {number} share from 0 to 1 */
export const percent = (share) => number(share, { style: "percent", maximumFractionDigits: 0 });

/** A list in words: "a, b and c". @param {string[]} items */
export const listed = (items) => new Intl.ListFormat(current).format(items);

/** How long ago, in words. @param {number} time milliseconds since 1970 */
export function ago(time) {
  const seconds = Math.min(0, (time - Date.now()) / 1000);
  const units = [["day", 86400], ["hour", 3600], ["minute", 60]];
  const [unit, length] = units.find(([, each]) => -seconds >= each) ?? ["second", 1];
  const count = unit === "second" ? 0 : Math.round(seconds / length);
  return new Intl.RelativeTimeFormat(current, { numeric: "auto", style: "short" }).format(count, unit);
}

/** The time of day. @param {number} time milliseconds since 1970 */
export const clock = (time) => new Intl.DateTimeFormat(current, { timeStyle: "short" }).format(time);
