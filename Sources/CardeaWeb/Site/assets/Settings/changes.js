// The things that somebody set up lately by which a door opens or somebody listens, each with a switch: looked through once sessions are ended.

import { api, confirm, failed, fill, h, newKey, read, section, shortMoment, skeleton, toggle } from "../Shell/kit.js";
import { changes as words } from "./words.js";

/** `whose` is a person's path. */
export function accessChanges(whose = "/people/me") {
  const board = h("div", skeleton(2)), node = section(words.title, {}, h("p.third.session-lead", words.lead), board);
  load();

  async function load() {
    try {
      const { changes } = await api("GET", `${whose}/access-changes`);
      fill(board, changes.length ? h("div.panel.padded", changes.map(row)) : h("p.third", words.none));
    } catch (error) {
      fill(board, failed(error, load));
    }
  }

  function row({ thing, id, name, changed_at: when, is_on: on, is_kept_off: kept }) {
    return toggle(name, { on, help: `${words.things[thing]} · ${shortMoment(read(when))}`, change: async (on) => {
      if (kept || await confirm({ title: words.endTitle(name), body: words.endBody, verb: words.end })) await api("PUT", `/access-changes/${thing}/${encodeURIComponent(id)}`, { body: { is_on: on }, key: newKey() });
      if (!kept) load();
    } }).node;
  }

  return node;
}
