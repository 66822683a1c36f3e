/** The dialog in which a reader chooses language, theme, sound, name. */

import { show } from "./dialogs.js";
import { h } from "./dom.js";
import { LANGUAGES, language, say } from "./i18n.js";
import { change, setting } from "./settings.js";

const THEMES = ["system", "light", "dark"];

/** @param {string} words @param {"sound" | "shortcuts"} name */
function flag(words, name) {
  const input = h(
    "input",
    { type: "checkbox", checked: setting(name), on: { change: (event) => change(name, event.target.checked) } },
  );
  return h("label", { class: "choice" }, input, words);
}

/** A choice of language. @param {Object<string, *>} [props] */
export function languageSelect(props = {}) {
  const options = Object.entries(LANGUAGES).map(([tag, name]) => h(
    "option",
    { value: tag, selected: tag === language(), lang: tag },
    name,
  ));
  return h(
    "select",
    { "aria-label": say("web.language"), on: { change: (event) => change("language", event.target.value) }, ...props },
    options,
  );
}

/** Show the dialog. */
export function showSettings() {
  const theme = (name) =>
    h(
      "label",
      { class: "choice" },
      h(
        "input",
        {
          type: "radio",
          name: "theme",
          value: name,
          checked: setting("theme") === name,
          on: { change: () => change("theme", name) },
        },
      ),
      say(`web.theme-${name}`),
    );
  const { dialog } = show(say("web.settings"), [
    h("label", { class: "field" }, h("span", {}, say("web.your-name")),
      h(
        "input",
        {
          type: "text",
          maxLength: 40,
          value: setting("name"),
          autocomplete: "nickname",
          on: { change: (event) => change("name", event.target.value.trim()) },
        },
      )),
    h("label", { class: "field" }, h("span", {}, say("web.language")), languageSelect()),
    h("fieldset", {}, h("legend", {}, say("web.theme")), h("div", { class: "choices" }, THEMES.map(theme))),
    h("div", { class: "choices" }, flag(say("web.sound"), "sound"), flag(say("web.shortcut-letters"), "shortcuts")),
  ]);
  // Another language draws the page anew: the dialog would stay in the old one.
  dialog.querySelector("select").addEventListener("change", () => dialog.close());
}
