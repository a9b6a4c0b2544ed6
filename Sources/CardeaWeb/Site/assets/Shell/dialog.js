// Native dialogs: a question with a verb, or a sheet with content. The focus returns to where it was.

import { h, id } from "./dom.js";
import { text } from "./text.js";

/** Asks before an action; true if the person confirmed. The safest control has the focus. */
export function confirm({ title, body, verb, danger = true }) {
  return new Promise((resolve) => {
    const label = id("dialog");
    const no = h("button.button.outlined", { onclick: () => dialog.close("no") }, text.cancel);
    const yes = h(`button.button.${danger ? "destroy" : "filled"}`, { onclick: () => dialog.close("yes") }, verb);
    const dialog = h("dialog.dialog", { "aria-labelledby": label }, h("h2", { id: label }, title), body && h("p", body), h("div.row-buttons", yes, no));
    open(dialog, () => resolve(dialog.returnValue === "yes"));
    no.focus();
  });
}

/** A sheet at the bottom of a phone, a dialog elsewhere. `build(close)` returns its content. Resolves when it is closed. */
export function sheet(title, build, { closable = true } = {}) {
  return new Promise((resolve) => {
    const label = id("sheet");
    const dialog = h("dialog.dialog.sheet", { "aria-labelledby": label });
    dialog.append(h("h2", { id: label, tabindex: "-1" }, title), ...[build((value) => dialog.close(value))].flat());
    open(dialog, () => resolve(dialog.returnValue), closable);
  });
}

function open(dialog, done, closable = true) {
  const opener = document.activeElement;
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (opener && opener.isConnected) opener.focus();
    done();
  });
  dialog.addEventListener("cancel", (event) => !closable && event.preventDefault());
  dialog.addEventListener("click", (event) => {
    // A click on the backdrop is a click on the dialog itself, outside its box.
    if (event.target !== dialog || !closable) return;
    const box = dialog.getBoundingClientRect();
    const outside = event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
    const typed = [...dialog.querySelectorAll("input, textarea")].some((input) => input.type !== "radio" && input.type !== "checkbox" && input.value && input.value !== input.defaultValue);
    if (outside && !typed) dialog.close("");
  });
  dialog.showModal();
}
