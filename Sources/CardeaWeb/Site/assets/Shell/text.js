// The words of the household app. Components never build sentences of their own.

import { onDay, shortMoment } from "./relativeTime.js";
import { clock, countdown, locale } from "./time.js";

const plural = new Intl.PluralRules("en");
const one = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });

/** "1 use", "2 uses". */
export const count = (n, singular, many = `${singular}s`) => `${whole.format(n)} ${plural.select(n) === "one" ? singular : many}`;

/** "the garage, the back door and the gate". */
export const listOf = (items) => items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;

/** Capitalizes the beginning of a sentence. */
export const capitalize = (line) => line.charAt(0).toUpperCase() + line.slice(1);

/** Lowers the beginning of a sentence within another one. */
const lowered = (line) => line.charAt(0).toLowerCase() + line.slice(1);

/** "Front door" inside a sentence; a proper name keeps its capital. */
export const lowerName = (name) => /^(The|Front|Back|Side|Main|Garage|Garden|Cellar|Gate|Office|Shed|Kitchen|Terrace|Hall|Living|Study|Bath|Bed)\b/.test(name) ? lowered(name) : name;

/** "is" for one door, "are" for several. */
const be = (names) => (/ and |^the other \S+$/.test(names) ? "are" : "is");

let fahrenheit = false;
/** The person's temperature unit. The house uses °C. */
export const setTemperatureUnit = (unit) => (fahrenheit = unit === "fahrenheit");

export const number = {
  /** Converts a value of the house, with its unit, to the person's unit. */
  own: (value, unit) => (fahrenheit && unit === "°C" ? value * 1.8 + 32 : value),
  /** Converts the person's value to one of the house. */
  house: (value, unit) => (fahrenheit && unit === "°C" ? Math.round((value - 32) / .018) / 100 : value),
  unit: (unit) => (fahrenheit && unit === "°C" ? "°F" : unit),
  degrees: (value) => Number.isFinite(Number(value)) && value !== null ? `${(fahrenheit ? whole : one).format(number.own(value, "°C"))}\u00a0${number.unit("°C")}` : "–",
  percent: (value) => Number.isFinite(Number(value)) && value !== null ? `${whole.format(value)}\u00a0%` : "–",
  step: (value, digits) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
  /** A sensor value with `digits` decimals, if the sensor reports how many. */
  bare: (value, unit, digits) => {
    const n = Number(number.own(value, unit));
    if (value === null || value === undefined || value === "" || !Number.isFinite(n)) return value && Number.isNaN(n) && !/unknown|unavailable|nan/i.test(value) ? String(value) : "–";
    if (digits >= 0 && digits < 9) return number.step(n, Math.floor(digits));
    return /^(°C|°F|kW|kWh|m\/s)$/.test(unit || "") || (!unit && n % 1) ? one.format(n) : whole.format(n);
  },
};

export const text = {
  goneDevice: "a deleted device",
  assumed: "Assumed",
  /** The last reported state, if the current one is not known. */
  lastReported: (state, at) => `last reported ${lowered(state)} ${onDay(at)}`,
  /** The actions of a device, for buttons and choices. */
  verbs: {
    read: "Look", unlock: "Unlock", open: "Open", lock: "Lock", close: "Close", stop: "Stop", on: "Switch on", off: "Switch off", toggle: "Switch", press: "Press", play: "Play", pause: "Pause",
    set_position: "Set the position", set_tilt: "Set the tilt", set_brightness: "Set the brightness", set_color: "Set the colour", set_temperature: "Set the temperature", set_mode: "Set the mode", set_percentage: "Set the speed", set_volume: "Set the volume",
    set_preset: "Set the preset", set_effect: "Set the effect", set_direction: "Set the direction", oscillate: "Swing", arm: "Arm", disarm: "Disarm", trigger: "Set off",
  },
  app: "Cardea",
  nav: { label: "House", home: "Home", doors: "Doors", activity: "Activity", guests: "Guests", house: "House", cameras: "Cameras", buttons: "Tags & buttons", people: "People", privacy: "Privacy", notices: "Notifications", settings: "Settings", more: "More", account: "Account and settings" },
  skip: "Skip to content",
  roles: { owner: "Owner", admin: "Admin", member: "Resident", guest: "Guest" },
  back: "Back",
  cancel: "Cancel",
  close: "Close",
  saving: "Saving…",
  saved: "Saved",
  copied: "Copied",
  tryAgain: "Try again",
  failed: "It could not be loaded",
  details: "Details",
  requestId: "Request id",
  noAnswer: "The house does not answer",
  notHeard: { devices: "Your devices could not be loaded", guests: "The passes could not be loaded", activity: "The events could not be loaded", people: "The people could not be loaded", integrations: "The integrations could not be loaded" },
  nothingHere: "Nothing here that you can see",
  nothingHereBody: "It may have been removed, or you may not see it.",
  goHome: "Go to Home",

  connection: {
    label: "Connection",
    lost: "No connection to the house. What you see may be old.",
    trouble: "The house has a problem. What you see may be old.",
    since: (at) => `Since ${clock(at)}.`,
    asOf: (at) => `As of ${clock(at)}:`,
  },

  claim: {
    title: "A new house",
    lead: "This link makes you the owner of the house. It takes a minute.",
    step: (n) => `${n} of 2`,
    house: "Name of the house",
    houseHelp: "Guests see it on their pass",
    zone: "Time zone",
    zoneHelp: "The hours of passes are in this time zone",
    next: "Next",
    you: "Your name",
    username: "User name",
    usernameHelp: "For signing in; small letters and digits are easiest",
    password: "Password",
    passwordHelp: "At least 8 characters. Several words are better than one.",
    show: "Show",
    hide: "Hide",
    strength: ["Too short", "Weak: easy to guess", "Fair: longer is better", "Good", "Strong"],
    do: "Claim this house",
    doing: "Claiming…",
    used: "This house already has an owner",
    usedBody: "Sign in, or ask the owner to invite you.",
    wrong: "This link is not valid",
    wrongBody: "Copy the whole link. If the hub was restarted, use its newest one.",
    none: "This house has no owner yet",
    noneBody: "Open the claim link that the hub printed when it was started. It is this address with /claim and a long code at the end.",
    noToken: "The claim link is not complete",
  },

  signIn: {
    title: "Sign in",
    again: "Sign in again",
    againBody: "Your session ended. Nothing on this page is lost.",
    do: "Sign in",
    doing: "Signing in…",
    wrong: "The user name or the password is wrong.",
    unbound: "Sign in once more. From now on your session works in this browser only, so that no one else can use it.",
    insecure: "This address is not secure (HTTP), so you have to sign in each time you load the page.",
    throttled: (left) => `Too many tries. Again in ${left}.`,
    passkey: "Sign in with a passkey",
    noPasskey: "No passkey was used. Sign in with your password, or try again.",
    passkeyRefused: "This passkey does not work here any more. Sign in with your password.",
    recovery: "Use a recovery code",
    recoveryCode: "Recovery code", recoveryHelp: "One of the ten you kept on paper; each works once",
    recoveryDo: "Sign in with the code", recoveryMissing: "Enter a code.",
    recoveryWrong: "This code is wrong or was already used.",
    out: "Sign out",
    outTitle: "Sign out of this browser?",
    outBody: "Doors and passes stay as they are.",
  },

  join: {
    title: "You are invited",
    lead: "Choose how you sign in. The link works once.",
    do: "Join the house",
    doing: "Joining…",
    used: "This link is incomplete, used or too old",
    usedBody: "Ask the house for a new one. If you have joined already, sign in.",
    taken: "This user name is taken. Choose another.",
  },

  home: {
    asking: "Asking the house…",
    unknown: "The state of the doors is not known right now.",
    doors: "Doors",
    latest: "Latest",
    allActivity: "All activity",
    passes: "Passes in use",
    invite: "Let someone in",
    noPasses: "No pass is in use right now.",
    noActivity: "Nothing has happened yet.",
    noDevices: "No devices yet",
    noDevicesBody: "Connect Home Assistant or MQTT, or start the hub with the virtual house to look around.",
    connect: "Connect devices",
    elsewhere: "Elsewhere",
    first: "First steps",
    firstGuest: "Let a guest in",
    firstGuestBody: "A link and a code for one door, for as long as you say",
    firstPeople: "Invite someone who lives here",
    firstPeopleBody: "They get their own name and password",
    firstDevices: "Connect devices",
    firstDevicesBody: "From Home Assistant or MQTT",
    dismiss: "Hide these",
  },

  /** The house in one sentence. The worst states come first. */
  sentence: {
    jammed: (names) => `${names} ${be(names)} jammed`,
    open: (names) => `${names} ${be(names)} open`,
    unlocked: (names) => `${names} ${be(names)} unlocked`,
    silent: (names) => `${names} ${be(names) === "are" ? "do" : "does"} not answer`,
    unsure: (names) => `${names} ${be(names)} not known`,
    moving: (names) => `${names} ${be(names)} moving`,
    locked: (names) => `${names} ${be(names)} locked`,
    shut: (names) => `${names} ${be(names)} shut`,
    all: "Everything is locked",
    shutAll: "Everything is shut",
    allShut: "Everything is locked and shut",
    none: "No doors are connected yet",
    the: (name) => (/^(the|my|our|dad|mum)\b|['’]s\b/i.test(name) ? name : `the ${lowerName(name)}`),
    others: (n) => `the other ${whole.format(n)}`,
    more: (n) => `${whole.format(n)} more`,
  },

  door: {
    states: { locked: "Locked", unlocked: "Unlocked", open: "Open", shut: "Shut", jammed: "Jammed", unsure: "Not known", locking: "Locking…", unlocking: "Unlocking…", opening: "Opening…", closing: "Closing…", stopped: "Stopped" },
    openPart: (position) => `Open ${number.percent(position)}`,
    noAnswer: (when) => `no answer since ${when}`,
    noAnswerNow: "no answer",
    noAnswerEver: "has not answered yet",
    never: "it does not report its state",
    by: (name) => `, by ${name}`,
    you: "you",
    hold: (verb) => `Hold to ${lowered(verb)}`,
    holding: "Keep holding",
    armed: (verb, name) => `${verb} ${lowerName(name)} now?`,
    describe: (state) => `${state}. Press Enter, then confirm.`,
    lock: "Lock",
    close: "Close",
    stop: "Stop",
    /** The part that has to answer: a lock, or a door that moves by itself. */
    thing: ({ entity, name }) => (entity.entity_type === "lock" ? "lock" : entity.device_class === "gate" || /gate/i.test(name) ? "gate" : "door"),
    waiting: (door, s) => `Waiting for the ${text.door.thing(door)}…${s > 0 ? ` ${s}\u00a0s` : ""}`,
    nolink: "No connection. Trying again…",
    offline: "No connection. Doors open only when the house answers.",
    opened: (at) => `Opened ${clock(at, { seconds: true })}`,
    lockedAt: (at) => `Locked ${clock(at, { seconds: true })}`,
    closedAt: (at) => `Closed ${clock(at, { seconds: true })}`,
    stoppedAt: (at) => `Stopped ${clock(at, { seconds: true })}`,
    movedAt: (at) => `Moved ${clock(at, { seconds: true })}`,
    jammed: (door) => (door.entity.entity_type === "lock" ? "Not done: the lock is jammed. Push the door while trying again." : `Not done: the ${text.door.thing(door)} is jammed. Something may be in its way.`),
    failed: (door) => `Not done: the ${text.door.thing(door)} reported an error.`,
    look: (door) => (door.entity.entity_type === "lock" ? "Try the handle first." : "Look at it first."),
    unsure: (door) => `We are not sure. The ${text.door.thing(door)} has not answered. ${text.door.look(door)}`,
    lost: (door) => `We are not sure: the connection broke. ${text.door.look(door)}`,
    busy: "Not done: someone else was just using it.",
    strict: "Only owners and admins may open it.",
    noRight: "Your role may see it, but not use it.",
    unreachable: "Not done: the house cannot reach it.",
  },

  tile: {
    on: "On", off: "Off", onAt: (level) => `On · ${number.percent(level)}`,
    unknown: "Not known", noAnswer: "No answer", assumed: (line) => `${line}, assumed`,
    now: (value) => `Now ${number.degrees(value)}`,
    open: (position) => position === null || position === undefined ? "Open" : position >= 100 ? "Open" : `Open ${number.percent(position)}`,
    shut: "Shut", opening: "Opening…", closing: "Closing…", stopped: "Stopped",
    quiet: "Quiet", motion: "Motion", wet: "Leak", dry: "Dry", smoke: "Smoke", noSmoke: "No smoke", contactOpen: "Open", contactShut: "Shut", present: "Someone is there", absent: "Nobody", yes: "On", no: "Off",
    noMotion: (since) => `No motion ${since}`,
    switchTo: (name, on) => `Switch ${lowerName(name)} ${on ? "on" : "off"}`,
    brightness: (name) => `Brightness of ${lowerName(name)}`,
    speed: (name) => `Speed of ${lowerName(name)}`,
    warmer: "Warmer", colder: "Colder",
    bounds: { low: "Not colder than", high: "Not warmer than" },
    target: (name, bound) => (bound ? `${lowerName(name)}: ${lowered(text.tile.bounds[bound])}` : `Target temperature of ${lowerName(name)}`),
    range: (low, high) => `${number.degrees(low)} to ${number.degrees(high)}`,
    /** An alarm panel: "Armed: away", "Disarmed". */
    alarm: (state) => capitalize(state.replace("armed_", "armed: ").replace(/_/g, " ")),
    arm: (mode) => `Arm ${lowered(mode)}`,
    never: "Not yet",
    happened: (type, when) => `${type ? `${capitalize(type.replace(/_/g, " "))} · ` : ""}${when}`,
    press: "Press", pressed: "Pressed",
    up: (name) => `Open ${lowerName(name)}`, down: (name) => `Close ${lowerName(name)}`, stop: (name) => `Stop ${lowerName(name)}`,
    position: (name) => `Position of ${lowerName(name)}`,
    waits: (until) => `Waiting for the house until ${until}`, gaveUp: "Not done: no connection", undo: "Undo", takenBack: "cancelled.",
    old: (age) => `${age} old`, moment: "a moment",
    refused: "Not done", failed: "Not done: it reported an error", silent: "Not sure: no answer", unreachable: "Not done: no answer", offline: "No connection",
    /** Choices from a list. */
    lists: { set_mode: "Mode", set_preset: "Preset", set_effect: "Effect", set_direction: "Direction" },
    modes: { off: "Off", heat: "Heat", cool: "Cool", auto: "Auto", heat_cool: "Heat and cool", dry: "Dry", fan_only: "Fan" },
    colour: "Colour", dials: { temperature: "Warm to cold white, in kelvin", hue: "Hue, in degrees", saturation: "Saturation, in percent", white: "White, in percent" },
    swatches: { warm: "Warm white", neutral: "White", cold: "Cold white", red: "Red", orange: "Orange", yellow: "Yellow", green: "Green", teal: "Teal", blue: "Blue", violet: "Violet", pink: "Pink", rose: "Rose" },
  },

  device: {
    now: "Now",
    who: "Who may use it",
    whoResidents: "Everyone who lives here",
    whoStrict: "Everyone who lives here; only owners and admins open it",
    recent: "Recent events",
    noEvents: "Nothing has happened here yet.",
    facts: { id: "Device", integration: "Comes from", status: "Connection", seen: "Last report", changed: "Last change", maker: "Maker", model: "Model", room: "Room", entity: "Entity", count: "Movements" },
    statuses: { online: "Answers", offline: "Does not answer", unknown: "Not known", error: "Reports a fault" },
    flags: "Rules",
    why: "Why can’t I use it?", mayAfterAll: "You can use it.",
    change: (name) => `Change ${name}`, about: "Description", noRoom: "No room", nameMissing: "Give it a name.", save: "Save",
    guestFlag: "Guests may be let in here",
    guestFlagHelp: "Off: no pass works here, not even one made before",
    strictFlag: "Keep for owners and admins",
    strictFlagHelp: "On: residents can close and lock it, but not open it",
    notice: "Note",
    folded: "Settings and diagnostics", moves: "Merge or replace",
    wayIn: "Opens a way in", wayInHelp: "A garage relay, an unlatch button. Commands then count as opening a door.",
    wayInAsk: "Does this open a way in? Its name suggests it.", wayInYes: "Yes", ways: { "same-door": "It is the same door", none: "It opens no way in" },
  },

  scenes: {
    title: "Scenes",
    running: (name) => `${name}…`,
    done: (name) => `${name}: done.`,
    notAll: (name, wrong, all) => (wrong === all ? `${name}: not done.` : `${name}: ${whole.format(wrong)} of ${whole.format(all)} not done.`),
    line: (device, why) => `${device}: ${why}`,
    status: { unknown: "We are not sure it worked: it has not answered.", failed: "Not done: it reported an error.", expired: "Not done: it had to wait too long." },
    offline: "No connection. Scenes run only when the house answers.",
    ask: (name) => `Run “${name}”?`,
    opens: (doors) => `It opens ${doors}.`,
    run: "Run it",
  },

  room: { empty: "Nothing is in this room yet.", emptyDo: "Choose the room of a device on the device’s page." },

  history: {
    title: "History", of: (name) => `History of ${lowerName(name)}`, range: (name) => `Time shown of ${lowerName(name)}`,
    ranges: { day: "24 h", week: "7 days", month: "30 days" },
    none: "Too little was measured in this time.",
    failed: "The history could not be loaded",
    at: (at) => shortMoment(at),
    value: (point, unit) => `${number.bare(point.mean, unit)}${unit ? `\u00a0${number.unit(unit)}` : ""}${point.high > point.low ? ` (${number.bare(point.low, unit)}–${number.bare(point.high, unit)})` : ""}`,
    sentence: (low, high, latest, unit) => `Between ${number.bare(low, unit)} and ${number.bare(high, unit)}, last ${number.bare(latest, unit)}${unit ? `\u00a0${number.unit(unit)}` : ""}`,
    table: "As table", caption: (name, range) => `${name}, ${range}`,
    hour: "From", day: "Day", lowest: "Lowest", mean: "Mean", highest: "Highest",
  },

  asks: {
    command: (who, door) => `${who} asks to open ${text.sentence.the(door)}`,
    pairing: (who, second) => `A ${second ? "second " : ""}phone asks to take the pass “${who}”`,
    note: (at, left) => `Asked ${clock(at)}, waits ${left} more`,
    pairingNote: (at, moves) => `Asked ${clock(at)}. Say yes only if your guest's phone shows this number${moves ? ": the phone that has the pass loses it" : ""}.`,
    letIn: "Let in", allow: "Allow this phone", refuse: "Refuse",
    done: (yes) => (yes ? "Let in" : "Refused"),
    gone: "Answered elsewhere, or too late",
    title: "Waiting for you",
    said: (n) => (n === 1 ? "Someone asks to be let in." : `${n} people ask to be let in.`),
  },

  guests: {
    title: "Guests",
    invite: "Let someone in",
    empty: "No passes yet. Those you make appear here.",
    emptyDo: "A pass is a link: for one door or several, for as long and as often as you say.",
    sections: { waiting: "Not taken yet", active: "Active", later: "Later", suspended: "Paused", over: "Over" },
    status: { waiting: "Not taken yet", approval_pending: "Waits for your yes", rejected: "Refused", scheduled: "Starts later", active: "Active", suspended: "Paused", used_up: "Used up", expired: "Ended", revoked: "Taken back" },
    starts: (at) => `Starts ${shortMoment(at)}`, next: (at) => `Next time: ${shortMoment(at)}`,
    revokeAll: "Take back all passes",
    revokeAllTitle: "Take back all passes?",
    revokeAllBody: (n) => `${count(n, "pass", "passes")} stop working at once. This cannot be undone.`,
    revokedAll: (n) => `${count(n, "pass was", "passes were")} cancelled.`,
    uses: (g) => (g.max_uses ? `${g.used_count} of ${count(g.max_uses, "use")}` : g.used_count ? `${count(g.used_count, "use")}, no limit` : "No limit"),
    left: (g) => (g.max_uses ? `${Math.max(0, g.remaining_uses)} of ${count(g.max_uses, "use")} left` : "as often as they like"),
    weekly: (hours, end) => `${hours}, until ${end}`, fromTo: (a, b) => `from ${a} to ${b}`, until: (end) => `until ${end}`,
    opens: (doors, how) => `Opens ${doors} ${how.join(", ")}.`,
    opened: (over, at, doors) => `${over}${at ? ` ${at}` : ""}. It opened ${doors}.`,
    localOnly: "only on the house's own network",
    bound: "only from the phone that took it", verified: "after a check by face, finger or PIN",
    history: "Every try",
    noHistory: "No tries yet.",
    revoke: "Take back", revokeTitle: (name) => `Take back the pass of ${name}?`, revokeBody: "It stops working at once and cannot be given back. A new pass can always be made.", revokeVerb: "Take back pass",
    suspend: "Pause", resume: "Let it work again", newLink: "New link", newLinkMaking: "Making the link…", newLinkMade: "The new link is made.",
    newLinkTitle: "Make a new link?", newLinkBody: "The phone that has the pass now loses it; the first phone to open the new link gets it.", newLinkVerb: "Make new link",
    over: (g) => ({ revoked: "This pass was taken back", expired: "This pass has ended", used_up: "This pass is used up", rejected: "You refused this phone" })[g.status],
  },

  pass: {
    share: "Share link", copyLink: "Copy link", copyCode: "Copy code", print: "Print",
    when: "When", openings: "Openings", code: "Code", noLimit: "No limit",
    codeUntil: (at) => `valid until ${clock(at)}; you can read it out`,
    card: "The pass to hand over",
    qr: "QR code with the link of this pass",
    qrFailed: "The code could not be drawn",
    qrWait: "Drawing the code…",
    qrGone: "The code was used. Make a new link to let another phone in.",
    show: "Show QR code",
    made: (name) => `The pass for ${name} is made`, taken: (name) => `The pass for ${name} is taken`,
    next: "Send the link, show the code, or read it aloud. The first phone that opens it gets the pass.",
    again: "Let in someone else",
    toPass: "Go to the pass",
    shareText: (house, name) => `Your pass for ${house}`,
  },

  invite: {
    title: "Let someone in",
    who: "Who",
    whoHelp: "You see it in the list, your guest on the pass",
    whoMissing: "Enter who it is for.",
    what: "What they may open",
    whatMissing: "Choose at least one door.",
    more: "Lights and other things",
    noDoors: "Guests may not open any door yet. Allow it on the page of a door.",
    does: { lock: "Unlock", garage: "Open and close", cover: "Open and close", light: "Switch", switch: "Switch", climate: "Set the temperature", fan: "Switch", button: "Press" },
    when: "When",
    once: "Once", weekly: "Every week", always: "Any time",
    from: "From", until: "Until",
    pick: "Choose in a calendar",
    unreadable: "Write a day and a time, such as “today 18:00”, “fri 9” or “24 nov 9:30”.",
    untilFirst: "The end is before the start.",
    quick: { today: "Today", weekend: "Weekend", week: "7 days" },
    days: "Days", day: { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" },
    dayLong: { mon: "Monday", tue: "Tuesday", wed: "Wednesday", thu: "Thursday", fri: "Friday", sat: "Saturday", sun: "Sunday" },
    to: "To", addLine: "Add other hours", removeLine: "Remove these hours",
    overnight: "ends next day",
    daysMissing: "Choose at least one day.",
    timeUnreadable: "Write a time, such as “9”, “9.30” or “21:00”.",
    lastDay: "Last day",
    houseTime: "Times are house time.",
    often: "How often",
    openings: "Openings", openingsHelp: "Failed tries do not count", noLimit: "No limit",
    fewer: "Fewer", more1: "More",
    ask: "Ask me each time", askHelp: "Someone has to let them in each time. Who: Settings, House",
    first: "Approve the phone", firstHelp: "The first phone that opens the link waits for your yes",
    verified: "The phone checks who holds it", verifiedHelp: "By face, finger or PIN, before a door opens",
    local: "Only on the house's own network", localHelp: "Your guest has to be on your Wi\u2011Fi",
    do: "Make the pass", doing: "Making the pass…",
    linkNote: "The link works on the first phone that opens it.",
    someone: "Someone",
    nothing: "nothing yet",
    mayOpen: "may open", mayUse: "may use",
    times: (n) => (n === 0 ? "as often as they like" : n === 1 ? "once" : n === 2 ? "2 times" : `${n} times`),
    anyTime: (until) => `at any time until ${until}`,
    eachAsked: "if someone lets them in each time",
    warn: {
      past: "This is in the past.",
      long: "That is more than 30 days.",
      all: "That is every door of the house.",
      night: "That includes the night.",
      address: "Links point at this machine only; a guest's phone cannot reach them until the hub has a public address.",
    },
  },

  people: {
    title: "People",
    invite: "Invite someone",
    inviteTitle: "Invite someone who lives here",
    name: "Name", role: "Role",
    roleHelp: { owner: "Everything, including the owner role", admin: "Everything but the owner role and keys", member: "Opens doors and runs the home", guest: "Nothing but signing in" },
    do: "Make the link", link: "Send this link; it works once, until",
    you: "you",
    status: { invited: "Not joined yet", disabled: "Switched off", active: "" },
    seen: (when) => `last here ${when}`,
    never: "not here yet",
    rights: "What they may do",
    permissions: { control_devices: "Open doors and switch things", view_energy: "See energy", modify_settings: "Change settings", manage_maintenance: "Look after the house", add_devices: "Connect devices", invite_guests: "Let guests in", manage_people: "Invite and remove people" },
    noRights: "Nothing but signing in.",
    canInvite: "May let guests in", canInviteHelp: "Only for what they may open themselves",
    changeRole: "Role", roleTitle: (n, role) => `Make ${n} ${/^[AO]/.test(role) ? "an" : "a"} ${role.toLowerCase()}?`, roleVerb: "Change role",
    disable: "Switch off", enable: "Switch on again", disableTitle: (n) => `Switch off ${n}?`, disableBody: "They are signed out everywhere at once. You can switch them on again.", disableVerb: "Switch off",
    remove: "Remove", removeTitle: (n) => `Remove ${n} from the house?`, removeBody: "They are signed out everywhere at once. Their past activity stays.", removeVerb: "Remove person",
    newLink: "New invite link",
    lastOwner: "A house needs an owner. Make someone else owner first.",
    self: "This is you",
  },

  activity: {
    title: "Activity",
    filters: { all: "Everything", doors: "Doors", guests: "Guests", refused: "Refused", devices: "Devices" },
    filterLabel: "Show",
    events: (n) => count(n, "event"),
    none: "Nothing has happened yet.",
    noneFiltered: { doors: "No door was used yet.", guests: "No guest did anything yet.", refused: "Nothing was refused.", devices: "No device was used yet." },
    everything: "Show everything",
    noneAmong: (n) => `None of these among the latest ${count(n, "event")}.`,
    older: "Show older",
    fresh: (n) => `${n} new`,
    nobody: "The house",
    someone: "Someone",
    /** The automation or program that acted for a person: "by the automation Night". */
    via: (kind, name) => (name ? `by the ${text.activity.vias[kind] || kind} ${name}` : `by ${kind === "automation" ? "an" : "a"} ${text.activity.vias[kind] || kind} that was deleted`), vias: { api_token: "program" },
    /** Actions as a head: "Front door opened". */
    verbs: { unlock: "opened", open: "opened", lock: "locked", close: "closed", stop: "stopped", on: "switched on", off: "switched off", press: "pressed", set_brightness: "dimmed", set_temperature: "temperature set", set_mode: "mode set", set_position: "moved", set_percentage: "speed set", set_color: "colour set", set_tilt: "tilted", read: "read", play: "played", pause: "paused", set_volume: "volume set", set_preset: "preset set", set_effect: "effect set", set_direction: "direction set", oscillate: "swing set", arm: "armed", disarm: "disarmed", trigger: "set off" },
    house: { login: "Signed in", logout: "Signed out", pair: "Pass taken", "pair.ask": "Phone asks for a pass", "guest.invite": "Pass made", "guest.revoke": "Pass taken back", "guest.suspend": "Pass paused", "guest.resume": "Pass works again", "guest.approve": "Phone allowed", "guest.reject": "Phone refused", "guest.new_code": "New link made",
      "people.join": "Joined the house", "people.password": "Password changed", "people.notifications": "Notifications changed", "people.preferences": "Preferences changed", "people.presence": "At home or away", "people.presence_source": "Presence source", "person.export": "Data exported", "person.export.fetch": "Export saved", "house.restore": "House restored from a backup", "backup.make": "Backup", "retention.change": "Retention changed", data_export: "Audit log saved",
      access_token: "Unknown token", guest_token: "Unknown pass", "session.revoke_all": "Other sessions ended", "session.step_up": "Identity confirmed", "command.approve": "Let in", "command.reject": "Not let in", "integration.mqtt": "MQTT changed", "integration.home-assistant": "Home Assistant changed", "integration.endpoint": "Endpoint changed", "device.change": "Settings changed", "device.rename": "Renamed",
      "automation.off": "Automation switched off", "automation.tell": "Notification by an automation", "button.signing_key": "Signing key made", "tag.alarm_seen": "Clone alarm seen", "tag.keys": "Tag keys shown", "tag.live": "Live link made", "tag.regenerate": "Live links voided", "tag.policy": "Tag rules changed", "phone.ask": "Phone asks to be paired" },
    /** Actions without a text of their own have one of object and verb: "Room added". An object that is missing here is named by its key. */
    things: { activity: "Activity", api_token: "Token", audit: "Old entries", audit_key: "Audit key", key: "Signing key", look: "Viewed", maintenance: "Task", mind: "House", people: "Person", push: "Browser for notifications", replica: "Copy of the house" },
    did: { add: "added", change: "changed", claim: "claimed", complete: "done", confirm: "confirmed", delete: "deleted", destroy: "destroyed", drop: "dropped", end: "ended", erase: "to be erased", erased: "erased", forget: "forgotten", invite: "invited", make: "made", merge: "merged", move: "moved", pair: "paired", plan: "planned", read: "read", recover: "recovered", register: "added", reject: "refused", remove: "removed", rename: "renamed", renew: "renewed", replace: "replaced", revoke: "revoked", rotate: "changed", tap: "tapped", trust: "trusted", write: "written" },
    /** The text of an action; undefined if there is none. */
    happened(action) {
      const { house, things, did } = text.activity, [thing, verb] = action.split(".");
      return house[action] || (verb && `${things[thing] || capitalize(thing.replace("_", " "))} ${did[verb] || ""}`.trim());
    },
    about: (device, what) => `${device}: ${lowered(what)}`,
    done: (device, verb) => `${device} ${verb}`,
    refusedHead: (device) => `${device}: refused`,
    troubleHead: (device, word) => `${device}: ${word}`,
    askedHead: (device) => `${device}: requested`,
    results: { failed: "failed", unknown: "not sure it worked", expired: "too late, not done", refused: "refused", silent: "did not answer", allowed: "in progress", asked: "waiting for approval" },
    notSent: "nothing was sent",
    detail: { what: "What", who: "Who", when: "When", result: "Result", device: "Device", reason: "Why", from: "From address", command: "Command" },
  },

  /** The reasons of refusals and ends. A code without an entry reads as its own words. */
  reasons: {
    no_grant: "no right to it", role_lacks_right: "the role does not allow it", security_device: "only for owners and admins", not_guest_accessible: "not open to guests",
    device_not_in_scope: "not on this pass", action_not_allowed: "not on this pass", not_yet_valid: "the pass has not started", expired: "the pass has ended", outside_schedule: "outside the hours of the pass",
    used_up: "the pass is used up", suspended: "the pass is paused", revoked: "the pass was taken back", forbidden_remote: "not on the house's network", awaiting_approval: "not approved yet", rejected: "someone here refused it",
    integration_not_ready: "the house is not connected to it", clock_behind: "the house's clock went back", entity_not_in_scope: "not on this pass", scope_mismatch: "not on this pass", read_only_entity: "it cannot be controlled", entity_required: "no part was chosen",
    no_turn: "it had to wait too long", beyond_phones: "not for phones",
    action_proof_required: "not sent by the phone that has the pass", action_proof_invalid: "not signed by the phone that has the pass", action_proof_replay: "sent a second time", action_nonce_expired: "signed too long ago", action_proof_clock_skew: "the phone's clock is wrong",
    stale: "made too long ago", replayed: "an older tap than the last one", cooldown: "tapped a moment ago", outdated: "the button was changed", needs_proof: "the tag can be copied", not_read_in: "not tapped since the house was restored", read_in: "the house knows the tag again",
  },
  /** The same for the person who just tried. */
  refusals: {
    security_device: "Not done: only owners and admins may do it.", role_lacks_right: "Your role does not allow it. An owner can change that.", no_grant: "Not done: you have no right to it. An owner can change that.",
    other: (why) => `Not done: ${why}.`,
  },

  sessions: {
    title: "Where you are signed in", lead: "Each browser and phone that is signed in as you. End those you do not know.",
    failed: "The list could not be loaded",
    current: "This one", local: "On the house's network",
    ways: { password: "with the password", passkey: "with a passkey", claim: "by claiming the house", invitation: "by invitation", recovery_code: "with a recovery code", phone: "as a phone" },
    by: (way, when) => `signed in ${when} ${way}`, used: "last used",
    end: "End", endTitle: (device) => `End the session of ${device}?`, endBody: "It is signed out at once. You can sign in there again.", endVerb: "End session", ended: (device) => `${device} is signed out.`,
    endOthers: "End all others", othersTitle: "End all other sessions?", othersEnded: "All other sessions are ended.",
    theirs: { title: "Where they are signed in", lead: "Each browser and phone that is signed in as them.", none: "Nowhere right now.", endOthers: "End all", othersTitle: "End all their sessions?", othersEnded: "They are signed out everywhere." },
  },

  passkeys: {
    title: "Passkeys",
    none: "No passkey yet.", noneDo: "A passkey signs you in by finger, face or security key, and cannot be guessed.",
    failed: "The passkeys could not be loaded",
    add: "Add a passkey", adding: "Waiting for your device…", added: "The passkey is added.",
    cannot: "To add a passkey, open the house over https, by a name.",
    putAway: "No passkey was added. Your device did not finish.",
    made: (when) => `made ${when}`, used: (when) => `last used ${when}`,
    rename: "Rename", renameTitle: (name) => `Rename ${name}`, renameVerb: "Rename passkey", name: "Name", nameMissing: "Give it a name.", renamed: "The passkey has a new name.",
    remove: "Remove", removeTitle: (name) => `Remove ${name}?`, removeBody: "You cannot sign in with it any more. Your password stays.", removeVerb: "Remove passkey", removed: "The passkey is removed.",
  },

  stepUp: {
    title: "Confirm it is you", lead: "This lasts for five minutes in this browser. Then your action continues.",
    passkey: "Use a passkey", do: "Confirm", doing: "Confirming…", wrong: "That is not the right password.", not: "Not done: you did not confirm that it is you.",
  },

  settings: {
    title: "Settings",
    integrations: "Integrations", integrationsHelp: "Where devices come from, and their connection", tell: "Tell the house",
    house: "House", houseHelp: "Name, time zone, preferences, certificate",
    rooms: "Rooms", roomsHelp: "Names, order, preferences",
    browser: "This browser", browserHelp: "Light or dark",
    account: "Your account", accountHelp: "Where you are signed in, passkeys, recovery codes, password",
    noticesTitle: "Notifications", noticesHelp: "What about, when, and in which browsers",
    phones: "Phones", phonesHelp: "Phones that act for you",
    tokens: "Tokens for programs", tokensHelp: "For a script, a dashboard, another hub",
    names: { virtual: "Virtual house", mqtt: "MQTT", "home-assistant": "Home Assistant", endpoint: "Endpoint of the buttons", buttons: "Buttons" },
    health: { connected: "Connected", connecting: "Connecting…", failed: "Not connected", off: "Not set up" },
    devices: (n) => count(n, "device"),
    notices: "Notes",
    setUp: "Set up", change: "Change", remove: "Remove", removeTitle: (name) => `Remove ${name}?`, removeBody: "Its devices disappear until it is set up again. Passes for them stop working.", removeVerb: (name) => `Remove ${name}`, removed: (name) => `${name} is removed.`,
    test: "Save and test", try: "Test connection", testing: "Testing the connection…", ok: (n) => (n ? `Connected, with ${count(n, "device")}.` : "Connected."), bad: (why) => `Not connected: ${why}`, slow: "Not connected yet. The hub keeps trying.",
    nearby: {
      title: "Found nearby", lead: "Devices and servers that announce themselves on the house's network. Connect only those you know.",
      none: "Nothing was found.", noneDo: "Home Assistant, HomeKit and Matter devices appear here when they announce themselves.",
      off: "Discovery is off.", offDo: "The hub listens only on its own machine, or was started with --no-bonjour.",
      unavailable: "Discovery is not available.", unavailableDo: "Start a Bonjour daemon on the hub's machine, such as avahi-daemon.",
      failed: "What is nearby could not be loaded", more: "There are more, which are not listed.",
      kinds: { "home-assistant": "Home Assistant", homekit: "HomeKit", matter: "Matter" },
      paired: "paired", unpaired: "not paired",
      connect: "Use this address", connectName: (name) => ` of ${name}`, connected: "Already connected",
      through: "Works through Home Assistant: add it there, and it appears here",
    },
    cameIn: {
      title: "Announced over MQTT", left: (n) => `Not understood (${whole.format(n)})`, allIn: "Everything that was announced is understood.", devices: (n) => `Understood: ${count(n, "device")}`,
      show: "Show announcement", announcement: "Announcement", masked: "As received, without its secrets.", copy: "Copy",
    },
    more: "Certificates and details", pem: "This is not PEM text: it begins with -----BEGIN.",
    "home-assistant": {
      title: "Home Assistant", lead: "Its devices appear here, under this house's rules.",
      url: "Address", urlHelp: "As in your browser, up to the first slash after the name", urlWrong: "Write the address like http://homeassistant.local:8123.",
      token: "Access token", tokenHelp: "In Home Assistant: your profile, Security, Long-lived access tokens. Stored encrypted and never shown again.", tokenMissing: "Paste a long-lived access token.",
      ca: "Certificate authority (PEM)", caHelp: "Only when its certificate is your own", caWrong: "Only with https, and as PEM text.",
    },
    mqtt: {
      title: "MQTT broker", lead: "Devices announced by Home Assistant's MQTT discovery appear by themselves.",
      host: "Host", hostHelp: "Name or address of the broker", port: "Port", tls: "Encrypted (TLS)", tlsHelp: "Off only inside your own network",
      username: "User name", password: "Password", passwordHelp: "Leave empty to keep the one that is stored",
      ca: "Certificate authority (PEM)", caHelp: "Only when the broker's certificate is your own", cert: "Client certificate (PEM)", key: "Client key (PEM)", keyHelp: "Stored encrypted and never shown again",
      clientId: "Client id", prefix: "Discovery prefix",
      outward: "Shown to Home Assistant", announce: "Show this house's locks there", announceHelp: "And how many passes are in use. What comes from there is never sent back",
      mayLock: "Home Assistant may lock them", mayOpen: "Home Assistant may unlock them", mayOpenHelp: "Anyone who may publish on the broker can then open your doors", visitor: "Name the last visitor", visitorHelp: "Stays on the broker until you switch it off",
      codes: "Codes of locks and alarms", codesHelp: "Sent with a command to what asks for a code.",
      seen: "Events from Frigate", frigate: "Frigate's topic prefix", frigateHelp: "Usually frigate. Leave empty to ignore Frigate",
      hostMissing: "Enter the broker's name or address.", portWrong: "A port is a number from 1 to 65535.",
    },
    endpoint: {
      title: "Endpoint of the buttons", lead: "A separate broker, for buttons only. The connection is always encrypted and uses a client certificate; only the house has its key.",
      keep: "Leave empty to keep the one that is stored", certMissing: "certificate empty", keyMissing: "private key empty",
    },
    houseFacts: { name: "Name", zone: "Time zone", address: "Address in links", time: "House time", rooms: "Rooms", save: "Save" },
    degrees: "Temperatures in", theme: "Appearance", themes: { auto: "As the system", light: "Light", dark: "Dark" },
    current: "Current password", fresh: "New password", changePassword: "Change password", changed: "The password is changed. Other sessions are ended.", wrongCurrent: "The current password is wrong.", recovered: "You signed in with a recovery code, so for five minutes you do not need the old password.",
    down: (name, since, reason, n) => `${name} has not answered since ${since}${reason ? `: ${reason}` : ""}.${n > 1 ? ` The state of its ${whole.format(n)} devices is not known.` : n ? " The state of its device is not known." : ""} `,
  },

  /** The person who was faster, if the hub says so. */
  meanwhile: ({ details }) => `${(details && details.changed_by) || "Somebody"} changed it meanwhile`,

  /** The changes of others meanwhile, of `[name, before, now]`. */
  changed: (error, members) => `${text.meanwhile(error)}${members.filter(([, before, now]) => before !== now).map(([name, , now], at) => `${at ? ", " : ": "}${name} “${now ?? "–"}”`).join("")}. Try again to save what you wrote.`,

  /** The text of a hub error; `code` and request id are under Details. */
  error(error) {
    if (error.said) return error.said;
    if (error.offline) return "No connection to the house. Try again when it answers.";
    const reason = error.details && error.details.reason;
    if (error.code === "forbidden" && reason) return text.refusals[reason] || text.refusals.other(text.reasons[reason] || "you may not");
    const known = {
      step_up_required: text.stepUp.not,
      passkey_refused: "The house did not accept this passkey.", passkeys_need_a_name: text.passkeys.cannot,
      forbidden: "You may not do this. An owner can change that.",
      rate_limited: `Too many tries. Again in ${countdown((error.retryAfter || 30) * 1000)}.`,
      last_owner: text.people.lastOwner,
      precondition_failed: `${text.meanwhile(error)}. Look again, then try once more.`,
      conflict: "It changed meanwhile. Look again, then try once more.",
      not_found: "It is not there any more.", guest_not_found: "This pass is not there any more.", device_not_found: "This device is not there any more.", button_not_found: "This button is not there any more.", tag_not_found: "This tag is not there any more.", camera_not_found: "This camera is not there any more.", camera_offline: "The house cannot reach the camera.",
      device_unreachable: "The house cannot reach it.", service_unavailable: "The house is busy. Try again in a moment.", insufficient_storage: "The house's disk is full. Nothing was changed.",
      outcome_unknown: "We are not sure it worked: it has not answered.", action_execution_failed: "Not done: it reported an error.",
      validation_error: "The house did not accept this. Check what you entered.",
      already_claimed: text.claim.used, payload_too_large: "That is too much text.",
      in_flight: "It is still in progress.",
    };
    return known[error.code] || "That did not work. Try again. If it fails again, show the details below to an owner of the house.";
  },
};
