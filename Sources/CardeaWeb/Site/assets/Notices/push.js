// Being told in this browser: its subscription with its maker's push service, and the house's word on it.

import { api, newKey } from "../Shell/api.js";

/** Whether this browser can be told at all, here. */
export const possible = () => Boolean(window.isSecureContext && navigator.serviceWorker && window.PushManager && window.Notification);

export async function subscription() {
  if (!possible()) return null;
  const worker = await navigator.serviceWorker.getRegistration("/");
  return worker ? worker.pushManager.getSubscription() : null;
}

/** Asks the person, then the browser, then tells the house. Throws what went wrong; its name says who refused. */
export async function start(publicKey) {
  const answer = await Notification.requestPermission();
  if (answer !== "granted") throw Object.assign(new Error(answer), { name: "NotAllowedError" });
  const worker = await navigator.serviceWorker.ready;
  const key = Uint8Array.from(atob(publicKey.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return tell(made);
}

export async function stop() {
  const made = await subscription();
  if (made) await made.unsubscribe();
}

/** Says anew where this browser is told: a session that is new, or a subscription that the browser changed. */
export async function renew() {
  if (!possible() || Notification.permission !== "granted") return;
  const made = await subscription();
  if (made) await tell(made);
}

const tell = (made) => {
  const { endpoint, keys } = made.toJSON();
  return api("POST", "/push/web", { body: { subscription: { endpoint, keys } }, key: newKey() });
};
