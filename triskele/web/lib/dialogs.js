/** Dialogs: the browser's own, closed with Escape, a click beside them, or their button. */

import { button, h } from "./dom.js";
import { say } from "./i18n.js";

/**
 * Show a dialog; resolves with its `returnValue` when it is closed.
 * @param {string} title @param {import("./elements.js").Child} content @param {{class?: string}} [props]
 * @returns {{dialog: HTMLDialogElement, closed: Promise<string>}}
 */
export function show(title, content, props = {}) {
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: `dialog ${props.class ?? ""}`, "aria-label": title },
    h(
      "header",
      {},
      h("h2", {}, title),
      button(say("web.close"), () => dialog.close(), { icon: "close", bare: true, class: "button bare" }),
    ),
    h("div", { class: "content" }, content),
  );
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const closed = new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
  dialog.showModal();
  return { dialog, closed };
}

/**
 * Ask before doing something that cannot be undone.
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export async function confirmed(question, yes) {
  /** @param {string} value */
  const close = (value) => () => shown.dialog.close(value);
  const row = h(
    "div",
    { class: "row" },
    button(say("web.cancel"), close("")),
    button(yes, close("yes"), { class: "button primary" }),
  );
  const shown = show(question, row, { class: "small" });
  return (await shown.closed) === "yes";
}
