// All passes, one pass in full, and the card to share it.

import { api, confirm, copyButton, dayInSentence, during, empty, facts, errorPanel, fill, follow, h, HubError, icon, preserveFocus, listOf, moment, newKey, topicError, pageHead, read, refresh, schedule, section, session, shortMoment, skeleton, text, topic } from "../Shell/ui.js";
import { attemptRow, describeEntry } from "../Activity/entryRow.js";
import { qrImage } from "../Shell/qr.js";
import { passRow, doorNames, nextStart, statusBadge, validityOf } from "./passRow.js";

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
    preserveFocus(list, () => fill(list, GROUPS.map(([name, statuses]) => {
      const mine = guests.filter((g) => statuses.includes(nextStart(g) ? "scheduled" : g.status));
      return mine.length ? section(words.sections[name], { aside: h("span.small.third", String(mine.length)) }, h("div.panel", h("ul.rows", mine.map((g) => passRow(g, { long: true }))))) : null;
    }),
    over.length ? h("details.section.fold-section", { open: Boolean(wasOpen) }, h("summary", h("h2", words.sections.over), h("span.small.third", String(over.length))), h("div.panel", h("ul.rows", over.map((g) => passRow(g, { long: true }))))) : null,
    guests.some((g) => grouped.has(g.status)) && h("p.section", h("button.button.plain.danger.flush", { onclick: revokeAll }, words.revokeAll))));
  }, (error) => !drawn && fill(list, topicError("guests", error))));

  async function revokeAll() {
    const open = list.querySelectorAll(".section:not(.fold-section) .rows > li").length;
    if (!(await confirm({ title: words.revokeAllTitle, body: words.revokeAllBody(open), verb: words.revokeAll }))) return;
    try {
      const { revoked } = await api("POST", "/guests/revoke-all", { key: newKey() });
      say(words.revokedAll(revoked));
      await refresh("guests", "activity");
    } catch (error) {
      list.append(errorPanel(error, revokeAll));
    }
  }

  return { title: words.title, node: h("div.list-page", pageHead(words.title, { actions: [h("a.button.filled", { href: "/guests/new" }, icon("plus", "i18"), words.invite)] }), list) };
}

const LIVE = ["waiting", "approval_pending", "scheduled", "active", "suspended"];

export const pass = { async open({ params, until, say, alarm }) {
  const path = `/guests/${encodeURIComponent(params[0])}`;
  let guest = await api("GET", path);
  let handed = null;
  let drawn = "";
  const page = h("div.guest-page");
  paint();
  // The history is updated while the page is open, as the guest may be at the door.
  const mine = topic(path, 3000, (body) => body, (type, data) => type === "command_update" || (type === "guest_update" && data.guest_id === guest.guest_id), () => (session.can("manage_people") ? 60000 : 3000));
  Object.assign(mine, { value: guest, asked: Date.now() });
  until(follow(mine, (news) => {
    guest = news;
    paint();
  }));

  function paint() {
    const signature = JSON.stringify([guest, Boolean(handed)]);
    if (signature === drawn) return;
    drawn = signature;
    // The link is shown until a phone takes it, or the pass ends.
    if (handed && (guest.paired_at !== handed.paired_at || words.over(guest))) handed = null;
    const focused = document.activeElement && page.contains(document.activeElement) ? document.activeElement.dataset.do : null;
    const shown = handed ? { ...guest, ...handed } : guest;
    const card = page.querySelector(".pass-card");
    const cardSign = JSON.stringify([guest.status, guest.next_from, guest.used_count, guest.suspended_at, handed]);
    const keep = card && card.sign === cardSign ? card : passCard(shown);
    keep.sign = cardSign;
    const head = h("div", pageHead(guest.name, { back: "/guests", actions: [statusBadge(guest)] }), h("p.pass-sentence", sentence(guest)), actions());
    const beside = h("aside.pass-aside", { "aria-label": text.pass.card }, keep);
    const rest = h("div.guest-rest", history());
    // A pass that was not taken yet shows its card first, a pass in use its history.
    fill(page, head, handed || guest.status === "waiting" ? [beside, rest] : [rest, beside]);
    if (focused) {
      const again = page.querySelector(`[data-do="${focused}"]`) || page.querySelector("h1");
      again.focus();
    }
  }

  function actions() {
    const can = LIVE.includes(guest.status);
    const button = (name, word, className, run) => h(`button.button.${className}`, { "data-do": name, onclick: run }, word);
    const list = [];
    if (guest.status === "suspended") list.push(button("resume", words.resume, "tonal", () => send("resume")));
    if (can && guest.status !== "suspended") list.push(button("suspend", words.suspend, "outlined", () => send("suspend")));
    if (can) list.push(button("code", words.newLink, "outlined", newLink), button("revoke", words.revoke, "plain.danger", revoke));
    return h("div", h("div.row-buttons", list));
  }

  function history() {
    const rows = guest.history || [];
    return section(words.history, { aside: rows.length ? h("span.small.third", words.uses(guest)) : null },
      rows.length ? h("div.panel", h("ul.rows.tries", rows.map((one) => {
        const device = guest.grants.find((grant) => grant.device_id === one.device_id || grant.entity_id === one.entity_id);
        return attemptRow(describeEntry({ ...one, device_name: one.device_id || one.entity_id ? (device && device.device_name) || one.device_id : null }, { who: Boolean(one.who && one.who.kind === "person") }), read(one.at), (at) => shortMoment(at), true);
      }))) : h("p.third", words.noHistory));
  }

  async function send(what) {
    try {
      const answer = await api("POST", `${path}/${what}`, { key: newKey() });
      guest = { ...guest, ...answer };
      say(`${guest.name}: ${words.status[guest.status]}`);
      paint();
      await refresh(mine);
      refresh("guests", "asks", "activity");
    } catch (error) {
      wrong(error, () => send(what));
    }
  }

  async function revoke() {
    if (await confirm({ title: words.revokeTitle(guest.name), body: words.revokeBody, verb: words.revokeVerb })) await send("revoke");
  }

  async function newLink({ currentTarget: button }) {
    if (guest.paired_at && !(await confirm({ title: words.newLinkTitle, body: words.newLinkBody, verb: words.newLinkVerb, danger: false }))) return;
    await during(button, words.newLinkMaking, async () => {
      handed = { ...(await api("POST", `${path}/code`, { key: newKey() })), paired_at: guest.paired_at };
      drawn = "";
      paint();
      say(words.newLinkMade);
      refresh(mine);
    }, (error) => wrong(error, newLink));
  }

  function wrong(error, again) {
    const old = page.querySelector(".row-buttons + .failed");
    if (old) old.remove();
    page.querySelector(".row-buttons").after(errorPanel(error, again));
    alarm(text.error(error));
  }

  return { title: guest.name, node: page };
} };

/** What the pass allows, or why it has ended. */
function sentence(guest) {
  const doors = listOf(guest.grants.map((grant) => text.sentence.the(grant.device_name || grant.device_id)));
  const end = read(guest.expires_at), start = read(guest.starts_at);
  const over = words.over(guest);
  if (over) {
    const at = guest.status === "revoked" ? read(guest.revoked_at) : guest.status === "expired" ? end : null;
    return words.opened(over, at && moment(at), doors);
  }
  const when = guest.schedule ? words.weekly(schedule(guest.schedule), dayInSentence(end)) : start && start > Date.now() ? words.fromTo(moment(start), moment(end)) : words.until(moment(end));
  const uses = words.left(guest);
  const extra = [guest.ask_each_time && text.invite.eachAsked, guest.local_only && text.guests.localOnly, guest.bound_to_device && text.guests.bound, guest.presence === "verified" && text.guests.verified].filter(Boolean);
  return words.opens(doors, [when, uses, ...extra]);
}

/** `link` and `pairing_code` are known only right after creation; later the code is shown on request. */
export function passCard(guest) {
  const words = text.pass;
  const handed = guest.link;
  const picture = h("div.qr", { tabindex: "-1" });
  const spoken = guest.pairing_code ? `${guest.pairing_code.slice(0, 4)} ${guest.pairing_code.slice(4, 8)} ${guest.pairing_code.slice(8)}` : null;
  const node = h("article.panel.pass-card",
    h("div.pass-top", h("p.brand", icon("mark"), h("span", session.house.name)), statusBadge(guest)),
    h("h2.pass-name", guest.name), h("p.third", doorNames(guest)), picture,
    facts([
      [words.when, validityOf(guest)],
      [words.openings, guest.max_uses ? text.guests.uses(guest) : words.noLimit],
      [words.code, spoken && h("span", h("span.mono.code", spoken), guest.pairing_expires_at && h("span.small.third.code-note", words.codeUntil(read(guest.pairing_expires_at))))],
    ]),
    handed ? h("div.row-buttons.pass-do",
      navigator.share && h("button.button.filled", { onclick: () => navigator.share({ title: words.shareText(session.house.name), text: words.shareText(session.house.name), url: guest.link }).catch(() => {}) }, icon("share", "i18"), words.share),
      copyButton(words.copyLink, () => guest.link, navigator.share ? "outlined" : "filled"),
      spoken && copyButton(words.copyCode, () => guest.pairing_code),
      h("button.button.outlined", { onclick: () => print() }, icon("print", "i18"), words.print)) : null);
  if (handed) node.append(h("p.vh", { "data-link": guest.link }));
  if (handed) draw();
  else if (guest.status === "waiting") fill(picture, h("button.button.outlined", { onclick: draw }, words.show));
  else picture.remove();

  async function draw() {
    const held = picture.contains(document.activeElement);
    fill(picture, h("p.small.third", words.qrWait));
    if (held) picture.focus();
    try {
      fill(picture, await qrImage(`/guests/${encodeURIComponent(guest.guest_id)}/qr.svg`, words.qr));
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      fill(picture, error.status === 410 || error.status === 404 ? h("p.small.third", words.qrGone) : errorPanel(error, draw, words.qrFailed));
    }
  }
  return node;
}
