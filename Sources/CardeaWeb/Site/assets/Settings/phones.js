// The phones that act for one: what there is, those that wait, and letting one more in by the six digits on its screen.

import { age, api, clock, confirm, copyButton, deed, during, empty, failed, field, fill, follow, h, HubError, icon, keyed, mistake, pageHead, read, refresh, rename as renamed, right, section, sending, session, shortMoment, skeleton, text, timeElement, topic, unheard } from "../Shell/kit.js";
import { qr } from "../Shell/qr.js";
import { phones as words } from "./words.js";

export async function open({ until, say, alarm, nothing }) {
  if (!session.can("control_devices")) return nothing();
  const hears = (type) => type === "phone_update";
  const mine = topic("/mobile/devices", 15000, (body) => body.devices, hears);
  const waiting = topic("/mobile/auth/pending", 3000, (body) => body.pairings, hears, () => 30000);
  const list = h("ul.rows"), board = h("div", skeleton(1)), wrong = h("div");
  const asking = h("ul.rows"), queue = h("div"), said = h("div.form-said", { role: "alert" }), picture = h("div.qr"), place = h("div");

  const digits = field(words.digits, {
    name: "pairing-digits", inputmode: "numeric", autocomplete: "off", maxlength: "11", spellcheck: "false",
  }, { help: words.digitsHelp });
  digits.input.classList.add("mono");
  const button = h("button.button.filled", { type: "submit" }, words.pair);
  const form = sending(button, pair, said, digits.node, h("div.row-buttons", button));
  const scan = h("details.fold", { ontoggle: () => scan.open && !place.childElementCount && draw() }, h("summary", words.scan), place);

  const phonesPart = section(words.have, {}, board, wrong);
  const head = phonesPart.querySelector("h2");
  head.setAttribute("tabindex", "-1");

  until(follow(mine, (all) => {
    if (!all.length) return fill(board, h("div.panel", empty(words.none, words.noneDo)));
    if (!list.isConnected) fill(board, h("div.panel", list));
    keyed(list, all, (one) => one.device_id, row, (node, one) => node.show(one));
  }, (error) => {
    if (!list.isConnected) fill(board, unheard(mine, error, words.failed));
  }));
  until(follow(waiting, (all) => {
    if (!all.length) return fill(queue, h("p.small.third", words.nobody));
    if (!asking.isConnected) fill(queue, h("div.panel", asking));
    keyed(asking, all, (one) => one.pairing_id, waits, (node, one) => node.show(one));
  }, () => fill(queue)));

  function row() {
    const node = h("li");
    node.show = (one) => {
      const signature = JSON.stringify(one);
      if (node.dataset.shown === signature) return;
      node.dataset.shown = signature;
      const act = (style, word, run) => h(`button.button.plain${style}`, { onclick: () => run(one, node) }, word, h("span.vh", ` ${one.device_name}`));
      fill(node, icon("phone", "i22"), h("span.row-words", h("strong", one.device_name),
        h("span.small.third", [one.device_model, where(one), words.paired(shortMoment(read(one.paired_at)))].filter(Boolean).join(" · "), " · ", words.used, " ", timeElement(read(one.last_used_at), age))),
      h("span.row-do", act("", words.rename, rename), act(".danger", words.remove, remove)));
    };
    return node;
  }

  function waits() {
    const node = h("li");
    node.show = (one) => {
      if (node.dataset.shown === one.pairing_id) return;
      node.dataset.shown = one.pairing_id;
      fill(node, icon("phone", "i22"), h("span.row-words", h("strong", one.device_name),
        h("span.small.third", [one.device_model, where(one), words.asked(clock(read(one.created_at)))].filter(Boolean).join(" · "))),
      h("button.button.plain.danger", { onclick: () => reject(one, node) }, words.reject, h("span.vh", ` ${one.device_name}`)));
    };
    return node;
  }

  const where = (one) => (one.place === "local network" ? text.sessions.local : one.place);

  function pair() {
    fill(said);
    const code = digits.value.replace(/[\s-]/g, "");
    if (!right(digits, words.digitsMissing, /^[0-9]{6}$/.test(code))) return;
    during(button, words.pairing, async () => {
      const phone = await api("POST", "/mobile/auth/confirm", { body: { code } });
      digits.input.value = "";
      say(words.done(phone.device_name));
      await refresh(waiting, mine);
    }, (error) => {
      fill(said, error.status === 404 ? mistake({}, words.unknown) : mistake(error));
      digits.input.select();
    });
  }

  async function draw() {
    fill(place, picture);
    fill(picture, h("p.small.third", text.pass.qrWait));
    try {
      const [link, code] = await Promise.all([api("GET", "/mobile/auth/invitation"), qr("/mobile/auth/invitation/qr.svg", words.scanAlt)]);
      fill(picture, code);
      fill(place, picture, h("p.small.third", words.address), h("p.link-text.mono", link.url),
        link.pins.length > 0 && [h("p.small.third", words.key), h("p.link-text.mono", link.pins[0])],
        h("div.row-buttons", copyButton(words.copy, () => link.app_link)));
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      fill(place, failed(error, draw, text.pass.qrFailed));
    }
  }

  async function rename(one, node) {
    const done = await renamed(words.renameTitle(one.device_name), words, one.device_name, async (device_name, key) => {
      await api("PATCH", `/mobile/devices/${encodeURIComponent(one.device_id)}`, { body: { device_name }, key });
      await refresh(mine);
    });
    if (node.isConnected) node.querySelector("button").focus();
    if (done) say(words.renamed);
  }

  async function remove(one, node) {
    if (!(await confirm({ title: words.removeTitle(one.device_name), body: words.removeBody, verb: words.removeVerb }))) return;
    await deed(wrong, (key) => api("DELETE", `/mobile/devices/${encodeURIComponent(one.device_id)}`, { key }), words.removed(one.device_name), () => remove(one, node), mine, waiting);
    head.focus();
  }

  async function reject(one, node) {
    await deed(said, (key) => api("DELETE", `/mobile/auth/pending/${encodeURIComponent(one.pairing_id)}`, { key }), words.rejected(one.device_name), () => reject(one, node), mine, waiting);
    digits.input.focus();
  }

  return {
    title: words.title,
    node: h("div.narrow", pageHead(words.title, { back: "/settings" }), h("p.third.session-lead", words.lead), phonesPart,
      section(words.one, {}, h("div.panel.padded", h("p", words.how), scan, form), queue)),
  };
}
