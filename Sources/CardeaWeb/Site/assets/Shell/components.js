// Small elements that all screens use. Each is a function that returns its element.

import { fill, h, icon, id, setText } from "./dom.js";
import { setAttribute } from "./reconcile.js";
import { refresh } from "./liveData.js";
import { text } from "./text.js";

/** The head of a page: the only h1, a way back, and actions. */
export function pageHead(title, { back, actions, sub } = {}) {
  return h("header.page-head",
    back && h("a.icon-button.back", { href: back, "aria-label": text.back, title: text.back }, icon("back", "i22")),
    h("div.page-title", h("h1", { tabindex: "-1" }, title), sub && h("p.third", sub)),
    actions && h("div.page-actions", actions));
}

/** A section with its head and, at the right, a link or a value. */
export function section(title, { aside, className = "", level = "h2" } = {}, ...children) {
  return h(`section.section${className ? `.${className}` : ""}`, h("div.section-head", h(level, title), aside), children);
}

export const panel = (...children) => h("div.panel", children);

/** A label over an input, with help below, which an error replaces. Returns `{ node, input, error(text) }`. */
export function field(label, props = {}, { help, after, tag = "input" } = {}) {
  const own = props.id || id("field");
  const helpNode = h("span.field-help", { id: `${own}-help` }, help || "");
  const errorNode = h("span.field-error", { id: `${own}-error`, hidden: true });
  helpNode.hidden = !help;
  const input = h(`${tag}.input`, { id: own, "aria-describedby": help ? `${own}-help` : null, ...props });
  const node = h("div.field", h("label.field-label", { for: own }, label), after ? h("div.field-with", input, after) : input, helpNode, errorNode);
  return {
    node, input,
    get value() {
      return input.value;
    },
    error(message) {
      errorNode.hidden = !message;
      helpNode.hidden = Boolean(message) || !help;
      fill(errorNode, message ? [icon("alert", "i14"), message] : null);
      setAttribute(input, "aria-invalid", message ? "true" : null);
      setAttribute(input, "aria-describedby", message ? `${own}-error` : help ? `${own}-help` : null);
    },
  };
}

/** The errors of a form, once at its top, with a link to each field. */
export function errorSummary() {
  const node = h("div.problems", { hidden: true, tabindex: "-1" });
  return {
    node,
    show(list) {
      node.hidden = !list.length;
      fill(node, list.map(([message, input]) => input
        ? h("a", { href: `#${input.id}`, onclick: (event) => { event.preventDefault(); input.focus(); } }, message)
        : h("p", message)));
      if (list.length) node.focus();
    },
  };
}

/** A switch that acts at once. `change(on)` may return a promise; a refusal sets it back. */
export function toggle(label, { help, on, change, sends = false }) {
  const own = id("switch");
  const input = h("input.switch", { type: "checkbox", id: own, role: "switch", checked: on, "aria-describedby": help ? `${own}-help` : null });
  const said = h("span.field-error", { hidden: true, role: "status" });
  input.addEventListener("change", async () => {
    if (sends) return change && change(input.checked);
    input.disabled = true;
    try {
      await change(input.checked);
      said.hidden = true;
    } catch (error) {
      input.checked = !input.checked;
      said.hidden = false;
      fill(said, icon("alert", "i14"), text.error(error));
    }
    input.disabled = false;
    input.focus();
  });
  const node = h("div.switch-row", h("label.switch-words", { for: own }, h("strong", label), help && h("span.small.third", { id: `${own}-help` }, help), said), input);
  return { node, input };
}

/** A choice of a few, all visible. `pick(value)`. */
export function segments(label, options, chosen, pick) {
  const name = id("seg");
  return h("fieldset.segments", h("legend.vh", label), options.map(([value, word]) => h("label.segment",
    h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => pick(value) }), h("span", word))));
}

/** A number with minus and plus; the lowest value may have a word. */
export function stepper(label, { value, min = 0, max = 999, words, change, describe }) {
  let n = value;
  const shown = h("output.stepper-value");
  const step = (by, name, drawing) => h("button.stepper-step", { "aria-label": `${name}: ${label}`, onclick: () => set(n + by) }, icon(drawing, "i18"));
  const minus = step(-1, text.invite.fewer, "minus"), plus = step(1, text.invite.more1, "plus");
  function set(next) {
    n = Math.min(max, Math.max(min, next));
    setText(shown, words ? words(n) : String(n));
    setAttribute(minus, "aria-disabled", n <= min ? "true" : null);
    setAttribute(plus, "aria-disabled", n >= max ? "true" : null);
    if (change) change(n);
  }
  const node = h("div.stepper", { role: "group", "aria-label": label, "aria-describedby": describe || null }, minus, shown, plus);
  set(n);
  return { node, set };
}

/** Custom properties for styles: the content security policy lets scripts set them, but not markup. */
export function setStyles(node, values) {
  for (const [name, value] of Object.entries(values)) node.style.setProperty(name, value);
  return node;
}

/** A small label with the background of its tone. */
export const badge = (word, tone = "quiet") => h(`span.tag.${tone}`, word);

/** The content of an empty list. */
export const empty = (line, how, action) => h("div.empty", h("p", line), how && h("p.third", how), action);

/** The name of the app, above a form that stands alone. */
export const brand = () => h("p.brand", icon("mark", "i22"), h("span", text.app));

/** A failed load: the title, the reason, a retry, and folded details. */
export function errorPanel(error, again, what) {
  return h("div.failed", { role: "alert" }, what && h("p", h("strong", what)), h(what ? "p.third" : "p", text.error(error)), h("div.row-buttons", h("button.button.outlined", { onclick: again }, text.tryAgain)), errorDetails(error));
}

/** The same for a topic that never loaded; its next update replaces it. Without the right there is no retry. */
export const topicError = (name, error) => error.status === 403
  ? h("div.panel", empty(text.error(error)))
  : h("div.panel.padded", errorPanel(error, () => refresh(name), text.notHeard[name]));

export function errorDetails(error) {
  if (!error || error.offline || !error.requestId) return null;
  return h("details.fold", h("summary", text.details), h("p.small.third", `${error.code} · ${text.requestId} ${error.requestId}`));
}

/** Placeholder rows of the right height while the first answer loads. */
export const skeleton = (rows, className = "") => h(`div.skeleton${className ? `.${className}` : ""}`, { "aria-hidden": "true" }, Array.from({ length: rows }, () => h("div")));

export const facts = (pairs) => h("dl.facts", pairs.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => h("div", h("dt", name), h("dd", value))));

/** A button that shows its progress, keeps its width, and runs once. `run` may throw; the error goes to `failedTo`. */
export async function during(button, busyWord, run, failedTo) {
  if (button.getAttribute("aria-disabled") === "true") return;
  const was = [...button.childNodes];
  button.style.setProperty("min-width", `${button.offsetWidth}px`);
  button.setAttribute("aria-disabled", "true");
  setText(button, busyWord);
  try {
    return await run();
  } catch (error) {
    if (failedTo) failedTo(error);
    else throw error;
  } finally {
    button.replaceChildren(...was);
    button.removeAttribute("aria-disabled");
    button.style.removeProperty("min-width");
  }
}

/** Copies, and shows that on the button itself. */
export function copyButton(label, value, className = "outlined") {
  const word = h("span", label);
  const button = h(`button.button.${className}`, { onclick: async () => {
    try {
      await navigator.clipboard.writeText(value());
      setText(word, text.copied);
      setTimeout(() => setText(word, label), 2500);
    } catch {
      button.after(h("input.input", { readonly: true, value: value(), "aria-label": label }));
    }
  } }, icon("copy", "i18"), word);
  return button;
}
