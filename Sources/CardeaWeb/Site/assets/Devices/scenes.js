// Scenes as chips: one click runs all of a scene, and each failed step is named.

import { api, newKey } from "../Shell/api.js";
import { announceError, announce } from "../Shell/layout.js";
import { confirm } from "../Shell/dialog.js";
import { setAttribute, keyed } from "../Shell/reconcile.js";
import { fill, h, icon, setText } from "../Shell/dom.js";
import { follow, known, refresh } from "../Shell/liveData.js";
import { errorDetails, section } from "../Shell/components.js";
import { listOf, text } from "../Shell/text.js";
import { session } from "../Sessions/session.js";
import { doorsOf } from "./deviceKinds.js";

const words = text.scenes;
const DRAWINGS = new Set(["home", "bulb", "lock", "door", "fan", "thermometer", "blind", "speaker", "plug", "person", "people", "clock", "leave"]);

/** The section, hidden while there are no scenes. */
export function sceneChips(until) {
  const chips = h("div.chips.wrap");
  const said = h("div.scene-said", { role: "alert" });
  const node = section(words.title, {}, chips, said);
  node.hidden = true;
  until(follow("scenes", (scenes) => {
    node.hidden = !scenes.length;
    keyed(chips, scenes, (scene) => scene.scene_id, () => chip(said), (row, scene) => row.show(scene));
  }));
  return node;
}

function chip(said) {
  const word = h("span"), drawing = h("span.scene-drawing", { "aria-hidden": "true" });
  const node = h("button.chip.scene", drawing, word);
  let scene = null, busy = false;
  const draw = (name) => drawing.dataset.name !== name && fill(drawing, icon(name, "i18")) && (drawing.dataset.name = name);
  node.show = (news) => {
    scene = news;
    if (busy) return;
    setText(word, scene.name);
    draw(DRAWINGS.has(scene.icon) ? scene.icon : "press");
  };
  node.addEventListener("click", async () => {
    if (busy) return;
    fill(said);
    if (!session.can("control_devices")) return tell(said, text.door.noRight);
    if (document.body.classList.contains("lost")) return tell(said, words.offline);
    // A chip can be touched by accident, so a scene that opens a door asks first.
    if (doorsOpenedBy(scene).length && !(await confirmScene(scene))) return;
    busy = true;
    setAttribute(node, "aria-disabled", "true");
    setText(word, words.running(scene.name));
    const came = await runScene(scene);
    if (came.ok) {
      draw("check");
      announce(came.words);
      await new Promise((resolve) => setTimeout(resolve, 1500));
    } else tell(said, came.words, came.lines, came.error);
    busy = false;
    setAttribute(node, "aria-disabled", null);
    node.show(scene);
  });
  return node;
}

/** Asks before it runs, and names the doors that it opens. */
export function confirmScene(scene) {
  const doors = doorsOpenedBy(scene);
  return confirm({ title: words.ask(scene.name), body: doors.length ? words.opens(listOf(doors)) : "", verb: words.run, danger: false });
}

/** Runs it: `{ ok, words }`, with `lines` for the failed steps, or the `error`. */
export async function runScene(scene) {
  try {
    const { results } = await api("POST", `/scenes/${encodeURIComponent(scene.scene_id)}/run`, { key: newKey() });
    refresh("devices");
    const wrong = results.filter((one) => one.status !== "confirmed");
    return wrong.length ? { words: words.notAll(scene.name, wrong.length, results.length), lines: wrong.map(line) } : { ok: true, words: words.done(scene.name) };
  } catch (error) {
    return { words: `${scene.name}: ${text.error(error)}`, error };
  }
}

const nameOf = (id) => ((known("devices") || []).find((one) => one.device_id === id) || {}).name || id;

/** "Hall light: not done, no answer" */
const line = (one) => words.line(nameOf(one.device_id), one.status === "refused" || one.code ? text.error({ code: one.code || one.status, details: one.details || {} }) : words.status[one.status] || words.status.failed);

function doorsOpenedBy(scene) {
  const doors = doorsOf(known("devices") || []);
  const opening = scene.actions.filter((one) => /(^|\.)(unlock|open)$/.test(one.action));
  return [...new Set(doors.filter(({ device, entity }) => opening.some((one) => one.device_id === device.device_id && (!one.entity_id || one.entity_id === entity.entity_id))).map(({ name }) => text.sentence.the(name)))];
}

function tell(said, what, lines, error) {
  fill(said, h("p.scene-wrong", icon("alert", "i18"), what), lines && h("ul", lines.map((one) => h("li.small", one))), errorDetails(error));
  announceError([what, ...(lines || [])].join(" "));
}
