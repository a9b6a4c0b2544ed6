// The words of the settings that no other page needs; they load with the settings and not with Home.

import { count } from "../Shell/text.js";

export const recovery = {
  title: "Recovery codes",
  none: "No recovery codes yet.",
  noneDo: "Ten codes on paper, for when you have neither password nor passkey.",
  failed: "The recovery codes could not be loaded",
  left: (n) => `${count(n, "code")} left`,
  about: (when) => `made ${when}; each signs you in once`,
  few: "Few left", spent: "None left",
  fewDo: "Make new ones while you can still sign in.",
  first: "Make recovery codes", again: "Make new codes", making: "Making…",
  againTitle: "Make new recovery codes?", againBody: "The codes you have stop working at once, also those on paper.",
  made: "Your recovery codes",
  once: "They are shown only once. Print them or write them down, and keep them in a safe place.",
  whose: (house, name) => `${house} · ${name}`,
  copy: "Copy", print: "Print", save: "Save as a file", file: "recovery-codes.txt",
  kept: "I have saved them",
  said: (n) => `${count(n, "recovery code")} made.`,
};

export const tokens = {
  title: "Tokens for programs",
  lead: "A token lets a program do what you may do with devices, or less. It cannot change people, passes or settings.",
  none: "No tokens yet.",
  noneDo: "A dashboard, a script or another hub can use one.",
  failed: "The tokens could not be loaded",
  make: "Make a token",
  makeTitle: "A token for a program",
  name: "What it is for", nameHelp: "To recognise it later, such as “Kitchen display”", nameMissing: "Enter what it is for.",
  scope: "What it may do",
  scopes: { all: "All devices", some: "Only some" },
  allHelp: { owner: "Everything you may do with devices, also those that come later.", less: (role) => `What a ${role.toLowerCase()} may do with devices, also with those that come later.` },
  someHelp: "Only what you choose here.",
  role: "At most as",
  someMissing: "Choose at least one device.", manyDevices: "Choose at most 32 devices.",
  noDevices: "There are no devices that it could control.",
  actionsOf: (name) => `What it may do with ${name}`,
  lasts: "For how long",
  times: { 30: "30 days", 90: "90 days", 365: "A year", 0: "No end" },
  lastsUntil: (day) => `Until ${day}. After that it is refused.`,
  lastsOn: "Until you revoke it. Better choose an end, if you can give the program a new one.",
  do: "Make the token", doing: "Making the token…",
  made: (name) => `The token for ${name} is made`,
  once: "It is shown only once. Copy it into the program now; the house keeps only its fingerprint.",
  value: "Token", copy: "Copy token", done: "Done",
  how: "How a program uses it", howBody: "It is sent with every request:",
  everything: "Everything you may do", everythingAs: (role) => `Everything a ${role.toLowerCase()} may do`,
  device: (name, actions) => `${name}: ${actions.join(", ").toLowerCase()}`,
  until: (when) => `until ${when}`, noEnd: "no end", over: "ended",
  used: "last used ", unused: "not used since the hub was started",
  revoke: "Revoke", revokeTitle: (name) => `Revoke the token for ${name}?`, revokeBody: "From its next request on, the program is refused.", revokeVerb: "Revoke token", revoked: (name) => `The token for ${name} is revoked.`,
};

export const hooks = {
  title: "Webhooks", none: "No webhooks yet.", noneDo: "Most doorbells and cameras can report events by a URL.",
  secure: "Devices without HTTPS need a hub that was started with --webhook-listen.",
  used: "reported last ", unused: "has not reported yet",
  add: "Add a webhook", name: "Name of the device", nameMissing: "Enter a name.", make: "Make", type: "Event",
  makes: { shelly: "Shelly", doorbird: "DoorBird", reolink: "Reolink", hikvision: "Hikvision", dahua: "Dahua, Amcrest", axis: "Axis", unifi: "UniFi Protect", generic: "Another" },
  types: { ring: "Somebody rang", motion: "Something moved" },
  once: "This URL is shown once. Enter it at the device now. Anyone who has it can report events, and nothing else.", copy: "Copy URL",
  under: "In the device's settings: ", enter: { shelly: "Actions.", doorbird: "Favorites, HTTP(S) Calls; then the schedule.", reolink: "Push, Webhook.", hikvision: "HTTP Listening, and “Notify Surveillance Center” at each event.", dahua: "HTTP Push.", axis: "Events, Recipients, HTTP.", unifi: "Alarm Manager, Webhook." },
  more: "If each event has its own URL, add /ring or /motion at the end.",
  revoke: "Revoke", revokeTitle: (name) => `Revoke the webhook of ${name}?`, revokeBody: "Its reports are refused from then on.", revokeVerb: "Revoke webhook", revoked: (name) => `The webhook of ${name} is revoked.`,
};

export const certificate = {
  title: "Certificate",
  lead: "Compare the SHA-256 with the one your browser shows before you trust it for the first time.",
  none: "The hub uses plain HTTP. The certificate belongs to the proxy in front of it.",
  failed: "The certificate could not be loaded",
  fingerprint: "SHA-256", pin: "Pin", backup: "Backup pin", until: "Good until",
  backupHelp: "Terminals that pin the house's key keep both pins. If the first key is lost, the second one replaces it, and terminals keep working.",
};

export const rooms = {
  title: "Rooms", lead: "Home shows them in this order.",
  none: "No rooms yet.", noneDo: "Add a room, then choose it on the page of each device in it.",
  add: "Add a room", save: "Save", name: "Name", nameMissing: "Give it a name.",
  kind: "Kind", kinds: { bedroom: "Bedroom", bathroom: "Bathroom", kitchen: "Kitchen", living_room: "Living room", dining_room: "Dining room", office: "Office", garage: "Garage", basement: "Basement", attic: "Attic", hallway: "Hallway", other: "Something else" },
  storey: "Floor; 0 is the ground floor", damp: "Usual humidity in %", bright: "Usual brightness in %", brightHelp: "Lights that are off come on at this level. Empty: at their own.", motion: "Lights with motion", motionHelp: "They go on with motion while all are off, and off 5 minutes after the last motion. Lights that someone switches are left alone.", area: (feet) => `Area in ${feet ? "square feet" : "m²"}`, ceiling: (feet) => `Ceiling in ${feet ? "feet" : "m"}`, windows: "Windows", doors: "Doors", deeds: "Activities in it, separated by commas", between: (low, high) => `Write a number from ${low} to ${high}.`,
  floor: (n) => (n ? `Floor ${n}` : "Ground floor"),
  up: (name) => `Move ${name} up`, down: (name) => `Move ${name} down`, moved: (name, place, all) => `${name} is number ${place} of ${all}.`,
  remove: "Remove", removeTitle: (name) => `Remove ${name}?`, removeBody: "Its devices stay in the house, in no room.", removeVerb: "Remove room", removed: (name) => `${name} is removed.`,
};

/** The preferences of the house. */
export const prefers = {
  floors: "Floors", floorsWrong: "Write a number from 1 to 200.",
  warmth: (unit) => `Usual temperature in ${unit}`, warmthWrong: (low, high) => `Write a number from ${low} to ${high}.`,
  away: "Away for several days", awayHelp: "Everyone counts as away until they are back. If a door opens without a pass or a command, everyone gets a notification at once, also at night.",
  answers: "Who answers guests that ask to be let in", answerers: { managers: "Owners and admins", inviters: "Everyone who may let guests in", everyone: "Everyone who lives here" },
  quiet: "Quiet hours", quietHelp: "Backups are made in them, and reminders are sent after them",
};

export const phones = {
  title: "Phones",
  lead: "A paired phone can see and control what you can. It cannot change people, passes or settings.",
  have: "Your phones",
  none: "No phones yet.", noneDo: "Open the app on your phone, and enter here what it shows.",
  failed: "The phones could not be loaded",
  paired: (when) => `paired ${when}`, used: "last used",
  one: "Pair a phone",
  how: "Open the app on your own phone. It finds the house by the code below, and then shows six digits. Never enter digits that someone sends you: they would let their phone in.",
  scan: "Show the code for the app", scanAlt: "QR code with the address of the house and its key",
  address: "The house's address", key: "Its key", copy: "Copy the link",
  digits: "The six digits on the phone's screen", digitsHelp: "They are valid for five minutes.", digitsMissing: "Enter the six digits that the phone shows.",
  pair: "Pair this phone", pairing: "Pairing…", done: (name) => `${name} is paired.`,
  unknown: "No phone shows these digits now. Look at its screen again.",
  nobody: "No phone is waiting right now.",
  asked: (when) => `asked ${when}`, reject: "Refuse", rejected: (name) => `${name} was refused.`,
  rename: "Rename", renameTitle: (name) => `Rename ${name}`, renameVerb: "Rename phone", name: "Name", nameMissing: "Give it a name.", renamed: "The phone has a new name.",
  remove: "Remove", removeTitle: (name) => `Remove ${name}?`, removeBody: "It is refused at once, and has to be paired again.", removeVerb: "Remove phone", removed: (name) => `${name} is removed.`,
};

export const changes = {
  title: "Set up in the last 30 days",
  lead: "These stay after you end the sessions. Switch off those you do not know.",
  none: "Nothing was set up.",
  things: { integration: "Integration", automation: "Automation", scene: "Scene", token: "Token of a program", pass: "Pass", button: "Button", tag: "Tag", tag_policy: "Rules for tags", camera: "Camera", person: "Person" },
  endTitle: (name) => `Remove ${name}?`, endBody: "It is removed at once. To have it back, make it again.", end: "Remove",
};

export const presence = {
  title: "Where you are", lead: "A person or device tracker of Home Assistant can tell the house whether you are home. The newer of its report and yours counts. The house stores only whether you are home and since when, not where you are.",
  source: "Reported by", none: "Only you", save: "Save", failed: "This setting could not be loaded",
  away: (integration) => `Linked, but ${integration} does not answer or no longer has it.`,
};
