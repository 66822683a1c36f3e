/** Fields for a game's options, made from what the game declares. */

import { h } from "./dom.js";
import { capital, number } from "./i18n.js";

const FEW = 6; // so many values are shown side by side

/**
 * @typedef {import("./catalogue.js").Option} Option
 * @typedef {(value: *) => void} Changed
 */

/** @param {Option} option @param {{value: *, label: string}[]} values @param {*} value @param {Changed} changed */
function radios(option, values, value, changed) {
  const radio = (each) =>
    h(
      "label",
      { class: "choice" },
      h(
        "input",
        {
          type: "radio",
          name: `option-${option.name}`,
          checked: each.value === value,
          on: { change: () => changed(each.value) },
        },
      ),
      capital(each.label),
    );
  return h(
    "fieldset",
    { class: "option" },
    h("legend", {}, capital(option.label)),
    h("div", { class: "choices" }, values.map(radio)),
  );
}

/** @param {Option} option */
function few(option) {
  const count = (option.high ?? 0) - (option.low ?? 0) + 1;
  return option.values ?? Array.from(
    { length: count },
    (_, i) => ({ value: option.low + i, label: number(option.low + i) }),
  );
}

/** @param {Option} option @param {*} value @param {Changed} changed @returns {HTMLElement} */
export function optionField(option, value, changed) {
  if (option.kind === "flag") {
    return h(
      "label",
      { class: "option flag" },
      h("input", { type: "checkbox", checked: value, on: { change: (event) => changed(event.target.checked) } }),
      capital(option.label),
    );
  }
  const counted = option.kind === "number" && !option.values && option.high - option.low >= FEW;
  if (counted) {
    const input = h(
      "input",
      {
        type: "number",
        min: option.low,
        max: option.high,
        value,
        required: true,
        on: { change: (event) => event.target.reportValidity() && changed(event.target.valueAsNumber) },
      },
    );
    return h("label", { class: "option" }, capital(option.label), input);
  }
  if (option.kind === "pattern") {
    return h(
      "label",
      { class: "option" },
      capital(option.label),
      h(
        "input",
        {
          type: "text",
          value,
          maxLength: 200,
          spellcheck: false,
          on: { change: (event) => changed(event.target.value.trim()) },
        },
      ),
      h("small", { class: "muted" }, capital(option.allowed)),
    );
  }
  return radios(option, few(option), value, changed);
}
