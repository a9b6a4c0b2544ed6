// The notification settings of a person, and the browsers and phones that get them.

import { api, during, empty, errorPanel, field, fill, h, HubError, icon, formError, newKey, pageHead, read, section, segments, session, shortMoment, skeleton, text, toggle } from "../Shell/ui.js";
import { choices as words } from "../Notices/words.js";
import { isPushSupported, subscribe, unsubscribe, subscription } from "../Notices/push.js";

const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
const PATH = "/people/me/notifications";

export async function open({ say, nothing }) {
  if (!session.can("control_devices")) return nothing();
  const form = h("div", skeleton(4)), here = h("div.panel.padded", skeleton(1)), others = h("div", skeleton(1));
  load();
  places();

  async function load(told) {
    try {
      const [chosen, { people }, { cameras }] = await Promise.all([api("GET", PATH), api("GET", "/people"), api("GET", "/cameras")]);
      fill(form, editor(chosen, people.filter((one) => one.person_id !== session.me.person_id && one.status === "active"), cameras, told));
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      fill(form, h("div.panel.padded", errorPanel(error, () => load(), words.failed)));
    }
  }

  function editor(chosen, people, cameras, told) {
    const said = h("div.form-said", { role: "alert" }, told && [icon("info", "i18"), h("p", told)]);
    const on = toggle(words.on, { help: words.onHelp, on: chosen.enabled, sends: true });
    const kinds = Object.entries(words.names).map(([kind, name]) => {
      const input = h("input.check", { type: "checkbox", name: "kind", value: kind, checked: chosen.kinds.includes(kind) });
      return { kind, input, node: h("label.token-row", h("span.row-words", name), input) };
    });
    // A muted source that is not a camera of the house, or is one no more, keeps its own name.
    const sources = [...cameras.map((one) => [one.camera_id, one.name]), ...chosen.muted.filter((id) => !cameras.some((one) => one.camera_id === id)).map((id) => [id, id])];
    const heard = sources.map(([place, name]) => {
      const input = h("input.check", { type: "checkbox", name: "source", value: place, checked: !chosen.muted.includes(place) });
      return { place, input, node: h("label.token-row", h("span.row-words", name), input) };
    });
    const hours = chosen.quiet_hours;
    const from = field(words.from, { name: "quiet-from", value: hours ? hours.from : "22:00", inputmode: "numeric", maxlength: "5", autocomplete: "off" });
    const to = field(words.to, { name: "quiet-to", value: hours ? hours.to : "07:00", inputmode: "numeric", maxlength: "5", autocomplete: "off" });
    const zone = field(words.zone, { name: "quiet-zone", value: hours ? hours.time_zone : Intl.DateTimeFormat().resolvedOptions().timeZone, autocomplete: "off", spellcheck: "false" }, { help: words.zoneHelp });
    const critical = toggle(words.critical, { help: words.criticalHelp, on: hours ? hours.critical_override : true, sends: true });
    const night = h("div.form", h("div.row-buttons", from.node, to.node), zone.node, critical.node);
    const quiet = toggle(words.quiet, { help: words.quietHelp, on: Boolean(hours), sends: true, change: (value) => (night.hidden = !value) });
    night.hidden = !hours;
    let cooldown = chosen.cooldown_seconds, after = chosen.escalation ? chosen.escalation.after_seconds : 60;
    const waits = steps(words.cooldowns, cooldown), lates = steps(words.afters, after);
    const next = field(words.next, { name: "next" }, { tag: "select", help: words.nextHelp });
    fill(next.input, h("option", { value: "" }, words.nobody), people.map((one) => h("option", { value: one.person_id }, one.name)));
    next.input.value = chosen.escalation ? chosen.escalation.person_id : "";
    const late = h("div", h("p.field-label", words.after), segments(words.after, lates, String(after), (value) => (after = Number(value))));
    late.hidden = !next.input.value;
    next.input.addEventListener("change", () => (late.hidden = !next.input.value));
    const save = h("button.button.filled", { type: "submit" }, words.save);

    return h("form.form.panel.padded", { novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      if (save.getAttribute("aria-disabled") === "true") return;
      fill(said);
      const wrong = quiet.input.checked ? [from, to].filter((one) => !TIME.test(one.value.trim()) && !(one === to && one.value.trim() === "24:00")) : [];
      for (const one of [from, to]) one.error(wrong.includes(one) ? words.timeWrong : null);
      if (wrong.length) return wrong[0].input.focus();
      during(save, text.saving, async () => {
        const body = { enabled: on.input.checked, kinds: kinds.filter((one) => one.input.checked).map((one) => one.kind), muted: heard.filter((one) => !one.input.checked).map((one) => one.place), cooldown_seconds: cooldown };
        if (quiet.input.checked) body.quiet_hours = { from: from.value.trim(), to: to.value.trim(), time_zone: zone.value.trim(), critical_override: critical.input.checked };
        if (next.input.value) body.escalation = { after_seconds: after, person_id: next.input.value };
        chosen = await api("PUT", PATH, { body, key: newKey(), headers: { "If-Match": `"${chosen.version}"` } });
        say(words.saved);
      }, (error) => {
        if (error.status === 412) return load(words.stale);
        if (error.details && /^quiet_hours.time_zone/.test(error.details.field || "")) {
          zone.error(text.error(error));
          return zone.input.focus();
        }
        fill(said, formError(error));
      });
    } }, said, on.node, h("fieldset.kinds", h("legend.field-label", words.kinds), kinds.map((one) => one.node)), heard.length > 0 && h("fieldset.kinds", h("legend.field-label", words.sources), heard.map((one) => one.node)), quiet.node, night,
    h("div", h("p.field-label", words.cooldown), segments(words.cooldown, waits, String(cooldown), (value) => (cooldown = Number(value)))), next.node, late, h("div.row-buttons", save));
  }

  /** The choices; a value chosen elsewhere is added to them. */
  function steps(named, value) {
    const all = Object.entries(named);
    return named[value] ? all : [...all, [String(value), `${value} s`]];
  }

  async function places(told) {
    try {
      const [push, mine] = await Promise.all([api("GET", "/push"), subscription()]);
      const current = push.subscriptions.find((one) => one.current);
      browser(push, mine && current, told);
      const rest = push.subscriptions.filter((one) => !(mine && one.current));
      fill(others, h("div.panel", rest.length ? h("ul.rows", rest.map((one) => h("li", icon(one.way === "web" ? "screen" : "phone", "i22"),
        h("span.row-words", h("strong", one.way === "web" ? words.browser : words.phone), h("span.small.third", [words.since(shortMoment(read(one.created_at))), one.way === "web" && words.by(new URL(one.service).host)].filter(Boolean).join(" · "))),
        h("button.button.plain.danger", { onclick: () => remove(one) }, words.remove)))) : empty(words.none)));
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      fill(here, errorPanel(error, () => places()));
      fill(others);
    }
  }

  function browser(push, isTold, told) {
    if (!isPushSupported() || !push.ways.includes("web")) return fill(here, h("p", words.impossible));
    if (Notification.permission === "denied" && !isTold) return fill(here, h("p", words.denied));
    const button = h(`button.button.${isTold ? "outlined" : "tonal"}`, isTold ? words.stop : words.start);
    button.addEventListener("click", () => during(button, isTold ? words.stop : words.starting, async () => {
      try {
        if (isTold) {
          await unsubscribe();
          await api("DELETE", `/push/${encodeURIComponent(isTold.id)}`, { key: newKey() });
        } else await subscribe(push.public_key);
      } catch (error) {
        if (error instanceof HubError) throw error;
        return places(error.name === "NotAllowedError" ? words.denied : words.noService);
      }
      say(isTold ? words.stopped : words.started);
      await places();
    }, (error) => places(text.error(error))));
    fill(here, told && h("div.form-said", { role: "alert" }, icon("alert", "i18"), h("p", told)), h("p", isTold ? words.isOn : words.isOff), h("div.row-buttons", button));
  }

  async function remove(one) {
    try {
      await api("DELETE", `/push/${encodeURIComponent(one.id)}`, { key: newKey() });
      say(words.removed);
    } catch (error) {
      if (!(error instanceof HubError) || error.status !== 404) return fill(others, errorPanel(error, () => places()));
    }
    await places();
  }

  return { title: words.title, node: h("div.narrow", pageHead(words.title, { back: "/settings" }), h("p.third.session-lead", words.lead), form, section(words.here, {}, here), section(words.elsewhere, {}, others)) };
}
