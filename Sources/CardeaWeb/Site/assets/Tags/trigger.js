// "NFC Tag Trigger": whether tags press this button, which ones, one more, one fewer, and a test without any.

import { age, api, confirm, during, facts, failed, fill, follow, h, HubError, icon, keyed, newKey, refresh, section, session, shortMoment, skeleton, tag as word, timeElement, unheard } from "../Shell/kit.js";
import { configuredAt, isPending, isSent, nameOf, riskOf, tags, whatItDoes, wrongIn } from "./buttons.js";
import { removeTag, renewTag } from "./care.js";
import { feel } from "./felt.js";
import { tags as tagWords, tap as tapWords, trigger as words } from "./words.js";

export function trigger(first, { until, say, alarm }) {
  let button = first, mine = null, left = false;
  const owner = session.can("modify_settings");
  const status = h("span"), about = h("div"), list = h("ul.rows"), board = h("div", skeleton(1)), place = h("div"), said = h("div"), came = h("div");
  const begin = h("button.button.tonal", { type: "button", onclick: open }, icon("nfc", "i18"), h("span", words.write));
  const test = h("button.button.outlined", { type: "button", onclick: () => tryOut() }, words.test);
  const node = section(words.title, { aside: status, className: "trigger" }, h("p.third.session-lead", words.lead), board, said, place, h("div.row-buttons", owner && begin, test), h("p.small.third", words.testHelp), came);
  until(() => (left = true));
  until(follow(tags, (all) => {
    // One that is being written is told of where it is written, and goes by itself.
    mine = all.filter((one) => one.button_id === button.button_id && !isPending(one));
    paint();
  }, (error) => mine || fill(board, unheard(tags, error, tagWords.failed))));
  node.renew = (news) => (button = news);
  return node;

  function paint() {
    const is = mine.length > 0;
    if (status.dataset.is !== String(is)) {
      status.dataset.is = is;
      fill(status, word(is ? words.is : words.not, is ? "accent" : "quiet"));
    }
    const last = is && Math.max(...mine.map(configuredAt));
    if (about.dataset.of !== `${last} ${mine.length}`) {
      about.dataset.of = `${last} ${mine.length}`;
      fill(about, is && facts([[words.last, timeElement(last, shortMoment)], [words.tags, words.of(mine.length)]]));
    }
    if (!mine.length) return fill(board);
    if (!list.isConnected) fill(board, about, h("div.panel", list));
    keyed(list, mine, (one) => one.tag_id, row, (item, one) => item.show(one));
  }

  function row() {
    const item = h("li.row-below");
    item.show = (one) => {
      const signature = JSON.stringify(one);
      if (item.dataset.shown === signature) return;
      const hadFocus = item.contains(document.activeElement);
      item.dataset.shown = signature;
      const kind = tagWords.kinds[one.kind];
      const renew = owner && one.outdated && h("button.button.tonal", { type: "button", onclick: () => renewTag(one, renew, { say, failed: wrong }) }, named(tagWords.renew, one));
      fill(item, icon("nfc", "i22"), h("span.row-words", h("a.row-link", { href: `/tags/${encodeURIComponent(one.tag_id)}` }, nameOf(one)),
        h("span.small.third", kind.name, " · ", one.last_used_at ? [`${tagWords.used} `, timeElement(Date.parse(one.last_used_at), age)] : tagWords.unused)),
      one.alarmed_at && word(tagWords.alarmed, "danger"),
      owner && h("span.row-do", renew, h("button.button.plain.danger", { type: "button", onclick: () => removeTag(one, { say, failed: wrong, removed: () => begin.focus() }) }, named(tagWords.remove, one))));
      if (hadFocus) item.querySelector("a").focus();
    };
    return item;
  }

  function wrong(error, again) {
    alarm(wrongIn(error));
    fill(said, error && h("p.form-said", { role: "alert" }, icon("alert", "i18"), h("span", wrongIn(error))));
  }

  /** Comes with what it needs when it is wanted: few who open a button write a tag. */
  async function open() {
    fill(said);
    let form;
    try {
      form = await import("./newTag.js");
    } catch {
      return wrong(new HubError({ offline: true }));
    }
    begin.hidden = true;
    fill(place, form.newTag(button, mine || [], { until, say, alarm, done: close, written }));
    place.querySelector("input:checked").focus();
  }

  function close(focus) {
    fill(place);
    begin.hidden = false;
    if (focus) begin.focus();
  }

  function written(one) {
    close(true);
    fill(said, h("p.tap-done", { role: "status" }, icon("check", "i18"), h("span", words.ready(nameOf(one)))));
    say(words.ready(nameOf(one)));
    refresh(tags);
  }

  /** A live link, made and tapped by whoever stands here: all that a tag does but the touch. */
  async function tryOut() {
    if (riskOf(button) === "open" && !(await confirm({ title: words.testTitle(button.title), body: words.testBody(whatItDoes(button)), verb: words.testVerb, danger: false }))) return;
    fill(came);
    await during(test, words.testing, async () => {
      const { url } = await api("POST", "/tags", { body: { kind: "live", button_id: button.button_id }, key: newKey() });
      const answer = await api("POST", "/tags/tap", { body: { url, confirm: true }, key: newKey() });
      if (left) return;
      const title = answer.action ? answer.action.title : button.title;
      const quiet = isSent(button) && answer.reason === "no_report";
      const done = answer.accepted && (quiet || !answer.message);
      const outcome = quiet ? tapWords.sent(title) : !done ? words.notDone(title, answer.message) : answer.outcome === "confirmed" ? tapWords.done(title) : answer.outcome === "accepted" ? tapWords.asks : tapWords.underWay(title);
      feel(done);
      fill(came, h(done ? "p.tap-done" : "p.form-said", { role: done ? "status" : "alert" }, icon(done ? "check" : "alert", "i18"), h("span", outcome, " ", h("span.small", words.tested))));
      refresh(tags);
    }, (error) => {
      if (!(error instanceof HubError)) throw error;
      feel(false);
      alarm(wrongIn(error));
      fill(came, h("div.panel.padded", failed(error, tryOut)));
    });
  }
}

/** The word of a button, and for who cannot see the row, whose. */
const named = (verb, one) => [verb, h("span.vh", ` ${nameOf(one)}`)];
