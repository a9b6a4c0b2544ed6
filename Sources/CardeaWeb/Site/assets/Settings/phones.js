// Phones: the list, those that wait, and pairing by six digits; and the API tokens of programs.

import { age, api, button, buttons, clock, confirm, copyButton, DAY, runAction, during, empty, errorPanel, field, fill, follow, h, HubError, icon, id, keyed, known, longDay, formError, now, pageHead, errorSummary, read, refresh, renameSheet as renamed, requireValue, section, segments, sending, session, shortMoment, skeleton, badge, text, timeElement, topic, loadError } from "../Shell/ui.js";
import { qrImage } from "../Shell/qr.js";
import { phones as words, tokens as tokenWords } from "./words.js";

export async function open({ until, say, alarm, nothing }) {
  if (!session.can("control_devices")) return nothing();
  const hears = (type) => type === "phone_update";
  const mine = topic("/mobile/devices", 15000, (body) => body.devices, hears);
  const waiting = topic("/mobile/auth/pending", 3000, (body) => body.pairings, hears, () => 30000);
  const list = h("ul.rows"), board = h("div", skeleton(1)), wrong = h("div");
  const asking = h("ul.rows"), queue = h("div"), said = h("div.form-said", { role: "alert" }), picture = h("div.qr"), place = h("div");

  const digits = field(words.digits, {
    name: "pairing-digits", inputmode: "numeric", autocomplete: "off", maxlength: "11", spellcheck: "false",
  }, { help: words.digitsHelp });
  digits.input.classList.add("mono");
  const button = h("button.button.filled", { type: "submit" }, words.pair);
  const form = sending(button, pair, said, digits.node, h("div.row-buttons", button));
  const scan = h("details.fold", { ontoggle: () => scan.open && !place.childElementCount && draw() }, h("summary", words.scan), place);

  const phonesPart = section(words.have, {}, board, wrong);
  const head = phonesPart.querySelector("h2");
  head.setAttribute("tabindex", "-1");

  until(follow(mine, (all) => {
    if (!all.length) return fill(board, h("div.panel", empty(words.none, words.noneDo)));
    if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, all, (one) => one.device_id, row, (node, one) => node.show(one));
  }, (error) => {
    if (!list.isConnected) fill(board, loadError(mine, error, words.failed));
  }));
  until(follow(waiting, (all) => {
    if (!all.length) return fill(queue, h("p.small.third", words.nobody));
    if (!asking.isConnected) fill(queue, h("div.panel", asking));
    keyed(asking, all, (one) => one.pairing_id, waits, (node, one) => node.show(one));
  }, () => fill(queue)));

  function row() {
    const node = h("li");
    node.show = (one) => {
      const signature = JSON.stringify(one);
      if (node.dataset.shown === signature) return;
      node.dataset.shown = signature;
      const act = (style, word, run) => h(`button.button.plain${style}`, { onclick: () => run(one, node) }, word, h("span.vh", ` ${one.device_name}`));
      fill(node, icon("phone", "i22"), h("span.row-words", h("strong", one.device_name),
        h("span.small.third", [one.device_model, where(one), words.paired(shortMoment(read(one.paired_at)))].filter(Boolean).join(" · "), " · ", words.used, " ", timeElement(read(one.last_used_at), age))),
      h("span.row-do", act("", words.rename, rename), act(".danger", words.remove, remove)));
    };
    return node;
  }

  function waits() {
    const node = h("li");
    node.show = (one) => {
      if (node.dataset.shown === one.pairing_id) return;
      node.dataset.shown = one.pairing_id;
      fill(node, icon("phone", "i22"), h("span.row-words", h("strong", one.device_name),
        h("span.small.third", [one.device_model, where(one), words.asked(clock(read(one.created_at)))].filter(Boolean).join(" · "))),
      h("button.button.plain.danger", { onclick: () => reject(one, node) }, words.reject, h("span.vh", ` ${one.device_name}`)));
    };
    return node;
  }

  const where = (one) => (one.place === "local network" ? text.sessions.local : one.place);

  function pair() {
    fill(said);
    const code = digits.value.normalize("NFKC").replace(/\W/g, "");
    if (!requireValue(digits, words.digitsMissing, /^[0-9]{6}$/.test(code))) return;
    during(button, words.pairing, async () => {
      const phone = await api("POST", "/mobile/auth/confirm", { body: { code } });
      digits.input.value = "";
      say(words.done(phone.device_name));
      await refresh(waiting, mine);
    }, (error) => {
      fill(said, error.status === 404 ? formError({}, words.unknown) : formError(error));
      digits.input.select();
    });
  }

  async function draw() {
    fill(place, picture);
    fill(picture, h("p.small.third", text.pass.qrWait));
    try {
      const [link, code] = await Promise.all([api("GET", "/mobile/auth/invitation"), qrImage("/mobile/auth/invitation/qr.svg", words.scanAlt)]);
      fill(picture, code);
      fill(place, picture, h("p.small.third", words.address), h("p.link-text.mono", link.url),
        link.pins.length > 0 && [h("p.small.third", words.key), h("p.link-text.mono", link.pins[0])],
        h("div.row-buttons", copyButton(words.copy, () => link.app_link)));
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      fill(place, errorPanel(error, draw, text.pass.qrFailed));
    }
  }

  async function rename(one, node) {
    const done = await renamed(words.renameTitle(one.device_name), words, one.device_name, async (device_name, key) => {
      await api("PATCH", `/mobile/devices/${encodeURIComponent(one.device_id)}`, { body: { device_name }, key });
      await refresh(mine);
    });
    if (node.isConnected) node.querySelector("button").focus();
    if (done) say(words.renamed);
  }

  async function remove(one, node) {
    if (!(await confirm({ title: words.removeTitle(one.device_name), body: words.removeBody, verb: words.removeVerb }))) return;
    await runAction(wrong, (key) => api("DELETE", `/mobile/devices/${encodeURIComponent(one.device_id)}`, { key }), words.removed(one.device_name), () => remove(one, node), mine, waiting);
    head.focus();
  }

  async function reject(one, node) {
    await runAction(said, (key) => api("DELETE", `/mobile/auth/pending/${encodeURIComponent(one.pairing_id)}`, { key }), words.rejected(one.device_name), () => reject(one, node), mine, waiting);
    digits.input.focus();
  }

  return {
    title: words.title,
    node: h("div.narrow", pageHead(words.title, { back: "/settings" }), h("p.third.session-lead", words.lead), phonesPart,
      section(words.one, {}, h("div.panel.padded", h("p", words.how), scan, form), queue)),
  };
}

const RANKS = ["owner", "admin", "member"];
const MOST_DEVICES = 32;

export const tokens = { async open({ until, say, alarm, nothing }) {
  if (!session.can("control_devices")) return nothing();
  const all = topic("/auth/api-tokens", 30000, (body) => body.tokens, (type) => type === "person_update");
  const list = h("ul.rows"), board = h("div", skeleton(2)), place = h("div.invite-place"), wrong = h("div");
  const make = button("filled", icon("plus", "i18"), begin, tokenWords.make);
  let kept = null;

  until(follow(all, (tokens) => {
    kept = tokens;
    paint();
  }, (error) => {
    if (!kept) fill(board, loadError(all, error, tokenWords.failed));
  }));
  // The names of the token's devices.
  until(follow("devices", () => kept && paint()));

  function paint() {
    if (!kept.length) return fill(board, h("div.panel", empty(tokenWords.none, tokenWords.noneDo)));
    if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, kept, (one) => one.token_id, row, (node, one) => node.show(one));
  }

  function row(one) {
    const what = h("span.small.third"), when = h("span.small.third"), state = h("span");
    const node = h("li", icon("link", "i22"), h("span.row-words", h("strong", one.name), what, when), state,
      button("plain.danger", tokenWords.revoke, () => revoke(one, node), h("span.vh", ` ${one.name}`)));
    node.show = ({ role, grants, expires_at: ends, last_used_at: used }) => {
      const may = grants ? granted(grants) : [role === session.me.role ? tokenWords.everything : tokenWords.everythingAs(text.roles[role] || role)];
      const over = ends && read(ends) <= now();
      const signature = [may.join(), ends, used, over].join();
      if (node.dataset.shown === signature) return;
      node.dataset.shown = signature;
      fill(what, may.join("; "));
      fill(when, ends ? tokenWords.until(shortMoment(read(ends))) : tokenWords.noEnd, " · ", used ? [tokenWords.used, timeElement(read(used), age)] : tokenWords.unused);
      state.hidden = !over;
      fill(state, over && badge(tokenWords.over));
    };
    return node;
  }

  function begin() {
    make.hidden = true;
    fill(wrong);
    fill(place, tokenForm({ alarm, done, made }));
    place.querySelector("input").focus();
  }

  function done() {
    fill(place);
    make.hidden = false;
    make.focus();
  }

  /** Shown here once; nothing of it is stored in this browser. */
  function made(token) {
    const head = h("h2", { tabindex: "-1" }, tokenWords.made(token.name));
    fill(place, h("article.panel.padded", head, h("p.small.third", tokenWords.once),
      h("p.link-text.mono", { "aria-label": tokenWords.value }, token.token),
      buttons(copyButton(tokenWords.copy, () => token.token, "filled"), button("outlined", tokenWords.done, done)),
      h("details.fold", h("summary", tokenWords.how), h("p.small.third", tokenWords.howBody), h("p.link-text.mono", `Authorization: Bearer ${token.token.slice(0, 14)}…`))));
    head.focus();
    say(tokenWords.made(token.name));
    refresh(all);
  }

  async function revoke(one, node) {
    if (!(await confirm({ title: tokenWords.revokeTitle(one.name), body: tokenWords.revokeBody, verb: tokenWords.revokeVerb }))) return;
    const next = node.nextElementSibling || node.previousElementSibling;
    await runAction(wrong, (key) => api("DELETE", `/auth/api-tokens/${encodeURIComponent(one.token_id)}`, { key }), tokenWords.revoked(one.name), () => revoke(one, node), all);
    const to = (next && next.querySelector("button")) || (make.hidden ? place.querySelector("input") : make);
    if (to) to.focus();
  }

  return { title: tokenWords.title, node: h("div.narrow", pageHead(tokenWords.title, { back: "/settings" }), h("p.third.session-lead", tokenWords.lead), place, board, wrong, buttons(make)) };
} };

/** The actions on each device; reading is implied by any other. */
function granted(grants) {
  const devices = known("devices") || [];
  const actions = new Map();
  for (const grant of grants) actions.set(grant.device_id, [...(actions.get(grant.device_id) || []), ...grant.actions]);
  return [...actions].map(([id, list]) => {
    const device = devices.find((one) => one.device_id === id);
    const does = [...new Set(list)].filter((action) => action !== "read");
    return tokenWords.device(device ? device.name : text.goneDevice, (does.length ? does : ["read"]).map((action) => text.verbs[action] || action.replace(/_/g, " ")));
  });
}

/** The form of a new token: purpose, rights, end. `made(token)` gets the answer, `done()` is called on cancel. */
function tokenForm({ alarm, made, done }) {
  const mine = session.me.role;
  const draft = { scope: "all", role: mine, days: "90", chosen: new Map() };
  const wrong = errorSummary();
  const said = h("div.form-said", { role: "alert" });
  const name = field(tokenWords.name, { name: "token-name", autocomplete: "off", maxlength: "100" }, { help: tokenWords.nameHelp });

  // What
  const help = h("p.small.third.token-help");
  const role = field(tokenWords.role, { name: "token-role", onchange: () => {
    draft.role = role.value;
    describe();
  } }, { tag: "select" });
  fill(role.input, RANKS.slice(RANKS.indexOf(mine)).map((one) => h("option", { value: one, selected: one === mine }, text.roles[one])));
  role.node.hidden = role.input.children.length < 2;
  const all = h("div.stack", role.node);
  const whatError = h("p.field-error", { hidden: true });
  const devices = known("devices") || [];
  const some = h("div", { hidden: true }, devices.length ? h("div.panel", h("ul.token-devices", devices.map(row))) : h("p.third", tokenWords.noDevices), whatError);
  const scope = segments(tokenWords.scope, Object.entries(tokenWords.scopes), draft.scope, (value) => {
    draft.scope = value;
    all.hidden = value !== "all";
    some.hidden = value !== "some";
    describe();
  });

  function describe() {
    fill(help, draft.scope === "some" ? tokenWords.someHelp : draft.role === mine ? tokenWords.allHelp.owner : tokenWords.allHelp.less(text.roles[draft.role]));
  }

  /** One device with its actions once it is chosen. Actions that open a door are not preselected. */
  function row(device) {
    const actions = new Map(device.entities.flatMap((entity) => entity.actions).map((one) => [one.action, one.risk]));
    const does = [...actions.keys()].filter((action) => action !== "read");
    const chips = h("div.day-chips.token-actions", { role: "group", "aria-label": tokenWords.actionsOf(device.name), hidden: true }, does.map((action) => {
      const chip = h("button.day-chip", { "aria-pressed": String(actions.get(action) !== "open"), onclick: () => chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true")) }, text.verbs[action] || action.replace(/_/g, " "));
      chip.action = action;
      return chip;
    }));
    const box = h("input.check", { type: "checkbox", id: id("token"), onchange: () => {
      whatError.hidden = true;
      chips.hidden = !box.checked || !does.length;
      if (box.checked) draft.chosen.set(device.device_id, chips);
      else draft.chosen.delete(device.device_id);
    } });
    return h("li", h("label.token-row", { for: box.id }, h("span.row-words", h("strong", device.name), device.room && h("span.small.third", device.room)), box), chips);
  }

  // For how long
  const lasts = h("p.small.third.token-help");
  // Numeric keys would be sorted; the choice without an end comes last.
  const time = segments(tokenWords.lasts, ["30", "90", "365", "0"].map((days) => [days, tokenWords.times[days]]), draft.days, (days) => {
    draft.days = days;
    tell();
  });
  const end = () => now() + Number(draft.days) * DAY;
  const tell = () => fill(lasts, draft.days === "0" ? tokenWords.lastsOn : tokenWords.lastsUntil(longDay(end())));

  const submit = h("button.button.filled", { type: "submit" }, tokenWords.do);
  describe();
  tell();
  return h("form.form.panel.padded", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    if (submit.getAttribute("aria-disabled") === "true") return;
    fill(said);
    const list = missing();
    wrong.show(list);
    if (list.length) return;
    during(submit, tokenWords.doing, async () => made(await api("POST", "/auth/api-tokens", { body: body() })), (error) => {
      fill(said, formError(error));
      alarm(text.error(error));
    });
  } }, h("h2", tokenWords.makeTitle), wrong.node, said, name.node,
  h("fieldset", h("legend.field-label", tokenWords.scope), scope, help, all, some),
  h("fieldset", h("legend.field-label", tokenWords.lasts), time, lasts),
  buttons(submit, button("outlined", text.cancel, done)));

  function missing() {
    const list = [];
    name.error(name.value.trim() ? null : tokenWords.nameMissing);
    if (!name.value.trim()) list.push([tokenWords.nameMissing, name.input]);
    const n = draft.chosen.size;
    const what = draft.scope === "all" || (n > 0 && n <= MOST_DEVICES) ? null : n ? tokenWords.manyDevices : tokenWords.someMissing;
    whatError.hidden = !what;
    fill(whatError, what && [icon("alert", "i14"), what]);
    if (what) list.push([what, some.querySelector("input")]);
    return list;
  }

  function body() {
    const grants = [...draft.chosen].map(([device_id, chips]) => ({ device_id, actions: ["read", ...[...chips.children].filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => chip.action)] }));
    return {
      name: name.value.trim(), ...(draft.scope === "some" ? { grants } : { role: draft.role }),
      ...(draft.days !== "0" && { expires_at: new Date(end()).toISOString() }),
    };
  }
}
