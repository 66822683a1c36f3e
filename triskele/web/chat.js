/** Chat among those who are seated. */

import { button, h } from "./dom.js";
import { clock, say } from "./i18n.js";
import { nameOf } from "./people.js";

const LONGEST = 500;

export class Chat {
  /** @param {(text: string) => Promise<* | undefined>} send resolves with nothing when it failed */
  constructor(send) {
    this.lines = h("ol", { class: "chat", tabindex: "0", "aria-label": say("web.chat") });
    this.input = /** @type {HTMLInputElement} */ (
      h(
        "input",
        {
          type: "text",
          maxLength: LONGEST,
          autocomplete: "off",
          "aria-label": say("web.chat-say"),
          placeholder: say("web.chat-say"),
        },
      )
    );
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

  /** @param {import("./table-model.js").TableModel} model */
  update(model) {
    const line = (said) => h(
      "li",
      {},
      h("b", {}, said.name || nameOf(model, said.seat)),
      " ",
      h("small", {}, clock(said.time)),
      h("div", {}, said.text),
    );
    const none = h("li", { class: "muted" }, say("web.chat-none"));
    this.lines.replaceChildren(...(model.chat.length ? model.chat.map(line) : [none]));
    this.lines.scrollTop = this.lines.scrollHeight;
  }
}
