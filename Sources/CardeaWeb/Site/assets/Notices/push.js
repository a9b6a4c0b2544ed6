// Push notifications in this browser: its subscription at its maker's push service, and at the hub.

import { api, newKey, session } from "../Shell/ui.js";

/** The person who switched it on in this browser, and their subscription. Another person who signs in here has not. */
const MARK = "cardea-told";
const mark = (made) => JSON.stringify([session.me.person_id, made.endpoint]);

/** True if this browser can receive push messages here. */
export const isPushSupported = () => Boolean(window.isSecureContext && navigator.serviceWorker && window.PushManager && window.Notification);

export async function subscription() {
  if (!isPushSupported()) return null;
  const worker = await navigator.serviceWorker.getRegistration("/");
  return worker ? worker.pushManager.getSubscription() : null;
}

/** Asks the person, then subscribes at the push service, then at the hub. Throws on failure; the error's name says which of them refused. */
export async function subscribe(publicKey) {
  const answer = await Notification.requestPermission();
  if (answer !== "granted") throw Object.assign(new Error(answer), { name: "NotAllowedError" });
  const worker = await navigator.serviceWorker.ready;
  const key = Uint8Array.from(atob(publicKey.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await tell(made);
  localStorage.setItem(MARK, mark(made));
}

export async function unsubscribe() {
  localStorage.removeItem(MARK);
  const made = await subscription();
  if (made) await made.unsubscribe();
}

/** Reports a new subscription after the browser changed it. A subscription that was removed elsewhere stays removed. */
export async function renewSubscription() {
  if (!isPushSupported() || Notification.permission !== "granted" || !localStorage.getItem(MARK)) return;
  const made = await subscription();
  if (!made || localStorage.getItem(MARK) === mark(made) || JSON.parse(localStorage.getItem(MARK))[0] !== session.me.person_id) return;
  await tell(made);
  localStorage.setItem(MARK, mark(made));
}

const tell = (made) => {
  const { endpoint, keys } = made.toJSON();
  return api("POST", "/push/web", { body: { subscription: { endpoint, keys } }, key: newKey() });
};
