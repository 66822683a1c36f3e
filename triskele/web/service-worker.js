/** The service worker: shows push messages, and opens the table that they are about. It keeps no files. */

/**
 * @typedef {{title: string, body: string, url: string, tag: string, language: string}} Shown a message, as the server writes it
 * @typedef {{url: string, focus: () => Promise<unknown>, navigate: (url: string) => Promise<unknown>}} Tab
 * @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} Lasting
 * @typedef {Lasting & {data: {json: () => Shown} | null}} Pushed
 * @typedef {Lasting & {notification: Notification}} Clicked
 * @typedef {Lasting & {oldSubscription: PushSubscription | null}} Changed
 * @typedef {{
 *   registration: ServiceWorkerRegistration,
 *   skipWaiting: () => Promise<void>,
 *   clients: {
 *     claim: () => Promise<void>,
 *     matchAll: (which: {type: "window", includeUncontrolled: boolean}) => Promise<Tab[]>,
 *     openWindow: (url: string) => Promise<unknown>
 *   }
 * }} Scope
 */

/** @type {unknown} */
const global = self;
const scope = /** @type {Scope & EventTarget} */ (global);

scope.addEventListener("install", () => scope.skipWaiting());
scope.addEventListener("activate", (event) => /** @type {Lasting} */ (event).waitUntil(scope.clients.claim()));

scope.addEventListener("push", (event) => {
  const pushed = /** @type {Pushed} */ (event);
  const shown = pushed.data?.json();
  if (!shown) return;
  const { title, body, url, tag, language } = shown;
  const icon = new URL("icon.svg", scope.registration.scope).href;
  // The same notice, sent once more, replaces itself.
  const options = { body, tag, lang: language, icon, data: { url } };
  pushed.waitUntil(scope.registration.showNotification(title, options));
});

scope.addEventListener("notificationclick", (event) => {
  const clicked = /** @type {Clicked} */ (event);
  clicked.notification.close();
  clicked.waitUntil(open(new URL(clicked.notification.data.url, scope.registration.scope).href));
});

/** Show an address: in the tab that has it, or in a new one. @param {string} url */
async function open(url) {
  const tabs = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = tabs.find((tab) => tab.url.split("#")[0] === url);
  await (there ? there.focus() : scope.clients.openWindow(url));
}

// A browser that renews its subscription by itself tells the server; who is signed in is known by the cookie.
scope.addEventListener("pushsubscriptionchange", (event) => {
  const changed = /** @type {Changed} */ (event);
  changed.waitUntil(renew(changed.oldSubscription));
});

/** @param {PushSubscription | null} before */
async function renew(before) {
  const key = before?.options.applicationServerKey;
  if (!key) return;
  const made = await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  const written = btoa(String.fromCharCode(...new Uint8Array(key)));
  const serverKey = written.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  await fetch(new URL("api/v1/notices/push", scope.registration.scope), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint, keys, server_key: serverKey }),
  });
}
