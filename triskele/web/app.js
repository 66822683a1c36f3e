/** The entry point: loads the words, sets the theme, draws the top bar and the page that the address means. */

import { setSpriteTheme } from "./board/sprites.js";
import { byId, button, fill, h, icon } from "./lib/dom.js";
import { loadWords, say } from "./lib/i18n.js";
import { failed } from "./lib/toasts.js";
import { onRoute, route, to } from "./lib/router.js";
import { change, onChange, setting, theme } from "./lib/settings.js";
import { setTitle } from "./lib/title.js";
import { homePage } from "./pages/home.js";
import { noPage, trouble } from "./pages/message.js";
import { THEMES, languageSelect, showSettings } from "./pages/settings-dialog.js";
import { TablePage } from "./pages/table.js";

const host = byId("main");

/** @type {Object<string, (host: HTMLElement, name: string) => Promise<unknown>>} */
const PAGES = {
  home: homePage,
  // Who comes to play need not load what is beside that.
  play: async (host, name) => (await import("./pages/setup.js")).setupPage(host, name),
  mine: async (host) => (await import("./pages/my-games.js")).myGamesPage(host),
  learn: async (host, name) => (await import("./pages/learn.js")).learnPage(host, name),
  lesson: async (host, name) => (await import("./learn/lesson.js")).lessonPage(host, name),
  puzzles: async (host, name) => (await import("./learn/puzzles.js")).puzzlesPage(host, name),
  analysis: async (host, name) => (await import("./analysis/analysis.js")).analysisPage(host, name),
  review: async (host, name) => (await import("./review/review.js")).reviewPage(host, name),
  // Nor what accounts need.
  "sign-in": async (host) => (await import("./accounts/sign-in.js")).signInPage(host),
  account: async (host) => (await import("./accounts/account.js")).accountPage(host),
  people: async (host, name) => (await import("./accounts/profile.js")).profilePage(host, name),
  moderation: async (host, name) => (await import("./accounts/moderation.js")).moderationPage(host, name),
  notices: async (host) => (await import("./notices/settings-page.js")).noticeSettingsPage(host),
  // Nor what belongs to the club.
  lobby: async (host, name) => (await import("./club/lobby.js")).lobbyPage(host, name),
  ratings: async (host, name) => (await import("./club/leaderboards.js")).leaderboardsPage(host, name),
  rated: async (host, name) => (await import("./club/rated-person.js")).ratedPersonPage(host, name),
};

/** @type {Object<string, string>} the pages whose link in the bar stands for others, too */
const ABOVE = {
  play: "home",
  lesson: "learn",
  puzzles: "learn",
  analysis: "learn",
  review: "mine",
  ratings: "lobby",
  rated: "lobby",
};

/** @type {{close: () => void} | null} the page that is shown, if it has to be closed */
let open = null;
let shown = 0;

/** @param {unknown} page @returns {page is {close: () => void}} */
const hasClose = (page) =>
  page instanceof Object && !(page instanceof Node) && "close" in page && typeof page.close === "function";

function applyTheme() {
  document.documentElement.dataset.theme = theme();
  setSpriteTheme(theme());
}

/** The way to one's account, or to signing in. @param {string} page */
function accountLink(page) {
  const name = setting("account");
  const [words, target] = name ? [say("web.account-of", { name }), "account"] : [say("web.sign-in"), "sign-in"];
  const current = page === target ? "page" : null;
  return h(
    "a",
    { class: "button bare who-am-i", href: to(target), "aria-label": words, title: words, "aria-current": current },
    icon("person"),
    h("span", {}, name || words),
  );
}

/** How many notices were not seen yet, beside the games that they are about. */
function unseenMark() {
  const n = setting("unseen");
  const mark = h("span", { class: "unseen-count", id: "unseen-count", hidden: n === 0 });
  return fill(
    mark,
    h("span", { "aria-hidden": "true" }, n),
    h("span", { class: "unseen" }, say("web.notices-new", { n })),
  );
}

/** @param {string} page */
function drawTop(page) {
  /** @param {string} words @param {string} name @param {Element | null} [mark] */
  const link = (words, name, mark) =>
    h("a", { href: to(name), "aria-current": page === name ? "page" : null }, words, mark);
  const next = THEMES[(THEMES.indexOf(setting("theme")) + 1) % THEMES.length];
  const themeWords = say("web.theme-now", { theme: say(`web.theme-${setting("theme")}`) });
  fill(
    byId("top"),
    h("a", { class: "brand", href: to("home"), "aria-label": "Triskele" }, icon("logo"), h("b", {}, "Triskele")),
    h("p", { class: "here", id: "here", role: "heading", "aria-level": "1" }),
    h(
      "nav",
      { "aria-label": say("web.pages") },
      link(say("web.play"), "home"),
      // On a phone the bar is full: there the first page leads to the lobby.
      h(
        "a",
        { class: "wide-only", href: to("lobby"), "aria-current": page === "lobby" ? "page" : null },
        say("web.lobby"),
      ),
      link(say("web.learn"), "learn"),
      link(say("web.my-games"), "mine", unseenMark()),
    ),
    h(
      "div",
      { class: "tools" },
      accountLink(page),
      languageSelect({ class: "wide-only" }),
      button(themeWords, () => change("theme", next), {
        icon: setting("theme"),
        bare: true,
        class: "button bare wide-only",
      }),
      button(say("web.settings"), showSettings, { icon: "settings", bare: true, class: "button bare" }),
    ),
  );
  byId("skip").textContent = say("web.skip");
}

/** @param {import("./lib/router.js").Route} wanted */
async function draw({ page, name, key }) {
  const turn = ++shown;
  open?.close();
  open = null;
  setTitle("Triskele");
  drawTop(ABOVE[page] ?? page);
  followNotices(page).catch(() => {}); // with the next page
  if (page === "table") {
    open = new TablePage(host, name, key);
    return;
  }
  const holder = h("div");
  /** @type {unknown} */
  let made = null;
  try {
    if (page in PAGES) made = await PAGES[page](holder, name);
    else noPage(holder);
  } catch (error) {
    trouble(holder, error, () => draw({ page, name, key }));
  }
  if (turn !== shown) {
    if (hasClose(made)) made.close();
    return;
  }
  if (hasClose(made)) open = made;
  fill(host, holder);
  const parts = [...(holder.querySelector("h1")?.childNodes ?? [])].map((part) => part.textContent?.trim());
  const title = parts.filter(Boolean).join(" · ");
  if (title && page !== "home") setTitle(`${title} · Triskele`);
  if (page === "mine") followNotices(page).catch(() => {});
  scrollTo(0, 0);
  if (turn > 1) host.focus({ preventScroll: true });
}

/** @param {keyof import("./lib/settings.js").Settings} name */
async function settingChanged(name) {
  if (name === "theme") applyTheme();
  if (name === "language") await loadWords().catch(failed);
  if (name === "theme" || name === "language") redraw(name);
  if (name === "account") drawTop(route(location).page);
  if (name === "account") accountChanged().catch(failed);
  if (name === "unseen") document.getElementById("unseen-count")?.replaceWith(unseenMark());
}

/** Follow the notices of whoever uses this browser, if somebody has ever played in it. @param {string} page */
async function followNotices(page) {
  if (!setting("account") && !setting("plays")) return;
  const { follow } = await import("./notices/counter.js");
  follow(page !== "table" && page !== "lobby");
}

/** Somebody has signed in or out: notices are those of who is here now. */
async function accountChanged() {
  const { restart } = await import("./notices/counter.js");
  restart();
  if (setting("account")) await (await import("./notices/push.js")).renew();
}

/**
 * Draw the page again in another language or with pictures of another theme; a table only in another language.
 * @param {"theme" | "language"} name what changed
 */
function redraw(name) {
  const now = route(location);
  if (now.page === "table" && name === "theme") drawTop("table");
  else draw(now);
}

// What accounts need is loaded when something below asks for it.
addEventListener("learned", async () => {
  if (setting("account")) (await import("./accounts/learned.js")).syncLearned();
});
addEventListener("person", async (event) => {
  if (!(event instanceof CustomEvent)) return;
  const { model, seat } = event.detail;
  await import("./accounts/about-person.js").then(({ aboutPerson }) => aboutPerson(model, seat)).catch(failed);
});

// The focus ring is shown only while the keyboard is used: to somebody with a mouse it would be misleading.
/** @param {"keys" | "pointer"} device */
const setDevice = (device) => () => (document.documentElement.dataset.by = device);
addEventListener("keydown", setDevice("keys"), true);
addEventListener("pointerdown", setDevice("pointer"), true);

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  host.focus();
});

applyTheme();
try {
  await loadWords();
  onChange(settingChanged);
  onRoute(draw);
} catch {
  byId("stuck").hidden = false; // without words there is nothing else to show
}
