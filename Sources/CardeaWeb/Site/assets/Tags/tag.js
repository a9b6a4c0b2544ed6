// One tag: what it is, what it presses, what is wrong with it, and the link that is written on it.

import { api, copyButton, during, facts, field, fill, follow, h, number, pageHead, put, refresh, right, session, shortMoment, text, timeElement, topic } from "../Shell/kit.js";
import { alarmPanel, removeTag, renewTag } from "./care.js";
import { buttons, configuredAt, isPending, nameOf, outcome, tags, whatItDoes, wrongIn } from "./buttons.js";
import { linkParts } from "./link.js";
import { tags as words, trigger } from "./words.js";

export async function open({ params, until, say, alarm, go }) {
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
    put(head.querySelector("h1"), nameOf(tag));
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
      if (!right(label, words.labelMissing)) return;
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
    alarm(wrongIn(error));
    fill(said, outcome(false, wrongIn(error)));
  }

  function remove() {
    return removeTag(tag, { say, failed: wrong, removed: () => go("/tags", { replace: true }) });
  }

  return { title: nameOf(tag), node: h("div.narrow", head, notes, about, labelled, said, link) };
}
