/**
 * Which page an address means: `/table/TABLE#KEY`, `/learn/yinsh`, `/mine`, `/?play=yinsh`, and `/`.
 *
 * @typedef {{page: string, name: string, key: string}} Route
 */

/** @param {Location | URL} place @returns {Route} */
export function route(place) {
  const table = /^\/table\/([\w-]+)\/?$/.exec(place.pathname);
  if (table) return { page: "table", name: table[1], key: place.hash.slice(1) };
  const [page, name = ""] = place.pathname.slice(1).split("/").map(decodeURIComponent);
  const play = new URLSearchParams(place.search).get("play");
  return play && !page ? { page: "play", name: play, key: "" } : { page: page || "home", name, key: "" };
}

/** The address of a page. @param {string} page @param {string} [name] */
export function to(page, name = "") {
  if (page === "home") return "/";
  const tail = encodeURIComponent(name);
  return page === "play" ? `/?play=${tail}` : `/${page}${name ? "/" + tail : ""}`;
}

/** Go to an address of ours. @param {string} address */
export function go(address) {
  history.pushState(null, "", address);
  dispatchEvent(new Event("routed"));
}

/** Take the key out of the address bar, where it could be read or copied by mistake. */
export function forgetKey() {
  history.replaceState(null, "", location.pathname);
}

/** Call back whenever the page is another. @param {(route: Route) => void} show */
export function onRoute(show) {
  const changed = () => show(route(location));
  addEventListener("routed", changed);
  addEventListener("popstate", changed);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
    if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    go(link.href);
  });
  changed();
}
