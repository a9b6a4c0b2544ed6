// Words of notices, for their page, their settings, and nothing else.

import { count } from "../Shell/text.js";

export const notices = {
  title: "Notices",
  lead: "What you were told while you looked elsewhere. Kept for 30 days.",
  none: "You were told of nothing yet.",
  noneDo: "Who rings, who is at the door and who asks to be let in is told here, and in the browsers you choose.",
  failed: "Your notices could not be loaded",
  settings: "What to tell me",
  kinds: {
    ask: (place) => `Somebody asks to be let in at ${place}`,
    ring: (place) => `Somebody rang at ${place}`,
    person: (place) => `Somebody at ${place}`,
    package: (place) => `A package at ${place}`,
    vehicle: (place) => `A vehicle at ${place}`,
    animal: (place) => `An animal at ${place}`,
    motion: (place) => `Something moved at ${place}`,
    other: (place) => `Something at ${place}`,
  },
  fresh: "New",
  seen: "Seen", seenAll: "All seen", saidAll: (n) => (n ? `${count(n, "notice")} seen.` : "Nothing was new."),
  quiet: "kept for you, not sent", escalated: "somebody else did not answer",
  sent: (n) => `sent to ${count(n, "device")}`, notSent: "could not be sent",
  older: "Older",
};

export const choices = {
  title: "Notices",
  lead: "What you are told while you look elsewhere. It concerns you alone.",
  failed: "Your choices could not be loaded",
  on: "Tell me", onHelp: "Off: nothing is told and nothing is kept",
  kinds: "Of what", sources: "By which cameras",
  names: {
    ask: "Somebody asks to be let in", ring: "Somebody rings", person: "A person", package: "A package", vehicle: "A vehicle", animal: "An animal",
    motion: "Anything that moves", other: "Whatever else a camera knows", unusual: "Something is not as usual", automation: "An automation says so",
  },
  quiet: "Leave me alone at night", quietHelp: "What comes then is kept for the morning",
  from: "From", to: "Until", zone: "Time zone", zoneHelp: "As in Europe/Berlin", timeWrong: "Write a time of the day, like 22:00.",
  critical: "Somebody who waits at the door comes through", criticalHelp: "Who asks to be let in has two minutes",
  cooldown: "One visit is told once in", cooldowns: { 0: "Always", 60: "1 min", 300: "5 min", 900: "15 min", 1800: "30 min" },
  next: "When I do not answer", nextHelp: "A ring or an ask is told to somebody else then", nobody: "Nobody else", after: "After", afters: { 30: "30 s", 60: "1 min", 180: "3 min", 600: "10 min" },
  save: "Save", saved: "Saved.",
  stale: "These choices were changed elsewhere. What stands there now is shown; choose again.",
  here: "This browser",
  start: "Tell me in this browser", starting: "Asking the browser…", stop: "Stop here", stopped: "This browser is told no more.",
  started: "This browser is told from now on.",
  isOn: "This browser is told, also while no page of the house is open.",
  isOff: "This browser is told of nothing while no page of the house is open.",
  denied: "The browser was told never to show notices of this house. Allow them where it keeps what pages may do, beside the address.",
  impossible: "This browser cannot be told here: it takes notices only from an address with a name and a certificate it trusts. Settings, House, says which address this is.",
  noService: "The browser could not reach its maker's push service. Without one it cannot be told.",
  elsewhere: "Elsewhere",
  none: "You are told nowhere else.",
  browser: "A browser", phone: "A phone",
  since: (when) => `since ${when}`, by: (service) => `by way of ${service}`,
  remove: "Remove", removed: "It is told no more.",
};
