// Settings: a short list of places.

import { h, icon } from "../Shell/h.js";
import { pageHead } from "../Shell/parts.js";
import { text } from "../Shell/text.js";
import { session } from "../Sessions/session.js";

const words = text.settings;

export async function open() {
  const places = [
    session.can("modify_settings") && ["integrations", "plug", words.integrations, words.integrationsHelp],
    ["house", "home", words.house, words.houseHelp],
    ["browser", "sliders", words.browser, words.browserHelp],
    ["account", "key", words.account, words.accountHelp],
    session.can("control_devices") && ["/privacy/maintenance", "calendar", words.maintenance, words.maintenanceHelp],
    session.can("control_devices") && ["notices", "bell", words.noticesTitle, words.noticesHelp],
    session.can("control_devices") && ["phones", "phone", words.phones, words.phonesHelp],
    session.can("control_devices") && ["tokens", "link", words.tokens, words.tokensHelp],
  ].filter(Boolean);
  return { title: words.title, node: h("div.list-page", pageHead(words.title), h("div.panel", h("ul.rows", places.map(([path, drawing, name, help]) => h("li", icon(drawing, "i22"), h("span.row-words", h("a.row-link", { href: path[0] === "/" ? path : `/settings/${path}` }, name), h("span.small.third", help)), icon("chevron", "i18")))))) };
}
