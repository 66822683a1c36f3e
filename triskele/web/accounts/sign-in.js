/** Signing in and up, a forgotten password, and the new one that a link from a mail sets. */

import { post } from "../lib/api.js";
import { button, fill, h, icon } from "../lib/dom.js";
import { toast } from "../lib/toasts.js";
import { forgetKey, go, to } from "../lib/router.js";
import { field, form, passwordField, said } from "./fields.js";
import { canUsePasskeys, makePasskey, usePasskey } from "./passkeys.js";
import { signedIn, whoAmI } from "./session.js";
import { prepare, text } from "./setup.js";

/** @import { SignedIn, WhoAmI } from "./types.js" */

/** @param {HTMLElement} host */
export async function signInPage(host) {
  await prepare();
  const link = /^#reset=([\w-]+)$/.exec(location.hash)?.[1];
  if (link) {
    forgetKey();
    return fill(host, narrow(text("new-password"), resetForm(link)));
  }
  const who = await whoAmI();
  if (who.account) return go(to("account"));
  return fill(host, choices(who, location.hash === "#new" && who.site.accounts !== "closed"));
}

/** @param {string} title @param {import("../lib/elements.js").Child} content */
const narrow = (title, content) => h("div", { class: "page narrow" }, h("h1", {}, title), content);

/** @param {SignedIn} begun */
function welcome(begun) {
  signedIn(begun);
  toast(begun.brought ? text("brought", { n: begun.brought }) : text("welcome", { name: begun.name }));
  go(to("home"));
}

/** Both ways in, one shown. @param {WhoAmI} who @param {boolean} isNew */
function choices(who, isNew) {
  const page = h("div", { class: "page narrow" });
  /** @param {boolean} fresh */
  const draw = (fresh) => {
    /** @param {string} words @param {boolean} on */
    const tab = (words, on) => button(words, () => draw(on), { class: "button", "aria-pressed": String(on === fresh) });
    const closed = who.site.accounts === "closed";
    fill(
      page,
      h("h1", {}, fresh ? text("sign-up") : text("sign-in")),
      closed ? null : h("div", { class: "row ways" }, tab(text("sign-in"), false), tab(text("sign-up"), true)),
      fresh ? signUpForm(who) : signInForm(who),
    );
  };
  draw(isNew);
  return page;
}

/** A button that uses a passkey, and says beside it what went wrong. @param {string} words @param {() => Promise<void>} act */
function passkeyButton(words, act) {
  const problem = h("p", { class: "problem", role: "alert" });
  const pressed = async () => {
    problem.textContent = "";
    try {
      await act();
    } catch (error) {
      problem.textContent = said(error);
    }
  };
  return canUsePasskeys()
    ? h(
        "div",
        { class: "fields other-way" },
        h("p", { class: "muted" }, text("or")),
        button(words, pressed, { icon: "key" }),
        problem,
      )
    : null;
}

/** @param {WhoAmI} who */
function signInForm({ site, guest_games: games }) {
  const name = field(text("name"), { autocomplete: "username webauthn", maxLength: 24, autofocus: true });
  const password = passwordField(text("password"), "current-password");
  const bring = h("input", { type: "checkbox", checked: games > 0 });
  const brings = games ? h("label", { class: "choice" }, bring, text("bring", { n: games })) : null;
  const byPassword = async () =>
    welcome(
      await post("/sessions", {
        name: name.input.value,
        password: password.input.value,
        bring: games > 0 && bring.checked,
      }),
    );
  const byPasskey = async () =>
    welcome(await post("/sessions", { passkey: await usePasskey("sign-in"), bring: games > 0 && bring.checked }));
  const forgotten = site.mail ? button(text("forgotten"), () => forgot(card), { class: "button" }) : null;
  const card = h(
    "section",
    { class: "card" },
    form([name.element, password.element, brings], text("sign-in"), byPassword, forgotten),
    passkeyButton(text("passkey-sign-in"), byPasskey),
  );
  return card;
}

/** @param {WhoAmI} who */
function signUpForm({ site, guest_games: games }) {
  const name = field(text("name"), { autocomplete: "username", maxLength: 24, autofocus: true });
  const password = passwordField(text("password"), "new-password");
  const code = field(text("invitation"), { autocomplete: "off", maxLength: 40 });
  const invitation = () => (site.accounts === "invitation" ? { invitation: code.input.value } : {});
  const byPassword = async () =>
    welcome(await post("/accounts", { name: name.input.value, password: password.input.value, ...invitation() }));
  const byPasskey = async () => {
    if (!name.input.reportValidity() || (site.accounts === "invitation" && !code.input.reportValidity())) return;
    const passkey = await makePasskey("sign-up", name.input.value);
    welcome(await post("/accounts", { name: name.input.value, passkey, ...invitation() }));
  };
  return h(
    "section",
    { class: "card" },
    h("p", { class: "muted" }, text("sign-up-words")),
    games ? h("p", {}, icon("check"), text("games-come-along", { n: games })) : null,
    form(
      [site.accounts === "invitation" ? code.element : null, name.element, password.element],
      text("make-account"),
      byPassword,
    ),
    passkeyButton(text("passkey-sign-up"), byPasskey),
  );
}

/** Ask for the address to which a link goes. @param {HTMLElement} card */
function forgot(card) {
  const mail = field(text("mail"), { type: "email", autocomplete: "email", maxLength: 254, autofocus: true });
  const send = async () => {
    await post("/account/recover", { mail: mail.input.value });
    fill(card, h("p", { role: "status" }, text("link-sent")));
  };
  fill(card, h("p", { class: "muted" }, text("forgotten-words")), form(mail.element, text("send-link"), send));
  mail.input.focus();
}

/** @param {string} link */
function resetForm(link) {
  const password = passwordField(text("new-password"), "new-password");
  const set = async () => welcome(await post("/account/reset", { link, password: password.input.value }));
  return h("section", { class: "card" }, form(password.element, text("set-password"), set));
}
