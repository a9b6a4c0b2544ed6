// A password field with a show button and its strength in words.

import { field, h, setText, text } from "../Shell/ui.js";

/** The strength from 0, too short, to 4, strong. An estimate: length first, then variety; repetition counts nothing. */
export function strength(password) {
  if (password.length < 8) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;
  const different = new Set(password.toLowerCase()).size;
  const plain = /^(.)\1+$|password|passwort|12345|qwert|letmein|cardea/i.test(password);
  if (plain || different < 5) return 1;
  const score = Math.min(password.length, different * 2) + kinds * 2;
  return score >= 26 ? 4 : score >= 19 ? 3 : score >= 15 ? 2 : 1;
}

export function passwordField(label, { fresh = false, help, name = "password" } = {}) {
  const show = h("button.button.plain.reveal", { "aria-pressed": "false", onclick: () => {
    const hidden = f.input.type === "password";
    f.input.type = hidden ? "text" : "password";
    setText(show, hidden ? text.claim.hide : text.claim.show);
    show.setAttribute("aria-pressed", String(hidden));
  } }, text.claim.show);
  const f = field(label, { type: "password", name, required: true, autocomplete: fresh ? "new-password" : "current-password", autocapitalize: "none", spellcheck: "false" }, { help, after: show });
  if (fresh) {
    const meter = h("span.strength", { role: "status" });
    f.node.append(meter);
    f.input.addEventListener("input", () => {
      const s = strength(f.input.value);
      meter.dataset.level = s;
      setText(meter, f.input.value ? text.claim.strength[s] : "");
      if (f.input.value.length >= 8) f.error(null);
    });
  }
  return f;
}
