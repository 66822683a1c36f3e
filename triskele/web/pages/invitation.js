/** Coming to a table by a link: whoever takes a seat has a name. */

/** @import { Invitation } from "../lib/protocol.js" */

import { post } from "../lib/api.js";
import { button, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { change, setting } from "../lib/settings.js";

/** A name for somebody who has not chosen one. */
export function friendlyName() {
  const names = say("web.guest-names").split(", ");
  return names[Math.floor(Math.random() * names.length)];
}

/**
 * Use the key of a link; who takes a seat without a name is asked for one first.
 * @param {HTMLElement} host @param {string} table @param {string} key
 */
export async function useKey(host, table, key) {
  /** @type {Invitation} */
  const invitation = await post(`/tables/${table}/invitation`, { key });
  const { opens, host: inviting, account, title: game } = invitation;
  const name = account || !inviting ? inviting : say("web.guest-named", { name: inviting });
  const words = name ? say("web.invited", { name, game }) : say("web.invited-by-nobody", { game });
  if (opens === "seat") await askName(host, words);
  await post(`/tables/${table}/seats`, { key, name: setting("name") });
}

/**
 * Ask for a name, unless one is remembered; it is remembered.
 * @param {HTMLElement} host @param {string} words why @returns {Promise<void>}
 */
export function askName(host, words) {
  if (setting("name") || setting("account")) return Promise.resolve();
  return new Promise((resolve) => {
    const field = h("input", {
      type: "text",
      maxLength: 40,
      value: friendlyName(),
      autocomplete: "nickname",
      on: { focus: (event) => event.currentTarget.select() },
    });
    const form = h(
      "form",
      { class: "message invited" },
      h("h1", {}, words),
      h("label", { class: "field" }, h("span", {}, say("web.invited-name")), field),
      h(
        "div",
        { class: "row" },
        button(say("web.sit"), () => {}, { type: "submit", class: "button primary" }),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      change("name", field.value.trim() || friendlyName());
      form.remove();
      host.classList.remove("asking");
      resolve();
    });
    host.classList.add("asking");
    host.append(form);
    field.focus();
  });
}
