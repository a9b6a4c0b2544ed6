// One pass: what it allows in a sentence, the card, every try with its reason, and how to take it back.

import { api, confirm, dayInSentence, during, failed, fill, follow, h, listOf, moment, newKey, pageHead, read, refresh, schedule, section, session, shortMoment, text, topic } from "../Shell/kit.js";
import { tryRow, wordsOf } from "../Activity/entry.js";
import { askCards } from "./asks.js";
import { passCard } from "./passCard.js";
import { statusTag } from "./passRow.js";

const words = text.guests;
const LIVE = ["waiting", "approval_pending", "scheduled", "active", "suspended"];

export async function open({ params, until, say, alarm }) {
  const path = `/guests/${encodeURIComponent(params[0])}`;
  let guest = await api("GET", path);
  let handed = null;
  let drawn = "";
  const asks = askCards(until, guest.guest_id);
  const page = h("div.guest-page");
  paint();
  // The history is looked at while the guest stands at the door, so it renews itself.
  const pass = topic(path, 3000, (body) => body, (type, data) => type === "command_update" || (type === "guest_update" && data.guest_id === guest.guest_id), () => (session.can("manage_people") ? 60000 : 3000));
  Object.assign(pass, { value: guest, asked: Date.now() });
  until(follow(pass, (news) => {
    guest = news;
    paint();
  }));

  function paint() {
    const signature = JSON.stringify([guest, Boolean(handed)]);
    if (signature === drawn) return;
    drawn = signature;
    // The link is there until a phone takes it, or there is nothing more to take.
    if (handed && (guest.paired_at !== handed.paired_at || words.over(guest))) handed = null;
    const focused = document.activeElement && page.contains(document.activeElement) ? document.activeElement.dataset.do : null;
    const shown = handed ? { ...guest, ...handed } : guest;
    const card = page.querySelector(".pass-card");
    const cardSign = JSON.stringify([guest.status, guest.used_count, guest.suspended_at, handed]);
    const keep = card && card.sign === cardSign ? card : passCard(shown);
    keep.sign = cardSign;
    const head = h("div", pageHead(guest.name, { back: "/guests", actions: [statusTag(guest)] }), h("p.pass-sentence", sentence(guest)), asks, actions());
    const beside = h("aside.pass-aside", { "aria-label": text.pass.card }, keep);
    const rest = h("div.guest-rest", history());
    // A pass still to be handed over shows its card first, one in use its history.
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
        return tryRow(wordsOf({ ...one, device_name: one.device_id || one.entity_id ? (device && device.device_name) || one.device_id : null }, { who: Boolean(one.who && one.who.kind === "person") }), read(one.at), (at) => shortMoment(at), true);
      }))) : h("p.third", words.noHistory));
  }

  async function send(what) {
    try {
      const answer = await api("POST", `${path}/${what}`, { key: newKey() });
      guest = { ...guest, ...answer };
      say(`${guest.name}: ${words.status[guest.status]}`);
      paint();
      await refresh(pass);
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
      refresh(pass);
    }, (error) => wrong(error, newLink));
  }

  function wrong(error, again) {
    const old = page.querySelector(".row-buttons + .failed");
    if (old) old.remove();
    page.querySelector(".row-buttons").after(failed(error, again));
    alarm(text.error(error));
  }

  return { title: guest.name, node: page };
}

/** What the pass allows, or why it allows nothing any more. */
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
