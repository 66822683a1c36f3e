/**
 * Which page an address means: `/table/TABLE#KEY`, `/learn/GAME`, `/lesson/GAME#STEP`, `/puzzles/GAME#PUZZLE`,
 * `/analysis/GAME#KIND=…`, `/review/TABLE`, `/mine`, `/?play=GAME`, and `/`, all below the site.
 *
 * @typedef {{page: string, name: string, key: string}} Route `name` of a game or a table, `key` of a seat
 */

import { SITE } from "./site.js";

/** @param {Location | URL} place @returns {Route} */
export function route(place) {
  const path = place.pathname.slice(SITE.length);
  const table = /^table\/([\w-]+)\/?$/.exec(path);
  if (table) return { page: "table", name: table[1], key: place.hash.slice(1) };
  const [page, name = ""] = path.split("/").map(decodeURIComponent);
  const play = new URLSearchParams(place.search).get("play");
  return play && !page ? { page: "play", name: play, key: "" } : { page: page || "home", name, key: "" };
}

/** The address of a page. @param {string} page @param {string} [name] */
export function to(page, name = "") {
  if (page === "home") return SITE;
  const tail = encodeURIComponent(name);
  return page === "play" ? `${SITE}?play=${tail}` : `${SITE}${page}${name ? "/" + tail : ""}`;
}

/** Show the page of an address of this site. @param {string} address */
export function go(address) {
  history.pushState(null, "", address);
  dispatchEvent(new Event("routed"));
}

/** Take the key out of the address bar, where it could be read or copied by mistake. */
export function forgetKey() {
  history.replaceState(null, "", location.pathname);
}

/** Call back now and whenever the address becomes that of another page. @param {(route: Route) => void} show */
export function onRoute(show) {
  const changed = () => show(route(location));
  addEventListener("routed", changed);
  addEventListener("popstate", changed);
  document.addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement | null} */
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
    if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (!link.pathname.startsWith(SITE)) return;
    if (link.pathname.startsWith(`${SITE}api/`) || link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(link.href);
  });
  changed();
}
