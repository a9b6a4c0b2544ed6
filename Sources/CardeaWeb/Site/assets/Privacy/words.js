// Words of the pages of privacy.

import { count, listOf, number } from "../Shell/text.js";

const amount = (n) => number.step(n, 0);
const plain = (key) => key.replace(/_/g, " ").replace(/./, (first) => first.toUpperCase());
/** Words that need no others than their own. */
const named = (keys) => Object.fromEntries(keys.split(" ").map((key) => [key, plain(key)]));

export const privacy = {
  title: "Privacy",
  /** The pages beside one's own: name, and what is there. */
  places: { audit: ["The record", "Who did what, and the proof that nobody changed it"], retention: ["How long things are kept", "And fewer days, if the owner wants"], energy: ["Energy", "What was used, and what it cost"], maintenance: ["Maintenance", "What is to be done in the house, and what was done"], backups: ["Backups", "The last good one, and the next"] },
  others: "More",
  policy: [
    "What the house knows lies on its own disk. It keeps what is listed here, and no longer.",
    "It sends nothing to its makers or anybody: no statistics. Only what somebody here set up leaves it: sealed notices, and what the owner has connected.",
  ],
  whole: "The whole policy", kept: "Kept of you", keeps: ({ why, kept }) => `${why} Kept ${listOf(kept)}.`,
  yours: "Take away, or erase", whose: "Whose", you: "You",
  take: "Take away everything", takeHelp: "All that is kept, as a ZIP archive. It lies here for 24 hours.", fetch: "Save",
  kinds: { export: "Take away", erasure: "Erase" },
  steps: { waiting: "Waits for its turn", pictures: "Pictures", index: "What is in it", signing_out: "Signing out", their_doings: "What was done", the_record: "The record", memories: "Memories", names: "Names", traces: "Last traces" }, step: plain,
  ready: (megabytes) => `Ready, ${number.step(Math.max(0.1, megabytes), 1)}\u00a0MB, until `, over: "Was taken away again", erased: (n) => `Erased: ${count(n, "entry", "entries")}`, stays: "What stays",
  erase: "Erase", eraseTitle: (name) => `Erase ${name}?`, eraseVerb: "Erase for good",
  eraseBody: "At once every session, token and pass given ends. What was told, recorded and remembered goes, of those guests too; nobody can tell any more who did what. It cannot be taken back.",
  eraseStays: "What stays: that something happened, what cameras saw, names of rooms and devices, and what others told in their own words.",
  typeName: (name) => `To be sure, type “${name}”`, notName: (name) => `This is not “${name}”.`,
  gone: "You are being erased", goneBody: "You are signed out everywhere. You may close this page.",

  audit: {
    results: { "": "Everything", done: "Done", confirmed: "Confirmed", refused: "Refused", failed: "Failed", read: "Looked at" }, result: "What came of it",
    person: "Who", device: "Device", anybody: "Anybody", anything: "Any device", action: "Deed, such as unlock",
    found: (n, more) => (more ? `${amount(n)} and more` : count(n, "entry", "entries")), none: "Nothing on record.", noneDo: "What is done or refused stands here at once.", noneFound: "Nothing like that.",
    checking: "Checking…", until: { proven: "Proven whole until ", first: "Kept here from now on. Signed until ", signed: "Signed until " }, proven: "Proven: in the record, and unchanged", unsigned: "In the record, and unchanged. This browser cannot check the signature.", renamed: "In the record, but with another name than here. Load this page anew.", cannot: "This browser cannot check it: that needs https.",
    altered: "Altered: this is not what the house signed", forked: "Altered: it does not go on from what this browser saw before", another: "Signed by another key than this browser saw first", entry: (id) => `Entry ${id}`,
    checked: "The entry leads to the root that the house signed (SHA-256, RFC 9162; Ed25519).",
    how: "How to check it without us", accept: "Take it as it is", acceptTitle: "Take the record as it is now?", acceptBody: "After a backup was put back this is to be expected. Else ask first who can write the house's files. What this browser saw before is forgotten.",
    elsewhere: "This browser keeps the root it saw last, and says when the record leads there no longer. Save the bundle: cardea audit verify checks it without the house.",
    told: "What is signed", root: "Signed root", key: "The house's key", bundle: "Save the bundle", table: "As a table",
  },

  retention: {
    kinds: { activity: "What happened", audit: "The record", readings: "Single readings", energy: "Consumption, by the hour", environment: "Climate, by the hour", events: "Who was at the door", notices: "Notices", memories: "What the house remembers" }, kind: plain,
    days: (name) => `Days: ${name}`, lasts: (n) => count(n, "day"), most: ({ most_days: most, dropped }) => `${count(most, "day")} at most${dropped ? ` · ${amount(dropped)} forgotten` : ""}`, swept: "last looked at",
    save: "Save", wrong: (most) => `Write 1 to ${most}.`, ask: "Keep it for fewer days?", goes: (list) => `What is older goes tonight, and does not come back: ${listOf(list)}.`, line: (name, n) => `${name}, ${count(n, "day")}`,
  },

  backups: {
    none: "There is no backup yet.", last: "Last good one", next: "Next", where: "Folder", often: "How often", daily: "Once a day, in the quiet hours", hours: (n) => `Every ${count(n, "hour")}`, keep: "Kept", kept: (n, days) => `The latest ${n}, none longer than ${count(days, "day")}`,
    restored: "Put back from one", size: (bytes) => `, ${number.step(bytes / 1e6, 1)}\u00a0MB`, failed: (why) => `The last try came to nothing: ${why}`,
    byHand: "The house makes none by itself. Start it with a folder on another disk:", noKey: "There is no recovery key yet, and without one no backup. Make it on the house's machine; it is printed once:", key: "Recovery key", hasKey: "Made; it is on paper alone", house: "The house's key", full: "Full protection. ", reduced: "Reduced protection. ", now: "One more at once, on the house's machine:",
  },

  energy: {
    kinds: { electricity: "Electricity", solar: "Solar", gas: "Gas", water: "Water" }, span: "Time shown", used: "Used", cost: "Cost",
    sum: (use) => `${number.step(use.energy, 1)}\u00a0${use.unit}${use.cost ? `, costs ${number.step(use.cost, 2)}` : ""}`, power: (watts) => `${amount(watts)}\u00a0W now`,
    none: "No meter is connected.", noneDo: "A sensor of energy, gas or water appears here by itself.",
  },
  tasks: {
    title: "Maintenance", add: "Add", none: "Nothing is to be done.", noneDo: "You are told on the day.",
    groups: ["Overdue", "Within a week", "Within a month", "Later", "Some time"],
    what: "What is to be done", on: "Due", day: "Due on", dayHelp: "Like 31 Jan, Friday, tomorrow",
    every: "How often", often: { "": "Once", daily: "Every day", weekly: "Every week", biweekly: "Every two weeks", monthly: "Every month", quarterly: "Every three months", semiannual: "Every six months", annual: "Every year" },
    kind: "Kind", kinds: named("other appliance battery cleaning electrical exterior heating plumbing safety"), weight: "How much it matters", weights: named("normal low high urgent"), room: "Room", nowhere: "None",
    notes: "Notes", save: "Save", change: "Change", remove: "Remove", removeBody: "What was put down of it goes, too.",
    done: "Done", cost: "What it cost", costHelp: "Like 12.99 EUR", history: "What was done", never: "Not done yet.",
  },
};
