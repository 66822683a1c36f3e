/** Fields and forms of the pages about accounts. */

import { ApiError } from "../lib/api.js";
import { show } from "../lib/dialogs.js";
import { button, h } from "../lib/dom.js";
import { capital } from "../lib/i18n.js";
import { failed, toast } from "../lib/toasts.js";
import { text } from "./setup.js";

/**
 * A field with its words above it.
 * @param {string} words @param {import("../lib/elements.js").Props<HTMLInputElement>} props
 */
export function field(words, props) {
  const input = h("input", { type: "text", required: true, ...props });
  return { input, element: h("label", { class: "field" }, h("span", {}, words), input) };
}

/**
 * A field for a password, which can be shown; the browser's own password manager fills it.
 * @param {string} words @param {"current-password" | "new-password"} kind
 */
export function passwordField(words, kind) {
  const input = h("input", {
    type: "password",
    required: true,
    autocomplete: kind,
    maxLength: 256,
    minLength: kind === "new-password" ? 8 : 1,
  });
  const toggle = button(
    text("show-password"),
    () => {
      const hidden = input.type === "password";
      input.type = hidden ? "text" : "password";
      toggle.setAttribute("aria-pressed", String(hidden));
    },
    { icon: "eye", bare: true, class: "button bare", "aria-pressed": "false" },
  );
  const hint = kind === "new-password" ? h("small", { class: "muted" }, text("password-hint")) : null;
  const element = h("div", { class: "field secret" }, h("label", {}, h("span", {}, words), input), toggle, hint);
  return { input, element };
}

/**
 * A form that says beside its button what went wrong.
 * @param {import("../lib/elements.js").Child} content @param {string} words of its button
 * @param {() => Promise<unknown>} act @param {import("../lib/elements.js").Child} [more] beside the button
 */
export function form(content, words, act, more = null) {
  const problem = h("p", { class: "problem", role: "alert" });
  const submit = button(words, () => {}, { type: "submit", class: "button primary" });
  /** @param {Event} event */
  const send = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    problem.textContent = "";
    try {
      await act();
    } catch (error) {
      problem.textContent = said(error);
    }
    submit.disabled = false;
  };
  return h(
    "form",
    { class: "fields", on: { submit: send } },
    content,
    problem,
    h("div", { class: "row" }, submit, more),
  );
}

/** Show a secret value this once. @param {string} title @param {string} words @param {string} value */
export async function showOnce(title, words, value) {
  const input = h("input", { readOnly: true, value, "aria-label": title, class: "mono" });
  const copy = async () => {
    input.select();
    await navigator.clipboard?.writeText(value).then(() => toast(text("copied")), failed);
  };
  const row = h("div", { class: "row" }, button(text("copy"), copy, { icon: "copy", class: "button primary" }));
  await show(title, [h("p", {}, words), input, row]).closed;
}

/** What went wrong, in words; a passkey that the person did not give needs none. @param {unknown} error */
export function said(error) {
  if (error instanceof DOMException) return error.name === "NotAllowedError" ? text("passkey-none") : error.message;
  if (error instanceof ApiError || error instanceof Error) return capital(error.message);
  return String(error);
}
