// Everyone who was let in, or may be: who waits, who is active, what is over.

import { api, confirm, empty, failed, fill, follow, h, icon, keepingFocus, newKey, notHeard, pageHead, read, refresh, section, skeleton, text } from "../Shell/kit.js";
import { askCards } from "./asks.js";
import { passRow } from "./passRow.js";

const words = text.guests;
const GROUPS = [["waiting", ["approval_pending", "waiting"]], ["active", ["active"]], ["later", ["scheduled"]], ["suspended", ["suspended"]]];
const MONTH = 30 * 24 * 3600e3;

export async function open({ until, say }) {
  const list = h("div", skeleton(4));
  let drawn = "";
  until(follow("guests", (guests) => {
    const signature = JSON.stringify(guests);
    if (signature === drawn) return;
    drawn = signature;
    const grouped = new Set(GROUPS.flatMap(([, statuses]) => statuses));
    const over = guests.filter((g) => !grouped.has(g.status) && Date.now() - read(g.revoked_at || g.expires_at) < MONTH);
    const wasOpen = list.querySelector("details[open]");
    if (!guests.length) return fill(list, h("div.panel", empty(words.empty, words.emptyDo, h("a.button.tonal", { href: "/guests/new" }, words.invite))));
    keepingFocus(list, () => fill(list, GROUPS.map(([name, statuses]) => {
      const mine = guests.filter((g) => statuses.includes(g.status));
      return mine.length ? section(words.sections[name], { aside: h("span.small.third", String(mine.length)) }, h("div.panel", h("ul.rows", mine.map((g) => passRow(g, { long: true }))))) : null;
    }),
    over.length ? h("details.section.fold-section", { open: Boolean(wasOpen) }, h("summary", h("h2", words.sections.over), h("span.small.third", String(over.length))), h("div.panel", h("ul.rows", over.map((g) => passRow(g, { long: true }))))) : null,
    guests.some((g) => grouped.has(g.status)) && h("p.section", h("button.button.plain.danger.flush", { onclick: revokeAll }, words.revokeAll))));
  }, (error) => !drawn && fill(list, notHeard("guests", error))));

  async function revokeAll() {
    const open = list.querySelectorAll(".section:not(.fold-section) .rows > li").length;
    if (!(await confirm({ title: words.revokeAllTitle, body: words.revokeAllBody(open), verb: words.revokeAll }))) return;
    try {
      const { revoked } = await api("POST", "/guests/revoke-all", { key: newKey() });
      say(words.revokedAll(revoked));
      await refresh("guests", "activity");
    } catch (error) {
      list.append(failed(error, revokeAll));
    }
  }

  return { title: words.title, node: h("div.list-page", pageHead(words.title, { actions: [h("a.button.filled", { href: "/guests/new" }, icon("plus", "i18"), words.invite)] }), askCards(until), list) };
}
