// One person: the role in words, what it allows, and how to change or end it.

import { api, confirm, failed, fill, follow, h, icon, newKey, pageHead, refresh, section, session, tag, text, toggle } from "../Shell/kit.js";
import { sessions } from "../Settings/account.js";
import { linkPanel, roleField } from "./list.js";

const words = text.people;

export async function open({ params, until, go, say, alarm, nothing }) {
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
    fill(page, pageHead(person.name, { back: "/people", sub: `${text.roles[person.role] || person.role}${self ? ` · ${words.self}` : ""}`, actions: words.status[person.status] ? [tag(words.status[person.status], person.status === "disabled" ? "danger" : "quiet")] : null }), wrong,
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
    fill(wrong, error.code === "last_owner" ? h("div.form-said", { role: "alert" }, icon("info", "i18"), h("p", words.lastOwner)) : failed(error, again));
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
}

/** What of a person stands on this page. */
const signed = (p) => JSON.stringify([p.name, p.role, p.status, p.permissions, p.can_invite_guests]);
