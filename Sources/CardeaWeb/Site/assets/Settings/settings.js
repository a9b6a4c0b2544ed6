// Settings: a short list of places.

import { h, icon, pageHead, row, rows, session, text } from "../Shell/ui.js";

const words = text.settings;

export async function open() {
  const places = [
    session.can("modify_settings") && ["integrations", "plug", words.integrations, words.integrationsHelp],
    ["house", "home", words.house, words.houseHelp],
    session.can("modify_settings") && ["rooms", "door", words.rooms, words.roomsHelp],
    ["browser", "sliders", words.browser, words.browserHelp],
    ["account", "key", words.account, words.accountHelp],
    session.can("control_devices") && ["notices", "bell", words.noticesTitle, words.noticesHelp],
    session.can("control_devices") && ["phones", "phone", words.phones, words.phonesHelp],
    session.can("control_devices") && ["tokens", "link", words.tokens, words.tokensHelp],
  ].filter(Boolean);
  return { title: words.title, node: h("div.list-page", pageHead(words.title), rows(places.map(([path, drawing, name, help]) => {
    const one = row(name, `/settings/${path}`, help);
    one.prepend(icon(drawing, "i22"));
    return one;
  }))) };
}
