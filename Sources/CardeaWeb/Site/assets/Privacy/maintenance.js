// What is to be done in the house: what is due when, that it was done, and what it cost.

import { DAY, api, confirm, dayInSentence, during, empty, failed, field, fill, folded, follow, h, icon, instant, known, longDay, newKey, pageHead, parts, read, refresh, rows, section, session, skeleton, text, topic } from "../Shell/kit.js";
import { readMoment, writeMoment } from "../Guests/when.js";

const words = {
  title: "Maintenance", add: "Add", none: "Nothing is to be done.", noneDo: "Filters, batteries, the boiler: you are told on the day they are due.",
  groups: ["Overdue", "Within a week", "Within a month", "Later", "Some time"],
  what: "What is to be done", day: "Due on", dayHelp: "Like 31 Jan, Friday, tomorrow",
  every: "How often", often: { "": "Once", daily: "Every day", weekly: "Every week", biweekly: "Every two weeks", monthly: "Every month", quarterly: "Every three months", semiannual: "Every six months", annual: "Every year" },
  notes: "Notes", save: "Save", change: "Change", remove: "Remove", removeBody: "What was put down of it goes, too.",
  done: "Done", cost: "What it cost", costHelp: "Like 12.99 EUR", history: "What was done", never: "Not done yet.",
};
const HERE = "/privacy/maintenance";
const tasks = topic("/maintenance", 30000, (body) => body, (type) => type === "maintenance_update");
const may = () => session.can("manage_maintenance");
const noon = (day) => instant(...day.split("-").map(Number), 12);
const link = (id) => `${HERE}?task=${id}`;
const money = (currency) => new Intl.NumberFormat(navigator.language, { style: "currency", currency });
const digits = (currency) => money(currency).resolvedOptions().maximumFractionDigits;
const line = (...words) => h("span.small.third", words.filter(Boolean).join(" · "));

/** When it is due, how often, and of which device. */
const about = (one) => line(one.due_on && `Due ${dayInSentence(noon(one.due_on))}`, one.recurrence && words.often[one.recurrence], ((known("devices") || []).find((device) => device.device_id === one.device_id) || {}).name);

export async function open({ until, say, alarm, go, query }) {
  until(follow("devices", () => {}, () => {}));
  const id = query.get("task");
  if (!id) return list(until);
  const path = `/maintenance/${encodeURIComponent(id)}`, isNew = id === "new" && may();
  const [task, past] = isNew ? [{ title: "" }] : await Promise.all([api("GET", path), api("GET", `${path}/history?limit=200`)]);
  const title = task.title || words.what;
  return {
    title,
    node: h("div.narrow", pageHead(title, { back: HERE }), !isNew && [about(task), task.notes && h("p", task.notes)],
      may() && (isNew ? editor() : [finish(), h("details.fold", h("summary", words.change), editor(), h("button.button.plain.danger", { type: "button", onclick: remove }, words.remove))]),
      past && section(words.history, {}, past.completions.length ? rows(past.completions.map((one) => h("li", h("span.row-words", h("strong", longDay(read(one.completed_at))), line(one.completed_by_name, one.service_provider, one.notes)), one.cost && money(one.cost.currency).format(one.cost.minor / 10 ** digits(one.cost.currency))))) : h("p.third", words.never))),
  };

  /** Sends what changes the task, and goes back to the list. */
  async function send(method, to, body, key = newKey()) {
    await api(method, to, { body, key, headers: isNew ? {} : { "If-Match": `"${task.version}"` } });
    refresh(tasks);
    say(text.saved);
    go(HERE, { replace: true });
  }

  /** A form that is sent once; `wrong()` is the field in which something is, with its words. */
  function form(verb, fields, wrong, work) {
    const said = h("div.form-said", { role: "alert" }), button = h("button.button.filled", { type: "submit" }, verb), key = newKey();
    return h("form.form", { novalidate: true, onsubmit(event) {
      event.preventDefault();
      fill(said);
      for (const one of fields) one.error();
      const [one, message] = wrong() || [];
      if (one) return one.error(message), one.input.focus();
      during(button, text.saving, () => work(key), (error) => {
        fill(said, text.error(error), folded(error));
        alarm(text.error(error));
      });
    } }, said, fields.map((one) => one.node), h("div.row-buttons", button));
  }

  function editor() {
    const what = field(words.what, { name: "title", maxlength: "100", value: task.title }), notes = field(words.notes, { maxlength: "500", value: task.notes || "" });
    const day = field(words.day, { name: "due", value: task.due_on ? writeMoment(noon(task.due_on), { dayOnly: true }) : "" }, { help: words.dayHelp });
    const every = field(words.every, {}, { tag: "select" });
    fill(every.input, Object.entries(words.often).map(([value, word]) => h("option", { value, selected: value === (task.recurrence || "") }, word)));
    const due = () => readMoment(day.value, { dayOnly: true });
    return form(words.save, [what, day, every, notes], () => (!what.value.trim() ? [what, `${words.what}?`] : (day.value.trim() || every.value) && !due() ? [day, words.dayHelp] : null), (key) => {
      const { year, month, day: date } = parts(due() || 0);
      return send(isNew ? "POST" : "PATCH", isNew ? "/maintenance" : path, { title: what.value, due_on: due() && new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10), recurrence: every.value || null, notes: notes.value || null }, key);
    });
  }

  function finish() {
    const cost = field(words.cost, { name: "cost" }, { help: words.costHelp }), notes = field(words.notes, { maxlength: "500" });
    const paid = () => {
      const [, whole, part = "", currency] = cost.value.trim().toUpperCase().match(/^(\d{1,9})(?:[.,](\d{1,3}))?\s*([A-Z]{3})$/) || [];
      return currency && part.length <= digits(currency) ? { minor: Number(whole + part.padEnd(digits(currency), "0")), currency } : null;
    };
    return form(words.done, [cost, notes], () => cost.value.trim() && !paid() && [cost, words.costHelp], (key) => send("POST", `${path}/complete`, { cost: paid(), notes: notes.value || null }, key));
  }

  async function remove({ target }) {
    if (await confirm({ title: `${words.remove} ${task.title}?`, body: words.removeBody, verb: words.remove })) during(target, text.saving, () => send("DELETE", path), (error) => alarm(text.error(error)));
  }
}

function list(until) {
  const board = h("div", skeleton(4));
  let drawn = "";
  until(follow(tasks, (body) => {
    const news = JSON.stringify(body);
    if (news === drawn) return;
    drawn = news;
    const group = ({ due_on: day }, left = (Date.parse(day) - Date.parse(body.today)) / DAY) => (left < 0 ? 0 : left < 7 ? 1 : left < 31 ? 2 : day ? 3 : 4);
    fill(board, body.total
      ? words.groups.map((name, place) => [name, body.tasks.filter((one) => group(one) === place)]).filter(([, some]) => some.length).map(([name, some]) => section(name, {}, rows(some.map(row))))
      : h("div.panel", empty(words.none, words.noneDo)));
  }, (error) => drawn || fill(board, h("div.panel.padded", failed(error, () => refresh(tasks))))));
  return { title: words.title, node: h("div.list-page", pageHead(words.title, { back: "/privacy", actions: may() && [h("a.button.filled", { href: link("new") }, icon("plus", "i18"), words.add)] }), board) };
}

const row = (one) => h("li", h("span.row-words", h("a.row-link", { href: link(one.task_id) }, one.title), about(one)), icon("chevron", "i18"));
