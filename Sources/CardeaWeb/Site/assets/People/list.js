// Who lives here: one row each, and the link that invites one more.

import { api, copyButton, during, field, fill, follow, h, icon, id, keepingFocus, mistake, newKey, notHeard, pageHead, read, refresh, right, section, sending, session, shortMoment, skeleton, tag, text } from "../Shell/kit.js";

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
    keepingFocus(list, () => fill(list, h("div.panel", h("ul.rows", sorted.map((p) => h("li", h("span.initials", { "aria-hidden": "true" }, p.name.trim().slice(0, 1).toUpperCase()),
      h("span.row-words", h("a.row-link", { href: `/people/${encodeURIComponent(p.person_id)}` }, p.person_id === session.me.person_id ? `${p.name} (${words.you})` : p.name),
        h("span.small.third", [text.roles[p.role] || p.role, p.last_seen_at ? words.seen(shortMoment(read(p.last_seen_at))) : words.never].join(" · "))),
      words.status[p.status] && tag(words.status[p.status], p.status === "disabled" ? "danger" : "quiet"), icon("chevron", "i18")))))));
  }, (error) => !drawn && fill(list, notHeard("people", error))));

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
    if (!right(name, `${words.name}?`)) return;
    fill(said);
    during(button, text.saving, async () => {
      const made = await api("POST", "/people", { body: { name: name.value.trim(), role: role.value() }, key: newKey() });
      form.replaceWith(linkPanel(made));
      say(words.do);
      refresh("people");
    }, (error) => fill(said, mistake(error)));
  }, said, name.node, role.node, h("div.row-buttons", button));
  return section(words.inviteTitle, {}, form);
}

/** Roles as radio rows with what each may do. */
export function roleField(roles, chosen) {
  const group = id("role");
  const node = h("fieldset", h("legend.field-label", words.role), h("div.panel", h("ul.rows", roles.map((role) => h("li", h("label.role-row", h("input", { type: "radio", name: group, value: role, checked: role === chosen }), h("span.row-words", h("strong", text.roles[role]), h("span.small.third", words.roleHelp[role]))))))));
  return { node, value: () => (node.querySelector("input:checked") || {}).value };
}

/** An invite link: shown once, to be sent. */
export function linkPanel({ person, invite_link: link, expires_at: until }) {
  return h("div.panel.padded.link-panel", h("h3", person.name), h("p.small.third", `${words.link} ${shortMoment(read(until))}`), h("p.mono.link-text", link),
    h("div.row-buttons", navigator.share && h("button.button.filled", { onclick: () => navigator.share({ url: link }).catch(() => {}) }, icon("share", "i18"), text.pass.share), copyButton(text.pass.copyLink, () => link, navigator.share ? "outlined" : "filled")));
}
