// The texts of the guest's page, and the reasons of refusals. The longer texts before the pass is taken are in guest.html.

import { clock, dayInSentence, dayWord, longDay, moment, now, read, remaining, schedule } from "../Shell/time.js";

/** "Front door" inside a sentence. Proper names ("Anna's flat") keep their capital. */
export const lower = (name) => name.replace(/^(The|Front|Back|Side|Main|Garage|Garden|Cellar|Gate|Office|Shed|Kitchen|Terrace|Hall)\b/, (word) => word.toLowerCase());

/** The part that has to answer: a lock, or a door that moves by itself. */
const thing = (door) => (!moves(door) ? "lock" : /gate/i.test(door.name) ? "gate" : "door");
const moves = ({ entity_type }) => entity_type === "cover";
const ofUses = ({ max_uses: n }) => `${n} ${n === 1 ? "use" : "uses"}`;

export const words = {
  aPass: "A pass for a door",
  take: "Use this pass on this phone",
  takeTitle: "This is a pass",
  taking: "Taking the pass…",
  replaces: "It replaces the pass this browser holds.",
  inApp: "Open this in your browser first",
  forgets: "This browser would forget the pass",
  copyLink: "Copy link",
  copied: "Copied",
  takeHere: "Use this pass on this phone anyway",
  none: "There is no pass in this browser",
  typed: "A code to type?",
  codeHelp: "10 letters and digits, read out by someone in the house",
  codeShort: (n) => `A code has 10 letters and digits, this has ${n}.`,
  codeUse: "Use this code",
  usedTitle: "This link was used already",
  askAgain: "Ask for the pass again",
  bringBack: "It was on this phone: bring it back",
  number: (number) => `This phone shows the number ${[...number].join(" ")}.`,

  yourPass: "Your pass opens",
  yourPassWas: "Your pass was for",
  gone: "The door of this pass is no longer available.",
  title: "your pass",
  hold: "Hold to open",
  holdHelp: "or tap, then confirm",
  holding: "Keep holding",
  holdingHelp: "let go to stop",
  armed: (door) => `Open ${lower(door)} now?`,
  armedHelp: "Tap again to open",
  cancel: "Cancel",
  verbs: { on: "On", off: "Off", lock: "Lock", open: "Open", close: "Close", stop: "Stop", press: "Press" },
  done: { lock: "Locked.", close: "Closed." },
  finePrint: "The people of this house see when you open the door. Only this phone can use this pass.",
  leaveOpen: "Leave this page open: this browser forgets the pass.",

  waiting: (door, s) => `Waiting for the ${thing(door)}…${s ? ` ${s}\u00a0s` : ""}`,
  waitingHelp: (door) => (moves(door) ? "Stay clear while it moves" : "Stay at the door"),
  pendingBody: (left) => `Waiting, ${left} left.`,
  open: "It is open",
  openBody: (door) => (moves(door) ? "Come in." : "Pull the door."),
  openedAt: (door) => `Opened at ${clock(now(), { seconds: true })}, confirmed by the ${thing(door)}.`,
  back: "Back to the pass",
  unsure: "We are not sure it opened",
  unsureBody: (door, broke) => `${broke ? "The connection broke while we waited" : `The ${thing(door)} has not answered`}. ${moves(door) ? "Look at it first" : "Try the handle first"}. The command is not sent again automatically.`,
  unsureNote: (at) => `Asked at ${clock(at, { seconds: true })}. Trying again counts as another use.`,
  counted: (door) => `Counted, unless the ${thing(door)} refuses it`,
  free: "This try did not count",
  tryAgain: "Try once more",
  tryNew: "Try again",
  unheard: { title: "Not opened: the connection broke", text: "This did not count." },
  unanswered: { title: "Nobody answered", text: "Ring, or ask again. This did not count." },
  refusedNote: () => `Refused at ${clock(now(), { seconds: true })}. The people of this house see that you tried.`,
  again: (left) => `Again in ${left}`,

  offline: { title: "No connection to the house", text: "Doors open only when it answers; nothing is sent later. Near the door the house's Wi\u2011Fi may help." },
  offlineNow: "No connection to the house. Asking again…",
  trouble: { title: "The house has a problem", text: "Someone in the house can open the door." },
  heard: (lost, ms) => `${lost.title}. Last heard ${ms < 60000 ? "just now" : `${remaining(ms)} ago`}.`,

  usesLeft: (pass) => (pass.max_uses ? `${Math.max(0, pass.remaining_uses)} of ${ofUses(pass)} left` : "No limit"),
  usesNote: (pass) => (pass.ask_each_time ? "A resident must say yes each time" : pass.max_uses ? "Each opening counts" : "Open as often as you need"),
  until(pass) {
    const end = read(pass.expires_at);
    if (pass.schedule) return schedule(pass.schedule, { figures: true });
    return Math.abs(end - now()) < 36 * 3600e3 ? `${dayWord(end)} until ${clock(end)}` : `Until ${longDay(end)}`;
  },
  untilNote(pass) {
    const end = read(pass.expires_at), start = read(pass.starts_at);
    return end < now() || pass.status === "revoked" ? "" : start > now() ? `starts in ${remaining((read(pass.next_from) || start) - now())}` : pass.schedule ? `until ${dayInSentence(end)}` : `${remaining(end - now())} left`;
  },
};

/**
 * The text of a refusal: what did not happen, why, what to do next. `over` means that the pass has ended and the leaf goes
 * away, `pause` that it may work again; `wait` is a countdown in seconds that enables the button.
 */
export function refusal(error, body, pass = {}, door = {}) {
  const what = thing(door);
  const at = (name) => read(body[name] || pass[name]);
  const cost = body.use_returned === false ? `${words.counted(door)}.` : "This did not count.";
  switch (`${error}`.replace(/^(token|pass|pairing)_/, "")) {
    // A pass is active between its hours, too.
    case "active":
    case "outside_schedule": {
      const next = at("next_opening") || at("next_from"), title = `Next time: ${longDay(next)}, ${clock(next)}`, text = `This pass works ${schedule(pass.schedule)}.`;
      return error !== "active" ? { title: "Not opened: outside your hours", text: `${text} ${title}.` } : next ? { title, text, pause: true } : {};
    }
    case "scheduled":
    case "not_yet_valid":
      return { title: "Not yet", text: `This pass starts ${moment(at("next_from") || at("starts_at"))}.`, pause: true };
    case "expired":
      return { title: `This pass ended${at("expires_at") ? ` ${moment(at("expires_at"))}` : ""}`, text: "Ask the house for a new one.", over: true };
    case "revoked":
      return { title: `This pass was taken back${at("revoked_at") ? ` ${moment(at("revoked_at"))}` : ""}`, text: "Ask the house if you still need it.", over: true };
    case "used_up":
    case "max_uses_exceeded":
      return { title: "This pass is used up", text: `${pass.max_uses ? `${pass.max_uses} of ${ofUses(pass)}. ` : ""}Ask the house for more.`, over: true };
    case "suspended":
      return { title: "This pass is paused", text: "It may work again later.", pause: true };
    case "unauthorized":
      return { title: "This pass is not valid in this house", text: "A newer link may have replaced it. Ask the house for a new one.", over: true };
    case "rejected":
      return { title: "A resident said no", text: "Ask the house for a new link.", over: true };
    case "approval_rejected":
      return body.reason === "unanswered" ? words.unanswered : { title: "A resident said no", text: "Ring, or ask a resident. This did not count." };
    case "verification_required":
      return { title: "This pass needs a phone that knows you", text: "It opens once the phone has checked your face, finger or PIN. Open the link on a phone with a screen lock, in its own browser." };
    case "presence_required":
    case "presence_invalid":
      return { title: "Not opened: not checked", text: "Let the phone check that it is you, then try again. This did not count." };
    case "action_proof_required":
    case "action_proof_invalid":
      return { title: "Not opened", text: "This pass opens where it was taken. Ask the house for a new link." };
    case "action_not_allowed":
    case "entity_not_in_scope":
      return { title: "Not opened", text: `This pass does not open ${lower(door.name)}.` };
    case "not_guest_accessible":
      return { title: "Not opened", text: "Passes do not open this door any more. Ask the house." };
    case "forbidden_remote":
      return { title: "Only at the house", text: "This pass works only on the house's own network. Join its Wi\u2011Fi and try again." };
    case "code_invalid":
      return { title: "This code is not valid", text: "It is wrong, or it was already used. Ask the house for a new link." };
    case "invalid_pairing_code":
      return { title: "This link is not whole", text: "Ask for it again, or type the code." };
    case "other_phone_asked":
      return { title: "Another phone asked first", text: "A resident allows only one phone. If that was not you, ask the house for a new link." };
    case "code_expired":
      return { title: "This code is too old", text: "Ask for a new link; the pass itself is still good." };
    case "rate_limited":
      return { title: "Too many tries", text: "", wait: body.retry_after || 30 };
    case "clock_behind":
      return { title: "Not opened", text: `The house's clock is wrong. Ring, or ask a resident. ${cost}` };
    case "integration_not_ready":
    case "device_unreachable":
      return { title: "Not opened", text: `The house cannot reach the ${what}. ${cost}` };
    case "service_unavailable":
      return { title: "Not opened", text: `The house is busy. Try again in a moment. ${cost}` };
    case "insufficient_storage":
      return { title: "Not opened", text: `The house's disk is full or failing. Ring, or ask a resident. ${cost}` };
    case "action_execution_failed":
      if (body.reason === "jammed") return { title: `Not opened: the ${what} is jammed`, text: `${moves(door) ? "Something may be in its way." : "Push the door while trying again."} ${cost}`, drawing: "jammed" };
      return { title: "Not opened", text: `${body.reason === "no_turn" ? "Someone else was just using the door." : `The ${what} refused the command.`} ${cost}` };
    default:
      return { title: "That did not work", text: "Load this page again, or ask the house." };
  }
}
