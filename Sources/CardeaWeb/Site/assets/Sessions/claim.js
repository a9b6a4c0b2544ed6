// The first person becomes the owner. The token comes in the fragment, so it never travelled to any server log; the hub's pins, for terminals, follow it.

import { accept, api, brand, during, field, fill, folded, h, icon, problems, text, zoneField } from "../Shell/kit.js";
import { passwordField } from "./password.js";

const words = text.claim;
let token = "";

export async function open({ welcome }) {
  token = decodeURIComponent(location.hash.slice(1).split("&")[0]) || token;
  if (token) history.replaceState(null, "", "/claim");
  const asked = api("GET", "/claim");
  if (!token) return (await asked).claimed ? used() : say(location.pathname === "/claim" ? words.noToken : words.none, words.noneBody);
  // The form stands at once; a house that turns out to be claimed takes its place.
  const node = steps(welcome);
  asked.then(({ claimed }) => {
    if (!claimed) return;
    node.replaceWith(used().node);
    document.querySelector("h1").focus();
  }, () => {});
  return { title: words.title, node };
}

const card = (...children) => h("div.card", brand(), children);
const say = (title, body, action) => ({ title, node: card(h("h1", { tabindex: "-1" }, title), h("p.third", body), action) });
const used = () => say(words.used, words.usedBody, h("p", h("a.button.filled", { href: "/sign-in" }, text.signIn.do)));

/** Two short steps on one form: the house, then you. */
function steps(welcome) {
  const house = field(words.house, { name: "organization", autocomplete: "off", required: true, maxlength: "80" }, { help: words.houseHelp });
  const zone = zoneField(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC");
  const person = field(words.you, { name: "name", autocomplete: "name", required: true, maxlength: "80" });
  const username = field(words.username, { name: "username", autocomplete: "username", autocapitalize: "none", spellcheck: "false", required: true, maxlength: "64" }, { help: words.usernameHelp });
  const password = passwordField(words.password, { fresh: true, help: words.passwordHelp });
  const wrong = problems();
  const said = h("div.form-said", { role: "alert" });
  let guessed = "";
  person.input.addEventListener("input", () => {
    const guess = person.value.trim().split(/\s+/)[0].toLowerCase().normalize("NFD").replace(/[^a-z0-9]/g, "");
    if (!username.value || username.value === guessed) username.input.value = guess;
    guessed = guess;
  });

  const button = h("button.button.filled.wide", { type: "submit" }, words.do);
  const next = h("button.button.filled.wide", { type: "submit" }, words.next);
  const first = h("form.form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    house.error(house.value.trim() ? null : `${words.house}?`);
    if (!house.value.trim()) return house.input.focus();
    show(2);
    person.input.focus();
  } }, house.node, zone.node, next);
  const second = h("form.form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    const missing = [[person, words.you], [username, words.username]].filter(([f]) => !f.value.trim());
    for (const [f, label] of [[person, words.you], [username, words.username]]) f.error(f.value.trim() ? null : `${label}?`);
    password.error(password.value.length < 8 ? words.passwordHelp : null);
    const bad = missing.length ? missing[0][0] : password.value.length < 8 ? password : null;
    if (bad) return bad.input.focus();
    fill(said);
    during(button, words.doing, async () => {
      accept(await api("POST", "/claim", { body: { claim_token: token, username: username.value.trim(), password: password.value, house_name: house.value.trim(), time_zone: zone.value, name: person.value.trim(), cookie: true } }));
      await welcome("/");
    }, (error) => {
      const title = error.status === 409 ? words.used : error.status === 401 ? words.wrong : text.error(error);
      const body = error.status === 409 ? words.usedBody : error.status === 401 ? words.wrongBody : null;
      fill(said, icon("alert", "i18"), h("div", h("p", title), body && h("p.small", body), error.status === 409 && h("p", h("a", { href: "/sign-in" }, text.signIn.do)), folded(error)));
    });
  } }, said, wrong.node, person.node, username.node, password.node, button,
  h("button.button.plain", { type: "button", onclick: () => { show(1); house.input.focus(); } }, text.back));

  const step = h("p.small.third.step");
  const page = card(h("h1", { tabindex: "-1" }, words.title), h("p.third", words.lead), step, first, second);
  function show(n) {
    first.hidden = n !== 1;
    second.hidden = n !== 2;
    step.textContent = words.step(n);
  }
  show(1);
  return page;
}
