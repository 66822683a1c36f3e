/** Links to give to others: copied, or shared with what the device has for it. */

import { button, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { toast } from "../lib/toasts.js";
import { to } from "../lib/router.js";

/** @param {string} table @param {string} key */
export const linkTo = (table, key) => `${location.origin}${to("table", table)}#${key}`;

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy"); // where the clipboard is not for pages without HTTPS
  }
  toast(say("web.copied"));
}

/**
 * A text in a field, to be copied.
 * @param {string} words what it is @param {string} value @param {...import("../lib/elements.js").Child} more buttons
 */
export function copyField(words, value, ...more) {
  const several = value.includes("\n");
  const props = { readOnly: true, value, "aria-label": words };
  /** @type {HTMLInputElement | HTMLTextAreaElement} */
  const field = several ? h("textarea", { ...props, rows: 4 }) : h("input", { ...props, type: "text" });
  field.addEventListener("focus", () => field.select());
  return h(
    "div",
    { class: "link" },
    h("span", {}, words),
    h(
      "div",
      { class: "field" },
      field,
      button(say("web.copy"), () => copy(field), { icon: "copy", bare: true, class: "button" }),
      more,
    ),
  );
}

/** A link in a field, with buttons. @param {string} words what it is for @param {string} address */
export function linkField(words, address) {
  const share = navigator.share
    ? button(say("web.share"), () => navigator.share({ title: "Triskele", url: address }).catch(() => {}), {
        icon: "share",
        bare: true,
        class: "button",
      })
    : null;
  return copyField(words, address, share);
}
