// Merges two entries of one device, and replaces an old door with a new one. Passes, buttons, tags, automations and scenes move along.

import { api, attempt, button, buttons, choice, confirm, count, errorPanel, fill, h, known, listOf, refresh, section, small } from "../Shell/ui.js";

const words = {
  none: "There is no other device to merge with this one, and no lost door to replace.",
  failed: "It could not be loaded",
  mergeTitle: "Merge two entries of one device", other: "The other device", choose: "Choose one",
  merge: "Merge", mergeAsk: (one, other) => `Merge ${one} and ${other}?`,
  mergeBody: "One of them stays, with the passes, tags, automations and scenes of both. This cannot be undone.",
  replaceTitle: "Replace an old door",
  names: ({ passes, buttons: n }) => `${count(passes, "pass", "passes")} and ${count(n, "button")} use it`,
  part: "Which part of this device",
  replace: "Replace it with this one", replaceAsk: (name) => `Replace ${name} with this one?`,
  replaceBody: "Passes, tags, automations and scenes of the old door then belong to this one. This cannot be undone.",
  done: (name, moved) => `${name} stays. ${moved.length ? `Moved: ${listOf(moved)}.` : "Nothing used the other one."}`,
};

/** How many of each kind name the device that stays, where there are any. */
const MOVED = { passes: ["pass", "passes"], buttons: ["button"], tags: ["tag"], automations: ["automation"], scenes: ["scene"], programs: ["API token"] };

/** Fills `place` with the devices that `device` can be merged with, and the doors it can replace. */
export async function showMergeOptions(place, device, { go, say }) {
  const path = `/devices/${encodeURIComponent(device.device_id)}`;
  try {
    const { doors } = await api("GET", `${path}/replaceable`);
    const others = (known("devices") || []).filter((one) => one.integration === device.integration && one.device_id !== device.device_id);
    fill(place, others.length ? merging(others) : null, doors.length ? section(words.replaceTitle, { level: "h3" }, doors.map(replacing)) : null, !others.length && !doors.length && h("p.third", words.none));
  } catch (error) {
    fill(place, errorPanel(error, () => showMergeOptions(place, device, { go, say }), words.failed));
  }

  function merging(others) {
    const wrong = h("div"), other = choice(words.other, [["", words.choose], ...others.map((one) => [one.device_id, one.name === device.name ? `${one.name} (${one.device_id})` : one.name])]);
    const merge = button("outlined", words.merge, () => {
      const chosen = others.find((one) => one.device_id === other.value);
      other.error(chosen ? null : `${words.choose}.`);
      if (!chosen) return other.input.focus();
      ask(words.mergeAsk(device.name, chosen.name), words.mergeBody, words.merge, merge, wrong, "merge", { with: chosen.device_id });
    });
    return section(words.mergeTitle, { level: "h3" }, h("div.panel.padded", other.node, wrong, buttons(merge)));
  }

  function replacing(door) {
    const named = (id) => (device.entities.find((one) => one.entity_id === id) || { name: id }).name || device.name;
    const wrong = h("div"), parts = door.candidates, part = parts.length > 1 && choice(words.part, parts.map((id) => [id, named(id)]));
    const replace = button("outlined", words.replace, () => ask(words.replaceAsk(door.name), words.replaceBody, words.replace, replace, wrong, "replace", { entity_id: part ? part.value : parts[0], replaces: door.entity_id }));
    return h("div.panel.padded", h("p", h("strong", door.name), " ", small(words.names(door))), part && part.node, wrong, buttons(replace));
  }

  async function ask(title, body, verb, one, wrong, what, sent) {
    if (await confirm({ title, body, verb, danger: false })) attempt(one, wrong, async (key) => {
      const { device: left, ...moved } = await api("POST", `${path}/${what}`, { body: sent, key }).catch((error) => {
        // The hub words the reason why two devices cannot be merged.
        if (error.code === "conflict") error.said = error.message;
        throw error;
      });
      const same = left.device_id === device.device_id;
      await refresh("devices");
      say(words.done(left.name, Object.keys(MOVED).filter((kind) => moved[kind]).map((kind) => count(moved[kind], ...MOVED[kind]))));
      if (same) await showMergeOptions(place, left, { go, say });
      else go(`/devices/${encodeURIComponent(left.device_id)}`, { replace: true });
    });
  }
}
