// The session. The refresh token is a cookie that no script can read, and is useless without this browser's key; the access
// token is only in this page's memory.

import { storeKey, readKey, proofHeaders } from "./sessionKey.js";

const KNOWN = "cardea-known";
const listeners = new Set();
const channel = "BroadcastChannel" in window ? new BroadcastChannel("cardea-session") : null;

let access = null;
/** The refresh token if this browser stores no key; a reload forgets it. */
let refresh;
let expires = 0;
let renewing = null;
let timer = 0;

export const session = {
  me: null,
  house: null,
  /** The time of a sign-in by recovery code; for five minutes the hub accepts it in place of the password. */
  recoveredAt: 0,
  /** True if the session ended because it was not bound to this browser's key. */
  unbound: false,
  /** True while signing out, when the end of the session is expected. */
  leaving: false,
  /** A right of the role, or the personal right to invite guests. */
  can: (right) => Boolean(session.me?.permissions.includes(right) || session.me?.[`can_${right}`]),
  get runsHouse() {
    return /^(owner|admin)$/.test(session.me?.role);
  },
};

/** Listeners get "ended" if the hub does not know this session any more, "out" after a sign-out, "anew" if someone signed in in another tab. */
export function onSessionChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const accessToken = () => access;

/** True if someone signed in here before; only then a silent renewal is tried. */
export function hasSignedIn() {
  try {
    return localStorage.getItem(KNOWN) === "1";
  } catch {
    return true;
  }
}

function remember(yes) {
  try {
    if (yes) localStorage.setItem(KNOWN, "1");
    else localStorage.removeItem(KNOWN);
  } catch {
    // Without storage every load asks once.
  }
}

/** Takes the answer of claim, login, join or recovery, whose session is bound to `key`. */
export async function accept(tokens, key) {
  if (key) await storeKey(key);
  session.unbound = false;
  share(tokens, true);
}

/** All tabs share the cookie, so they share the token. */
function share(tokens, anew) {
  refresh = tokens.refresh_token;
  take(tokens.access_token, Date.now() + tokens.expires_in * 1000);
  if (channel) channel.postMessage({ access, expires, anew });
}

function take(token, until) {
  access = token;
  expires = until;
  remember(true);
  clearTimeout(timer);
  timer = setTimeout(() => renew().catch(() => {}), Math.max(5000, expires - Date.now() - 60000));
}

/** A fresh access token. One renewal at a time, also across tabs, as each replaces the cookie. */
export function renew() {
  if (!renewing) renewing = underLock(ask).finally(() => (renewing = null));
  return renewing;
}

function underLock(work) {
  const before = expires;
  const unlessAnotherTabDid = () => (expires > before && expires - Date.now() > 120000 ? true : work());
  return navigator.locks ? navigator.locks.request("cardea-refresh", unlessAnotherTabDid) : unlessAnotherTabDid();
}

/** Sends the proof of the session; once more if the hub wants another nonce. */
async function send(path, headers) {
  const key = await readKey();
  for (let last = !key; ; last = true) {
    const answer = await fetch(path, {
      method: "POST", headers: { ...headers, ...(await proofHeaders(key, path)) }, body: refresh && JSON.stringify({ refresh_token: refresh }),
      credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(10000),
    });
    const nonce = answer.headers.get("DPoP-Nonce");
    if (key && nonce) {
      key.nonce = nonce;
      await storeKey(key);
    }
    if (last || !nonce || answer.status !== 400) return answer;
  }
}

async function ask() {
  const answer = await send("/api/v1/auth/refresh");
  if (answer.ok) {
    share(await answer.json(), false);
    return true;
  }
  if (answer.status === 401 || answer.status === 403) {
    const { error } = await answer.json().catch(() => ({}));
    session.unbound = Boolean(error) && error.code === "dpop_proof_required";
    end();
    return false;
  }
  throw new TypeError(`refresh answered ${answer.status}`);
}

/** The hub ended this session. */
export function end() {
  access = null;
  refresh = undefined;
  expires = 0;
  clearTimeout(timer);
  remember(false);
  for (const listener of listeners) listener("ended");
}

/** Closes this browser's notifications and ends its push subscription. */
async function endNotifications() {
  const worker = navigator.serviceWorker && (await navigator.serviceWorker.getRegistration("/"));
  if (!worker || !worker.pushManager) return;
  for (const told of await worker.getNotifications()) told.close();
  const made = await worker.pushManager.getSubscription();
  if (made) await made.unsubscribe();
  localStorage.removeItem("cardea-told");
}

export async function signOut() {
  session.leaving = true;
  await endNotifications().catch(() => {});
  const headers = access ? { Authorization: `Bearer ${access}` } : {};
  await send("/api/v1/auth/logout", headers).catch(() => {});
  access = null;
  refresh = undefined;
  clearTimeout(timer);
  remember(false);
  if (channel) channel.postMessage({ out: true });
  for (const listener of listeners) await listener("out");
}

if (channel) {
  channel.onmessage = ({ data }) => {
    if (data.out) access = null;
    else take(data.access, data.expires);
    if (data.anew) for (const listener of listeners) listener("anew");
    if (!data.out) return;
    Promise.all([...listeners].map((listener) => listener("out"))).then(() => location.assign("/sign-in"));
  };
}

// This module loads before the others, and asks while they load.
if (hasSignedIn() && !/^\/(claim|sign-in|join)$/.test(location.pathname)) renew().catch(() => {});
