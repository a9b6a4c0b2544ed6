// The notifications of the person who is signed in, newest first.

import { api, runAction, during, empty, errorPanel, fill, follow, h, icon, keyed, newKey, pageHead, read, refresh, shortMoment, skeleton, badge, timeElement, topic, loadError } from "../Shell/ui.js";
import { notices as words } from "./words.js";

const DRAWINGS = { ask: "ask", ring: "press", person: "person", motion: "motion" };

export async function open({ until, query, say }) {
  // The hub decides on notifications a moment after the event, so the list loads again while this page is open.
  const source = topic("/notices?limit=50", 4000, (body) => body, (type) => type === "event" || type === "command_update", () => 4000);
  const chosen = query.get("notice");
  let older = [], latest = null, hasMore = false;
  const list = h("ul.rows.notices"), board = h("div", skeleton(4)), wrong = h("div");
  const all = h("button.button.tonal", { hidden: true, onclick: seeAll }, icon("check", "i18"), words.seenAll);
  const more = h("button.button.outlined", { hidden: true, onclick: loadOlder }, words.older);

  until(follow(source, (body) => {
    // Older pages continue below the new entries.
    if (older.length) older = [...latest.notices.filter((one) => !body.notices.some((each) => each.notice_id === one.notice_id)), ...older];
    else hasMore = body.has_more;
    latest = body;
    paint();
  }, (error) => latest || fill(board, loadError(source, error, words.failed))));

  function rows() {
    const held = new Set(latest.notices.map((one) => one.notice_id));
    return [...latest.notices, ...older.filter((one) => !held.has(one.notice_id))];
  }

  function paint() {
    all.hidden = !latest.unseen;
    more.hidden = !hasMore;
    const shown = rows();
    if (!shown.length) return fill(board, h("div.panel", empty(words.none, words.noneDo, h("a.button.outlined", { href: "/settings/notices" }, words.settings))));
    if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, shown, (one) => one.notice_id, row, (node, one) => node.show(one));
  }

  function row() {
    const node = h("li.notice");
    node.show = (one) => {
      const signature = JSON.stringify(one);
      if (node.dataset.shown === signature) return;
      const hadFocus = node.contains(document.activeElement);
      node.dataset.shown = signature;
      node.toggleAttribute("data-chosen", one.notice_id === chosen);
      const head = one.words || (words.kinds[one.kind] || words.kinds.other)(one.place_name);
      const to = one.command_id ? "/guests" : one.event_id ? `/activity/${encodeURIComponent(one.event_id)}` : { maintenance: "/privacy/maintenance", work: "/privacy" }[one.kind] || "/house/mood";
      fill(node, icon(DRAWINGS[one.kind] || "eye", "i22"), h("span.row-words", h("a.row-link", { href: to }, head),
        h("span.small.third", timeElement(read(one.happened_at), shortMoment), [way(one), one.escalated && words.escalated].filter(Boolean).map((part) => ` · ${part}`))),
      !one.acknowledged_at && h("span.row-do", badge(words.fresh, "door"),
        h("button.button.plain", { onclick: () => see(one) }, words.seen, h("span.vh", ` ${head}`))));
      if (hadFocus) node.querySelector("a").focus();
    };
    return node;
  }

  function way(one) {
    if (one.quiet) return words.quiet;
    const taken = one.deliveries.filter((each) => each.state === "taken").length;
    if (taken) return words.sent(taken);
    return one.deliveries.some((each) => each.state === "refused" || each.state === "given_up") ? words.notSent : null;
  }

  async function see(one) {
    await runAction(wrong, (key) => api("POST", `/notices/${encodeURIComponent(one.notice_id)}/acknowledge`, { key }), null, () => see(one), source);
    older = older.map((each) => (each.notice_id === one.notice_id ? { ...each, acknowledged_at: each.acknowledged_at || Date.now() } : each));
  }

  function seeAll() {
    during(all, words.seenAll, async () => {
      const { acknowledged } = await api("POST", "/notices/acknowledge", { key: newKey() });
      older = older.map((each) => ({ ...each, acknowledged_at: each.acknowledged_at || Date.now() }));
      await refresh(source);
      say(words.saidAll(acknowledged));
    }, (error) => fill(wrong, errorPanel(error, seeAll)));
  }

  function loadOlder() {
    const last = rows().at(-1);
    during(more, words.older, async () => {
      const page = await api("GET", `/notices?limit=50&before=${encodeURIComponent(last.notice_id)}`);
      older = [...older, ...page.notices];
      hasMore = page.has_more;
      paint();
    }, (error) => fill(wrong, errorPanel(error, loadOlder)));
  }

  return {
    title: words.title,
    node: h("div.list-page", pageHead(words.title, { sub: words.lead, actions: [all, h("a.icon-button", { href: "/settings/notices", "aria-label": words.settings, title: words.settings }, icon("sliders", "i22"))] }),
      wrong, board, h("div.row-buttons", more)),
  };
}
