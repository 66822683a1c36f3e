/** The styles of the club's pages, loaded with the first of them. */

import { h } from "../lib/dom.js";

/** @type {Promise<void> | null} */
let loading = null;

/** Load the styles; resolves when they are there, or cannot be. @returns {Promise<void>} */
export function clubStyle() {
  loading ??= new Promise((resolve) => {
    const href = new URL("./club.css", import.meta.url).href;
    const done = () => resolve();
    document.head.append(h("link", { rel: "stylesheet", href, on: { load: done, error: done } }));
  });
  return loading;
}
