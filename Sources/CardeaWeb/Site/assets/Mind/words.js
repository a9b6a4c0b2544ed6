// Words of the mind's pages.

import { capital, count, listOf, number } from "../Shell/text.js";

const plain = (key) => String(key).replace(/^set_|_/g, (all) => (all === "_" ? " " : ""));
/** A value of a device as people say it: its name tells what it counts. */
const valued = (key, value) => (/temperature/.test(key) ? number.degrees(value) : /brightness|position|percentage|volume|tilt|humidity/.test(key) ? number.percent(value) : value);
const VERBS = { lock: "locked", unlock: "unlocked", close: "closed", play: "playing", pause: "paused" };

export const mind = {
  title: "Pages of the house",
  places: { "": "Ask", mood: "Mood", memory: "Memory", twins: "Twins", "what-if": "What if" },
  sure: ["Sure", "Likely", "Not sure", "I don't know"],
  evidence: "What it rests on",

  talk: {
    title: "Ask the house", log: "Conversation", label: "Ask or tell the house", send: "Send", thinking: "Thinking…", failed: "Not answered",
    empty: "Ask in your own words.", emptyDo: "It answers from what it remembers: nothing is changed by asking.",
    locked: (door) => `Is ${door} locked?`, who: (door) => `Who opened ${door} today?`, on: "Is anything still on?", turnOn: (light) => `Turn on ${light}`, mood: "How are you feeling?",
    more: (n) => `and ${n} more`, doing: "Asking the house…", done: "Done.",
  },

  mood: {
    feelings: { happiness: "Happiness", worry: "Worry", boredom: "Boredom", excitement: "Excitement" },
    none: "Nothing in particular.", history: "Over time", spans: { "8h": "8 h", "24h": "24 h", "7d": "7 days" },
  },

  memory: {
    search: "Search", kind: "Kind", all: "Everything",
    kinds: { episodic: "Happened", semantic: "Is so", procedural: "Is usual" },
    sources: { sensor: "seen by a sensor", user_interaction: "said by somebody", internal: "from the house itself", learned: "learned" }, by: (name) => `told by ${name}`, found: (n) => `${n} found`,
    none: "Nothing is remembered yet.", noneDo: "What happens, what is usual and what you tell the house stands here.", noneFound: "Nothing is remembered of that.", showAll: "Show everything",
    facts: { kind: "Kind", from: "From", sure: "How sure", since: "Since", correction: "You said" },
    add: "Tell the house", keep: "Remember", added: "Remembered.",
    content: "In a sentence", missing: "Write a sentence.",
    correct: "Correct", save: "Save", corrected: "Corrected.", shut: "Shut by", low: "Lowest that is usual", high: "Highest that is usual", range: "The lower number first.",
    relearn: "Learn it anew", relearning: "It is learned anew.", correction: ({ forgotten, shut_by: by, low, high }) => (by ? `Shut by ${by}` : forgotten ? "Not learned" : low === null ? "Other hours" : `From ${low} to ${high}`),
    forget: "Forget", forgetTitle: (title) => `Forget “${title}”?`, forgetBody: "It cannot be brought back.", forgetHabit: "It is not learned again.", forgotten: "Forgotten.",
  },

  twins: {
    none: "No twins yet.", noneDo: "Every connected device has one.", out: "Not as asked", in: "As asked", planned: "Only planned",
    statuses: { synchronized: "As asked", out_of_sync: "Not as asked", syncing: "On its way", no_real_device: "Only planned", error: "Faulty" },
    heard: "Heard ", never: "Not heard yet.", reported: "It says", desired: "It was asked", pending: "Under way", nothing: "Nothing.",
    differs: (keys) => keys.length > 0 && `It differs in ${listOf(keys.map((key) => plain(key.split("/").pop())))}.`,
    report: ({ state, attributes }) => capital([plain(state), ...Object.entries(attributes).filter(([, value]) => /^[ns][ut]/.test(typeof value)).map(([key, value]) => `${plain(key)} ${valued(key, value)}`)].join(", ")),
    wish: ({ action, value }) => capital(`${VERBS[action] || plain(action)} ${value === null ? "" : valued(action, value)}`),
    since: (when, by, until) => `since ${when}${by ? `, by ${by}` : ""}${until ? `, until ${until}` : ""}`,
    warmth: "Warmth of the room", lines: ["Inside", "Model", "Forecast", "Outside"],
    keeps: "Keeps warm", heats: "Heating adds", readings: "Learned from",
    between: ({ value, low, high }, unit) => `${number.step(value, 1)} (${number.step(low, 1)}–${number.step(high, 1)})\u00a0${unit}`,
  },

  whatIf: {
    lead: "Only imagined: nothing is changed by asking.",
    what: "What changes", kinds: { room: "A room", device: "A device", watch: "A notice", access: "Who gets in" },
    room: "Room", temperature: (unit) => `Temperature, ${unit}`, warmWrong: (low, high) => `A temperature from ${low} to ${high}.`, wait: "Open for", waits: { "10m": "10 min", "1h": "1 h", "8h": "8 h" }, device: "Device", power: "Is", powers: { on: "on", off: "off" },
    who: "Whose pass", rules: { revoked: "taken back", asks_each_time: "asked each time", local_only: "only in the Wi\u2011Fi", schedule: "only at hours" },
    from: "Only from", to: "Until", duration: "For how long", durations: { "8h": "8 h", "24h": "24 h", "7d": "7 days" },
    go: "Work it out", choose: "Choose one.",
    metrics: { energy: "Energy", cost: "Cost", comfort: "Comfort", temperature: "Temperature", access: "Doors" }, usually: "Usually", would: "Would be",
    advice: "What would save",
    replay: "Who would have got in", was: (when, { who, was, would_be: would }) => `${when}${who ? `, ${who}` : ""}: ${plain(was)}, would be ${plain(would)}`,
  },

  interview: {
    start: "New devices", take: "Take them in", earlier: "Earlier interviews",
    of: (when) => `Interview, ${when}`, statuses: { active: "Going on", paused: "Paused", completed: "Done", cancelled: "Ended" },
    progress: ({ total_devices_mentioned: all, devices_confirmed: done }) => `${done} of ${count(all, "thing")} connected`,
    found: "What the house understood", nothing: "Nothing yet.", nothingDo: "What you mention stands here.",
    matched: (names) => `found: ${names}`, missing: (fields) => `still to say: ${fields}`, fields: { kind: "what it is", count: "how many", room: "which room", connection: "how it is connected" },
    candidates: { confirmed: "Connected", rejected: "Left out", needs_info: "Not clear yet" }, right: "Right", leave: "Leave out", all: "All is right",
    notes: "Not connected", kept: "but remembered", pause: "Pause", resume: "Go on", end: "End", endTitle: "End this interview?", endBody: "What you confirmed stays.", ended: "Ended.",
  },
};
