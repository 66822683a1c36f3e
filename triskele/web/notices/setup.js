/** What every part of the page about notices needs before it is drawn: its words. */

import { loadPart, say } from "../lib/i18n.js";

/**
 * A text of this part of the page.
 * @param {string} key @param {Object<string, string | number | null>} [values]
 */
export const text = (key, values) => say(`web/notices.${key}`, values);

/** Load the words, once. */
export const prepare = () => loadPart("notices");
