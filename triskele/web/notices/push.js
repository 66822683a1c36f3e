/** Push messages to this browser: asked for, subscribed, told to the server. */

import { get, post } from "../lib/api.js";
import { SITE } from "../lib/site.js";

/** Whether this browser knows push messages, here. */
export const canPush = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** @param {string} written base64url @returns {Uint8Array<ArrayBuffer>} */
function bytes(written) {
  const plain = atob(written.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer | null} key @param {Uint8Array} other */
const same = (key, other) => key !== null && String(new Uint8Array(key)) === String(other);

/** Subscribe this browser with the server's key; the browser asks the person if it has to. @param {string} key */
export async function subscribe(key) {
  const registration = await navigator.serviceWorker.register(`${SITE}service-worker.js`, { scope: SITE });
  const wanted = bytes(key);
  const before = await registration.pushManager.getSubscription();
  // A subscription is bound to the key that it was made with.
  if (before && !same(before.options.applicationServerKey, wanted)) await before.unsubscribe();
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted });
  const { endpoint, keys } = made.toJSON();
  await post("/notices/push", { endpoint, keys, server_key: key });
}

/** Let this browser get no more messages. */
export async function unsubscribe() {
  const registration = await navigator.serviceWorker.getRegistration(SITE);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** After somebody has signed in: if this browser has got messages before, it gets those of this account. */
export async function renew() {
  if (!canPush() || Notification.permission !== "granted") return;
  const registration = await navigator.serviceWorker.getRegistration(SITE);
  if (!(await registration?.pushManager.getSubscription())) return;
  /** @type {{push_key: string}} */
  const { push_key: key } = await get("/notices/settings");
  await subscribe(key);
}
