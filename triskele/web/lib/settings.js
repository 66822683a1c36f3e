/** What this browser remembers: language, theme, sound, the player's name. */

const STORE = "triskele";

/**
 * @typedef {{
 *   language: string, theme: "system" | "light" | "dark", sound: boolean, shortcuts: boolean, name: string,
 *   level: number, levels: Object<string, number>, turns: Object<string, number>, confirm: boolean,
 *   touchPreview: boolean, coordinates: boolean, speed: number, volume: number, lessons: Object<string, string[]>,
 *   puzzles: Object<string, {solved: string[], difficulty: number}>, account: string, plays: boolean, unseen: number
 * }} Settings `account`: the name of the account that is signed in, empty without one; `level`: of the engines played
 *   last, `levels`: the same by game; `confirm`: ask before a move that has a note; `touchPreview`: on a touch screen
 *   show what a move changes before a second tap makes it; `speed`: of animations, 0 for none; `volume`: from 0 to 1;
 *   `turns`: by game, how far the board is turned from
 *   the own side; `lessons`: by game, the steps of its course that were solved; `puzzles`: the
 *   same of puzzles, and how hard the next should be; `plays`: this browser was at a table; `unseen`: notices that
 *   were counted last
 */

/** @type {Settings} */
const DEFAULTS = {
  language: "",
  theme: "system",
  sound: false,
  shortcuts: true,
  name: "",
  level: 5,
  levels: {},
  turns: {},
  confirm: true,
  touchPreview: true,
  coordinates: true,
  speed: 1,
  volume: 0.6,
  lessons: {},
  puzzles: {},
  account: "",
  plays: false,
  unseen: 0,
};

/** @type {Set<(name: keyof Settings) => void>} */
const listeners = new Set();
const dark = matchMedia("(prefers-color-scheme: dark)");
let values = read();

/** @returns {Settings} */
function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORE) ?? "{}") };
  } catch {
    return { ...DEFAULTS }; // a browser that keeps nothing still plays
  }
}

/** @template {keyof Settings} K @param {K} name @returns {Settings[K]} */
export function setting(name) {
  return values[name];
}

/** @template {keyof Settings} K @param {K} name @param {Settings[K]} value */
export function change(name, value) {
  values = { ...values, [name]: value };
  try {
    localStorage.setItem(STORE, JSON.stringify(values));
  } catch {
    // it holds until the page is closed
  }
  listeners.forEach((listener) => listener(name));
}

/** The level at which a game was played last. @param {string} game */
export const levelOf = (game) => setting("levels")[game] ?? setting("level");

/** @param {string} game @param {number} level */
export function rememberLevel(game, level) {
  change("level", level);
  change("levels", { ...setting("levels"), [game]: level });
}

/** Call back with the name of each setting that changes. @param {(name: keyof Settings) => void} listener */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme in use. @returns {"light" | "dark"} */
export function theme() {
  const chosen = setting("theme");
  return chosen === "system" ? (dark.matches ? "dark" : "light") : chosen;
}

dark.addEventListener("change", () => listeners.forEach((listener) => listener("theme")));

/** Whether nothing is to be animated: by the settings here, or the system's. */
export function prefersReducedMotion() {
  return setting("speed") === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
