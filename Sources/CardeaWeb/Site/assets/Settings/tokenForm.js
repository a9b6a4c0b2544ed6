// A new token: what it is for, what it may, for how long.

import { api, DAY, during, field, fill, h, icon, id, known, longDay, mistake, now, problems, segments, session, text } from "../Shell/kit.js";
import { tokens as words } from "./words.js";

const RANKS = ["owner", "admin", "member"];
const MOST_DEVICES = 32;

/** `made(token)` hears the answer, `done()` that nobody wants one. */
export function tokenForm({ alarm, made, done }) {
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
      const chip = h("button.day-chip", { type: "button", "aria-pressed": String(actions.get(action) !== "open"), onclick: () => chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true")) }, words.actions[action] || action.replace(/_/g, " "));
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

  const button = h("button.button.filled", { type: "submit" }, words.do);
  describe();
  tell();
  return h("form.form.panel.padded", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    fill(said);
    const list = missing();
    wrong.show(list);
    if (list.length) return;
    during(button, words.doing, async () => made(await api("POST", "/auth/api-tokens", { body: body() })), (error) => {
      fill(said, mistake(error));
      alarm(text.error(error));
    });
  } }, h("h2", words.makeTitle), wrong.node, said, name.node,
  h("fieldset", h("legend.field-label", words.scope), scope, help, all, some),
  h("fieldset", h("legend.field-label", words.lasts), time, lasts),
  h("div.row-buttons", button, h("button.button.outlined", { type: "button", onclick: done }, text.cancel)));

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
