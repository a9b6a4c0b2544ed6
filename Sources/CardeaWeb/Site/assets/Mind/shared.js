// Shared parts of the pages of the mind: their frame, chips of devices, events as evidence, and the confidence of an answer.

import { api, button, buttons, follow, h, known, pageHead, path, sheet, small, text, when } from "../Shell/ui.js";

/** Words that several pages of the mind use. */
export const mind = {
  title: "Pages of the house",
  places: { "": "Ask", mood: "Mood", memory: "Memory", twins: "Twins", "what-if": "What if" },
  sure: ["Sure", "Likely", "Not sure", "I don't know"],
  evidence: "Evidence", more: (n) => `and ${n} more`, spans: { "8h": "8 h", "24h": "24 h", "7d": "7 days" },
};

/** The styles load with these pages, not with Home; a page waits for them. */
const stylesLoaded = new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: "/assets/Mind/mind.css", onload: done, onerror: done })));

/** The frame of a page under `/house`: head and navigation. All of these pages follow the devices. */
export async function page(until, place, { title = mind.places[place], back, sub, actions }, ...children) {
  const nav = h("nav.chips", { "aria-label": mind.title }, Object.entries(mind.places).map(([name, word]) => h("a.chip", { href: `/house${name && `/${name}`}`, "aria-current": name === place && "page" }, word)));
  until(follow("devices", () => {}, () => {}));
  await stylesLoaded;
  setTimeout(() => (nav.scrollLeft = nav.querySelector("[aria-current]").offsetLeft - 32));
  return { title, className: "mind", node: [pageHead(title, { back, sub, actions }), nav, children] };
}

/** A key of the hub as words. */
export const plain = (key) => String(key).replace(/^set_|_/g, (all) => (all === "_" ? " " : ""));

export const deviceOf = (id) => (known("devices") || []).find((one) => one.device_id === id);
/** Devices as chips that link to them; devices that the person may not see are left out. */
export const deviceChips = (ids) => ids.map(deviceOf).filter(Boolean).map((one) => h("a.chip", { href: path("devices", one.device_id), onclick: ({ target }) => target.closest("dialog")?.close() }, one.name));

/** Loads events by id; those no longer stored are left out. */
export const eventsOf = async (ids) => (await Promise.all(ids.map((id) => api("GET", path("memory", id)).catch(() => null)))).filter(Boolean);

/** Evidence as a list, and as a sheet. */
export const evidenceList = (list, chosen) => h("ul.told", list.map((one) => h("li", { tabindex: "-1", "data-chosen": one === chosen }, h("strong", one.title), one.content !== one.title && h("p", one.content), small(when(one.created_at)), h("span.chips.wrap", deviceChips(one.related_devices)))));
export const evidence = (list) => sheet(mind.evidence, (close) => [evidenceList(list), buttons(button("outlined", text.close, () => close("")))]);

/** The confidence of an answer in words. */
export const confidenceWord = (share) => mind.sure[share >= .9 ? 0 : share >= .5 ? 1 : share > 0 ? 2 : 3];

/** Normalises a sentence for comparison: the house drops invisible characters. */
export const normalized = (sentence) => `.${sentence.replace(/[\p{C}\s]/gu, "")}`;
