/** What every page about accounts needs before it is drawn: its words and its style. */

import { h } from "../lib/dom.js";
import { loadPart, say } from "../lib/i18n.js";

/**
 * A text of this part of the page.
 * @param {string} key @param {Object<string, string | number | null>} [values]
 */
export const text = (key, values) => say(`web/accounts.${key}`, values);

/** Load the words and the style, once. */
export async function prepare() {
  const href = new URL("./accounts.css", import.meta.url).href;
  if (!document.head.querySelector(`link[href="${href}"]`))
    document.head.append(h("link", { rel: "stylesheet", href }));
  await loadPart("accounts");
}
