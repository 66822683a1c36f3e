/** What is beside the board, in tabs; on a phone a sheet that comes up from below. */

import { button, fill, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

/** The mark of something new. */
export const newDot = () => h("span", { class: "dot" }, h("span", { class: "unseen" }, ` ${say("web.new")}`));

export class SidePanel {
  /** @type {Map<string, {tab: HTMLElement, panel: HTMLElement}>} */
  #parts = new Map();

  constructor() {
    this.selected = "";
    /** @type {((name: string) => void) | null} called when a tab is selected */
    this.onSelect = null;
    /** @type {Set<string>} the tabs that have something new */
    this.fresh = new Set();
    this.title = h("div", { class: "title" });
    this.about = h("div", { class: "about" });
    this.tabs = h("div", { class: "tabs", role: "tablist", on: { keydown: (event) => this.#key(event) } });
    this.main = h("div", { class: "card main" }, this.title, this.about, this.tabs);
    this.commands = h("div", { class: "card deeds" });
    this.element = h(
      "aside",
      {
        class: "side",
        "aria-label": say("web.beside"),
        on: { keydown: (event) => event.key === "Escape" && this.close() },
      },
      this.main,
      this.commands,
      button(say("web.close"), () => this.close(), { icon: "close", bare: true, class: "button bare sheet-close" }),
    );
  }

  /** Add a tab. @param {string} name @param {string} words @param {...import("../lib/elements.js").Child} content */
  add(name, words, ...content) {
    const tab = h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `panel-${name}`,
        "aria-selected": "false",
        tabindex: "-1",
        on: { click: () => this.select(name) },
      },
      words,
    );
    const panel = h(
      "div",
      {
        class: "panel",
        role: "tabpanel",
        tabindex: "0",
        id: `panel-${name}`,
        "aria-labelledby": `tab-${name}`,
        hidden: true,
      },
      content,
    );
    this.#parts.set(name, { tab, panel });
    this.tabs.append(tab);
    this.main.append(panel);
    if (this.#parts.size === 1) this.select(name);
    return panel;
  }

  /** @param {string} name */
  #part(name) {
    const part = this.#parts.get(name);
    if (!part) throw new Error(`no tab ${name}`);
    return part;
  }

  /** Take a tab away, or put it back. @param {string} name @param {boolean} on */
  offer(name, on) {
    this.#part(name).tab.hidden = !on;
  }

  /** @param {string} name */
  select(name) {
    for (const [other, { tab, panel }] of this.#parts) {
      const on = other === name;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      panel.hidden = !on;
    }
    this.selected = name;
    this.attention(name, false);
    this.onSelect?.(name);
  }

  /** Mark a tab that has something new. @param {string} name @param {boolean} on */
  attention(name, on) {
    const { tab } = this.#part(name);
    tab.querySelector(".dot")?.remove();
    this.fresh.delete(name);
    if (!on || (this.selected === name && this.visible)) return;
    this.fresh.add(name);
    tab.append(newDot());
  }

  /** Whether the panel is in sight: always beside the board, on a phone only when it is open. */
  get visible() {
    return this.isOpen || getComputedStyle(this.element).position !== "fixed";
  }

  /** Bring a tab into sight. @param {string} name */
  open(name) {
    this.element.classList.add("open");
    this.select(name);
    this.#part(name).tab.focus();
  }

  close() {
    this.element.classList.remove("open");
  }

  /** Whether it was brought up from below, on a phone, and covers the board. */
  get isOpen() {
    return this.element.classList.contains("open") && getComputedStyle(this.element).position === "fixed";
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!way) return;
    const names = [...this.#parts.keys()].filter((name) => !this.#part(name).tab.hidden);
    const next = names[(names.indexOf(this.selected) + way + names.length) % names.length];
    this.select(next);
    this.#part(next).tab.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} title @param {string} about what the table's facts are */
  describe(title, about) {
    fill(this.title, h("h1", {}, title));
    this.about.textContent = about;
    this.about.title = about;
  }
}
