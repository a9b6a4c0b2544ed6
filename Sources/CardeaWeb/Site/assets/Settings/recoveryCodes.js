// Codes on paper, for the day nothing else is at hand: how many are left, and ten new ones, shown once.

import { api, confirm, copyButton, during, empty, fill, follow, h, icon, mistake, newKey, read, refresh, section, session, shortMoment, skeleton, tag, text, topic, unheard } from "../Shell/kit.js";
import { recovery as words } from "./words.js";

/** From here on one is warned: paper gets lost, and the last code is used on a bad day. */
const FEW = 3;

export function recoveryCodes({ until, say, alarm }) {
  const state = topic("/auth/recovery-codes", 30000, (body) => body, (type) => type === "person_update");
  const board = h("div", skeleton(1)), wrong = h("div");
  let drawn = "", left = 0, showing = false;
  const button = h("button.button.tonal", { type: "button", onclick: make });
  const buttons = h("div.row-buttons", { hidden: true }, button);
  const node = section(words.title, { className: "recovery" }, board, wrong, buttons);

  until(follow(state, (now) => {
    left = now.left;
    const signature = `${now.left} ${now.made_at}`;
    if (showing || drawn === signature) return;
    drawn = signature;
    button.textContent = now.made_at ? words.again : words.first;
    buttons.hidden = false;
    if (!now.made_at) return fill(board, h("div.panel", empty(words.none, words.noneDo)));
    const few = left <= FEW;
    fill(board, h("div.panel", h("ul.rows", h("li", icon("key", "i22"),
      h("span.row-words", h("strong", words.left(left)), h("span.small.third", words.about(shortMoment(read(now.made_at)))), few && h("span.small", words.fewDo)),
      few && tag(left ? words.few : words.spent, left ? "brass" : "danger")))));
  }, (error) => {
    if (error.status === 404) node.hidden = true;
    else if (!drawn) fill(board, unheard(state, error, words.failed));
  }));

  async function make() {
    if (left && !(await confirm({ title: words.againTitle, body: words.againBody, verb: words.again }))) return;
    fill(wrong);
    await during(button, words.making, async () => {
      const { codes } = await api("POST", "/auth/recovery-codes", { key: newKey() });
      show(codes);
      say(words.said(codes.length));
    }, (error) => {
      fill(wrong, h("div.form-said", { role: "alert" }, mistake(error)));
      alarm(text.error(error));
    });
    if (showing) board.querySelector("h3").focus();
  }

  /** Only here and only now: nothing of it is kept in this browser. */
  function show(codes) {
    showing = true;
    buttons.hidden = true;
    const whose = words.whose(session.house.name, session.me.name);
    const file = URL.createObjectURL(new Blob([[whose, words.title, "", ...codes, ""].join("\n")], { type: "text/plain" }));
    const forget = () => URL.revokeObjectURL(file);
    until(forget);
    fill(board, h("div.panel.padded.codes",
      h("h3", { tabindex: "-1" }, words.made), h("p.small.third", whose),
      h("ol.code-list", codes.map((code) => h("li.mono", code))),
      h("p.small.third", words.once),
      h("div.row-buttons",
        h("button.button.outlined", { type: "button", onclick: () => print() }, icon("print", "i18"), words.print),
        copyButton(words.copy, () => codes.join("\n")),
        h("a.button.outlined", { href: file, download: words.file }, words.save)),
      h("div.row-buttons", h("button.button.filled", { type: "button", onclick: () => {
        forget();
        showing = false;
        drawn = "";
        fill(board, skeleton(1));
        refresh(state).then(() => button.focus());
      } }, words.kept))));
  }

  return node;
}
