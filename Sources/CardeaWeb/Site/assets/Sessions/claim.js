// Joining a house: the first person becomes its owner, others join by invitation. The token is in the fragment, so no server log has seen it.
// It goes to the hub unchanged, which cleans it; the hub's pins, for terminals, follow it.

import { api, brand, during, field, fill, h, formError, requireValue, sending, text, zoneField } from "../Shell/ui.js";
import { passwordField } from "./password.js";
import { signIn } from "./signin.js";

const words = text.claim;
let token = "";

/** Read once and removed from the address, so that neither onlookers nor the history get the invitation. */
function take(path) {
  token = location.hash.slice(1).split("&")[0] || token;
  if (token) history.replaceState(null, "", path);
}

const card = (...children) => h("div.card", brand(), children);
const head = (title, body) => [h("h1", { tabindex: "-1" }, title), h("p.third", body)];
const signInLink = (kind) => h("p", h(`a${kind}`, { href: "/sign-in" }, text.signIn.do));
const say = (title, body, action) => ({ title, node: card(head(title, body), action) });
const used = () => say(words.used, words.usedBody, signInLink(".button.filled"));

export async function open({ welcome }) {
  take("/claim");
  const asked = api("GET", "/claim");
  if (!token) return (await asked).claimed ? used() : say(location.pathname === "/claim" ? words.noToken : words.none, words.noneBody);
  // The form is shown at once; the message replaces it if the house is claimed already.
  const node = steps(welcome);
  asked.then(({ claimed }) => {
    if (!claimed) return;
    node.replaceWith(used().node);
    document.querySelector("h1").focus();
  }, () => {});
  return { title: words.title, node };
}

/** A resident accepts an invitation: a user name and a password. */
export const join = { async open({ welcome }) {
  take("/join");
  const w = text.join, { username, password, said, button, isFine, send } = account(w, welcome);
  if (!token) return { ...say(w.used, w.usedBody, signInLink(".button.filled")), title: w.title };
  const form = sending(button, () => isFine() && send("/people/accept", { invite_token: token }, (error) => {
    if (error.code === "conflict") return requireValue(username, w.taken, false);
    const gone = [401, 404, 410].includes(error.status);
    fill(said, gone ? formError(error, w.used, h("p.small", w.usedBody)) : formError(error));
  }), said, username.node, password.node, button);
  return { title: w.title, node: card(head(w.title, w.lead), form) };
} };

/** The fields for signing in; `send` gets the values. */
function account(w, welcome) {
  const username = field(words.username, { name: "username", autocomplete: "username", autocapitalize: "none", spellcheck: "false", required: true, maxlength: "64" }, { help: words.usernameHelp });
  const password = passwordField(words.password, { fresh: true, help: words.passwordHelp });
  const said = h("div.form-said", { role: "alert" }), button = h("button.button.filled.wide", { type: "submit" }, w.do);
  /** All missing values are named, and the first one has the focus. */
  const isFine = (...first) => [[password, words.passwordHelp, password.value.length >= 8], [username, `${words.username}?`], ...first].map((one) => requireValue(...one)).every(Boolean);
  return { username, password, said, button, isFine, send(path, body, wrong) {
    fill(said);
    during(button, w.doing, async () => {
      await signIn(path, { ...body, username: username.value.trim(), password: password.value });
      await welcome("/");
    }, wrong);
  } };
}

/** Two short steps on one form: the house, then you. */
function steps(welcome) {
  const house = field(words.house, { name: "organization", autocomplete: "off", required: true, maxlength: "80" }, { help: words.houseHelp });
  const zone = zoneField(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC");
  const person = field(words.you, { name: "name", autocomplete: "name", required: true, maxlength: "80" });
  const { username, password, said, button, isFine, send } = account(words, welcome);
  let guessed = "";
  person.input.addEventListener("input", () => {
    const guess = person.value.trim().split(/\s+/)[0].toLowerCase().normalize("NFD").replace(/[^a-z0-9]/g, "");
    if (!username.value || username.value === guessed) username.input.value = guess;
    guessed = guess;
  });

  const next = h("button.button.filled.wide", { type: "submit" }, words.next);
  const first = sending(next, () => {
    if (!requireValue(house, `${words.house}?`)) return;
    show(2);
    person.input.focus();
  }, house.node, zone.node, next);
  const second = sending(button, () => {
    if (isFine([person, `${words.you}?`])) send("/claim", { claim_token: token, house_name: house.value.trim(), time_zone: zone.value, name: person.value.trim() }, (error) => {
      const known = { 401: "wrong", 409: "used" }[error.status];
      fill(said, known ? formError(error, words[known], h("p.small", words[`${known}Body`]), known === "used" && signInLink("")) : formError(error));
    });
  }, said, person.node, username.node, password.node, button,
  h("button.button.plain", { onclick: () => { show(1); house.input.focus(); } }, text.back));

  const step = h("p.small.third.step");
  const page = card(head(words.title, words.lead), step, first, second);
  function show(n) {
    first.hidden = n !== 1;
    second.hidden = n !== 2;
    step.textContent = words.step(n);
  }
  show(1);
  return page;
}
