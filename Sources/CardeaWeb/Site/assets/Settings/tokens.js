// Tokens for programs: what there is, what each may and until when, one more, one fewer. A token is shown once, when it is made.

import { age, api, confirm, copyButton, deed, empty, fill, follow, h, icon, keyed, known, now, pageHead, read, refresh, session, shortMoment, skeleton, tag, text, timeElement, topic, unheard } from "../Shell/kit.js";
import { tokenForm } from "./tokenForm.js";
import { tokens as words } from "./words.js";

export async function open({ until, say, alarm, nothing }) {
  if (!session.can("control_devices")) return nothing();
  const all = topic("/auth/api-tokens", 30000, (body) => body.tokens, (type) => type === "person_update");
  const list = h("ul.rows"), board = h("div", skeleton(2)), place = h("div.invite-place"), wrong = h("div");
  const make = h("button.button.filled", { type: "button", onclick: begin }, icon("plus", "i18"), words.make);
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
      h("button.button.plain.danger", { type: "button", onclick: () => revoke(one, node) }, words.revoke, h("span.vh", ` ${one.name}`)));
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
      h("div.row-buttons", copyButton(words.copy, () => token.token, "filled"), h("button.button.outlined", { type: "button", onclick: done }, words.done)),
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

  return { title: words.title, node: h("div.narrow", pageHead(words.title, { back: "/settings" }), h("p.third.session-lead", words.lead), place, board, wrong, h("div.row-buttons", make)) };
}

/** Device by device what it may, looking understood where more is allowed. */
function granted(grants) {
  const devices = known("devices") || [];
  const actions = new Map();
  for (const grant of grants) actions.set(grant.device_id, [...(actions.get(grant.device_id) || []), ...grant.actions]);
  return [...actions].map(([id, list]) => {
    const device = devices.find((one) => one.device_id === id);
    const does = [...new Set(list)].filter((action) => action !== "read");
    return words.device(device ? device.name : words.gone, (does.length ? does : ["read"]).map((action) => words.actions[action] || action.replace(/_/g, " ")));
  });
}
