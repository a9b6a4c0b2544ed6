// Parts of pages that follow the hub: live sections, rows, buttons with a retry, and forms in sheets.

import { shortMoment, timeElement } from "./relativeTime.js";
import { newKey } from "./api.js";
import { announceError, announce } from "./layout.js";
import { sheet } from "./dialog.js";
import { fill, h, icon } from "./dom.js";
import { follow, refresh, topic } from "./liveData.js";
import { during, empty, errorPanel, field, errorDetails, skeleton } from "./components.js";
import { text } from "./text.js";
import { read } from "./time.js";

/** A section that follows a topic: a skeleton, then the result of `paint(body, node)` for each update, or the error. */
export function liveSection(until, source, paint, node = h("div")) {
  let drawn = "";
  if (!node.firstChild) fill(node, skeleton(4));
  until(follow(source, (body) => {
    const news = JSON.stringify(body), held = document.activeElement;
    if (news === drawn) return;
    drawn = news;
    const had = node.contains(held);
    paint(body, node);
    if (had && !held.isConnected) ([...node.querySelectorAll("a, button")].find((one) => one.textContent === held.textContent) || document.querySelector("h1")).focus();
  }, (error) => drawn || fill(node, h("div.panel.padded", error.status === 403 ? empty(text.error(error)) : errorPanel(error, () => refresh(source), text.failed)))));
  return node;
}

/** The time zone of the house: a choice if the browser knows the zones, otherwise an IANA name. */
export function zoneField(here) {
  const zones = Intl.supportedValuesOf ? Intl.supportedValuesOf("timeZone") : [], { zone: label, zoneHelp: help } = text.claim;
  if (!zones.length) return field(label, { name: "zone", value: here }, { help });
  const zone = field(label, { name: "zone" }, { help, tag: "select" });
  fill(zone.input, [...new Set([here, "UTC", ...zones])].sort().map((name) => h("option", { value: name, selected: name === here }, name.replace(/_/g, " "))));
  return zone;
}

/** The error of a topic that never loaded; its next update replaces it. */
export const loadError = (source, error, words) => h("div.panel.padded", errorPanel(error, () => refresh(source), words));

export const button = (kind, word, onclick, ...more) => h(`button.button.${kind}`, { onclick }, word, more);
export const buttons = (...list) => h("div.row-buttons", list);
export const small = (...words) => h("span.small.third", words);
export const when = (at, words = shortMoment) => timeElement(read(at), words);
export const rows = (list) => h("div.panel", h("ul.rows", list));

/** A row: title, link or action (a text has an `at`, a function none), a second line, and trailing content. */
export const row = (name, to, line, ...more) => h("li", h("span.row-words", !to ? h("strong", name) : to.at ? h("a.row-link", { href: to }, name) : h("button.row-link", { onclick: to }, name), small(line)), more, to && icon("chevron", "i18"));

/** Runs an action with the button busy; an error appears in its place with a retry, which has the same idempotency key. */
export function attempt(one, place, work, key = newKey()) {
  fill(place);
  return during(one, text.saving, () => work(key), (error) => {
    announceError(text.error(error));
    fill(place, errorPanel(error, () => attempt(one, place, work, key)));
  });
}

/** A topic that loads again after events with such names, and now and then. */
export const source = (path, events) => topic(path, 15000, (body) => body, (type) => events.test(type));

export const path = (...parts) => `/${parts.map(encodeURIComponent).join("/")}`;

/** A form with its submit action; ignored while its button is busy. */
export const sending = (save, send, ...children) => h("form.form", { novalidate: true, onsubmit(event) {
  event.preventDefault();
  if (save.getAttribute("aria-disabled") !== "true") send();
} }, children);

/** True if a field is valid; otherwise it shows its message and gets the focus. */
export const requireValue = (one, missing, is = one.value.trim()) => {
  one.error(is ? null : missing);
  if (!is) one.input.focus();
  return is;
};

/** A form in a sheet: `value()` of its fields is sent; a wrong field returns nothing. */
export const form = (close, verb, fields, send, more, kind = "filled") => {
  const { nodes, value } = fields || {};
  const save = h(`button.button.${kind}`, { type: "submit" }, verb);
  return sending(save, () => {
    const change = value();
    if (change) send(save, change);
  }, nodes, buttons(nodes && save, more, button("outlined", text.cancel, () => close(""))));
};

/** Renames something in a sheet: `send(name, key)` does it; true if that was done. */
export const renameSheet = async (title, words, value, send) => (await sheet(title, (close) => {
  const name = field(words.name, { autocomplete: "off", maxlength: "100", value }), wrong = h("div");
  name.input.defaultValue = value;
  return form(close, words.renameVerb, { nodes: [name.node, wrong], value: () => requireValue(name, words.nameMissing) }, (save, said) => attempt(save, wrong, async (key) => {
    await send(said, key);
    close("yes");
  }));
})) === "yes";

/** Runs an action and announces it, or shows its error; then refreshes. */
export async function runAction(place, work, done, again, ...sources) {
  fill(place);
  try {
    await work(newKey());
    if (done) announce(done);
  } catch (error) {
    fill(place, errorPanel(error, again));
    announceError(text.error(error));
  }
  await refresh(...sources);
}

/** An error at the top of a form. Rejected credentials are no fault of the machine, so they have no details. */
export const formError = (error, words = text.error(error), ...more) => [icon("alert", "i18"), h("div", h("p", words), more, error.status !== 401 && errorDetails(error))];

/** A field with a choice of a few; `offer(pairs)` adds to them. */
export function choice(label, pairs, props) {
  const one = field(label, props, { tag: "select" });
  one.offer = (list) => one.input.append(...list.map(([value, word]) => h("option", { value }, word)));
  one.offer(pairs);
  return one;
}
