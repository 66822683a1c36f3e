/** What this browser remembers: language, theme, sound, the player's name. */

const STORE = "triskele";

/**
 * @type {{
 *   language: string, theme: "system"|"light"|"dark", sound: boolean, shortcuts: boolean, name: string,
 *   level: number
 * }}
 */
const DEFAULTS = { language: "", theme: "system", sound: false, shortcuts: true, name: "", level: 5 };

const listeners = new Set();
const dark = matchMedia("(prefers-color-scheme: dark)");
let values = read();

function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORE) ?? "{}") };
  } catch {
    return { ...DEFAULTS }; // a browser that keeps nothing still plays
  }
}

/** @template {keyof typeof DEFAULTS} K @param {K} name @returns {(typeof DEFAULTS)[K]} */
export function setting(name) {
  return values[name];
}

/** @template {keyof typeof DEFAULTS} K @param {K} name @param {(typeof DEFAULTS)[K]} value */
export function change(name, value) {
  values = { ...values, [name]: value };
  try {
    localStorage.setItem(STORE, JSON.stringify(values));
  } catch {
    // it holds until the page is closed
  }
  listeners.forEach((listener) => listener(name));
}

/** Call back with the name of each setting that changes. @param {(name: string) => void} listener */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme in use. @returns {"light"|"dark"} */
export function theme() {
  const chosen = setting("theme");
  return chosen === "system" ? (dark.matches ? "dark" : "light") : chosen;
}

dark.addEventListener("change", () => listeners.forEach((listener) => listener("theme")));

/** Whether the reader asked his system for less motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
