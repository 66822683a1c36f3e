/** The dialog for language, theme, sound and name. */

import { show } from "../lib/dialogs.js";
import { h } from "../lib/dom.js";
import { LANGUAGES, language, languageName, say } from "../lib/i18n.js";
import { change, setting } from "../lib/settings.js";
import { play } from "../lib/sound.js";

/** @type {[string, number][]} how fast things move */
const SPEEDS = [
  ["slow", 0.6],
  ["normal", 1],
  ["fast", 2],
  ["off", 0],
];
export const THEMES = /** @type {const} */ (["system", "light", "dark"]);

/** @param {string} words @param {"sound" | "shortcuts" | "confirm" | "touchPreview" | "coordinates"} name */
function flag(words, name) {
  const input = h("input", {
    type: "checkbox",
    checked: setting(name),
    on: { change: (event) => change(name, event.currentTarget.checked) },
  });
  return h("label", { class: "choice" }, input, words);
}

/** How loud sounds are; what was chosen is heard at once. */
function volume() {
  return h("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.1,
    value: String(setting("volume")),
    "aria-label": say("web.volume"),
    title: say("web.volume"),
    on: {
      change: (event) => {
        change("volume", Number(event.currentTarget.value));
        play("turn");
      },
    },
  });
}

/** A choice of language. @param {import("../lib/elements.js").Props<HTMLSelectElement>} [props] */
export function languageSelect(props = {}) {
  const options = LANGUAGES.map((tag) =>
    h("option", { value: tag, selected: tag === language(), lang: tag }, languageName(tag)),
  );
  return h(
    "select",
    {
      "aria-label": say("web.language"),
      on: { change: (event) => change("language", event.currentTarget.value) },
      ...props,
    },
    options,
  );
}

/** Show the dialog. */
export function showSettings() {
  /** @param {typeof THEMES[number]} name */
  const theme = (name) =>
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "radio",
        name: "theme",
        value: name,
        checked: setting("theme") === name,
        on: { change: () => change("theme", name) },
      }),
      say(`web.theme-${name}`),
    );
  const { dialog } = show(say("web.settings"), [
    h(
      "label",
      { class: "field" },
      h("span", {}, say("web.your-name")),
      h("input", {
        type: "text",
        maxLength: 40,
        value: setting("name"),
        autocomplete: "nickname",
        on: { change: (event) => change("name", event.currentTarget.value.trim()) },
      }),
    ),
    h("label", { class: "field" }, h("span", {}, say("web.language")), languageSelect()),
    h("fieldset", {}, h("legend", {}, say("web.theme")), h("div", { class: "choices" }, THEMES.map(theme))),
    h(
      "label",
      { class: "field" },
      h("span", {}, say("web.speed")),
      h(
        "select",
        { on: { change: (event) => change("speed", Number(event.currentTarget.value)) } },
        SPEEDS.map(([name, value]) =>
          h("option", { value: String(value), selected: setting("speed") === value }, say(`web.speed-${name}`)),
        ),
      ),
    ),
    h(
      "div",
      { class: "choices" },
      flag(say("web.confirm-moves"), "confirm"),
      flag(say("web.touch-preview"), "touchPreview"),
      flag(say("web.coordinates"), "coordinates"),
      flag(say("web.shortcut-letters"), "shortcuts"),
    ),
    h(
      "fieldset",
      {},
      h("legend", {}, say("web.sound")),
      h("div", { class: "choices" }, flag(say("web.sound-on"), "sound"), volume()),
    ),
  ]);
  // The page is drawn again in the new language: the dialog would stay in the old one.
  dialog.querySelector("select")?.addEventListener("change", () => dialog.close());
}
