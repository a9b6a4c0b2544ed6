// The people of the house: one row each, the invite link, and the page of one person.

import { api, confirm, copyButton, during, errorPanel, field, fill, follow, h, icon, id, preserveFocus, formError, newKey, topicError, pageHead, read, refresh, requireValue, section, sending, session, shortMoment, skeleton, badge, text, toggle } from "../Shell/ui.js";
import { sessions } from "../Settings/account.js";

const words = text.people;
const RANK = { owner: 0, admin: 1, member: 2, guest: 3 };

export async function open({ until, say }) {
  const list = h("div", skeleton(2));
  const invite = h("div.invite-place");
  let drawn = "";
  until(follow("people", (people) => {
    const signature = JSON.stringify(people);
    if (signature === drawn) return;
    drawn = signature;
    const sorted = [...people].sort((a, b) => (RANK[a.role] ?? 9) - (RANK[b.role] ?? 9) || a.name.localeCompare(b.name));
    preserveFocus(list, () => fill(list, h("div.panel", h("ul.rows", sorted.map((p) => h("li", h("span.initials", { "aria-hidden": "true" }, p.name.trim().slice(0, 1).toUpperCase()),
      h("span.row-words", h("a.row-link", { href: `/people/${encodeURIComponent(p.person_id)}` }, p.person_id === session.me.person_id ? `${p.name} (${words.you})` : p.name),
        h("span.small.third", [text.roles[p.role] || p.role, p.last_seen_at ? words.seen(shortMoment(read(p.last_seen_at))) : words.never].join(" · "))),
      words.status[p.status] && badge(words.status[p.status], p.status === "disabled" ? "danger" : "quiet"), icon("chevron", "i18")))))));
  }, (error) => !drawn && fill(list, topicError("people", error))));

  const button = h("button.button.filled", { onclick: () => fill(invite, inviteForm(say)) && invite.querySelector("input").focus() }, icon("plus", "i18"), words.invite);
  return { title: words.title, node: h("div.list-page", pageHead(words.title, { actions: session.can("manage_people") && [button] }), invite, list) };
}

function inviteForm(say) {
  const name = field(words.name, { autocomplete: "off", maxlength: "80" });
  const roles = session.me.role === "owner" ? ["member", "admin", "owner"] : ["member"];
  const role = roleField(roles, "member");
  const said = h("div.form-said", { role: "alert" });
  const button = h("button.button.filled", { type: "submit" }, words.do);
  const form = sending(button, () => {
    if (!requireValue(name, `${words.name}?`)) return;
    fill(said);
    during(button, text.saving, async () => {
      const made = await api("POST", "/people", { body: { name: name.value.trim(), role: role.value() }, key: newKey() });
      form.replaceWith(linkPanel(made));
      say(words.do);
      refresh("people");
    }, (error) => fill(said, formError(error)));
  }, said, name.node, role.node, h("div.row-buttons", button));
  return section(words.inviteTitle, {}, form);
}

/** Roles as radio rows, each with its rights. */
export function roleField(roles, chosen) {
  const group = id("role");
  const node = h("fieldset", h("legend.field-label", words.role), h("div.panel", h("ul.rows", roles.map((role) => h("li", h("label.role-row", h("input", { type: "radio", name: group, value: role, checked: role === chosen }), h("span.row-words", h("strong", text.roles[role]), h("span.small.third", words.roleHelp[role]))))))));
  return { node, value: () => (node.querySelector("input:checked") || {}).value };
}

/** An invite link, shown once. */
export function linkPanel({ person, invite_link: link, expires_at: until }) {
  return h("div.panel.padded.link-panel", h("h3", person.name), h("p.small.third", `${words.link} ${shortMoment(read(until))}`), h("p.mono.link-text", link),
    h("div.row-buttons", navigator.share && h("button.button.filled", { onclick: () => navigator.share({ url: link }).catch(() => {}) }, icon("share", "i18"), text.pass.share), copyButton(text.pass.copyLink, () => link, navigator.share ? "outlined" : "filled")));
}

export const person = { async open({ params, until, go, say, alarm, nothing }) {
  const { people } = await api("GET", "/people");
  let person = people.find((p) => p.person_id === params[0]);
  if (!person) return nothing();
  const path = `/people/${encodeURIComponent(person.person_id)}`;
  const self = person.person_id === session.me.person_id;
  const owner = session.me.role === "owner";
  const above = !owner && (person.role === "owner" || person.role === "admin");
  const page = h("div.narrow"), signedIn = !self && !above && sessions({ until }, path);
  const wrong = h("div");
  paint();
  until(follow("people", (news) => {
    const found = news.find((one) => one.person_id === person.person_id);
    if (!found || signed(found) === signed(person)) return;
    person = found;
    paint();
  }));

  function paint() {
    const focused = page.contains(document.activeElement) && document.activeElement.dataset.do;
    fill(page, pageHead(person.name, { back: "/people", sub: `${text.roles[person.role] || person.role}${self ? ` · ${words.self}` : ""}`, actions: words.status[person.status] ? [badge(words.status[person.status], person.status === "disabled" ? "danger" : "quiet")] : null }), wrong,
      section(words.rights, {}, person.permissions.length ? h("div.panel", h("ul.rows.rights", person.permissions.filter((p) => words.permissions[p]).map((p) => h("li", icon("check", "i18"), words.permissions[p])))) : h("p.third", words.noRights)),
      !above && person.role === "member" && session.can("manage_people") ? section(text.nav.guests, {}, h("div.panel.padded", toggle(words.canInvite, { help: words.canInviteHelp, on: person.can_invite_guests, change: (on) => change({ can_invite_guests: on }, true) }).node)) : null,
      owner ? roleSection() : null,
      person.status !== "invited" && signedIn,
      !self && !above ? h("div.row-buttons",
        person.status === "invited" && h("button.button.tonal", { "data-do": "link", onclick: newLink }, words.newLink),
        person.status === "active" && h("button.button.outlined", { "data-do": "status", onclick: disable }, words.disable),
        person.status === "disabled" && h("button.button.tonal", { "data-do": "status", onclick: () => change({ disabled: false }) }, words.enable),
        h("button.button.plain.danger", { "data-do": "remove", onclick: remove }, words.remove)) : null);
    if (focused !== false) (page.querySelector(`[data-do="${focused}"]`) || page.querySelector("h1")).focus();
  }

  function roleSection() {
    const role = roleField(["member", "admin", "owner"], person.role);
    role.node.addEventListener("change", async () => {
      const to = role.value();
      if (await confirm({ title: words.roleTitle(person.name, text.roles[to]), body: words.roleHelp[to], verb: words.roleVerb, danger: false })) await change({ role: to });
      else paint();
    });
    role.node.querySelector("legend").className = "vh";
    return section(words.changeRole, {}, role.node);
  }

  async function change(body, raw) {
    fill(wrong);
    try {
      person = { ...person, ...(await api("PATCH", path, { body, key: newKey() })) };
      say(text.saved);
      refresh("people");
      paint();
    } catch (error) {
      if (raw) throw error;
      paint();
      tell(error, () => change(body));
    }
  }

  function tell(error, again) {
    fill(wrong, error.code === "last_owner" ? h("div.form-said", { role: "alert" }, icon("info", "i18"), h("p", words.lastOwner)) : errorPanel(error, again));
    alarm(text.error(error));
  }

  async function disable() {
    if (await confirm({ title: words.disableTitle(person.name), body: words.disableBody, verb: words.disableVerb })) await change({ disabled: true });
  }

  async function remove() {
    if (!(await confirm({ title: words.removeTitle(person.name), body: words.removeBody, verb: words.removeVerb }))) return;
    try {
      await api("DELETE", path, { key: newKey() });
      await refresh("people");
      say(words.removeVerb);
      go("/people", { replace: true });
    } catch (error) {
      tell(error, remove);
    }
  }

  async function newLink() {
    try {
      fill(wrong, linkPanel(await api("POST", `${path}/invite`, { key: newKey() })));
    } catch (error) {
      tell(error, newLink);
    }
  }

  return { title: person.name, node: page };
} };

/** The fields of a person that this page shows, to compare. */
const signed = (p) => JSON.stringify([p.name, p.role, p.status, p.permissions, p.can_invite_guests]);
