// The pages of privacy: stored data with export and erasure, the audit log and its proof, retention, backups, energy and maintenance. One module,
// as they share much (docs/decisions/0044); proofs and charts load with the pages that need them.

import { api, attempt, showBarePage, liveSection, brand, button, buttons, choice, confirm, copyButton, count, DAY, dayInSentence, during, empty, facts, errorPanel, field, fill, follow, form, format, formIdempotencyKeys, h, icon, instantOf, keyed, known, listOf, longDay, now, number, pageHead, dateParts, path, setText, read, refresh, row, rows, section, segments, sending, session, sheet, signOut, since, skeleton, small, source, badge, text, topic, when, readBody } from "../Shell/ui.js";
import { nameOf as whoIs, describeEntry } from "../Activity/entryRow.js";
import { validityOf } from "../Guests/passRow.js";
import { parseMoment, formatMoment } from "../Guests/timeField.js";

const amount = (n) => number.step(n, 0);
/** A hundred years means for good. */
const isForGood = (days) => days >= 36500;
const plain = (key) => key.replace(/_/g, " ").replace(/./, (first) => first.toUpperCase());
/** Words that are their own keys. */
const named = (keys) => Object.fromEntries(keys.split(" ").map((key) => [key, plain(key)]));

const privacy = {
  title: "Privacy",
  /** The other pages: name and content. */
  places: { audit: ["Audit log", "Who did what, and proof that it is unchanged"], retention: ["Retention", "How long things are kept"], energy: ["Energy", "Consumption, costs, and the air in the rooms"], maintenance: ["Maintenance", "Tasks in the house, open and done"], backups: ["Backups", "The last one and the next"] },
  others: "More",
  policy: [
    "The house keeps its data on its own disk, only what is listed here and only this long.",
    "It sends no statistics to anyone. Only what you set up leaves the house: encrypted notifications and connected services.",
  ],
  whole: "The whole policy", kept: "Kept about you", keeps: ({ why, kept }) => `${why} Kept ${listOf(kept)}.`,
  yours: "Export or erase", whose: "Whose", you: "You",
  take: "Export everything", takeHelp: "All your data as a ZIP archive. You can save it here for 24 hours.", fetch: "Save",
  kinds: { export: "Export", erasure: "Erase" },
  steps: { waiting: "Waiting", pictures: "Pictures", index: "Contents", signing_out: "Signing out", their_doings: "Activity", the_record: "Audit log", memories: "Memories", names: "Names", traces: "Last traces" }, step: plain,
  ready: (megabytes) => `Ready, ${number.step(Math.max(0.1, megabytes), 1)}\u00a0MB, until `, over: "Export expired", erased: (n) => `Erased: ${count(n, "entry", "entries")}`, stays: "What stays",
  erase: "Erase", eraseTitle: (name) => `Erase ${name}?`, eraseVerb: "Erase for good",
  eraseBody: "Every session, token and pass they gave ends at once. Their notifications, entries and memories are deleted, and those of their guests. The audit log no longer shows who did what. This cannot be undone.",
  eraseStays: "What stays: that something happened, camera events, names of rooms and devices, and what others wrote.",
  typeName: (name) => `To be sure, type “${name}”`, notName: (name) => `This is not “${name}”.`,
  gone: "You are being erased", goneBody: "You are signed out everywhere. You can close this page.",

  audit: {
    results: { "": "Everything", done: "Done", confirmed: "Confirmed", refused: "Refused", failed: "Failed", read: "Viewed" }, result: "Result",
    person: "Who", device: "Device", anybody: "Anyone", anything: "Any device", action: "Action, such as unlock",
    found: (n, more) => (more ? `${amount(n)} and more` : count(n, "entry", "entries")), none: "No entries yet.", noneDo: "Everything done or refused appears here at once.", noneFound: "No entry matches.",
    checking: "Checking…", until: { proven: "Complete and unchanged until ", first: "First check in this browser. Signed until ", signed: "Signed until ", broken: "Altered at entry " }, proven: "Verified: in the log, unchanged", unsigned: "In the log, unchanged. This browser cannot check the signature.", renamed: "In the log, but under another name. Reload this page.", cannot: "This browser cannot check it. Open the house over https.",
    altered: "Altered: not what the house signed", forked: "Altered: it does not continue from what this browser saw before", another: "Signed with a different key than before", entry: (id) => `Entry ${id}`,
    checked: "The entry belongs to the root that the house signed (SHA-256, RFC 9162; Ed25519).",
    how: "How to check it yourself", accept: "Accept the log", acceptTitle: "Accept the log as it is now?", acceptBody: "This is expected after a backup was restored. Otherwise find out first who can write the house's files. This browser then forgets the log it saw before.",
    elsewhere: "This browser keeps the last root it saw and warns you if the log no longer matches. Save the bundle and check it without the house: cardea audit verify.",
    told: "Signed data", root: "Signed root", key: "The house's key", bundle: "Save the bundle", table: "As a table",
  },

  retention: {
    kinds: { activity: "Activity", audit: "Audit log", readings: "Single readings", energy: "Hourly consumption", environment: "Hourly climate", events: "Camera and door events", notices: "Notifications", memories: "Memories", maintenance: "Completed tasks" }, kind: plain,
    days: (name) => `Days: ${name}`, lasts: (n) => (isForGood(n) ? "for good" : count(n, "day")), most: ({ most_days: most, dropped }) => `${isForGood(most) ? "For good, unless you set a number of days" : `${count(most, "day")} at most`}${dropped ? ` · ${amount(dropped)} deleted` : ""}`, swept: "last checked",
    save: "Save", wrong: (most) => `Enter 1 to ${most}${isForGood(most) ? ", or leave it empty" : ""}.`, ask: "Keep it for fewer days?", goes: (list) => `Older data is deleted for good tonight: ${listOf(list)}.`, line: (name, n) => `${name}, ${count(n, "day")}`,
  },

  backups: {
    none: "There is no backup yet.", last: "Last backup", next: "Next", where: "Folder", often: "How often", daily: "Once a day, in the quiet hours", hours: (n) => `Every ${count(n, "hour")}`, keep: "Kept", kept: (n, days) => `The latest ${n}, for at most ${count(days, "day")}`,
    restored: "Restored from a backup", size: (bytes) => `, ${number.step(bytes / 1e6, 1)}\u00a0MB`, failed: (why) => `The last backup failed: ${why}`,
    byHand: "Backups are off. Start the hub with a folder on another disk:", noKey: "A backup needs a recovery key. Make it on the house's machine; it is printed once:", key: "Recovery key", hasKey: "Made, on paper only", house: "The house's key", full: "Full protection. ", reduced: "Reduced protection. ", now: "To make a backup now, on the house's machine:",
  },

  energy: {
    kinds: { electricity: "Electricity", solar: "Solar", gas: "Gas", water: "Water" }, span: "Time shown", used: "Consumption", cost: "Cost",
    sum: (use) => `${number.step(use.energy, 1)}\u00a0${use.unit}${use.cost ? `, costs ${number.step(use.cost, 2)}` : ""}`, power: (watts) => `${amount(watts)}\u00a0W now`,
    none: "No meter is connected.", noneDo: "Energy, gas and water sensors appear here once they are connected.",
    air: "Environment", metrics: { co2: "CO₂", pm25: "Fine dust", voc: "Vapours" }, noAir: "No air sensor is connected.", noAirDo: "Temperature, humidity and air sensors appear here once they are connected.",
  },
  tasks: {
    title: "Maintenance", add: "Add", none: "No tasks.", noneDo: "Add a task, and you get a notification on the day.",
    groups: ["Overdue", "Within a week", "Within a month", "Later", "No due date"],
    what: "Task", missing: "Enter a task.", on: "Due", day: "Due on", dayHelp: "Like 31 Jan, Friday, tomorrow",
    every: "How often", month: "Five weeks", often: { "": "Once", daily: "Every day", weekly: "Every week", biweekly: "Every two weeks", monthly: "Every month", quarterly: "Every three months", semiannual: "Every six months", annual: "Every year" },
    kind: "Kind", kinds: named("other appliance battery cleaning electrical exterior heating plumbing safety"), weight: "Priority", weights: named("normal low high urgent"), room: "Room", nowhere: "None",
    notes: "Notes", save: "Save", change: "Change", remove: "Remove", removeBody: "Its history is deleted too.",
    done: "Done", cost: "Cost", costHelp: "Like 12.99 EUR", history: "History", never: "Not done yet.",
  },
};

export const screens = {};
const RIGHTS = { audit: "control_devices", retention: "control_devices", energy: "view_energy", maintenance: "control_devices", backups: "modify_settings" };

/** A page under `/privacy`; it does not exist for people without its right. */
function page(name, build) {
  const [title, sub] = privacy.places[name];
  screens[name] = { open: async (place) => (session.can(RIGHTS[name]) ? { title, node: h("div.list-page", pageHead(title, { back: "/privacy", sub }), await build(place, privacy[name])) } : place.nothing()) };
}

/** Downloads a file from the hub, however long that takes. */
async function save(method, from, name, options) {
  const answer = await api(method, from, { raw: true, signal: AbortSignal.timeout(600000), ...options });
  const href = URL.createObjectURL(await readBody(answer.blob()));
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

/** Jobs that were stopped here; a job stopped elsewhere is reported. */
const stopped = new Set();

// The person's own page: stored data, export and erasure.
screens.mine = { async open({ until, say }) {
  const me = session.me, wrong = h("div"), all = topic("/jobs", 2000, (body) => body.jobs.filter(({ job_id: id, step }) => step !== "stopped" || !stopped.has(id)), () => false, () => ((all.value || []).some(isOpen) ? 1000 : 60000));
  const isOpen = (job) => /^(wait|run)/.test(job.state);
  let holdings = [];
  const whose = choice(privacy.whose, [[me.person_id, privacy.you]]), them = () => path("people", whose.value);
  const nameOf = (id) => (id === me.person_id ? me.name : ((known("people") || []).find((one) => one.person_id === id) || {}).name);
  if (me.role === "owner") until(follow("people", (people) => whose.input.length > 1 || whose.offer(people.filter((one) => one.person_id !== me.person_id).map((one) => [one.person_id, one.name])), () => {}));

  const take = button("tonal", privacy.take, () => attempt(take, wrong, async (key) => {
    await api("POST", `${them()}/export`, { key });
    await refresh(all);
  }));
  const erase = () => sheet(privacy.eraseTitle(nameOf(whose.value)), (close) => {
    const name = nameOf(whose.value), typed = field(privacy.typeName(name), { autocomplete: "off" }), said = h("div");
    return [h("p", privacy.eraseBody), h("p", privacy.eraseStays), form(close, privacy.eraseVerb, { nodes: h("div", typed.node, said), value() {
      const same = typed.value.trim() === name;
      typed.error(same ? null : privacy.notName(name));
      return same;
    } }, (yes) => attempt(yes, said, async (key) => {
      // The house ends every session before it answers.
      session.leaving = whose.value === me.person_id;
      try {
        await api("POST", `${them()}/erase`, { key });
      } catch (error) {
        session.leaving = false;
        throw error;
      }
      close("");
      if (!session.leaving) return refresh(all);
      const main = document.querySelector("main");
      showBarePage(main);
      document.title = `${privacy.gone} · ${text.app}`;
      fill(main, h("div.card", brand(), h("h1", { tabindex: "-1" }, privacy.gone), h("p", privacy.goneBody)));
      main.querySelector("h1").focus();
      await signOut();
    }), null, "destroy")];
  });

  function job(one) {
    const { kind, state, step, progress, link, bytes, problem, receipt } = one, name = one.person_id === me.person_id ? privacy.you : nameOf(one.person_id) || text.activity.someone;
    const at = privacy.steps[step] || (holdings.find((part) => part.purpose === step) || { what: privacy.step(step) }).what;
    const line = isOpen(one) ? [at, " · ", when(one.asked_at, since)] : problem || (receipt ? privacy.erased(Object.values(receipt.rows).reduce((a, b) => a + b, 0)) : link ? [privacy.ready(bytes / 1e6), when(one.expires_at)] : kind === "export" ? privacy.over : null);
    const get = link && button("outlined", privacy.fetch, () => attempt(get, wrong, () => save("GET", `${path("jobs", one.job_id)}/archive`, `cardea-${one.job_id}.zip`)));
    const stop = isOpen(one) && kind === "export" && button("outlined", text.verbs.stop, () => attempt(stop, wrong, async (key) => {
      stopped.add(one.job_id);
      await api("DELETE", path("jobs", one.job_id), { key });
      await refresh(all);
    }), h("span.vh", " ", name));
    const node = row([privacy.kinds[kind], ": ", name], null, line, state === "failed" && badge(text.activity.results.failed, "danger"), get, stop);
    if (isOpen(one) && progress !== null) node.firstChild.append(h("progress", { value: progress, "aria-label": at }));
    if (receipt) node.firstChild.append(h("details.fold", h("summary", privacy.stays), receipt.kept.map((why) => h("p.small", why))));
    return node;
  }

  return { title: privacy.title, node: h("div.list-page", pageHead(privacy.title), h("div.stack", privacy.policy.map((line) => h("p.third", line)), h("a", { href: "/policy" }, privacy.whole)),
    section(privacy.kept, {}, liveSection(until, source("/privacy", /^$/), (body, node) => fill(node, rows((holdings = body.holdings).map((one) => row(one.what, null, privacy.keeps(one), one.count !== null && small(number.step(one.count, 0)))))))),
    section(privacy.yours, {}, h("div.stack", me.role === "owner" && whose.node, h("p.third", privacy.takeHelp), buttons(take, button("plain.danger", privacy.erase, erase)), wrong, liveSection(until, all, (jobs, node) => fill(node, jobs.length > 0 && rows(jobs.map(job)))))),
    section(privacy.others, {}, rows(Object.entries(privacy.places).filter(([name]) => session.can(RIGHTS[name])).map(([name, [title, sub]]) => row(title, `/privacy/${name}`, sub))))) };
} };

// The audit log: search, details and proof.
page("audit", async ({ until, query, say, go }, words) => {
  const { fetchAuditRoot, verifyEntry, verifyRoot, forgetAuditRoot } = await import("./auditProof.js");
  const look = Object.fromEntries(["person_id", "guest_id", "device_id", "result", "action"].map((name) => [name, query.get(name) || ""]));
  const place = h("div"), wrong = h("div"), list = h("ul.rows"), standing = h("p", { role: "status" }), chosen = () => Object.fromEntries(Object.entries(look).filter(([, value]) => value));
  let turn = 0, next;
  const find = (change) => {
    Object.assign(look, change);
    for (const chip of chips.children) chip.setAttribute("aria-pressed", chip.dataset.result === look.result);
    history.replaceState(null, "", `?${new URLSearchParams(chosen())}`);
    load(true);
  };
  const chips = h("div.chips", { role: "group", "aria-label": words.result }, Object.entries(words.results).map(([result, word]) => h("button.chip", { "data-result": result, onclick: () => find({ result }) }, word)));
  const pick = (label, any, said) => choice(label, [["", any]], { onchange: ({ target: { value } }) => find(said(value)) });
  // The prefix of an id names its kind.
  const who = pick(words.person, words.anybody, (id) => (/^guest_/.test(id) ? { guest_id: id, person_id: "" } : { guest_id: "", person_id: id }));
  const device = pick(words.device, words.anything, (id) => ({ device_id: id }));
  const action = field(words.action, { type: "search", autocomplete: "off", value: look.action, onchange: () => find({ action: action.value.trim() }) });
  const offer = (one, topic, id, pair, isOffered) => until(follow(topic, (all) => {
    if (!isOffered) one.offer(all.map(pair));
    isOffered = true;
    if (look[id]) one.input.value = look[id];
  }, () => {}));
  const runs = session.can("manage_people");
  if (runs) offer(who, "people", "person_id", (one) => [one.person_id, one.name]);
  if (runs && session.can("invite_guests")) offer(who, "guests", "guest_id", (one) => [one.guest_id, `${one.name} · ${text.guests.status[one.status]} · ${validityOf(one)}`]);
  offer(device, "devices", "device_id", (one) => [one.device_id, one.name]);
  const more = button("outlined", text.activity.older, () => load());

  /** The next page, or the first one of another search. */
  async function load(anew) {
    const mine = (turn += 1);
    if (anew) {
      fill(place, skeleton(4));
      more.hidden = true;
    }
    fill(wrong);
    try {
      const { entries, next_before: before } = await api("GET", `/audit?${new URLSearchParams({ ...chosen(), ...(!anew && { before: next }) })}`);
      if (mine !== turn) return;
      next = before;
      more.hidden = !next;
      if (anew) fill(list);
      list.append(...entries.map(line));
      const shown = list.childElementCount;
      if (anew) fill(place, shown ? h("div.panel", list) : h("div.panel", Object.keys(chosen()).length ? empty(words.noneFound, null, button("outlined", text.activity.everything, () => go("/privacy/audit"))) : empty(words.none, words.noneDo)));
      say(words.found(shown, next));
    } catch (error) {
      if (mine === turn) fill(anew ? place : wrong, h("div.panel.padded", errorPanel(error, () => load(anew), text.failed)));
    }
  }

  function line(entry) {
    const { head, line, drawing, tone } = describeEntry(entry), one = row(head, () => open(entry, head), [line, line && " · ", when(entry.at)]);
    one.prepend(icon(drawing, "i22"));
    if (tone) one.dataset.tone = tone;
    return one;
  }

  const DRAWN = { proven: "check", unsigned: "check", first: "check", signed: "check", checking: "clock", cannot: "info", renamed: "info" };
  const badge = (node, state, words) => fill(node, h(`span.tag.proof.${state === "proven" ? "accent" : DRAWN[state] ? "quiet" : "danger"}`, icon(DRAWN[state] || "alert", "i14"), h("span", words)));
  /** The result of the verification, or the reason why there is none. */
  async function prove(node, ask, check, until = {}) {
    badge(node, "checking", words.checking);
    try {
      const found = await ask, came = await check(found), state = found.broken_at && !/^(fork|anot|alt)/.test(came) ? "broken" : came;
      badge(node, state, until[state] ? [until[state], found.broken_at || when(found.at)] : words[state]);
      return { found, state };
    } catch (error) {
      badge(node, /broken/.test(error.code) ? "altered" : "cannot", /^audit/.test(error.code) ? error.message : text.error(error));
      return {};
    }
  }

  function open(entry, head) {
    const mark = h("p", { role: "status" }), proof = h("div");
    sheet(head, (close) => [h("p.third.sheet-sub", words.entry(entry.id)), mark, facts([
      [text.activity.detail.who, whoIs(entry.who)], [text.activity.detail.when, when(entry.at)], [text.activity.detail.what, entry.action], [text.activity.detail.result, entry.result], [text.activity.detail.reason, entry.reason && (text.reasons[entry.reason] || entry.reason)],
    ]), proof, buttons(button("outlined", text.close, () => close("")))]);
    // Under a root that does not extend the one seen before, no entry counts as unchanged.
    const check = async (found) => {
      const [state, record] = await Promise.all([verifyEntry(entry, found), whole]);
      return record.state === "forked" && /proven|renamed/.test(state) ? "forked" : state;
    };
    prove(mark, api("GET", `${path("audit", entry.id)}/proof`), check).then(({ found }) => found && fill(proof, details(found.checkpoint, [words.told, found.told])));
  }
  const details = ({ root, key, note }, ...first) => h("details.fold", h("summary", words.how), h("p.small", words.checked), h("p.small", words.elsewhere), [...first, [words.root, root], [words.key, key]].map(([name, value]) => [h("p.small", h("strong", name)), h("p.link-text.mono", value)]), copyButton(words.root, () => note));

  const take = (word, format, name) => {
    const one = button("outlined", word, () => attempt(one, wrong, () => save("POST", "/audit/export", name, { body: { format, ...chosen() } })));
    return one;
  };
  const root = h("div");
  let whole = {};
  async function weigh() {
    whole = prove(standing, fetchAuditRoot(), verifyRoot, words.until);
    const { found, state } = await whole;
    fill(root, found && found.note && details(found), (state === "forked" || state === "another") && button("outlined", words.accept, accept));
  }
  async function accept() {
    if (!(await confirm({ title: words.acceptTitle, body: words.acceptBody, verb: words.accept }))) return;
    forgetAuditRoot();
    weigh();
  }
  if (runs) weigh();
  find({});
  return [standing, root, h("div.tools", runs && who.node, device.node, action.node), chips, h("div.section", place), wrong, buttons(more, runs && [take(words.bundle, "json", "audit.jsonl"), take(words.table, "csv", "audit.csv")])];
});

// Retention: an owner can choose fewer days.
page("retention", ({ until, say }, words) => {
  const rules = source("/retention", /^house/), isOwner = session.me.role === "owner", wrong = h("div"), list = h("ul.rows");
  const save = button("filled", words.save, async () => {
    const days = {}, fewer = [];
    for (const { word, rule, input, said } of list.children) {
      const most = rule.most_days, n = isForGood(most) && !input.value.trim() ? most : Number(input.value), isRight = Number.isInteger(n) && n >= 1 && n <= most;
      fill(said, isRight ? null : words.wrong(most));
      if (!isRight) return input.focus();
      if (n !== rule.days) days[rule.kind] = n;
      if (n < rule.days) fewer.push(words.line(word, n));
    }
    if (!fewer.length || (await confirm({ title: words.ask, body: words.goes(fewer), verb: words.save }))) attempt(save, wrong, async (key) => {
      await api("PUT", "/retention", { body: { days }, key });
      await refresh(rules);
      say(text.saved);
    });
  });

  function line({ kind }) {
    const word = words.kinds[kind] || words.kind(kind), about = h("span"), said = h("span.field-error", { role: "alert" });
    const input = isOwner ? h("input.input.days-kept", { inputmode: "numeric", "aria-label": words.days(word) }) : small(), node = row(word, null, about, input);
    node.firstChild.append(said);
    return Object.assign(node, { word, about, input, said });
  }

  /** The field is empty for data that is kept for good. */
  const written = (days) => (isForGood(days) ? "" : String(days));

  /** A field in use is not overwritten. */
  function tell(one, rule) {
    fill(one.about, words.most(rule), rule.swept_at && [` · ${words.swept} `, when(rule.swept_at)]);
    if (!isOwner) fill(one.input, words.lasts(rule.days));
    else if (!one.rule || one.input.value === written(one.rule.days)) one.input.value = written(rule.days);
    one.rule = rule;
  }

  return [liveSection(until, rules, ({ retention }, node) => {
    keyed(list, retention, (rule) => rule.kind, line, tell);
    if (!list.isConnected) fill(node, h("div.panel", list), isOwner && buttons(save));
  }), wrong];
});

// Backups: their status. They are made and restored on the house's machine.
page("backups", ({ until }, words) => liveSection(until, source("/backups", /^notice/), (b, node) => {
  const command = (line, code) => h("div", h("p", line), h("p.link-text.mono", code));
  fill(node, b.failure && h("div.form-said.link-panel", icon("alert", "i18"), h("span", words.failed(b.failure), " (", when(b.failed_at), ")")), h("div.panel.padded", facts([
    [words.last, b.good_at ? [when(b.good_at), words.size(b.good_bytes)] : words.none], [words.next, b.next_at && when(b.next_at)], [words.where, b.folder], [words.often, b.folder && (b.every_hours ? words.hours(b.every_hours) : words.daily)],
    [words.keep, b.folder && words.kept(b.keep, b.keep_days)], [words.key, b.has_recovery_key ? words.hasKey : null], [words.restored, b.restored_at && when(b.restored_at)], [words.house, b.key && [words[b.key.protection], b.key.words]],
  ])), h("div.section.stack", !b.has_recovery_key && command(words.noKey, "cardea-hub recovery-key --data FOLDER"), !b.folder && command(words.byHand, "cardea-hub serve --backup-folder FOLDER"), b.has_recovery_key && command(words.now, "cardea-hub backup --data FOLDER --out FILE")));
}));

// Energy: the consumption of each meter by hour or day; and the values of each air sensor.
page("energy", async ({ until }, words) => {
  const { SPANS, chart, point } = await import("../Devices/plot.js");
  const used = h("div"), air = h("div");
  let turn = 0;
  until(() => (turn = -1));

  function load(span) {
    const mine = (turn += 1), to = now(), from = to - SPANS[span], query = (more) => new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...more });
    const hours = async ({ device_id: id, entity_id }) => (await api("GET", `${path("devices", id)}/history?${query({ entity_id, resolution: "hour" })}`)).points;
    [["energy", used, meters], ["environment", air, sensors]].forEach(async ([what, place, told]) => {
      fill(place, skeleton(3));
      try {
        const nodes = await told((await api("GET", `/${what}?${query()}`)).readings, hours, span);
        if (mine === turn) fill(place, nodes);
      } catch (error) {
        if (mine === turn) fill(place, h("div.panel.padded", error.status === 403 ? empty(text.error(error)) : errorPanel(error, () => load(span), text.failed)));
      }
    });
  }

  async function meters(readings, hours, span) {
    const uses = await Promise.all(readings.map(async (use) => ({ ...use, points: together(await Promise.all(use.meters.filter((one) => one.energy).map(async (one) => counted(await hours(one), one.energy))), span) })));
    return uses.length ? uses.map((use) => section(words.kinds[use.energy_type], { aside: small(use.power !== null && words.power(use.power)) }, h("p", use.energy !== null && words.sum(use)), h("div.panel.padded", chart(words.used, use.unit, [
      { name: words.used, points: use.points }], use.cost ? [{ name: words.cost, points: use.points.map((one) => ({ ...one, mean: one.mean * use.cost / use.energy })), value: (n) => number.step(n, 2) }] : [])))) : h("div.panel", empty(words.none, words.noneDo));
  }

  async function sensors(readings, hours, span) {
    if (!known("devices")) await refresh("devices");
    const lines = await Promise.all(readings.sort((a, b) => a.metric.localeCompare(b.metric)).map(async (one) => {
      const name = line(words.metrics[one.metric] || plain(one.metric), nameOfDevice(one)), unit = one.unit_of_measurement;
      return section(name, { level: "h3", aside: small(text.history.value({ mean: one.value, low: one.min, high: one.max }, unit)) },
        h("div.panel.padded", await hours(one).then((points) => chart(name, unit, [{ name: text.history.mean, points: points.map(({ at, mean, min, max }) => point(at, mean, min, max)) }]), (error) => errorPanel(error, () => load(span)))));
    }));
    return section(words.air, {}, lines.length ? lines : h("div.panel", empty(words.noAir, words.noAirDo)));
  }

  /** The share of each hour in a meter's consumption, scaled to the total that the hub reports, so that units do not matter. */
  function counted(points, energy) {
    const steps = points.map((one, n) => ({ at: read(one.at), mean: Math.max(0, one.max - (n ? points[n - 1].max : one.min)) })), sum = steps.reduce((all, one) => all + one.mean, 0);
    return steps.map((one) => ({ ...one, mean: sum && one.mean * energy / sum }));
  }

  /** All meters of a kind, by hour or by day. */
  function together(meters, span) {
    const sums = new Map();
    for (const { at, mean } of meters.flat()) {
      const p = dateParts(at), key = span === "day" ? at : `${p.month}-${p.day}`, sum = sums.get(key) || { at, mean: 0 };
      sum.low = sum.high = sum.mean += mean;
      sums.set(key, sum);
    }
    return [...sums.values()].sort((a, b) => a.at - b.at);
  }

  load("day");
  return [segments(words.span, Object.entries(text.history.ranges), "day", load), used, air];
});

// Maintenance: tasks, when they are due, when they were done, and their cost.

const TASKS = "/privacy/maintenance", due = privacy.tasks;
const tasks = source("/maintenance", /^maintenance_/);
const noon = (day) => instantOf(...day.split("-").map(Number), 12);
/** Decimal places by ISO 4217, as the hub has them: browsers round some currencies otherwise. */
const digits = (currency) => ("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".includes(currency) ? 0 : "BHD IQD JOD KWD LYD OMR TND".includes(currency) ? 3 : 2);
const cost = ({ minor, currency }) => `${(minor / 10 ** digits(currency)).toFixed(digits(currency))} ${currency}`;
const nameOfDevice = ({ device_id: id }) => ((known("devices") || []).find((one) => one.device_id === id) || {}).name;
const line = (...told) => told.filter(Boolean).join(" · ");

/** The due or completion date, the interval, the device, the room and the kind. */
const aboutTask = (one) => line(one.done_at ? `${due.done} ${dayInSentence(read(one.done_at))}` : one.due_on && `${due.on} ${dayInSentence(noon(one.due_on))}`, one.recurrence && due.often[one.recurrence], nameOfDevice(one),
  (session.house.rooms.find((room) => room.room_id === one.room_id) || {}).name, one.category !== "other" && due.kinds[one.category], one.priority !== "normal" && due.weights[one.priority]);

screens.maintenance = { async open({ until, say, alarm, go, query, nothing }) {
  if (!session.can(RIGHTS.maintenance)) return nothing();
  until(follow("devices", () => {}, () => {}));
  const id = query.get("task");
  if (!id) return listTasks(until);
  const here = path("maintenance", id), isNew = id === "new" && session.can("manage_maintenance"), about = h("div"), past = h("div"), wrong = h("div");
  const heard = async () => fill(past, history(await api("GET", `${here}/history`)));
  let [task] = isNew ? [{ category: "other", priority: "normal" }] : await Promise.all([api("GET", here), heard()]), written = () => {};
  const title = task.title || due.what, head = pageHead(title, { back: TASKS });
  tell();
  return { title, node: h("div.narrow", head, about,
    session.can("manage_maintenance") && (isNew ? editor() : [finish(), h("details.fold", h("summary", due.change), editor(), button("plain.danger", due.remove, remove), wrong)]), past) };

  function tell() {
    if (!isNew) fill(about, h("p.third", aboutTask(task)), task.notes && h("p", task.notes));
  }

  /** The history, latest first; earlier entries on request. */
  function history(first) {
    const list = h("ul.rows"), missed = h("div");
    let last;
    const more = button("outlined", text.activity.older, () => attempt(more, missed, async () => add(await api("GET", `${here}/history?before=${last}`))));
    const add = ({ completions, has_more: isMore }) => {
      for (const one of completions) {
        list.append(row(longDay(read(one.completed_at)), null, line(one.completed_by_name, one.service_provider, one.notes), one.cost && cost(one.cost)));
        last = one.completion_id;
      }
      more.hidden = !isMore;
    };
    add(first);
    return section(due.history, {}, last ? h("div.panel", list) : h("p.third", due.never), missed, buttons(more));
  }

  /** Sends a change of the task and returns to the list. After a conflict it shows the current task; sending again applies the change to that. */
  async function send(said, method, to, body, key) {
    try {
      await api(method, to, { body, key, headers: isNew ? {} : { "If-Match": `"${task.version}"` } });
    } catch (error) {
      if (error.status !== 412) throw error;
      task = error.details.current;
      setText(head.querySelector("h1"), task.title);
      tell();
      written();
      heard().catch(() => {});
      fill(said, h("div.failed", { role: "alert" }, h("p", h("strong", text.error(error))), h("p", line(task.title, aboutTask(task), task.notes))));
      return;
    }
    refresh(tasks);
    say(text.saved);
    go(TASKS, { replace: true });
  }

  /** A form; `wrong()` returns the field in error with its message. A retry sends the current values. */
  function form(verb, fields, wrong, method, to, body) {
    const said = h("div"), save = h("button.button.filled", { type: "submit" }, verb), keyOf = formIdempotencyKeys();
    const node = sending(save, () => {
      for (const one of fields) one.error();
      const [one, message] = wrong() || [];
      if (one) {
        one.error(message);
        return one.input.focus();
      }
      fill(said);
      during(save, text.saving, () => send(said, method, to, body(), keyOf(body())), (error) => {
        alarm(text.error(error));
        fill(said, errorPanel(error, () => node.requestSubmit()));
      });
    }, fields.map((one) => one.node), said, buttons(save));
    return node;
  }

  function editor() {
    const title = field(due.what, { maxlength: "100" }), day = field(due.day, {}, { help: due.dayHelp }), every = choice(due.every, Object.entries(due.often)), was = {};
    const fields = { title, due_on: day, recurrence: every, category: choice(due.kind, Object.entries(due.kinds)), priority: choice(due.weight, Object.entries(due.weights)),
      room_id: choice(due.room, [["", due.nowhere], ...session.house.rooms.map((room) => [room.room_id, room.name])]), notes: field(due.notes, { maxlength: "500" }) };
    // The hub's values, except for those that the person changed here.
    written = () => {
      for (const [name, { input }] of Object.entries(fields)) {
        const typed = input.value, value = task[name] || "", isTheirs = name in was && typed !== was[name];
        input.value = name === "due_on" && value ? formatMoment(noon(value), { dayOnly: true }) : value;
        was[name] = input.value;
        if (isTheirs) input.value = typed;
      }
    };
    written();
    const onDay = () => parseMoment(day.value, { dayOnly: true });
    const isoDay = ({ year, month, day: date } = dateParts(onDay())) => new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10);
    // Only changed values are sent: someone else may have changed the others.
    return form(due.save, Object.values(fields), () => (!title.value.trim() ? [title, due.missing] : (day.value.trim() || every.value) && !onDay() ? [day, due.dayHelp] : null), isNew ? "POST" : "PATCH", isNew ? "/maintenance" : here,
      () => Object.fromEntries(Object.entries(fields).filter(([name, { value }]) => isNew || value !== was[name]).map(([name, { value }]) => [name, value && name === "due_on" ? isoDay() : value || null])));
  }

  function finish() {
    const cost = field(due.cost, {}, { help: due.costHelp }), notes = field(due.notes, { maxlength: "500" });
    const paid = () => {
      const [, whole, part = "", currency] = cost.value.trim().toUpperCase().match(/^(\d{1,9})(?:[.,](\d{1,3}))?\s*([A-Z]{3})$/) || [];
      return currency && part.length <= digits(currency) ? { minor: Number(whole + part.padEnd(digits(currency), "0")), currency } : null;
    };
    return form(due.done, [cost, notes], () => cost.value.trim() && !paid() && [cost, due.costHelp], "POST", `${here}/complete`, () => ({ cost: paid(), notes: notes.value || null }));
  }

  async function remove({ target }) {
    if (await confirm({ title: `${due.remove} ${task.title}?`, body: due.removeBody, verb: due.remove })) attempt(target, wrong, (key) => send(wrong, "DELETE", here, undefined, key));
  }
} };

/** Five weeks from Monday on, with a dot for each task; a click on a day moves to its first task. */
const month = ({ today, tasks }, node) => h("div.month", { role: "group", "aria-label": due.month }, Array.from({ length: 35 }, (_, n) => {
  const day = new Date(Date.parse(today) + (n - (new Date(today).getUTCDay() + 6) % 7) * DAY).toISOString().slice(0, 10), mine = tasks.filter((one) => one.due_on === day), at = noon(day);
  const words = [n < 7 && h("span.small", format("wds", { weekday: "short" }).format(at), " "), dateParts(at).day], current = day === today && "date";
  return mine.length ? h("button.chip", { "aria-current": current, "aria-label": `${longDay(at)}: ${count(mine.length, "task")}`, onclick: () => node.querySelector(`[href$="${mine[0].task_id}"]`).focus() }, words, " ", "•".repeat(mine.length)) : h("span", { "aria-current": current }, words);
}));

function listTasks(until) {
  const list = liveSection(until, tasks, (body, node) => {
    const group = ({ due_on: day }, left = (Date.parse(day) - Date.parse(body.today)) / DAY) => (left < 0 ? 0 : left < 7 ? 1 : left < 31 ? 2 : day ? 3 : 4);
    fill(node, body.total
      ? [month(body, node), due.groups.map((name, place) => [name, body.tasks.filter((one) => group(one) === place)]).filter(([, some]) => some.length).map(([name, some]) => section(name, {}, rows(some.map((one) => row(one.title, `${TASKS}?task=${one.task_id}`, aboutTask(one))))))]
      : h("div.panel", empty(due.none, due.noneDo)));
  });
  return { title: due.title, node: h("div.list-page", pageHead(due.title, { back: "/privacy", actions: session.can("manage_maintenance") && [h("a.button.filled", { href: `${TASKS}?task=new` }, icon("plus", "i18"), due.add)] }), list) };
}
