/** Fields for a game's options, made from what the game declares. */

/** @import { Option, OptionChoice, OptionValue } from "../lib/protocol.js" */

import { h } from "../lib/dom.js";
import { capital, number } from "../lib/i18n.js";

const FEW = 6; // up to as many values are shown side by side

/** @typedef {(value: OptionValue) => void} Changed */

/** @param {Option} option @param {OptionChoice[]} values @param {OptionValue} value @param {Changed} changed */
function radios(option, values, value, changed) {
  /** @param {OptionChoice} each */
  const radio = (each) =>
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "radio",
        name: `option-${option.name}`,
        checked: each.value === value,
        on: { change: () => changed(each.value) },
      }),
      capital(each.label),
    );
  return h(
    "fieldset",
    { class: "option" },
    h("legend", {}, capital(option.label)),
    h("div", { class: "choices" }, values.map(radio)),
  );
}

/** The values of an option with few of them. @param {Option} option @returns {OptionChoice[]} */
function choices({ low = 0, high = 0, values }) {
  return values ?? Array.from({ length: high - low + 1 }, (_, i) => ({ value: low + i, label: number(low + i) }));
}

/** @param {Option} option @param {OptionValue} value @param {Changed} changed @returns {HTMLElement} */
export function optionField(option, value, changed) {
  if (option.kind === "flag") {
    return h(
      "label",
      { class: "option flag" },
      h("input", { type: "checkbox", checked: value, on: { change: (event) => changed(event.currentTarget.checked) } }),
      capital(option.label),
    );
  }
  const counted = option.kind === "number" && !option.values && (option.high ?? 0) - (option.low ?? 0) >= FEW;
  if (counted) {
    const input = h("input", {
      type: "number",
      min: option.low,
      max: option.high,
      value,
      required: true,
      on: { change: (event) => event.currentTarget.reportValidity() && changed(event.currentTarget.valueAsNumber) },
    });
    return h("label", { class: "option" }, capital(option.label), input);
  }
  if (option.kind === "pattern") {
    return h(
      "label",
      { class: "option" },
      capital(option.label),
      h("input", {
        type: "text",
        value,
        maxLength: 200,
        spellcheck: false,
        on: { change: (event) => changed(event.currentTarget.value.trim()) },
      }),
      h("small", { class: "muted" }, capital(option.allowed)),
    );
  }
  return radios(option, choices(option), value, changed);
}
