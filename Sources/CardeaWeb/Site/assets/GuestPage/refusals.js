// Why the house said no, in words. Loaded with the first refusal: the house has just answered, so it is there to load it from.

import { schedule } from "../Shell/schedule.js";
import { clock, longDay, moment, read } from "../Shell/time.js";
import { lower } from "./words.js";

const says = {
  failed: "Not opened",
  jammed: "Not opened: the lock is jammed",
  jammedBody: "Push the door while trying again.",
  returned: "This did not count.",
  kept: "This counted as a use, unless the lock says no later.",
  rejected: "The house said no",
  rejectedBody: "Ring, or ask them yourself. This did not count.",
  reasons: {
    unreachable: "The house cannot reach the lock.",
    integration: "The house is not connected to this lock right now.",
    other: "The lock said no.",
  },
};

const listOf = (names) => names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

/**
 * What a refusal says: what did not happen, why, what next.
 * `over` means the pass itself has ended and the leaf goes away; `wait` counts seconds down and frees the button.
 */
export function refusal(error, body, pass, door) {
  const at = (...names) => names.map((name) => read(body[name] !== undefined ? body[name] : (body.details || {})[name])).find((v) => v);
  switch (error) {
    case "outside_schedule": {
      const next = at("next_opening");
      const line = pass && pass.schedule ? `This pass works ${schedule(pass.schedule)}. ` : "";
      return { title: "Not opened: outside your hours", text: `${line}${next ? `Next time: ${longDay(next)}, ${clock(next)}.` : ""}` };
    }
    case "token_not_yet_valid": {
      const start = at("starts_at") || read(pass && pass.starts_at);
      return { title: "Not yet", text: start ? `This pass starts ${moment(start)}.` : "This pass has not started yet.", early: true };
    }
    case "token_expired":
    case "pass_expired": {
      const end = at("expired_at", "expires_at") || read(pass && pass.expires_at);
      return { title: end ? `This pass ended ${moment(end)}` : "This pass has ended", text: "Ask the house for a new one.", over: true };
    }
    case "token_revoked":
    case "revoked": {
      const when = at("revoked_at");
      return { title: `This pass was taken back${when ? ` ${moment(when)}` : ""}`, text: "Ask the house if you still need it.", over: true };
    }
    case "token_max_uses_exceeded": {
      const max = body.max_uses || (pass && pass.max_uses);
      const used = body.used_count || max;
      return { title: "This pass is used up", text: `${max ? `${used} of ${max}. ` : ""}Ask the house for more.`, over: true };
    }
    case "pass_suspended":
      return { title: "This pass is paused by the house", text: "It may work again later." };
    case "action_not_allowed":
    case "scope_mismatch":
    case "entity_not_in_scope":
    case "not_guest_accessible":
      return { title: "Not opened", text: pass && pass.entities && pass.entities.length && error !== "not_guest_accessible"
        ? `This pass opens ${listOf(pass.entities.map((e) => lower(e.name)))}, not ${door ? lower(door) : "this"}.`
        : "The house does not let passes open this door any more. Ask the house." };
    case "approval_rejected":
    case "pairing_rejected":
      return { title: says.rejected, text: error === "pairing_rejected" ? "Ask them for a new link if this was a mistake." : says.rejectedBody };
    case "forbidden_remote":
      return { title: "Only at the house", text: "This pass works only on the house's own network. Join its Wi\u2011Fi and try again." };
    case "pairing_code_invalid":
    case "invalid_pairing_code":
      return { title: "This code is not right", text: "Or it was already used. Ask the house for a new link." };
    case "pairing_code_expired":
      return { title: "This code is too old", text: "Ask for a new link; the pass itself is still good." };
    case "rate_limited":
      return { title: "Too many tries", text: "", wait: Number(body.retry_after) || 30 };
    case "unauthorized":
    case "invalid_guest_token":
      return { title: "The house does not know this pass", text: "It may have been replaced by a newer link. Ask the house for a new one.", over: true };
    case "integration_not_ready":
      return { title: says.failed, text: `${says.reasons.integration} ${says.returned}` };
    case "device_unreachable":
      return { title: says.failed, text: `${says.reasons.unreachable} ${says.returned}` };
    default:
      return { title: "That did not work", text: "The house did not understand this page. Load it again; if it stays so, ask the house.", detail: error };
  }
}

/** Why a door did not open although it was allowed to. */
export function failure(body) {
  const reason = String(body.error === "action_execution_failed" ? body.reason || body.message : body.error).toLowerCase();
  const known = reason.includes("jam") ? "jammed" : reason.includes("reach") || reason.includes("answer") ? "unreachable" : reason.includes("integration") ? "integration" : "other";
  const cost = body.use_returned === false ? says.kept : says.returned;
  return known === "jammed" ? { title: says.jammed, text: `${says.jammedBody} ${cost}`, jammed: true } : { title: says.failed, text: `${says.reasons[known]} ${cost}` };
}
