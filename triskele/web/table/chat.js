/** Chat among the seated players. */

import { button, h } from "../lib/dom.js";
import { clock, say } from "../lib/i18n.js";
import { guestMark, nameIn } from "./seat-names.js";

const LONGEST = 500;

export class Chat {
  /** @param {(text: string) => Promise<unknown>} send resolves with nothing when it failed */
  constructor(send) {
    this.lines = h("ol", { class: "chat", tabindex: "0", "aria-label": say("web.chat") });
    this.input = h("input", {
      type: "text",
      maxLength: LONGEST,
      autocomplete: "off",
      "aria-label": say("web.chat-say"),
      placeholder: say("web.chat-say"),
    });
    /** @param {Event} event */
    const submit = async (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (!text) return;
      this.input.value = "";
      if (!(await send(text))) this.input.value = text; // it did not arrive: not to be typed again
    };
    this.form = h(
      "form",
      { class: "say", on: { submit } },
      this.input,
      button(say("web.send"), () => {}, { type: "submit" }),
    );
  }

  /** @param {import("./model.js").TableModel} model */
  update(model) {
    /** @param {import("../lib/protocol.js").ChatLine} said */
    const line = (said) => {
      const own = model.seats[said.seat]; // who sits there now; the line is of who wrote it
      const mine = own.mine && said.name === own.name;
      const writer = { ...said, kind: own.kind, taken: true, mine, level: null };
      return h(
        "li",
        {},
        h("b", {}, nameIn(model.game, writer)),
        " ",
        guestMark(writer),
        " ",
        h("small", {}, clock(said.time)),
        h("div", {}, said.text),
      );
    };
    const none = h("li", { class: "muted" }, say("web.chat-none"));
    this.lines.replaceChildren(...(model.chat.length ? model.chat.map(line) : [none]));
    this.lines.scrollTop = this.lines.scrollHeight;
  }
}
