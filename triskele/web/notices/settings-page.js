/** What one is told about one's games: by which ways, when, at which browsers. */

/** @import { Account } from "../accounts/types.js" */
/** @import { NoticeKind, NoticePreferences, NoticeSettings, NoticeWay } from "./types.js" */
/** @import { Child } from "../lib/elements.js" */

import { get, post } from "../lib/api.js";
import { button, fill, h } from "../lib/dom.js";
import { ago, language, say } from "../lib/i18n.js";
import { failed, toast } from "../lib/toasts.js";
import { go, to } from "../lib/router.js";
import { browserName } from "../accounts/browser-name.js";
import { field, form, showOnce } from "../accounts/fields.js";
import { whoAmI, withProof } from "../accounts/session.js";
import { prepare as prepareAccounts } from "../accounts/setup.js";
import { canPush, subscribe, unsubscribe } from "./push.js";
import { prepare, text } from "./setup.js";

const KINDS = /** @type {const} */ (["turn", "time", "offer", "begun", "ended"]);
const WAYS = /** @type {const} */ (["page", "push", "mail", "hook"]);
const SENDING = /** @type {const} */ (["push", "mail", "hook"]);

/** @param {HTMLElement} host */
export async function noticeSettingsPage(host) {
  await Promise.all([prepare(), prepareAccounts()]);
  const { account } = await whoAmI();
  if (!account) return go(to("sign-in"));
  /** @type {NoticeSettings} */
  const settings = await get("/notices/settings");
  return new NoticeSettingsPage(host, account, settings).draw();
}

/** An hour of the day as the language writes it. @param {number} hour */
const hourWords = (hour) =>
  new Intl.DateTimeFormat(language(), { hour: "numeric", minute: "2-digit" }).format(new Date(2024, 0, 1, hour));

/** @param {string} label @param {number} chosen */
function hourField(label, chosen) {
  const hours = Array.from({ length: 24 }, (_, hour) =>
    h("option", { value: String(hour), selected: hour === chosen }, hourWords(hour)),
  );
  const select = h("select", {}, hours);
  return { select, element: h("label", { class: "field" }, h("span", {}, label), select) };
}

/** @param {string} title @param {...Child} content */
const card = (title, ...content) => h("section", { class: "card", "aria-label": title }, h("h2", {}, title), content);

class NoticeSettingsPage {
  /** @param {HTMLElement} host @param {Account} account @param {NoticeSettings} settings */
  constructor(host, account, settings) {
    this.host = host;
    this.account = account;
    this.settings = settings;
  }

  draw() {
    return fill(
      this.host,
      h(
        "div",
        { class: "page account" },
        h("h1", {}, say("web.notices")),
        this.#choices(),
        this.#browsers(),
        this.#hook(),
        h(
          "p",
          { class: "away" },
          h("a", { class: "button", href: to("account") }, say("web.account-of", { name: this.account.name })),
        ),
      ),
    );
  }

  async #again() {
    this.settings = await get("/notices/settings");
    this.draw();
  }

  /** The ways there are at this server, for this account. @returns {NoticeWay[]} */
  #ways() {
    return WAYS.filter((way) => way !== "mail" || this.settings.mail !== "not-offered");
  }

  // --- what, how and when ---------------------------------------------------------------------------

  #choices() {
    const { preferences, mail } = this.settings;
    const ways = this.#ways();
    /** @type {Map<string, HTMLInputElement>} */
    const boxes = new Map();
    /** @param {NoticeKind} kind @param {NoticeWay} way */
    const box = (kind, way) => {
      const label = `${text(`kind-${kind}`)}: ${text(`way-${way}`)}`;
      const checked = preferences.ways[kind].includes(way);
      const input = h("input", { type: "checkbox", checked, "aria-label": label });
      boxes.set(`${kind} ${way}`, input);
      return h("td", {}, h("label", { class: "tick" }, input));
    };
    const rows = KINDS.map((kind) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, text(`kind-${kind}`)),
        [...ways].map((way) => box(kind, way)),
      ),
    );
    const heads = [...ways].map((way) => h("th", { scope: "col" }, text(`way-${way}`)));
    const when = this.#when();
    const save = async () => {
      const chosen = KINDS.map((kind) => [kind, ways.filter((way) => boxes.get(`${kind} ${way}`)?.checked)]);
      this.settings = await post("/notices/settings", { ways: Object.fromEntries(chosen), ...when.value() });
      toast(text("saved"));
    };
    return card(
      text("ways"),
      form(
        [
          h(
            "table",
            { class: "counts ticks" },
            h("thead", {}, h("tr", {}, h("th", { scope: "col" }, text("about")), heads)),
            h("tbody", {}, rows),
          ),
          mail === "none" || mail === "unconfirmed" ? h("p", { class: "muted" }, text(`mail-${mail}`)) : null,
          when.element,
        ],
        text("save"),
        save,
      ),
    );
  }

  #when() {
    const { preferences } = this.settings;
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    // Before somebody has chosen anything, the zone is that of the browser.
    const zone = preferences.language === null ? here : preferences.zone;
    const known = Intl.supportedValuesOf("timeZone");
    const zones = h(
      "select",
      {},
      [...new Set([zone, here, "UTC", ...known])]
        .sort()
        .map((each) => h("option", { value: each, selected: each === zone }, each)),
    );
    const quiet = h("input", { type: "checkbox", checked: preferences.quiet !== null });
    const [since, until] = preferences.quiet ?? [22, 8];
    const from = hourField(text("from"), since);
    const end = hourField(text("to"), until);
    const hour = hourField(text("digest-hour"), preferences.hour);
    const digests = SENDING.filter((way) => this.#ways().includes(way)).map((way) => {
      const daily = preferences.digest.includes(way);
      const select = h(
        "select",
        {},
        h("option", { value: "", selected: !daily }, text("at-once")),
        h("option", { value: "daily", selected: daily }, text("daily")),
      );
      return { way, select, element: h("label", { class: "field" }, h("span", {}, text(`way-${way}`)), select) };
    });
    const element = h(
      "div",
      { class: "fields" },
      h("h3", {}, text("when")),
      h("label", { class: "field" }, h("span", {}, text("zone")), zones),
      h("label", { class: "choice" }, quiet, text("quiet")),
      h("div", { class: "side-by-side" }, from.element, end.element),
      h("h3", {}, text("digest")),
      h(
        "div",
        { class: "side-by-side" },
        digests.map((each) => each.element),
        hour.element,
      ),
      h("p", { class: "muted" }, text("digest-words")),
    );
    /** @returns {Omit<NoticePreferences, "ways" | "language">} */
    const value = () => ({
      zone: zones.value,
      quiet: quiet.checked ? [Number(from.select.value), Number(end.select.value)] : null,
      digest: digests.filter(({ select }) => select.value === "daily").map(({ way }) => way),
      hour: Number(hour.select.value),
    });
    return { element, value };
  }

  // --- browsers ---------------------------------------------------------------------------------------

  #browsers() {
    const { browsers, push_key: key } = this.settings;
    const isOn = browsers.some(({ current }) => current);
    /** @param {string} id @param {boolean} current */
    const remove = async (id, current) => {
      try {
        if (current) await unsubscribe();
        await post("/notices/push/remove", { id });
        await this.#again();
      } catch (error) {
        failed(error);
      }
    };
    const add = async () => {
      try {
        if ((await Notification.requestPermission()) !== "granted") return toast(text("push-denied"), "bad");
        await subscribe(key);
        await this.#again();
      } catch (error) {
        failed(error);
      }
    };
    /** @param {typeof browsers[number]} each */
    const line = ({ id, agent, created, current }) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "what" },
          h("b", {}, browserName(agent), current ? ` · ${text("here")}` : ""),
          h("small", { class: "muted" }, ago(created)),
        ),
        button(current ? text("push-off") : text("remove"), () => remove(id, current)),
      );
    return card(
      text("browsers"),
      h("p", { class: "muted" }, text(canPush() ? "push-words" : "push-none")),
      browsers.length
        ? h("ul", { class: "entries" }, browsers.map(line))
        : h("p", { class: "muted" }, text("browsers-none")),
      canPush() && !isOn ? h("div", { class: "row acts" }, button(text("push-on"), add, { icon: "plus" })) : null,
    );
  }

  // --- the web hook -------------------------------------------------------------------------------------

  #hook() {
    const { hook } = this.settings;
    const url = field(text("hook-url"), { type: "url", maxLength: 1000, value: hook?.url ?? "", autocomplete: "off" });
    const set = async () => {
      /** @type {{secret: string} | undefined} */
      const made = await withProof(() => post("/notices/hook", { url: url.input.value }), this.account);
      if (!made) return;
      await showOnce(text("hook-secret"), text("hook-secret-once"), made.secret);
      await this.#again();
    };
    const remove = () =>
      post("/notices/hook/remove", {})
        .then(() => this.#again())
        .catch(failed);
    return card(
      text("hook"),
      h("p", { class: "muted" }, text("hook-words")),
      form(url.element, text("hook-set"), set, hook ? button(text("remove"), remove) : null),
    );
  }
}
