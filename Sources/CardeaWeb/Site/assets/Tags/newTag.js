// Adds a tag to a button: its kind, what that kind proves, and how to write it.

import { api, setAttribute, during, field, fill, errorDetails, h, icon, id, formError, newKey, errorSummary, refresh, segments, text } from "../Shell/ui.js";
import { canWrite, MAX_TAGS, nameOf, riskOf, tags, errorText } from "./buttonModel.js";
import { madeCard } from "./tags.js";
import { UnreadableTagError, writeTag } from "./tagWriter.js";
import { tags as tagWords, trigger as words } from "./words.js";

const STEPS = ["making", "hold", "reading", "promoting"];
const HEX = { uid: /^[0-9a-f]{14}$/i, key: /^[0-9a-f]{32}$/i };

/** `there` are the button's tags; `done(focus)` is called when the form closes, `written(tag)` when a tag is active. */
export function newTag(button, there, { until, say, alarm, done, written }) {
  const writes = canWrite(), isFull = there.length >= MAX_TAGS, opens = riskOf(button) === "open";
  const draft = { kind: opens ? "sun" : "static", own: false };
  const list = errorSummary(), said = h("div.form-said", { role: "alert" });
  const label = field(words.label, { name: "tag-label", autocomplete: "off", maxlength: "100" }, { help: words.labelHelp });
  const replaces = field(words.replaces, { name: "tag-replaces" }, { tag: "select" });
  fill(replaces.input, !isFull && h("option", { value: "" }, words.nothing), there.map((one) => h("option", { value: one.tag_id }, nameOf(one))));
  const plain = { autocomplete: "off", spellcheck: "false", autocapitalize: "characters" };
  const uid = field(words.uid, { name: "tag-uid", ...plain }, { help: words.uidHelp });
  const meta = field(words.meta, { name: "tag-meta", ...plain }, { help: words.keyHelp }), file = field(words.file, { name: "tag-file", ...plain }, { help: words.keyHelp });
  const names = field(words.names, { name: "tag-names", value: "picc_data, enc, cmac", ...plain, autocapitalize: "off" }, { help: words.namesHelp });
  const own = h("div.stack", { hidden: true }, meta.node, file.node, names.node), houses = h("p.small.third", words.houseKeys);
  const whose = h("fieldset.stack", h("legend.field-label", words.keys), segments(words.keys, Object.entries(words.whose), "house", (value) => {
    draft.own = value === "own";
    own.hidden = !draft.own;
    houses.hidden = draft.own;
  }), houses, own);
  const more = h("div.stack"), actions = h("div.row-buttons");
  const name = id("kind");
  const kinds = h("fieldset", h("legend.field-label", words.kind), h("div.panel", h("ul.rows", Object.entries(tagWords.kinds).map(([kind, { name: word, short, proves }]) => h("li", h("label.role-row.kind-row",
    h("input", { type: "radio", name, value: kind, checked: kind === draft.kind, "aria-describedby": `${name}-${kind}`, onchange: () => {
      draft.kind = kind;
      show();
    } }),
    h("span.row-words", h("span", h("strong", word), " ", h("span.small.third", short)), h("span.small.third", { id: `${name}-${kind}` }, proves))))))));
  const form = h("form.form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    act(draft.kind === "static" && writes ? write : make);
  } }, list.node, said, kinds, more, actions);
  const node = h("div.panel.padded.new-tag", form);
  let submit = null, stopped = null;
  until(() => stopped && stopped.abort());
  show();
  return node;

  /** The fields of this kind, and the ways to write it here. */
  function show() {
    fill(said);
    list.show([]);
    const is = draft.kind, blocked = is === "static" && opens;
    const full = isFull && is !== "live", byHand = is === "sun" || !writes;
    const note = (what, drawing = "info") => h("p.small.press-note", icon(drawing, "i18"), h("span", what));
    fill(more, blocked ? note(words.needs, "deny") : [
      is !== "live" && label.node,
      full && note(byHand ? words.fullRemove : words.full),
      is === "static" && writes && there.length ? replaces.node : null,
      is === "sun" && [uid.node, whose, note(words.sunHow)],
      is === "static" && !writes && note(words.cannot)]);
    more.hidden = !more.childElementCount;
    submit = blocked || (full && byHand) ? null : h("button.button.tonal", { type: "submit" }, is === "live" ? words.makeLive : is === "static" && writes ? [icon("nfc", "i18"), h("span", words.write)] : words.make);
    const elsewhere = is === "static" && writes && !blocked && !isFull && h("button.button.plain", { onclick: () => act(make, elsewhere) }, words.other);
    fill(actions, submit, h("button.button.outlined", { onclick: () => done(true) }, text.cancel), elsewhere);
  }

  function act(run, presser = submit) {
    if (!presser || presser.getAttribute("aria-disabled") === "true") return;
    fill(said);
    const found = [];
    const check = (one, wrong, message) => {
      one.error(wrong ? message : null);
      if (wrong) found.push([message, one.input]);
    };
    if (draft.kind === "sun") {
      check(uid, !HEX.uid.test(bare(uid)), words.uidWrong);
      for (const [one, name] of [[meta, words.meta], [file, words.file]]) check(one, draft.own && !HEX.key.test(bare(one)), words.keyWrong(name));
      check(names, draft.own && called().length !== 3, words.namesWrong);
    }
    list.show(found);
    if (!found.length) run(presser);
  }

  /** The names of the link's parameters, in their order. */
  function called() { return names.value.match(/[^\s,]+/g) || []; }

  function theirs() {
    const [picc_data, enc, cmac] = called();
    return { picc_data, enc, cmac };
  }

  function make(presser) {
    const body = { kind: draft.kind, button_id: button.button_id, ...(draft.kind !== "live" && label.value.trim() && { label: label.value.trim() }) };
    if (draft.kind === "sun") Object.assign(body, { uid: bare(uid) }, draft.own && { meta_key: bare(meta), file_key: bare(file), names: theirs() });
    during(presser, words.making, async () => {
      const made = await api("POST", "/tags", { body, key: newKey() });
      refresh(tags);
      const card = madeCard(made, { until, done: () => done(true) });
      fill(node, card);
      node.classList.remove("panel", "padded");
      card.head.focus();
      say(card.head.textContent);
    }, refused);
  }

  function refused(error) {
    const wrong = { uid, meta_key: meta, file_key: file, names, label }[(error.details || {}).field];
    if (wrong) {
      wrong.error(errorText(error));
      list.show([[errorText(error), wrong.input]]);
    } else fill(said, formError(error, errorText(error)));
    alarm(errorText(error));
  }

  /** The steps replace the form; after a failure the form returns with its values. */
  async function write() {
    stopped = new AbortController();
    const steps = STEPS.map((step) => h("li", { "data-step": step }, h("span.step-drawing"), h("span", words.steps[step])));
    const stop = h("button.button.outlined", { onclick: () => stopped.abort() }, words.stop);
    const head = h("h3", { tabindex: "-1" }, words.write);
    fill(node, head, h("ol.steps", steps), h("div.row-buttons", stop));
    head.focus();
    const tell = (now) => {
      const at = STEPS.indexOf(now);
      steps.forEach((one, i) => {
        one.dataset.state = i < at ? "done" : i === at ? "now" : "later";
        setAttribute(one, "aria-current", i === at ? "step" : null);
        fill(one.firstChild, icon(i < at ? "check" : ["link", "nfc", "eye", "home"][i], "i18"));
      });
      say(words.steps[now]);
    };
    const body = { button_id: button.button_id, ...(label.value.trim() && { label: label.value.trim() }), ...(replaces.value && there.length && { replaces: replaces.value }) };
    try {
      const tag = await writeTag(body, tell, stopped.signal);
      written(tag);
    } catch (error) {
      fill(node, form);
      const wasStopped = stopped.signal.aborted;
      const why = wasStopped ? words.stopped : words.notWritten(error instanceof UnreadableTagError ? words.why.unread : error.status !== undefined || error.offline ? errorText(error) : words.why[error.name] || words.why.other);
      const kept = there.length ? ` ${words.kept}` : "";
      fill(said, icon(wasStopped ? "info" : "alert", "i18"), h("div", h("p", `${why}${kept}`), errorDetails(error)));
      (wasStopped ? say : alarm)(`${why}${kept}`);
      submit.focus();
      refresh(tags);
    }
    stopped = null;
  }
}

/** Normalises copied digits with spaces, colons or dashes. */
const bare = (one) => one.value.replace(/[\s:-]/g, "");
