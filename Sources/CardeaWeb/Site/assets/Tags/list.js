// Every tag of the house, what may have been copied first, and what the house leaves to tags.

import { age, api, empty, facts, failed, fill, follow, h, icon, keyed, pageHead, put, refresh, section, segments, session, skeleton, tag as word, timeElement, toggle, unheard } from "../Shell/kit.js";
import { buttons, canWrite, isPending, nameOf, outcome, policy, tags, wrongIn } from "./buttons.js";
import { alarmPanel, removeTag } from "./care.js";
import { tags as words, trigger } from "./words.js";
import { readTag, Unread } from "./write.js";

export async function open({ until, say, alarm }) {
  const owner = session.can("modify_settings");
  const alarms = h("div.stack"), list = h("ul.rows"), board = h("div", skeleton(3)), said = h("div");
  let drawn = null;
  until(follow(tags, (all) => {
    drawn = all;
    paint();
  }, (error) => drawn || fill(board, unheard(tags, error, words.failed))));
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

  /** Says what the tag is that is held to the phone now. It presses nothing by that. */
  function reader() {
    let stopped = null;
    const button = h("button.button.tonal", { onclick: async () => {
      if (stopped) return stopped.abort();
      const { signal } = stopped = new AbortController();
      put(button, trigger.stop);
      say(trigger.steps.hold);
      fill(said, h("p.small.press-note", icon("nfc", "i18"), h("span", trigger.steps.hold)));
      try {
        const url = await readTag(signal), { action, message } = await api("POST", "/tags/look", { body: { url } });
        const one = (drawn || []).find((each) => url.split("?")[0] === each.url), does = message || words.presses(action.title);
        fill(said, h("div.panel.padded.stack", h("p", one ? h("a", { href: `/tags/${encodeURIComponent(one.tag_id)}` }, nameOf(one)) : words.strange), h("p", does), h("p.link-text.mono", url)));
        say(does);
      } catch (error) {
        fill(said);
        if (!signal.aborted) wrong(error, error instanceof Unread ? words.unread : trigger.why[error.name]);
      }
      stopped = null;
      put(button, words.read);
    } }, words.read);
    until(() => stopped && stopped.abort());
    return button;
  }

  function wrong(error, says = wrongIn(error)) {
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

/** What the house leaves to tags: everything off at once, and how much by how much harm it can do. */
function policyPanel({ until, say, alarm }) {
  const board = h("div", skeleton(2)), said = h("div");
  let show = null;
  until(follow(policy, (now) => {
    if (!show) show = (session.can("modify_settings") ? form : reading)();
    show(now);
  }, (error) => show || fill(board, unheard(policy, error, words.policyFailed))));
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

  /** One risk: how far tags may go, and what that means. */
  function choice(risk) {
    const options = words[`${risk}s`], says = words[`${risk}Says`];
    const note = h("p.small.third", { "aria-live": "polite" });
    const radios = segments(words[risk], Object.entries(options), null, async (leave) => {
      fill(said);
      try {
        await change({ [risk]: leave });
        say(words.may(words[risk], options[leave]));
      } catch (error) {
        alarm(wrongIn(error));
        fill(said, outcome(false, wrongIn(error)));
        show(policy.value);
        refresh(policy);
      }
    });
    return {
      node: h("fieldset.policy", h("legend", h("strong", words[risk]), " ", h("span.small.third", words[`${risk}Help`])), radios, note),
      show: (now) => {
        // Of what lets somebody in two words of the wire say the same today.
        const leave = options[now[risk]] ? now[risk] : "confirmed";
        for (const radio of radios.querySelectorAll("input")) radio.checked = radio.value === leave;
        if (note.textContent !== says[leave]) fill(note, says[leave]);
      },
    };
  }

  /** The topic holds the version of what is shown: what somebody else changed meanwhile is not overwritten. */
  async function change(what) {
    await api("PUT", "/tags/policy", { body: { ...policy.value, ...what }, headers: { "If-Match": policy.tag } });
    await refresh(policy);
  }
}
