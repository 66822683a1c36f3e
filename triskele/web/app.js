/** The page begins here: words, theme, the bar on top, and the page that the address means. */

import { wear } from "./art.js";
import { button, fill, h, icon } from "./dom.js";
import { gamesPage } from "./games-page.js";
import { homePage } from "./home-page.js";
import { loadWords, say } from "./i18n.js";
import { learnPage } from "./learn-page.js";
import { noPage, trouble } from "./message-page.js";
import { failed } from "./notices.js";
import { onRoute, route, to } from "./router.js";
import { languageSelect, showSettings } from "./settings-dialog.js";
import { change, onChange, setting, theme } from "./settings.js";
import { setupPage } from "./setup-page.js";
import { TablePage } from "./table-page.js";

const host = document.getElementById("main");
const THEMES = ["system", "light", "dark"];

/** @type {TablePage | null} */
let table = null;
let shown = 0;

function dressTheme() {
  document.documentElement.dataset.theme = theme();
  wear(theme());
}

/** @param {string} page */
function drawTop(page) {
  const link = (words, name) => h("a", { href: to(name), "aria-current": page === name ? "page" : null }, words);
  const next = THEMES[(THEMES.indexOf(setting("theme")) + 1) % THEMES.length];
  const themeWords = say("web.theme-now", { theme: say(`web.theme-${setting("theme")}`) });
  fill(document.getElementById("top"),
    h("a", { class: "brand", href: "/", "aria-label": "Triskele" }, icon("logo"), h("b", {}, "Triskele")),
    h("p", { class: "here", id: "here" }),
    h(
      "nav",
      { "aria-label": say("web.pages") },
      link(say("web.play"), "home"),
      link(say("web.learn"), "learn"),
      link(say("web.my-games"), "mine"),
    ),
    h("div", { class: "tools" },
      languageSelect({ class: "wide-only" }),
      button(
        themeWords,
        () => change("theme", next),
        { icon: setting("theme"), bare: true, class: "button bare wide-only" },
      ),
      button(say("web.settings"), showSettings, { icon: "settings", bare: true, class: "button bare" })));
  const skip = document.getElementById("skip");
  skip.textContent = say("web.skip");
}

/** @param {import("./router.js").Route} wanted */
async function draw({ page, name, key }) {
  const turn = ++shown;
  table?.close();
  table = null;
  document.title = "Triskele";
  drawTop(page === "play" ? "home" : page);
  const pages = { home: homePage, play: setupPage, mine: gamesPage, learn: learnPage };
  if (page === "table") {
    table = new TablePage(host, name, key);
    return;
  }
  const holder = h("div");
  try {
    await (pages[page] ?? noPage)(holder, name);
  } catch (error) {
    trouble(holder, error, () => draw({ page, name, key }));
  }
  if (turn !== shown) return;
  fill(host, holder);
  const title = holder.querySelector("h1")?.textContent;
  if (title && page !== "home") document.title = `${title} · Triskele`;
  scrollTo(0, 0);
  if (turn > 1) host.focus({ preventScroll: true });
}

async function settingChanged(name) {
  if (name === "theme") dressTheme();
  if (name === "language") await loadWords().catch(failed);
  if (name === "theme" || name === "language") redraw(name);
}

/** Draw the page again in another language or with pictures of another theme; a table only when its words change. */
function redraw(name) {
  const now = route(location);
  if (now.page === "table" && name === "theme") drawTop("table");
  else draw(now);
}

// The mark of where the keyboard is would only mislead a hand with a mouse.
const handBy = (means) => () => (document.documentElement.dataset.by = means);
addEventListener("keydown", handBy("keys"), true);
addEventListener("pointerdown", handBy("pointer"), true);

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  host.focus();
});

dressTheme();
try {
  await loadWords();
  onChange(settingChanged);
  onRoute(draw);
} catch {
  document.getElementById("stuck").hidden = false; // without words there is nothing else to show
}
