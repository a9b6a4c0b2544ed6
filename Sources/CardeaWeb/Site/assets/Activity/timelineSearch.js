// The search in the timeline: by words, by day, by camera.

import { setAttribute, h, icon, id, now, dateParts } from "../Shell/ui.js";
import { events as eventWords } from "../Events/words.js";

/** Returns `{ buttons, node, cameras(list) }`; `change()` gets the current search. `seen` is false for people who may not see events. */
export function timelineSearch({ looked, seen, change }) {
  const field = (label, control) => h("div.tool", h("label.small.field-label", { for: control.id }, label), control);
  const search = h("input.input", { id: id("search"), type: "search", name: "search", value: looked.words || "", maxlength: "120", autocomplete: "off", spellcheck: "false", enterkeyhint: "search", "aria-describedby": "search-help" });
  const p = dateParts(now());
  const today = `${p.year}-${String(p.month).padStart(2, "0")}-${String(p.day).padStart(2, "0")}`;
  const day = h("input.input", { id: id("day"), type: "date", name: "day", max: today, value: looked.day || "" });
  const camera = h("select.input", { id: id("camera"), name: "camera" }, h("option", { value: "" }, eventWords.anyCamera));
  const cameraField = field(eventWords.camera, camera);
  cameraField.hidden = true;
  const clear = h("button.button.plain", { onclick: () => {
    search.value = day.value = camera.value = "";
    tell();
    if (!node.hidden) (seen ? search : day).focus();
  } }, eventWords.clear);
  const node = h("form.tools", { role: "search", hidden: !looked.words && !looked.day && !looked.camera, onsubmit: (event) => {
    event.preventDefault();
    tell();
  } }, seen && h("div.tool.tool-words", h("label.small.field-label", { for: search.id }, eventWords.search), search, h("span.vh", { id: "search-help" }, eventWords.searchHelp)), field(eventWords.day, day), seen && cameraField, clear);

  let timer = 0, told = JSON.stringify([looked.words || "", looked.day || "", looked.camera || ""]);
  function tell() {
    clearTimeout(timer);
    const value = { words: search.value.trim(), day: day.value, camera: camera.value };
    const signature = JSON.stringify(Object.values(value));
    if (signature === told) return;
    told = signature;
    change(value);
  }
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(tell, 400);
  });
  for (const control of [day, camera]) control.addEventListener("change", tell);

  let openedBy = null;
  const opener = (drawing, label, control) => {
    const button = h("button.icon-button", { "aria-label": label, title: label, "aria-expanded": String(!node.hidden), onclick: () => {
      // A second click closes the search, unless it is in use.
      node.hidden = openedBy === button && !node.hidden && ![search, day, camera].some((one) => one.value);
      openedBy = button;
      for (const one of buttons) setAttribute(one, "aria-expanded", String(!node.hidden));
      if (!node.hidden) control.focus();
    } }, icon(drawing, "i22"));
    return button;
  };
  const buttons = [opener("calendar", eventWords.openDay, day), seen && opener("search", eventWords.openSearch, search)].filter(Boolean);
  return {
    buttons, node,
    cameras(list) {
      cameraField.hidden = !list.length;
      camera.replaceChildren(h("option", { value: "" }, eventWords.anyCamera), ...list.map((one) => h("option", { value: one.camera_id }, one.name)));
      camera.value = looked.camera || "";
    },
    clear: () => clear.click(),
  };
}
