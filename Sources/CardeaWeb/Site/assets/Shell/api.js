// Calls of the hub's /api/v1: Bearer token, one renewal on 401, errors as values with words for the screen.

import { accessToken, hasSignedIn, renew } from "../Sessions/session.js";

/** Routes that need no session. */
const OPEN = /^\/(auth\/(login|recovery|refresh|logout|passkeys\/login\/\w+)$|claim$|people\/accept$)/;

export class HubError extends Error {
  constructor({ status = 0, code = "offline", message = "", details = {}, requestId = null, retryAfter = 0, offline = false }) {
    super(message || code);
    Object.assign(this, { status, code, details, requestId, retryAfter, offline });
  }
}

/** The body of an answer; a broken one is undefined. */
export const readBody = (reading) => reading.catch(() => {
  throw new HubError({ offline: true });
});

/** The timeout of a call; a write may wait for its turn, its answer and a garage door all the way up. */
const patience = (method, path) => (method === "GET" || path === "/realtime/ticket" ? 10000 : 75000);

/** `await api("POST", "/guests", { body, key })` → the body; throws HubError. With `raw` the Response itself, and with a `signal` its own timeout. */
export async function api(method, path, { body, key, raw, signal, headers = {}, again = true } = {}) {
  // A page just opened shows its last board while the session is being renewed; calls wait for that.
  if (!accessToken() && hasSignedIn() && !OPEN.test(path)) await renewed();
  const all = { Accept: "application/json", ...headers };
  if (accessToken()) all.Authorization = `Bearer ${accessToken()}`;
  if (body !== undefined) all["Content-Type"] = "application/json";
  if (key) all["Idempotency-Key"] = key;
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, { method, headers: all, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store", credentials: "same-origin", signal: signal || AbortSignal.timeout(patience(method, path)) });
  } catch {
    throw new HubError({ offline: true });
  }
  if (raw && (answer.ok || answer.status === 304)) return answer;
  if (answer.ok) return answer.status === 204 ? null : readBody(answer.json());
  const error = await asError(answer);
  if (again && !OPEN.test(path)) {
    // A wrong password is not an expired token: a second try would count twice.
    if (error.status === 401 && !/^(invalid_credentials|passkey_refused)$/.test(error.code) && accessToken() && (await renewed())) return api(method, path, { body, key, raw, signal, headers, again: false });
    if (error.code === "step_up_required") {
      const { stepUp } = await import("../Sessions/stepUp.js");
      if (await stepUp(error.details)) return api(method, path, { body, key: key && newKey(), raw, signal, headers, again: false });
    }
  }
  throw error;
}

async function renewed() {
  try {
    return await renew();
  } catch {
    throw new HubError({ offline: true });
  }
}

async function asError(answer) {
  let error = {};
  try {
    error = (await answer.json()).error || {};
  } catch {
    // Not a body of the hub, so only the status counts.
  }
  return new HubError({
    status: answer.status, code: error.code || `http_${answer.status}`, message: error.message, details: error.details || {},
    requestId: error.request_id || answer.headers.get("X-Request-Id"), retryAfter: Number(answer.headers.get("Retry-After")) || 0,
    offline: answer.status === 502 || (answer.status === 503 && !error.code),
  });
}

/** A unique idempotency key. */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");

/** The idempotency keys of a form: an unchanged body keeps its key and is done once, a changed one gets another. */
export function formIdempotencyKeys() {
  let key, sent;
  return (body) => {
    const now = JSON.stringify(body);
    if (now !== sent) [key, sent] = [newKey(), now];
    return key;
  };
}
