/** Who is signed in here: what follows from signing in and out, and saying again who one is. */

import { ApiError, get, post } from "../lib/api.js";
import { show } from "../lib/dialogs.js";
import { button, h } from "../lib/dom.js";
import { change, setting } from "../lib/settings.js";
import { form, passwordField, said } from "./fields.js";
import { syncLearned } from "./learned.js";
import { canUsePasskeys, usePasskey } from "./passkeys.js";
import { text } from "./setup.js";

/** @import { SignedIn, WhoAmI } from "./types.js" */

/** Ask the server who is signed in; what the page remembers of it follows. @returns {Promise<WhoAmI>} */
export async function whoAmI() {
  /** @type {WhoAmI} */
  const found = await get("/account");
  noteAccount(found.account?.name ?? "");
  return found;
}

/** Remember who is signed in, for the bar on top. @param {string} name */
export function noteAccount(name) {
  if (setting("account") !== name) change("account", name);
}

/** Somebody has signed in. @param {SignedIn} begun */
export function signedIn({ name }) {
  noteAccount(name);
  syncLearned();
}

/**
 * Do something that only the person may; where the server asks for it, they say first who they are.
 * @template T @param {() => Promise<T>} act @param {WhoAmI["account"]} account @returns {Promise<T | undefined>}
 */
export async function withProof(act, account) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "prove") throw error;
  }
  return (await proved(account)) ? act() : undefined;
}

/** Ask for the password or a passkey. @param {WhoAmI["account"]} account @returns {Promise<boolean>} */
async function proved(account) {
  const password = passwordField(text("password"), "current-password");
  const problem = h("p", { class: "problem", role: "alert" });
  const byPasskey = async () => {
    try {
      await post("/account/prove", { passkey: await usePasskey("prove") });
      shown.dialog.close("yes");
    } catch (error) {
      problem.textContent = said(error);
    }
  };
  const key =
    account?.passkeys.length && canUsePasskeys() ? button(text("use-passkey"), byPasskey, { icon: "key" }) : null;
  const confirm = async () => {
    await post("/account/prove", { password: password.input.value });
    shown.dialog.close("yes");
  };
  const content = account?.has_password
    ? form(password.element, text("confirm"), confirm, key)
    : h("div", { class: "row" }, key);
  const shown = show(text("prove"), [h("p", {}, text("prove-words")), content, problem], { class: "small" });
  return (await shown.closed) === "yes";
}
