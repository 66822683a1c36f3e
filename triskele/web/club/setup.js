/** What every page of the club needs before it is drawn: its words and its style. */

import { h } from "../lib/dom.js";
import { loadPart, say } from "../lib/i18n.js";

/** @type {Promise<void> | null} */
let styled = null;

/**
 * A text of this part of the page.
 * @param {string} key @param {Object<string, string | number | null>} [values]
 */
export const text = (key, values) => say(`web/club.${key}`, values);

/** Load the style; resolves when it is there, or cannot be. @returns {Promise<void>} */
function loadStyle() {
  return new Promise((resolve) => {
    const href = new URL("./club.css", import.meta.url).href;
    const done = () => resolve();
    document.head.append(h("link", { rel: "stylesheet", href, on: { load: done, error: done } }));
  });
}

/** Load the words and the style, once. */
export async function prepare() {
  styled ??= loadStyle();
  await Promise.all([styled, loadPart("club")]);
}
