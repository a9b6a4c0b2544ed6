// The passkeys one signs in with: what there is, one more, one fewer.

import { api, confirm, during, empty, fill, follow, h, icon, keyed, newKey, read, refresh, rename as renamed, section, shortMoment, skeleton, text, topic, unheard } from "../Shell/kit.js";
import { makePasskey, passkeysWork, putAway } from "../Sessions/passkey.js";

const words = text.passkeys;

export function passkeys({ until, say, alarm }) {
  const mine = topic("/auth/passkeys", 30000, (body) => body.passkeys.filter((one) => !one.ended_at), (type) => type === "person_update");
  const list = h("ul.rows"), board = h("div", skeleton(1)), wrong = h("div");
  const add = h("button.button.tonal", { type: "button", onclick: () => during(add, words.adding, async () => {
    fill(wrong);
    await makePasskey();
    say(words.added);
    await refresh(mine);
  }, (error) => tell(putAway(error) ? null : error)) }, words.add);
  const node = section(words.title, {}, board, wrong, passkeysWork() ? h("div.row-buttons", add) : h("p.small.third.passkey-why", words.cannot));

  until(follow(mine, (all) => {
    if (!all.length) return fill(board, h("div.panel", empty(words.none, words.noneDo)));
    if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, all, (one) => one.passkey_id, make, (row, one) => row.show(one));
  }, (error) => {
    if (error.status === 404) node.hidden = true;
    else if (!list.isConnected) fill(board, unheard(mine, error, words.failed));
  }));

  function make() {
    const row = h("li");
    row.show = (one) => {
      const line = [words.made(shortMoment(read(one.created_at))), one.last_used_at && words.used(shortMoment(read(one.last_used_at)))].filter(Boolean).join(" · ");
      if (row.dataset.shown === one.name + line) return;
      row.dataset.shown = one.name + line;
      const button = (style, word, run) => h(`button.button.plain${style}`, { type: "button", onclick: () => run(one, row) }, word, h("span.vh", ` ${one.name}`));
      fill(row, icon("key", "i22"), h("span.row-words", h("strong", one.name), h("span.small.third", line)), h("span.row-do", button("", words.rename, rename), button(".danger", words.remove, remove)));
    };
    return row;
  }

  /** By what one knows it: the phone in the hand, the key on the ring. */
  async function rename(one, row) {
    const done = await renamed(words.renameTitle(one.name), words, one.name, async (name, key) => {
      await api("PATCH", `/auth/passkeys/${encodeURIComponent(one.passkey_id)}`, { body: { name }, key });
      await refresh(mine);
    });
    // The row was drawn anew under its new name, so the button that was left is not there any more.
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
