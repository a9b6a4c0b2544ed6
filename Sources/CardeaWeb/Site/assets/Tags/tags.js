// All tags of the house, possible copies first, and the rules for tags; one tag in full, and its link.

import { age, api, capitalize, clock, confirm, copyButton, during, empty, facts, field, fill, follow, h, icon, keyed, newKey, now, number, pageHead, setText, read, refresh, requireValue, section, segments, session, shortMoment, skeleton, badge as word, text, timeElement, toggle, topic, loadError } from "../Shell/ui.js";
import { qrImage } from "../Shell/qr.js";
import { buttons, canWrite, configuredAt, isPending, nameOf, outcome, policy, tags, whatItDoes, errorText } from "./buttonModel.js";
import { tags as words, trigger } from "./words.js";
import { readTag, UnreadableTagError } from "./tagWriter.js";

export async function open({ until, say, alarm }) {
  const owner = session.can("modify_settings");
  const alarms = h("div.stack"), list = h("ul.rows"), board = h("div", skeleton(3)), said = h("div");
  let drawn = null;
  until(follow(tags, (all) => {
    drawn = all;
    paint();
  }, (error) => drawn || fill(board, loadError(tags, error, words.failed))));
  until(follow(buttons, () => drawn && paint(), () => {}));

  function paint() {
    const alarmed = drawn.filter((one) => one.alarmed_at), signature = JSON.stringify(alarmed.map((one) => [one.tag_id, one.label, one.alarmed_at]));
    if (alarms.dataset.of !== signature) {
      alarms.dataset.of = signature;
      fill(alarms, alarmed.map((one) => alarmPanel(one, owner && h("button.button.plain.danger", { onclick: () => removeTag(one, { say, failed: wrong, removed: () => document.querySelector("h1").focus() }) }, words.remove, h("span.vh", ` ${nameOf(one)}`)))));
    }
    alarms.hidden = !alarmed.length;
    if (!drawn.length) return fill(board, h("div.panel", empty(words.none, words.noneDo, h("a.button.tonal", { href: "/buttons" }, words.toButtons))));
    if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, drawn, (one) => one.tag_id, row, (item, one) => item.show(one));
  }

  function row() {
    const item = h("li");
    item.show = (one) => {
      const button = (buttons.value || []).find((each) => each.button_id === one.button_id);
      const signature = JSON.stringify([one, button && button.title]);
      if (item.dataset.shown === signature) return;
      const hadFocus = item.contains(document.activeElement);
      item.dataset.shown = signature;
      fill(item, icon("nfc", "i22"), h("span.row-words", h("a.row-link", { href: `/tags/${encodeURIComponent(one.tag_id)}` }, nameOf(one)),
        h("span.small.third", [words.kinds[one.kind].name, button && button.title].filter(Boolean).join(" · "), " · ", one.last_used_at ? [`${words.used} `, timeElement(Date.parse(one.last_used_at), age)] : words.unused)),
      one.alarmed_at ? word(words.alarmed, "danger") : isPending(one) ? word(words.waits) : one.outdated ? word(words.outdated, "brass") : null, icon("chevron", "i18"));
      if (hadFocus) item.querySelector("a").focus();
    };
    return item;
  }

  /** Identifies a tag held to the phone. This does not press its button. */
  function reader() {
    let stopped = null;
    const button = h("button.button.tonal", { onclick: async () => {
      if (stopped) return stopped.abort();
      const { signal } = stopped = new AbortController();
      setText(button, trigger.stop);
      say(trigger.steps.hold);
      fill(said, h("p.small.press-note", icon("nfc", "i18"), h("span", trigger.steps.hold)));
      try {
        const url = await readTag(signal), { action, message } = await api("POST", "/tags/look", { body: { url } });
        const one = (drawn || []).find((each) => url.split("?")[0] === each.url), does = message || words.presses(action.title);
        fill(said, h("div.panel.padded.stack", h("p", one ? h("a", { href: `/tags/${encodeURIComponent(one.tag_id)}` }, nameOf(one)) : words.strange), h("p", does), h("p.link-text.mono", url)));
        say(does);
      } catch (error) {
        fill(said);
        if (!signal.aborted) wrong(error, error instanceof UnreadableTagError ? words.unread : trigger.why[error.name]);
      }
      stopped = null;
      setText(button, words.read);
    } }, words.read);
    until(() => stopped && stopped.abort());
    return button;
  }

  function wrong(error, says = errorText(error)) {
    alarm(says);
    fill(said, outcome(false, says));
  }

  return {
    title: words.title,
    node: h("div.list-page", pageHead(words.title, { back: "/buttons", actions: canWrite() && [reader()] }), alarms, said,
      section(words.all, {}, board), section(words.policy, {}, policyPanel({ until, say, alarm })),
      section(words.provesTitle, {}, h("dl.proves", Object.values(words.kinds).map(({ name, short, proves }) => h("div", h("dt", h("strong", name), " ", h("span.small.third", short)), h("dd.small", proves)))))),
  };
}

/** The rules for tags: a switch for all, and limits by risk. */
function policyPanel({ until, say, alarm }) {
  const board = h("div", skeleton(2)), said = h("div");
  let show = null;
  until(follow(policy, (now) => {
    if (!show) show = (session.can("modify_settings") ? form : reading)();
    show(now);
  }, (error) => show || fill(board, loadError(policy, error, words.policyFailed))));
  return h("div", board, said);

  function reading() {
    const panel = h("div.panel.padded");
    fill(board, panel);
    return (now) => fill(panel, facts([[words.on, now.on ? words.switchedOn : words.switchedOff], [words.control, words.controls[now.control]], [words.open, words.opens[now.open] || words.opens.confirmed]]));
  }

  function form() {
    const main = toggle(words.on, { help: words.onHelp, on: true, change: (on) => change({ on }) });
    const choices = [choice("control"), choice("open")];
    fill(board, h("div.panel.padded.stack", main.node, choices.map((one) => one.node)));
    return (now) => {
      main.input.checked = now.on;
      choices.forEach((one) => one.show(now));
    };
  }

  /** One risk: the limit for tags, and its meaning. */
  function choice(risk) {
    const options = words[`${risk}s`], says = words[`${risk}Says`];
    const note = h("p.small.third", { "aria-live": "polite" });
    const radios = segments(words[risk], Object.entries(options), null, async (leave) => {
      fill(said);
      try {
        await change({ [risk]: leave });
        say(words.may(words[risk], options[leave]));
      } catch (error) {
        alarm(errorText(error));
        fill(said, outcome(false, errorText(error)));
        show(policy.value);
        refresh(policy);
      }
    });
    return {
      node: h("fieldset.policy", h("legend", h("strong", words[risk]), " ", h("span.small.third", words[`${risk}Help`])), radios, note),
      show: (now) => {
        // For opening, two values of the API mean the same today.
        const leave = options[now[risk]] ? now[risk] : "confirmed";
        for (const radio of radios.querySelectorAll("input")) radio.checked = radio.value === leave;
        if (note.textContent !== says[leave]) fill(note, says[leave]);
      },
    };
  }

  /** The topic holds the version of the shown rules, so that changes of others are not overwritten. */
  async function change(what) {
    await api("PUT", "/tags/policy", { body: { ...policy.value, ...what }, headers: { "If-Match": policy.tag } });
    await refresh(policy);
  }
}

export const tag = { async open({ params, until, say, alarm, go }) {
  const path = `/tags/${encodeURIComponent(params[0])}`;
  const owner = session.can("modify_settings");
  let tag = await api("GET", path);
  const one = topic(path, 10000, (body) => body, (type) => /^(tag|button|command)_update$/.test(type));
  const notes = h("div.stack.tag-notes"), about = h("div.panel.padded"), link = h("details.fold"), said = h("div"), labelled = h("div");
  const head = pageHead(nameOf(tag), { back: "/tags", actions: owner && [h("button.button.plain.danger", { onclick: remove }, words.remove)] });
  fill(link, h("summary", words.linkOf), linkParts(tag.url), h("div.row-buttons", copyButton(trigger.copy, () => tag.url)));
  if (owner) fill(labelled, labelForm());
  paint();
  until(follow(one, (news) => {
    tag = news;
    paint();
  }, () => {}));
  until(follow(buttons, paint, () => {}));
  until(follow("devices", paint, () => {}));

  function paint() {
    setText(head.querySelector("h1"), nameOf(tag));
    const button = (buttons.value || []).find((each) => each.button_id === tag.button_id);
    const signature = JSON.stringify([tag, button, button && whatItDoes(button)]);
    if (about.dataset.shown === signature) return;
    about.dataset.shown = signature;
    fill(about, facts([
      [words.facts.button, button ? h("a", { href: `/buttons/${encodeURIComponent(button.button_id)}` }, button.title) : null],
      [words.facts.kind, `${words.kinds[tag.kind].name}, ${words.kinds[tag.kind].short}`], [words.facts.uid, tag.uid && h("span.mono.fingerprint", tag.uid.match(/../g).join(" "))],
      [words.facts.counter, tag.counter === null ? null : number.bare(tag.counter)],
      [words.facts.configured, isPending(tag) ? words.waits : timeElement(configuredAt(tag), shortMoment)],
      [words.facts.used, tag.last_used_at ? timeElement(Date.parse(tag.last_used_at), shortMoment) : words.unused],
    ]), h("p.small.third.tag-proves", words.kinds[tag.kind].proves));
    const renew = h("button.button.tonal", { onclick: () => renewTag(tag, renew, { say, failed: wrong }).then(() => refresh(one)) }, words.renew);
    const seen = h("button.button.outlined", { onclick: () => during(seen, text.saving, async () => {
      tag = await api("PUT", path, { body: { alarm_seen: true } });
      paint();
      refresh(tags, one);
    }, wrong) }, words.alarm.seen);
    const focused = notes.contains(document.activeElement);
    fill(notes, tag.alarmed_at && alarmPanel(tag, owner && seen),
      tag.outdated && h("section.panel.padded.clash", h("p", h("strong", words.renewTitle)), h("p.small", words.renewWhy(button ? button.title : "", button ? whatItDoes(button) : "")), owner && h("div.row-buttons", renew)));
    if (focused) head.querySelector("h1").focus();
  }

  function labelForm() {
    const label = field(words.label, { name: "tag-label", autocomplete: "off", maxlength: "100", value: tag.label || "" }, { help: words.labelHelp });
    const save = h("button.button.outlined", { type: "submit" }, words.labelSave);
    return h("form.form.label-form", { novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      if (!requireValue(label, words.labelMissing)) return;
      fill(said);
      during(save, text.saving, async () => {
        tag = await api("PUT", path, { body: { label: label.value.trim() } });
        paint();
        refresh(tags, one);
        say(words.labelSaved);
        fill(said, outcome(true, words.labelSaved));
      }, wrong);
    } }, label.node, h("div", save));
  }

  function wrong(error) {
    alarm(errorText(error));
    fill(said, outcome(false, errorText(error)));
  }

  function remove() {
    return removeTag(tag, { say, failed: wrong, removed: () => go("/tags", { replace: true }) });
  }

  return { title: nameOf(tag), node: h("div.narrow", head, notes, about, labelled, said, link) };
} };

/** Removes a tag after a question. */
export async function removeTag(tag, { say, failed, removed }) {
  if (!(await confirm({ title: words.removeTitle(nameOf(tag)), body: words.removeBody, verb: words.remove }))) return;
  try {
    await api("DELETE", `/tags/${encodeURIComponent(tag.tag_id)}`, { key: newKey() });
    say(words.removed(nameOf(tag)));
    await refresh(tags);
    removed();
  } catch (error) {
    failed(error);
  }
}

/** Confirms that the tag presses its button as it is now: the version shown is the one confirmed. */
export function renewTag(tag, presser, { say, failed }) {
  return during(presser, words.renewing, async () => {
    const { version } = await api("GET", `/buttons/${encodeURIComponent(tag.button_id)}`);
    await api("PUT", `/tags/${encodeURIComponent(tag.tag_id)}`, { body: { button_version: version } });
    say(words.renewed(nameOf(tag)));
    await refresh(tags);
  }, failed);
}

/** The alarm about a copied tag or link: what happened, and what to do. */
export const alarmPanel = (tag, ...more) => h("section.tag-alarm-panel", { "aria-label": words.alarmed }, h("h2", icon("alert", "i20"), h("span", words.alarm.title(nameOf(tag)))),
  h("p", words.alarm.why(sentenceMoment(tag.alarmed_at))), h("p", h("strong", words.alarm.now)), h("ol", words.alarm.steps.map((step) => h("li", step))), h("div.row-buttons", h("a.button.outlined", { href: "/activity" }, words.alarm.activity), more));

const sentenceMoment = (at) => {
  const moment = shortMoment(Date.parse(at));
  return /^\d+:\d/.test(moment) ? `At ${moment}` : capitalize(moment);
};

export function linkParts(url) {
  const code = h("div.qr");
  qrImage("/tags/qr.svg", trigger.qr, { url }).then((picture) => fill(code, picture), () => code.remove());
  return [h("p.link-text.mono", { "aria-label": trigger.link }, url), code];
}

/** The new link. Keys and live links are shown only here, and a live link only until its end. `done` closes it. */
export function madeCard(made, { until, done }) {
  const keys = [["meta_key", trigger.meta], ["file_key", trigger.file]].filter(([name]) => made[name]);
  const body = made.kind === "live" ? trigger.madeLiveBody(clock(read(made.expires_at), { seconds: true })) : made.kind === "sun" ? trigger.madeSunBody : trigger.madeBody;
  const head = h("h3", { tabindex: "-1" }, { live: trigger.madeLive, static: trigger.made, sun: trigger.madeSun }[made.kind]);
  const link = h("div", linkParts(made.url)), said = h("p.small.third", { role: "status" }, body);
  const node = h("article.panel.padded.once", head, said, link,
    keys.length ? [h("p", h("strong", trigger.once)), facts(keys.map(([name, word]) => [word, h("span.mono.fingerprint", made[name])]))] : null,
    h("div.row-buttons", copyButton(trigger.copy, () => made.url, "filled"),
      keys.length ? copyButton(trigger.copyKeys, () => keys.map(([name, word]) => `${word} ${made[name]}`).join("\n")) : null,
      h("button.button.outlined", { onclick: done }, trigger.done)));
  node.head = head;
  if (made.kind === "live") {
    const end = setTimeout(() => {
      fill(link);
      fill(said, trigger.over);
      node.querySelector(".filled").remove();
    }, Math.max(0, read(made.expires_at) - now()));
    until(() => clearTimeout(end));
  }
  return node;
}
