// The passkeys one signs in with: what there is, one more, one fewer.

import { api, newKey } from "../Shell/api.js";
import { confirm } from "../Shell/dialog.js";
import { keyed } from "../Shell/keyed.js";
import { fill, h, icon } from "../Shell/h.js";
import { follow, refresh, topic } from "../Shell/live.js";
import { during, empty, failed, section, skeleton } from "../Shell/parts.js";
import { text } from "../Shell/text.js";
import { shortMoment } from "../Shell/ages.js";
import { read } from "../Shell/time.js";
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
    keyed(list, all, (one) => one.passkey_id, (one) => h("li", icon("key", "i22"), h("span.row-words", h("strong", one.name),
      h("span.small.third", [words.made(shortMoment(read(one.created_at))), one.last_used_at && words.used(shortMoment(read(one.last_used_at)))].filter(Boolean).join(" · "))),
      h("button.button.plain.danger", { type: "button", onclick: () => remove(one) }, words.remove, h("span.vh", ` ${one.name}`))));
  }, (error) => {
    if (error.status === 404) node.hidden = true;
    else if (!list.isConnected) fill(board, h("div.panel.padded", failed(error, () => refresh(mine), words.failed)));
  }));

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
