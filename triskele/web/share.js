/** Links to give to others: copied, or shared with what the device has for it. */

import { button, h } from "./dom.js";
import { say } from "./i18n.js";
import { notice } from "./notices.js";

/** @param {string} table @param {string} key */
export const linkTo = (table, key) => `${location.origin}/table/${table}#${key}`;

/** @param {HTMLInputElement} field */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy"); // where the clipboard is not for pages without HTTPS
  }
  notice(say("web.copied"));
}

/** A link in a field, with buttons. @param {string} words what it is for @param {string} address */
export function linkField(words, address) {
  const field = /** @type {HTMLInputElement} */ (h(
    "input",
    { type: "text", readOnly: true, value: address, "aria-label": words, on: { focus: () => field.select() } },
  ));
  return h("div", { class: "link" },
    h("span", {}, words),
    h("div", { class: "field" }, field,
      button(say("web.copy"), () => copy(field), { icon: "copy", bare: true, class: "button" }),
      navigator.share ? button(
        say("web.share"),
        () => navigator.share({ title: "Triskele", url: address }).catch(() => {}),
        { icon: "share", bare: true, class: "button" },
      ) : null));
}
