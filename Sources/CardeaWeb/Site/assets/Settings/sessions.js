// Where one is signed in: each browser and phone, from where and since when, and how to end it.

import { age, api, confirm, deed, fill, follow, h, icon, keyed, read, section, shortMoment, skeleton, tag, text, timeElement, topic, unheard } from "../Shell/kit.js";

const words = text.sessions;
/** Before it is said when someone was last here, a session must have rested for a while. */
const RECENT = 5 * 60000;

export function sessions({ until }) {
  const open = topic("/auth/sessions", 15000, (body) => body.sessions, (type) => type === "person_update", () => 30000);
  const list = h("ul.rows"), board = h("div", skeleton(2)), wrong = h("div");
  const others = h("button.button.outlined", { type: "button", hidden: true, onclick: endOthers }, words.endOthers);
  const node = section(words.title, {}, h("p.third.session-lead", words.lead), board, wrong, h("div.row-buttons", others));
  const head = node.querySelector("h2");
  head.setAttribute("tabindex", "-1");

  until(follow(open, (all) => {
    const sorted = [...all].sort((a, b) => b.current - a.current || read(b.last_used_at) - read(a.last_used_at));
    if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, sorted, (one) => one.session_id, make, (row, one) => row.show(one));
    others.hidden = all.length < 2;
  }, (error) => {
    if (list.isConnected) return;
    // A hub of yesterday knows no list; the password stays changeable.
    if (error.status === 404) node.hidden = true;
    else fill(board, unheard(open, error, words.failed));
  }));

  function make(one) {
    const line = h("span.small.third");
    const row = h("li", icon(/iPhone|Android|iPad|phone/i.test(one.device) ? "phone" : "screen", "i22"), h("span.row-words", h("strong", one.device), line),
      one.current ? tag(words.current, "accent") : h("button.button.plain.danger", { type: "button", onclick: () => end(one, row) }, words.end, h("span.vh", ` ${one.device}`)));
    row.show = ({ place, signed_in_by: by, last_used_at: used, created_at: made }) => {
      const since = words.by(words.ways[by] || words.ways.password, shortMoment(read(made)));
      const signature = [place, since, used].join();
      if (row.dataset.shown === signature) return;
      row.dataset.shown = signature;
      fill(line, [place === "local network" ? words.local : place, since].filter(Boolean).join(" · "), one.current || Date.now() - read(used) < RECENT ? null : [" · ", words.used, " ", timeElement(read(used), age)]);
    };
    return row;
  }

  async function end(one, row) {
    if (!(await confirm({ title: words.endTitle(one.device), body: words.endBody, verb: words.endVerb }))) return;
    const next = row.nextElementSibling || row.previousElementSibling;
    await deed(wrong, (key) => api("DELETE", `/auth/sessions/${encodeURIComponent(one.session_id)}`, { key }), words.ended(one.device), () => end(one, row), open);
    const to = next && next.querySelector("button");
    (to || head).focus();
  }

  async function endOthers() {
    if (!(await confirm({ title: words.othersTitle, body: words.endBody, verb: words.endOthers }))) return;
    await deed(wrong, (key) => api("POST", "/auth/sessions/revoke-all", { body: { keep_current: true }, key }), words.othersEnded, endOthers, open);
    head.focus();
  }

  return node;
}
