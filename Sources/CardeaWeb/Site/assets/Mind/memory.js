// The memories of the house: search, show, correct, forget and add.

import { api, attempt, liveSection, button, buttons, confirm, empty, facts, field, fill, form, h, icon, keyed, known, number, path, refresh, row, rows, segments, sheet, source, text, when } from "../Shell/ui.js";
import { timeField } from "../Guests/timeField.js";
import { page, deviceChips, confidenceWord } from "./shared.js";

const words = {
  search: "Search", kind: "Kind", all: "Everything",
  kinds: { episodic: "Event", semantic: "Fact", procedural: "Habit" },
  sources: { sensor: "from a sensor", user_interaction: "from a person", internal: "from the house", learned: "learned" }, by: (name) => `told by ${name}`, found: (n) => `${n} found`,
  none: "No memories yet.", noneDo: "Events, habits and what you tell the house appear here.", noneFound: "No memory matches.", showAll: "Show everything",
  from: "From", sure: "How sure", since: "Since", said: "You said",
  add: "Tell the house", keep: "Remember", added: "Remembered.",
  content: "In a sentence", missing: "Write a sentence.",
  correct: "Correct", save: "Save", corrected: "Corrected.", shut: "Shut by", low: "Usually from", high: "Usually to", range: "The lower number first.",
  relearn: "Learn again", correction: ({ forgotten, shut_by: by, low, high }, unit) => (by ? `Shut by ${by}` : forgotten ? "Not learned" : low === null ? "Other hours" : `From ${text.history.value({ mean: low }, unit)} to ${text.history.value({ mean: high }, unit)}`),
  forget: "Forget", forgetTitle: (title) => `Forget “${title}”?`, forgetBody: "This cannot be undone.", forgetHabit: "It is not learned again.", forgotten: "Forgotten.",
};

export async function open({ until, query, say }) {
  let stop = () => {}, memories, look = { type: query.get("type") || "", q: query.get("q") || "" }, typing, asked = null;
  const panel = rows(), place = h("div");
  const search = field(words.search, { type: "search", value: look.q, autocomplete: "off", maxlength: 200, oninput() {
    clearTimeout(typing);
    typing = setTimeout(() => find({ q: search.value.trim() }), 300);
  } });
  const chips = h("div.chips", { role: "group", "aria-label": words.kind }, ["", ...Object.keys(words.kinds)].map((type) => h("button.chip", { "data-type": type, onclick: () => find({ type }) }, words.kinds[type] || words.all)));
  until(() => {
    stop();
    clearTimeout(typing);
  });
  find({});

  function find(change) {
    Object.assign(look, change);
    const { type, q } = look, asks = (all) => String(new URLSearchParams(Object.entries(all).filter(([, value]) => value)));
    for (const chip of chips.children) chip.setAttribute("aria-pressed", chip.dataset.type === type);
    history.replaceState(null, "", `?${asks({ type, q })}`);
    stop();
    // The latest memories are stored with the board, and can be read without a connection.
    memories = type || q ? source(`/memory?${asks({ memory_type: type, q, time_range: "9999d", limit: 200 })}`, /^memory/) : "memories";
    liveSection((made) => (stop = made), memories, paint, place);
  }

  function paint({ memories, total }) {
    const what = look.type + look.q;
    if (asked !== null && asked !== what) say(words.found(total));
    asked = what;
    if (!memories.length) return fill(place, h("div.panel", what ? empty(words.noneFound, null, button("outlined", words.showAll, () => find({ type: "", q: (search.input.value = "") }))) : empty(words.none, words.noneDo)));
    if (!panel.isConnected) fill(place, panel);
    keyed(panel.firstChild, memories, JSON.stringify, (m) => row(m.content.length > 160 ? m.title : m.content, () => show(m), [`${words.kinds[m.memory_type]} · ${from(m)} · `, when(m.created_at)]));
  }

  const changed = (close, done) => {
    close("");
    say(done);
    return refresh(memories, "memories");
  };

  /** Shows one memory, and the actions on it. */
  function show(m) {
    // `unit` is the sensor's unit if the memory is its usual range; otherwise undefined.
    const body = h("div"), wrong = h("div"), isHabit = m.memory_id.startsWith("habit_"), unit = (known("devices") || []).flatMap((one) => one.entities).find((one) => m.memory_id === `habit_level_${one.entity_id}`)?.unit_of_measurement;
    const send = (one, close, method, change, done) => attempt(one, wrong, async () => {
      // After a conflict the list shows the current version.
      await api(method, path("memory", m.memory_id), { body: change, headers: { "If-Match": `"${m.version}"` } }).catch((error) => {
        if (error.status === 412) changed(close, "");
        throw error;
      });
      await changed(close, done);
    });
    sheet(m.title, (close) => {
      const forget = button("plain.danger", words.forget, async () => (await confirm({ title: words.forgetTitle(m.title), body: isHabit ? words.forgetHabit : words.forgetBody, verb: words.forget })) && send(forget, close, "DELETE", undefined, words.forgotten));
      fill(body, m.content !== m.title && h("p", m.content), facts([
        [words.kind, words.kinds[m.memory_type]], [words.from, from(m)], [words.sure, confidenceWord(m.confidence)], [words.since, when(m.created_at)], [words.said, m.correction && words.correction(m.correction, unit)],
      ]), h("div.chips.wrap", deviceChips(m.related_devices)), buttons(m.may_change && [button("tonal", words.correct, () => correct(close)), forget], button("outlined", text.close, () => close(""))));
      return [body, wrong];
    });

    function correct(close) {
      const anew = button("tonal", words.relearn, () => send(anew, close, "PATCH", { correction: { relearn: true } }, words.corrected));
      fill(body, form(close, words.save, isHabit ? habitFields(m, unit) : textFields(m.content), (save, change) => send(save, close, "PATCH", change, words.corrected), isHabit && anew));
      body.querySelector(".input, button").focus();
    }
  }

  function add() {
    const wrong = h("div");
    let type = "semantic";
    const fields = textFields("", segments(words.kind, Object.entries(words.kinds), type, (chosen) => (type = chosen)), wrong);
    sheet(words.add, (close) => form(close, words.keep, fields, (save, change) => attempt(save, wrong, async (key) => {
      await api("POST", "/memory", { key, body: { type, ...change } });
      await changed(close, words.added);
    })));
    document.querySelector("dialog .input").focus();
  }

  return page(until, "memory", { actions: button("filled", icon("plus", "i18"), add, words.add) }, search.node, chips, place);
}

const from = (m) => (m.told_by ? words.by(m.told_by) : words.sources[m.source]);

function textFields(value, ...more) {
  const content = field(words.content, { rows: "4", maxlength: "2000", value }, { tag: "textarea" });
  return { nodes: [content.node, more], value() {
    const said = content.value.trim();
    content.error(!said && words.missing);
    return said && { content: said };
  } };
}

/** The fields of a habit: the time of closing, or the range of a sensor in the person's unit. Other habits can only be learned again. */
function habitFields(m, unit) {
  const now = m.correction || {};
  // A habit of closing.
  if (m.memory_id.startsWith("habit_c")) {
    const by = timeField(words.shut, now.shut_by);
    return { nodes: by.node, value: () => by.time() && { correction: { shut_by: by.time() } } };
  }
  const [low, high] = unit === undefined ? [] : ["low", "high"].map((name) => field([words[name], unit && `, ${number.unit(unit)}`], { inputmode: "decimal", value: now[name] != null && +number.own(now[name], unit).toFixed(2) }));
  return low && { nodes: [low.node, high.node], value() {
    const [a, b] = [low, high].map((one) => number.house(parseFloat(one.value.replace(",", ".")), unit));
    high.error(a <= b ? null : words.range);
    return a <= b && { correction: { low: a, high: b } };
  } };
}
