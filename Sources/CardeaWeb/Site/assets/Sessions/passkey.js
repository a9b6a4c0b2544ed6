// Passkeys: converts between the hub's JSON and the browser's WebAuthn API.

import { api } from "../Shell/api.js";
import { base64url } from "./sessionKey.js";

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const named = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));

/** Passkeys need a secure connection and a host name: a numeric address has none. */
export const canUsePasskeys = () => isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname);

/** True if the person cancelled, or had no passkey. That is no error of the house. */
export const isCancelled = (error) => error instanceof DOMException;

/** The assertion of a passkey: `credential` for login and step-up. */
export async function getPasskey() {
  const { public_key: ask } = await api("POST", "/auth/passkeys/login/options");
  const shown = await navigator.credentials.get({ publicKey: { ...ask, challenge: bytes(ask.challenge), allowCredentials: named(ask.allowCredentials) } });
  const { clientDataJSON, authenticatorData, signature, userHandle } = shown.response;
  return { id: shown.id, rawId: shown.id, type: shown.type, clientExtensionResults: {}, response: { clientDataJSON: base64url(clientDataJSON), authenticatorData: base64url(authenticatorData), signature: base64url(signature), ...(userHandle && { userHandle: base64url(userHandle) }) } };
}

/** Makes a passkey and returns it as the hub stores it. */
export async function createPasskey() {
  const { public_key: ask } = await api("POST", "/auth/passkeys/register/options");
  const made = await navigator.credentials.create({ publicKey: { ...ask, challenge: bytes(ask.challenge), user: { ...ask.user, id: bytes(ask.user.id) }, excludeCredentials: named(ask.excludeCredentials) } });
  const { clientDataJSON, attestationObject } = made.response;
  const credential = { id: made.id, rawId: made.id, type: made.type, clientExtensionResults: {}, response: { clientDataJSON: base64url(clientDataJSON), attestationObject: base64url(attestationObject), transports: made.response.getTransports ? made.response.getTransports() : [] } };
  return api("POST", "/auth/passkeys/register/verify", { body: { credential } });
}
