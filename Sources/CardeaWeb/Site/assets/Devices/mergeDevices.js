// Two devices that are one thing, and a new door in the place of an old one: what named the one names the other from then on.

import { api, attempt, button, buttons, choice, confirm, count, errorPanel, fill, h, known, listOf, refresh, section, small } from "../Shell/ui.js";

const words = {
  none: "No other device can be merged with this one, and no door that passes or buttons name is out of reach.",
  failed: "It could not be loaded",
  mergeTitle: "The same thing twice", other: "The other device", choose: "Choose one",
  merge: "Merge", mergeAsk: (one, other) => `Merge ${one} and ${other}?`,
  mergeBody: "One of them stays, with the passes, tags, automations and scenes of both. It cannot be undone.",
  replaceTitle: "In the place of an old door",
  names: ({ passes, buttons: n }) => `${count(passes, "pass", "passes")} and ${count(n, "button")} name it`,
  part: "Which part of this device",
  replace: "Put this one in its place", replaceAsk: (name) => `Put this one in the place of ${name}?`,
  replaceBody: "Passes, tags, automations and scenes of the old door are for this one from then on. It cannot be undone.",
  done: (name, moved) => `${name} stays. ${moved.length ? `Moved: ${listOf(moved)}.` : "Nothing named the other one."}`,
};

/** How many of each kind name the device that stays, where there are any. */
const MOVED = { passes: ["pass", "passes"], buttons: ["button"], tags: ["tag"], automations: ["automation"], scenes: ["scene"], programs: ["API token"] };

/** Fills `place` with what `device` can be merged with, and which doors it can stand for. */
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
        // Why these two do not go together is in the hub's own words.
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
