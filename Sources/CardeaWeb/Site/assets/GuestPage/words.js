// Every word the guest reads.

import { clock, dayInSentence, dayWord, longDay, now, read, remaining } from "../Shell/time.js";

export const words = {
  yourPass: "Your pass opens",
  aPass: "A pass for a door",
  takeNote: "Nothing is used up by taking it.",
  hold: "Hold to open",
  holdHelp: "or tap, then confirm",
  holding: "Keep holding",
  holdingHelp: "let go to stop",
  armed: (door) => `Open ${lower(door)} now?`,
  armedHelp: "Tap again to open",
  cancel: "Cancel",
  waiting: (s) => (s > 0 ? `Waiting for the lock… ${s}\u00a0s` : "Waiting for the lock…"),
  waitingHelp: "Stay at the door",
  open: "It is open",
  openBody: "Pull the door.",
  openCover: "It is opening. Stay clear until it stands still.",
  openedAt: (at) => `Opened at ${clock(at, { seconds: true })}, confirmed by the lock.`,
  back: "Back to the pass",
  unsure: "We are not sure it opened",
  unsureBody: "The lock has not answered. Try the handle first. Nothing is sent again by itself.",
  unsureLink: "The connection broke while we waited. Try the handle first. Nothing is sent again by itself.",
  unsureNote: (at) => `Asked at ${clock(at, { seconds: true })}. Trying again counts as another use.`,
  tryAgain: "Try once more",
  tryNew: "Try again",
  pending: "Someone in the house has to say yes",
  pendingBody: (left) => `Waiting, ${left} left.`,
  unanswered: "Nobody answered",
  unansweredBody: "Ring, or ask again. This did not count.",
  offline: "No connection to the house",
  offlineBody: "Doors open only when it answers; nothing is sent later. Check your phone's connection; near the door the house's Wi\u2011Fi may help.",
  offlineNow: "No connection to the house. Asking again…",
  neverHeard: "Not opened: the connection broke",
  neverHeardBody: "The house did not open the door, and this did not count.",
  finePrint: "The people of this house see when you open the door. Only this phone can use this pass.",
  refusedNote: (at) => `Refused at ${clock(at, { seconds: true })}. The people of this house see that you tried.`,
  lock: "Lock",
  close: "Close",
  free: "This try did not count",
  counted: "Counted, unless the lock says no",
  usesLeft(pass) {
    if (!pass.max_uses) return "No limit";
    return `${Math.max(0, pass.remaining_uses)} of ${pass.max_uses} ${pass.max_uses === 1 ? "use" : "uses"} left`;
  },
  usesNote(pass, last) {
    if (last) return last;
    if (pass.ask_each_time) return "The house says yes each time";
    return pass.max_uses ? "Each opening counts" : "Open as often as you need";
  },
  until(pass) {
    const end = read(pass.expires_at);
    if (pass.schedule) return words.schedule ? words.schedule(pass.schedule, { figures: true }) : "";
    const word = dayWord(end);
    return Math.abs(end - now()) < 36 * 3600e3 ? `${word} until ${clock(end)}` : `Until ${longDay(end)}`;
  },
  untilNote(pass) {
    const end = read(pass.expires_at);
    if (pass.schedule) return `until ${dayInSentence(end)}`;
    return `${remaining(end - now())} left`;
  },
};

/** "Front door" inside a sentence. Names of one's own ("Anna's flat") keep their capital. */
export function lower(name) {
  return /^(The|Front|Back|Side|Main|Garage|Garden|Cellar|Gate|Office|Shed|Kitchen|Terrace|Hall)\b/.test(name) ? name[0].toLowerCase() + name.slice(1) : name;
}
