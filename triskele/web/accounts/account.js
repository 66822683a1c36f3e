/** One's own account: how to sign in, mail, sessions, programs, people to avoid, data, deletion. */

/** @import { Account, Aversion, Session, Site, Token } from "./types.js" */
/** @import { Child } from "../lib/elements.js" */

import { get, post } from "../lib/api.js";
import { confirmed } from "../lib/dialogs.js";
import { button, fill, h, icon } from "../lib/dom.js";
import { ago, language, listed, say } from "../lib/i18n.js";
import { failed, toast } from "../lib/toasts.js";
import { forgetKey, go, to } from "../lib/router.js";
import { browserName } from "./browser-name.js";
import { field, form, passwordField, showOnce } from "./fields.js";
import { canUsePasskeys, makePasskey } from "./passkeys.js";
import { noteAccount, whoAmI, withProof } from "./session.js";
import { prepare, text } from "./setup.js";

const SCOPES = /** @type {const} */ (["play", "lobby", "read"]);

/** @param {HTMLElement} host */
export async function accountPage(host) {
  await prepare();
  const link = /^#confirm=([\w-]+)$/.exec(location.hash)?.[1];
  if (link) {
    forgetKey();
    await post("/account/mail/confirm", { link }).then(() => toast(text("mail-is-confirmed")), failed);
  }
  const { account, site } = await whoAmI();
  if (!account) return go(to("sign-in"));
  /** @type {[Session[], Token[], Aversion[]]} */
  const [sessions, tokens, aversions] = await Promise.all([
    get("/sessions"),
    get("/account/tokens"),
    get("/account/aversions"),
  ]);
  return fill(host, new AccountPage(host, account, site).draw(sessions, tokens, aversions));
}

/** A day in words. @param {number} time */
export const day = (time) => new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(time);

class AccountPage {
  /** @param {HTMLElement} host @param {Account} account @param {Site} site */
  constructor(host, account, site) {
    this.host = host;
    this.account = account;
    this.site = site;
  }

  /** Do something that only the person may, and show what the account is then. @param {() => Promise<unknown>} act @param {string} [done] */
  async #change(act, done) {
    try {
      if ((await withProof(act, this.account)) === undefined) return;
      if (done) toast(done);
      await accountPage(this.host);
    } catch (error) {
      failed(error);
    }
  }

  /** @param {Session[]} sessions @param {Token[]} tokens @param {Aversion[]} aversions */
  draw(sessions, tokens, aversions) {
    const { account, site } = this;
    return h(
      "div",
      { class: "page account" },
      h("h1", {}, account.name),
      h("p", { class: "muted" }, text("member-since", { day: day(account.created) })),
      h(
        "div",
        { class: "row acts" },
        h("a", { class: "button", href: to("people", account.name) }, icon("person"), text("profile")),
        h("a", { class: "button", href: to("notices") }, icon("bell"), say("web.notices")),
        account.moderator ? h("a", { class: "button", href: to("moderation") }, icon("eye"), text("moderation")) : null,
        button(text("sign-out"), () => this.#signOut("here")),
        button(text("sign-out-everywhere"), () => this.#signOut("everywhere")),
      ),
      this.#passwordCard(),
      this.#passkeyCard(),
      site.mail ? this.#mailCard() : null,
      this.#sessionCard(sessions),
      this.#programCard(tokens),
      aversions.length ? this.#aversionCard(aversions) : null,
      this.#dataCard(),
    );
  }

  /** @param {string} title @param {...Child} content */
  #card(title, ...content) {
    return h("section", { class: "card", "aria-label": title }, h("h2", {}, title), content);
  }

  /** @param {"here" | "everywhere"} where */
  async #signOut(where) {
    try {
      await post("/sessions/end", { where });
      noteAccount("");
      go(to("home"));
    } catch (error) {
      failed(error);
    }
  }

  #passwordCard() {
    const { has_password: has } = this.account;
    const current = passwordField(text("current-password"), "current-password");
    const fresh = passwordField(text("new-password"), "new-password");
    const set = () =>
      this.#change(
        () => post("/account/password", { current: has ? current.input.value : null, password: fresh.input.value }),
        text("password-is-set"),
      );
    return this.#card(
      text("password"),
      h("p", { class: "muted" }, text(has ? "password-words" : "no-password")),
      h(
        "details",
        {},
        h("summary", {}, text(has ? "change-password" : "set-password")),
        // The browser's password manager wants to know whose password it is.
        h("input", {
          class: "unseen",
          autocomplete: "username",
          value: this.account.name,
          tabindex: "-1",
          "aria-hidden": "true",
        }),
        form([has ? current.element : null, fresh.element], text("set-password"), set),
      ),
    );
  }

  #passkeyCard() {
    const { passkeys } = this.account;
    if (!passkeys.length && !canUsePasskeys()) return null;
    const add = () =>
      this.#change(async () => post("/account/passkeys", await makePasskey("add")), text("passkey-is-added"));
    /** @param {typeof passkeys[number]} passkey @param {number} index */
    const line = (passkey, index) =>
      h(
        "li",
        {},
        icon("key"),
        h(
          "span",
          { class: "what" },
          h("b", {}, passkey.name || text("passkey-number", { n: index + 1 })),
          h(
            "small",
            { class: "muted" },
            passkey.used ? text("used", { ago: ago(passkey.used) }) : day(passkey.created),
          ),
        ),
        button(text("remove"), () => this.#change(() => post("/account/passkeys/remove", { id: passkey.id }))),
      );
    return this.#card(
      text("passkeys"),
      h("p", { class: "muted" }, text("passkeys-words")),
      passkeys.length ? h("ul", { class: "entries" }, passkeys.map(line)) : null,
      canUsePasskeys() ? h("div", { class: "row acts" }, button(text("add-passkey"), add, { icon: "plus" })) : null,
    );
  }

  #mailCard() {
    const { mail, mail_confirmed: isConfirmed } = this.account;
    const input = field(text("mail"), { type: "email", autocomplete: "email", maxLength: 254, value: mail ?? "" });
    const set = () => this.#change(() => post("/account/mail", { mail: input.input.value }), text("confirmation-sent"));
    const state = !mail ? text("mail-words") : isConfirmed ? text("mail-confirmed") : text("mail-unconfirmed");
    const remove = button(text("remove"), () => this.#change(() => post("/account/mail/remove", {})));
    return this.#card(
      text("mail"),
      h("p", { class: "muted" }, state),
      form(input.element, text("save"), set, mail ? remove : null),
    );
  }

  /** @param {Session[]} sessions */
  #sessionCard(sessions) {
    /** @param {Session} session */
    const line = (session) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "what" },
          h("b", {}, browserName(session.agent), session.current ? ` · ${text("here")}` : ""),
          h("small", { class: "muted" }, `${session.address} · ${ago(session.seen)}`),
        ),
        session.current
          ? null
          : button(text("sign-out"), () => this.#change(() => post(`/sessions/${session.id}/end`, {}))),
      );
    return this.#card(text("sessions"), h("ul", { class: "entries" }, sessions.map(line)));
  }

  // --- programs -----------------------------------------------------------------------------------

  /** @param {Token[]} tokens */
  #programCard(tokens) {
    /** @param {Token} token */
    const line = (token) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "what" },
          h("b", {}, token.name || text("token"), token.account === this.account.name ? "" : ` · ${token.account}`),
          h(
            "small",
            { class: "muted" },
            `${listed(token.scopes.map((scope) => text(`scope-${scope}`)))} · ` +
              (token.used ? text("used", { ago: ago(token.used) }) : text("never-used")),
          ),
        ),
        button(text("revoke"), () => this.#change(() => post(`/account/tokens/${token.id}/revoke`, {}))),
      );
    /** @param {string} name */
    const bot = (name) =>
      h(
        "li",
        {},
        icon("engine"),
        h("span", { class: "what" }, h("a", { href: to("people", name) }, name)),
        button(text("delete"), () => this.#deleteBot(name)),
      );
    const { bots } = this.account;
    return this.#card(
      text("programs"),
      h("p", { class: "muted" }, text("programs-words")),
      bots.length ? h("ul", { class: "entries" }, bots.map(bot)) : null,
      tokens.length ? h("ul", { class: "entries" }, tokens.map(line)) : null,
      h("details", {}, h("summary", {}, text("make-token")), this.#tokenForm()),
      h("details", {}, h("summary", {}, text("make-bot")), this.#botForm()),
    );
  }

  #tokenForm() {
    const name = field(text("token-name"), { maxLength: 40, autocomplete: "off" });
    const scopes = SCOPES.map((scope) => {
      const input = h("input", {
        type: "checkbox",
        value: scope,
        checked: scope !== "lobby",
        disabled: scope === "read",
      });
      return { input, element: h("label", { class: "choice" }, input, text(`scope-${scope}`)) };
    });
    const whose = h(
      "select",
      {},
      h("option", { value: "" }, this.account.name),
      this.account.bots.map((bot) => h("option", { value: bot }, bot)),
    );
    const make = async () => {
      const chosen = scopes.filter(({ input }) => input.checked).map(({ input }) => input.value);
      /** @type {{token: string} | undefined} */
      const made = await withProof(
        () => post("/account/tokens", { name: name.input.value, scopes: chosen, bot: whose.value || null }),
        this.account,
      );
      if (!made) return;
      await showOnce(text("token"), text("token-once"), made.token);
      await accountPage(this.host);
    };
    return form(
      [
        name.element,
        this.account.bots.length ? h("label", { class: "field" }, h("span", {}, text("token-for")), whose) : null,
        h(
          "fieldset",
          {},
          h("legend", {}, text("scopes")),
          h(
            "div",
            { class: "choices" },
            scopes.map((each) => each.element),
          ),
        ),
      ],
      text("make-token"),
      make,
    );
  }

  #botForm() {
    const name = field(text("bot-name"), { maxLength: 24, autocomplete: "off" });
    const make = () => this.#change(() => post("/account/bots", { name: name.input.value }));
    return form(name.element, text("make-bot"), make);
  }

  /** @param {string} name */
  async #deleteBot(name) {
    if (!(await confirmed(text("delete-sure", { name }), text("delete")))) return;
    await this.#change(() => post("/account/bots/delete", { name }));
  }

  // --- people and data ------------------------------------------------------------------------------

  /** @param {Aversion[]} aversions */
  #aversionCard(aversions) {
    /** @param {Aversion} aversion */
    const line = ({ name, kinds }) =>
      h(
        "li",
        {},
        h("span", { class: "what" }, h("a", { href: to("people", name) }, name)),
        kinds.map((kind) =>
          button(text(`un${kind}`), () =>
            this.#change(() => post(`/people/${encodeURIComponent(name)}/aversion`, { kind, on: false })),
          ),
        ),
      );
    return this.#card(text("aversions"), h("ul", { class: "entries" }, aversions.map(line)));
  }

  #dataCard() {
    return this.#card(
      text("data"),
      h("p", { class: "muted" }, text("data-words")),
      h(
        "div",
        { class: "row acts" },
        button(text("download-data"), () => this.#download().catch(failed), { icon: "download" }),
        button(text("delete-account"), () => this.#delete(), { class: "button danger" }),
      ),
    );
  }

  async #download() {
    /** @type {object | undefined} */
    const data = await withProof(() => get("/account/data"), this.account);
    if (!data) return;
    const href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }));
    h("a", { href, download: "triskele-account.json" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  async #delete() {
    const sure = text("delete-account-sure");
    if (!(await confirmed(sure, text("delete-account")))) return;
    try {
      if ((await withProof(() => post("/account/delete", {}), this.account)) === undefined) return;
      noteAccount("");
      toast(text("account-is-deleted"));
      go(to("home"));
    } catch (error) {
      failed(error);
    }
  }
}
