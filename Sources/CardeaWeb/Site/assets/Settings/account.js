// A person's account: sessions, passkeys, recovery codes, the password, and what they set up lately.

import { age, api, attempt, button as press, choice, confirm, copyButton, runAction, during, empty, errorPanel, fill, follow, h, icon, keyed, formError, newKey, pageHead, read, setTemperatureUnit, refresh, renameSheet as renamed, section, segments, sending, session, shortMoment, skeleton, badge, text, timeElement, toggle, topic, loadError } from "../Shell/ui.js";
import { createPasskey, canUsePasskeys, isCancelled } from "../Sessions/passkey.js";
import { passwordField } from "../Sessions/password.js";
import { changes, presence, recovery } from "./words.js";

const words = text.settings;
const FIVE_MINUTES = 300000;
/** The last use of a session is shown only after some rest. */
const RECENT = FIVE_MINUTES;
/** A warning from this count on: paper gets lost, and the last code is needed on a bad day. */
const FEW = 3;

const PREFERENCES = "/people/me/preferences";

export async function open({ until, say, alarm }) {
  const recovered = Date.now() - session.recoveredAt < FIVE_MINUTES;
  const current = passwordField(words.current, { name: "current" });
  const fresh = passwordField(words.fresh, { fresh: true, help: text.claim.passwordHelp, name: "fresh" });
  const said = h("div.form-said", { role: "alert" });
  const button = h("button.button.filled", { type: "submit" }, words.changePassword);
  const form = sending(button, () => {
    fill(said);
    const asksOld = !current.node.hidden;
    current.error(current.value || !asksOld ? null : `${words.current}?`);
    fresh.error(fresh.value.length < 8 ? text.claim.passwordHelp : null);
    if (asksOld && !current.value) return current.input.focus();
    if (fresh.value.length < 8) return fresh.input.focus();
    during(button, text.saving, async () => {
      await api("PUT", "/people/me/password", { body: { ...(asksOld && { current_password: current.value }), new_password: fresh.value } });
      session.recoveredAt = 0;
      form.replaceWith(h("p", { role: "status" }, words.changed), accessChanges());
      say(words.changed);
    }, (error) => {
      if (error.code === "invalid_credentials") {
        current.error(words.wrongCurrent);
        return current.input.focus();
      }
      fill(said, formError(error));
    });
  }, said, h("input", { type: "text", name: "username", autocomplete: "username", value: session.me.username || "", hidden: true, readonly: true }), recovered && h("p.third", words.recovered), current.node, fresh.node, h("div.row-buttons", button));
  current.node.hidden = recovered;
  const change = section(words.changePassword, {}, form);
  return { title: words.account, node: h("div.narrow", pageHead(words.account, { back: "/settings", sub: session.me.name }), recovered && change, sessions({ until }), passkeys({ until, say, alarm }), recoveryCodes({ until, say, alarm }), !recovered && change, degrees({ say }), session.can("control_devices") && presenceSection({ say })) };
}

/** The unit of temperatures, for all browsers of the person. */
function degrees({ say }) {
  const said = h("div.form-said", { role: "alert" }), board = h("div");
  draw();
  return section(words.degrees, {}, board, said);

  function draw() {
    fill(board, segments(words.degrees, Object.entries({ celsius: "°C", fahrenheit: "°F" }), session.me.temperature_unit, choose));
  }

  async function choose(unit) {
    fill(said);
    try {
      const { version, ...kept } = await api("GET", PREFERENCES);
      await api("PUT", PREFERENCES, { body: { ...kept, temperature_unit: unit }, headers: { "If-Match": `"${version}"` } });
      session.me.temperature_unit = unit;
      setTemperatureUnit(unit);
      say(text.saved);
    } catch (error) {
      fill(said, formError(error));
      draw();
    }
  }
}

/** The source of the person's presence; empty if there is none. */
function presenceSection({ say }) {
  const words = presence, path = "/people/me/presence/source", wrong = h("div"), board = h("div"), node = section(words.title, {}, h("p.third.session-lead", words.lead), board);
  node.hidden = true;
  load();
  return node;

  async function load() {
    try {
      draw(await api("GET", path));
    } catch (error) {
      node.hidden = false;
      fill(board, errorPanel(error, load, words.failed));
    }
  }

  function draw({ linked, candidates }) {
    const now = (linked && linked.entity_id) || "", known = candidates.some((one) => one.entity_id === now);
    const source = choice(words.source, [["", words.none], ...(now && !known ? [[now, linked.name || now]] : []), ...candidates.map((one) => [one.entity_id, one.name || one.entity_id])]);
    source.input.value = now;
    node.hidden = !linked && !candidates.length;
    const save = press("tonal", words.save, () => attempt(save, wrong, async (key) => {
      const { value } = source;
      if (value) await api("PUT", path, { body: { entity_id: value }, key });
      else await api("DELETE", path, { key });
      say(text.saved);
      await load();
    }));
    fill(board, h("div.panel.padded", source.node, linked && !now && h("p.small.third", words.away(linked.integration)), wrong, h("div.row-buttons", save)));
  }
}

/**
 * The sessions: each browser and phone, from where and since when, and a button to end it. `whose` is the path of
 * a managed person.
 */
export function sessions({ until }, whose) {
  const words = { ...text.sessions, ...(whose && text.sessions.theirs) }, from = `${whose || "/auth"}/sessions`;
  let shown;
  const open = topic(from, 15000, (body) => body.sessions, (type) => type === "person_update", () => 30000);
  const list = h("ul.rows"), board = h("div", skeleton(2)), wrong = h("div");
  const others = h("button.button.outlined", { hidden: true, onclick: endOthers }, words.endOthers);
  const node = section(words.title, {}, h("p.third.session-lead", words.lead), board, wrong, h("div.row-buttons", others));
  const head = node.querySelector("h2");
  head.setAttribute("tabindex", "-1");

  until(follow(open, (all) => {
    const sorted = [...all].sort((a, b) => b.current - a.current || read(b.last_used_at) - read(a.last_used_at));
    if (!all.length) fill(board, h("p.third", words.none));
    else if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, sorted, (one) => one.session_id, make, (row, one) => row.show(one));
    others.hidden = all.length < (whose ? 1 : 2);
  }, (error) => {
    if (list.isConnected) return;
    // An older hub has no list; the password can be changed all the same.
    if (error.status === 404) node.hidden = true;
    else fill(board, loadError(open, error, words.failed));
  }));

  function make(one) {
    const line = h("span.small.third");
    const row = h("li", icon(/iPhone|Android|iPad|phone/i.test(one.device) ? "phone" : "screen", "i22"), h("span.row-words", h("strong", one.device), line),
      one.current ? badge(words.current, "accent") : h("button.button.plain.danger", { onclick: () => end(one, row) }, words.end, h("span.vh", ` ${one.device}`)));
    row.show = ({ place, signed_in_by: by, last_used_at: used, created_at: made }) => {
      const since = words.by(words.ways[by] || words.ways.password, shortMoment(read(made)));
      const signature = [place, since, used].join();
      if (row.dataset.shown === signature) return;
      row.dataset.shown = signature;
      fill(line, [place === "local network" ? words.local : place, since].filter(Boolean).join(" · "), one.current || Date.now() - read(used) < RECENT ? null : [" · ", words.used, " ", timeElement(read(used), age)]);
    };
    return row;
  }

  async function end(one, row) {
    if (!(await confirm({ title: words.endTitle(one.device), body: words.endBody, verb: words.endVerb }))) return;
    const next = row.nextElementSibling || row.previousElementSibling;
    await runAction(wrong, (key) => api("DELETE", `${from}/${encodeURIComponent(one.session_id)}`, { key }), words.ended(one.device), () => end(one, row), open);
    const to = next && next.querySelector("button");
    (to || head).focus();
  }

  async function endOthers() {
    if (!(await confirm({ title: words.othersTitle, body: words.endBody, verb: words.endOthers }))) return;
    await runAction(wrong, async (key) => {
      await (whose ? api("DELETE", from, { key }) : api("POST", `${from}/revoke-all`, { body: { keep_current: true }, key }));
      if (shown) shown.remove();
      node.append(shown = accessChanges(whose));
    }, words.othersEnded, endOthers, open);
    head.focus();
  }

  return node;
}

/** The passkeys of the person: list, add, remove. */
function passkeys({ until, say, alarm }) {
  const words = text.passkeys;
  const mine = topic("/auth/passkeys", 30000, (body) => body.passkeys.filter((one) => !one.ended_at), (type) => type === "person_update");
  const list = h("ul.rows"), board = h("div", skeleton(1)), wrong = h("div");
  const add = h("button.button.tonal", { onclick: () => during(add, words.adding, async () => {
    fill(wrong);
    await createPasskey();
    say(words.added);
    await refresh(mine);
  }, (error) => tell(isCancelled(error) ? null : error)) }, words.add);
  const node = section(words.title, {}, board, wrong, canUsePasskeys() ? h("div.row-buttons", add) : h("p.small.third.passkey-why", words.cannot));

  until(follow(mine, (all) => {
    if (!all.length) return fill(board, h("div.panel", empty(words.none, words.noneDo)));
    if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, all, (one) => one.passkey_id, make, (row, one) => row.show(one));
  }, (error) => {
    if (error.status === 404) node.hidden = true;
    else if (!list.isConnected) fill(board, loadError(mine, error, words.failed));
  }));

  function make() {
    const row = h("li");
    row.show = (one) => {
      const line = [words.made(shortMoment(read(one.created_at))), one.last_used_at && words.used(shortMoment(read(one.last_used_at)))].filter(Boolean).join(" · ");
      if (row.dataset.shown === one.name + line) return;
      row.dataset.shown = one.name + line;
      const button = (style, word, run) => h(`button.button.plain${style}`, { onclick: () => run(one, row) }, word, h("span.vh", ` ${one.name}`));
      fill(row, icon("key", "i22"), h("span.row-words", h("strong", one.name), h("span.small.third", line)), h("span.row-do", button("", words.rename, rename), button(".danger", words.remove, remove)));
    };
    return row;
  }

  /** A name by which the person knows it: their phone, their security key. */
  async function rename(one, row) {
    const done = await renamed(words.renameTitle(one.name), words, one.name, async (name, key) => {
      await api("PATCH", `/auth/passkeys/${encodeURIComponent(one.passkey_id)}`, { body: { name }, key });
      await refresh(mine);
    });
    // The row was drawn again with its new name, so the earlier button is gone.
    if (row.isConnected) row.querySelector("button").focus();
    if (done) say(words.renamed);
  }

  async function remove(one) {
    if (!(await confirm({ title: words.removeTitle(one.name), body: words.removeBody, verb: words.removeVerb }))) return;
    fill(wrong);
    try {
      await api("DELETE", `/auth/passkeys/${encodeURIComponent(one.passkey_id)}`, { key: newKey() });
      say(words.removed);
    } catch (error) {
      tell(error);
    }
    await refresh(mine);
    if (add.isConnected) add.focus();
  }

  function tell(error) {
    const line = error ? text.error(error) : words.putAway;
    fill(wrong, h("div.form-said", { role: "alert" }, icon("info", "i18"), h("p", line)));
    alarm(line);
  }

  return node;
}

/** Recovery codes: how many are left, and ten new ones, shown once. */
function recoveryCodes({ until, say, alarm }) {
  const words = recovery;
  const state = topic("/auth/recovery-codes", 30000, (body) => body, (type) => type === "person_update");
  const board = h("div", skeleton(1)), wrong = h("div");
  let drawn = "", left = 0, showing = false;
  const button = h("button.button.tonal", { onclick: make });
  const buttons = h("div.row-buttons", { hidden: true }, button);
  const node = section(words.title, { className: "recovery" }, board, wrong, buttons);

  until(follow(state, (now) => {
    left = now.left;
    const signature = `${now.left} ${now.made_at}`;
    if (showing || drawn === signature) return;
    drawn = signature;
    button.textContent = now.made_at ? words.again : words.first;
    buttons.hidden = false;
    if (!now.made_at) return fill(board, h("div.panel", empty(words.none, words.noneDo)));
    const few = left <= FEW;
    fill(board, h("div.panel", h("ul.rows", h("li", icon("key", "i22"),
      h("span.row-words", h("strong", words.left(left)), h("span.small.third", words.about(shortMoment(read(now.made_at)))), few && h("span.small", words.fewDo)),
      few && badge(left ? words.few : words.spent, left ? "brass" : "danger")))));
  }, (error) => {
    if (error.status === 404) node.hidden = true;
    else if (!drawn) fill(board, loadError(state, error, words.failed));
  }));

  async function make() {
    if (left && !(await confirm({ title: words.againTitle, body: words.againBody, verb: words.again }))) return;
    fill(wrong);
    await during(button, words.making, async () => {
      const { codes } = await api("POST", "/auth/recovery-codes", { key: newKey() });
      show(codes);
      say(words.said(codes.length));
    }, (error) => {
      fill(wrong, h("div.form-said", { role: "alert" }, formError(error)));
      alarm(text.error(error));
    });
    if (showing) board.querySelector("h3").focus();
  }

  /** Shown here once; nothing of it is stored in this browser. */
  function show(codes) {
    showing = true;
    buttons.hidden = true;
    const whose = words.whose(session.house.name, session.me.name);
    const file = URL.createObjectURL(new Blob([[whose, words.title, "", ...codes, ""].join("\n")], { type: "text/plain" }));
    const forget = () => URL.revokeObjectURL(file);
    until(forget);
    fill(board, h("div.panel.padded.codes",
      h("h3", { tabindex: "-1" }, words.made), h("p.small.third", whose),
      h("ol.code-list", codes.map((code) => h("li.mono", code))),
      h("p.small.third", words.once),
      h("div.row-buttons",
        h("button.button.outlined", { onclick: () => print() }, icon("print", "i18"), words.print),
        copyButton(words.copy, () => codes.join("\n")),
        h("a.button.outlined", { href: file, download: words.file }, words.save)),
      h("div.row-buttons", h("button.button.filled", { onclick: () => {
        forget();
        showing = false;
        drawn = "";
        fill(board, skeleton(1));
        refresh(state).then(() => button.focus());
      } }, words.kept))));
  }

  return node;
}

/** `whose` is the path of a person. */
export function accessChanges(whose = "/people/me") {
  const board = h("div", skeleton(2)), node = section(changes.title, {}, h("p.third.session-lead", changes.lead), board);
  load();

  async function load() {
    try {
      const { changes: list } = await api("GET", `${whose}/access-changes`);
      fill(board, list.length ? h("div.panel.padded", list.map(row)) : h("p.third", changes.none));
    } catch (error) {
      fill(board, errorPanel(error, load));
    }
  }

  function row({ thing, id, name, changed_at: when, is_on: on, is_kept_off: kept }) {
    return toggle(name, { on, help: `${changes.things[thing]} · ${shortMoment(read(when))}`, change: async (on) => {
      if (kept || await confirm({ title: changes.endTitle(name), body: changes.endBody, verb: changes.end })) await api("PUT", `/access-changes/${thing}/${encodeURIComponent(id)}`, { body: { is_on: on }, key: newKey() });
      if (!kept) load();
    } }).node;
  }

  return node;
}
