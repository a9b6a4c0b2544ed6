// Tokens for programs: what there is, what each may and until when, one more, one fewer. A token is shown once, when it is made.

import { age, api, button, buttons, confirm, copyButton, DAY, deed, during, empty, field, fill, follow, h, icon, id, keyed, known, longDay, mistake, now, pageHead, problems, read, refresh, segments, session, shortMoment, skeleton, tag, text, timeElement, topic, unheard } from "../Shell/kit.js";
import { tokens as words } from "./words.js";

const RANKS = ["owner", "admin", "member"];
const MOST_DEVICES = 32;

export async function open({ until, say, alarm, nothing }) {
  if (!session.can("control_devices")) return nothing();
  const all = topic("/auth/api-tokens", 30000, (body) => body.tokens, (type) => type === "person_update");
  const list = h("ul.rows"), board = h("div", skeleton(2)), place = h("div.invite-place"), wrong = h("div");
  const make = button("filled", icon("plus", "i18"), begin, words.make);
  let kept = null;

  until(follow(all, (tokens) => {
    kept = tokens;
    paint();
  }, (error) => {
    if (!kept) fill(board, unheard(all, error, words.failed));
  }));
  // The names of the things it is for.
  until(follow("devices", () => kept && paint()));

  function paint() {
    if (!kept.length) return fill(board, h("div.panel", empty(words.none, words.noneDo)));
    if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, kept, (one) => one.token_id, row, (node, one) => node.show(one));
  }

  function row(one) {
    const what = h("span.small.third"), when = h("span.small.third"), state = h("span");
    const node = h("li", icon("link", "i22"), h("span.row-words", h("strong", one.name), what, when), state,
      button("plain.danger", words.revoke, () => revoke(one, node), h("span.vh", ` ${one.name}`)));
    node.show = ({ role, grants, expires_at: ends, last_used_at: used }) => {
      const may = grants ? granted(grants) : [role === session.me.role ? words.everything : words.everythingAs(text.roles[role] || role)];
      const over = ends && read(ends) <= now();
      const signature = [may.join(), ends, used, over].join();
      if (node.dataset.shown === signature) return;
      node.dataset.shown = signature;
      fill(what, may.join("; "));
      fill(when, ends ? words.until(shortMoment(read(ends))) : words.noEnd, " · ", used ? [words.used, timeElement(read(used), age)] : words.unused);
      state.hidden = !over;
      fill(state, over && tag(words.over));
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

  /** Only here and only now: nothing of it is kept in this browser. */
  function made(token) {
    const head = h("h2", { tabindex: "-1" }, words.made(token.name));
    fill(place, h("article.panel.padded", head, h("p.small.third", words.once),
      h("p.link-text.mono", { "aria-label": words.value }, token.token),
      buttons(copyButton(words.copy, () => token.token, "filled"), button("outlined", words.done, done)),
      h("details.fold", h("summary", words.how), h("p.small.third", words.howBody), h("p.link-text.mono", `Authorization: Bearer ${token.token.slice(0, 14)}…`))));
    head.focus();
    say(words.made(token.name));
    refresh(all);
  }

  async function revoke(one, node) {
    if (!(await confirm({ title: words.revokeTitle(one.name), body: words.revokeBody, verb: words.revokeVerb }))) return;
    const next = node.nextElementSibling || node.previousElementSibling;
    await deed(wrong, (key) => api("DELETE", `/auth/api-tokens/${encodeURIComponent(one.token_id)}`, { key }), words.revoked(one.name), () => revoke(one, node), all);
    const to = (next && next.querySelector("button")) || (make.hidden ? place.querySelector("input") : make);
    if (to) to.focus();
  }

  return { title: words.title, node: h("div.narrow", pageHead(words.title, { back: "/settings" }), h("p.third.session-lead", words.lead), place, board, wrong, buttons(make)) };
}

/** Device by device what it may, looking understood where more is allowed. */
function granted(grants) {
  const devices = known("devices") || [];
  const actions = new Map();
  for (const grant of grants) actions.set(grant.device_id, [...(actions.get(grant.device_id) || []), ...grant.actions]);
  return [...actions].map(([id, list]) => {
    const device = devices.find((one) => one.device_id === id);
    const does = [...new Set(list)].filter((action) => action !== "read");
    return words.device(device ? device.name : text.goneDevice, (does.length ? does : ["read"]).map((action) => text.verbs[action] || action.replace(/_/g, " ")));
  });
}

/** A new token: what it is for, what it may, for how long. `made(token)` hears the answer, `done()` that nobody wants one. */
function tokenForm({ alarm, made, done }) {
  const mine = session.me.role;
  const draft = { scope: "all", role: mine, days: "90", chosen: new Map() };
  const wrong = problems();
  const said = h("div.form-said", { role: "alert" });
  const name = field(words.name, { name: "token-name", autocomplete: "off", maxlength: "100" }, { help: words.nameHelp });

  // What
  const help = h("p.small.third.token-help");
  const role = field(words.role, { name: "token-role", onchange: () => {
    draft.role = role.value;
    describe();
  } }, { tag: "select" });
  fill(role.input, RANKS.slice(RANKS.indexOf(mine)).map((one) => h("option", { value: one, selected: one === mine }, text.roles[one])));
  role.node.hidden = role.input.children.length < 2;
  const all = h("div.stack", role.node);
  const whatError = h("p.field-error", { hidden: true });
  const devices = known("devices") || [];
  const some = h("div", { hidden: true }, devices.length ? h("div.panel", h("ul.token-devices", devices.map(row))) : h("p.third", words.noDevices), whatError);
  const scope = segments(words.scope, Object.entries(words.scopes), draft.scope, (value) => {
    draft.scope = value;
    all.hidden = value !== "all";
    some.hidden = value !== "some";
    describe();
  });

  function describe() {
    fill(help, draft.scope === "some" ? words.someHelp : draft.role === mine ? words.allHelp.owner : words.allHelp.less(text.roles[draft.role]));
  }

  /** One device and, once it is chosen, what may be done with it. What lets somebody in is left to be chosen. */
  function row(device) {
    const actions = new Map(device.entities.flatMap((entity) => entity.actions).map((one) => [one.action, one.risk]));
    const does = [...actions.keys()].filter((action) => action !== "read");
    const chips = h("div.day-chips.token-actions", { role: "group", "aria-label": words.actionsOf(device.name), hidden: true }, does.map((action) => {
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
  // Numbers as keys would be sorted; the one without an end comes last.
  const time = segments(words.lasts, ["30", "90", "365", "0"].map((days) => [days, words.times[days]]), draft.days, (days) => {
    draft.days = days;
    tell();
  });
  const end = () => now() + Number(draft.days) * DAY;
  const tell = () => fill(lasts, draft.days === "0" ? words.lastsOn : words.lastsUntil(longDay(end())));

  const submit = h("button.button.filled", { type: "submit" }, words.do);
  describe();
  tell();
  return h("form.form.panel.padded", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    if (submit.getAttribute("aria-disabled") === "true") return;
    fill(said);
    const list = missing();
    wrong.show(list);
    if (list.length) return;
    during(submit, words.doing, async () => made(await api("POST", "/auth/api-tokens", { body: body() })), (error) => {
      fill(said, mistake(error));
      alarm(text.error(error));
    });
  } }, h("h2", words.makeTitle), wrong.node, said, name.node,
  h("fieldset", h("legend.field-label", words.scope), scope, help, all, some),
  h("fieldset", h("legend.field-label", words.lasts), time, lasts),
  buttons(submit, button("outlined", text.cancel, done)));

  function missing() {
    const list = [];
    name.error(name.value.trim() ? null : words.nameMissing);
    if (!name.value.trim()) list.push([words.nameMissing, name.input]);
    const n = draft.chosen.size;
    const what = draft.scope === "all" || (n > 0 && n <= MOST_DEVICES) ? null : n ? words.manyDevices : words.someMissing;
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
