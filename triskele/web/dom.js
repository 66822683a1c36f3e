/** Elements made in one call. Texts become text nodes: nothing here ever parses markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Object<string, *>} Props
 * `class`, `on` (listeners by name), `data` (data attributes), properties of the element when it has
 * them, attributes otherwise; `false`, `null` and `undefined` leave an attribute out.
 */

/** @param {Element} element @param {Props} props */
function dress(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "data") for (const [key, text] of Object.entries(value)) element.dataset[key] = text;
    else if (name in element && element.namespaceURI !== SVG && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Element} element @param {*} child a node, a text, a list of them, or nothing */
function put(element, child) {
  if (child === undefined || child === null || child === false) return;
  if (Array.isArray(child)) child.forEach((each) => put(element, each));
  else element.append(child instanceof Node ? child : String(child));
}

/**
 * Make an HTML element.
 * @param {string} tag @param {Props} [props] @param {...*} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  const { class: classes, ...rest } = props;
  if (classes) element.className = classes;
  dress(element, rest);
  put(element, children);
  return element;
}

/**
 * Make an SVG element.
 * @param {string} tag @param {Props} [props] @param {...*} children
 * @returns {SVGElement}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, props);
  put(element, children);
  return element;
}

/** An icon from `icons.svg`, hidden from screen readers. @param {string} name */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("use", { href: `#icon-${name}` }));
}

/**
 * A button that does something.
 * @param {string} words what it says @param {(event: Event) => void} act
 * @param {Props & {icon?: string, bare?: boolean}} [props] `bare`: the words are for screen readers and tooltips only
 */
export function button(words, act, { icon: picture, bare, ...props } = {}) {
  const spoken = bare ? { "aria-label": words, title: words } : {};
  const content = [picture ? icon(picture) : null, bare ? null : h("span", {}, words)];
  return h("button", { type: "button", class: "button", ...spoken, ...props, on: { click: act } }, content);
}

/** What a control says, to find it again after it was drawn anew. @param {Element} control */
function named(control) {
  const words = control.getAttribute("aria-label") ?? control.closest("label")?.textContent ?? control.textContent;
  return `${control.getAttribute("name") ?? ""} ${words}`;
}

/**
 * Replace what an element holds; the keyboard stays on the control with the same words.
 * @param {Element} element
 * @param {...*} children
 */
export function fill(element, ...children) {
  const active = document.activeElement;
  const words = active !== element && element.contains(active) ? named(active) : null;
  element.replaceChildren();
  put(element, children);
  const controls = words === null ? [] : element.querySelectorAll("button, a, input, select, summary");
  [...controls].find((control) => named(control) === words)?.focus();
  return element;
}
