/** Elements made in one call. Texts become text nodes: nothing here ever parses markup. */

/** @import { Child, Props } from "./elements.js" */

const SVG = "http://www.w3.org/2000/svg";

/** @param {HTMLElement | SVGElement} element @param {Props<Element>} props */
function setProps(element, { on = {}, data = {}, ...props }) {
  for (const [event, listener] of Object.entries(on)) {
    element.addEventListener(event, /** @type {EventListener} */ (listener));
  }
  Object.assign(element.dataset, data);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in element && element.namespaceURI !== SVG) Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Element} element @param {Child} child */
function append(element, child) {
  if (child === undefined || child === null || child === false) return;
  if (Array.isArray(child)) child.forEach((each) => append(element, each));
  else element.append(child instanceof Node ? child : String(child));
}

/**
 * Make an HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Props<HTMLElementTagNameMap[K]>} [props] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  const { class: classes, ...rest } = props;
  if (classes) element.className = classes;
  setProps(element, /** @type {Props<Element>} */ (rest));
  append(element, children);
  return element;
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Props<SVGElementTagNameMap[K]>} [props] @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setProps(element, /** @type {Props<Element>} */ (props));
  append(element, children);
  return element;
}

/** The element of `index.html` with an id. @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no element #${id}`);
  return found;
}

/** An icon from `index.html`, hidden from screen readers. @param {string} name */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("use", { href: `#icon-${name}` }));
}

/**
 * A button that does something.
 * @param {string} words what it says @param {(event: Event & {currentTarget: HTMLButtonElement}) => void} act
 * @param {Props<HTMLButtonElement> & {icon?: string, bare?: boolean}} [props] `bare`: the words are for screen readers
 *   and tooltips only
 */
export function button(words, act, { icon: name, bare, ...props } = {}) {
  const spoken = bare ? { "aria-label": words, title: words } : {};
  const content = [name ? icon(name) : null, bare ? null : h("span", {}, words)];
  return h("button", { type: "button", class: "button", ...spoken, ...props, on: { click: act } }, content);
}

/** What a control says, to find it again after it was replaced. @param {Element} control */
function identity(control) {
  const words = control.getAttribute("aria-label") ?? control.closest("label")?.textContent ?? control.textContent;
  return `${control.getAttribute("name") ?? ""} ${words}`;
}

/**
 * Replace what an element holds; the keyboard stays on the control with the same words.
 * @template {Element} E
 * @param {E} element
 * @param {...Child} children
 * @returns {E}
 */
export function fill(element, ...children) {
  const active = document.activeElement;
  const focused = active && active !== element && element.contains(active) ? identity(active) : null;
  element.replaceChildren();
  append(element, children);
  if (focused !== null) {
    /** @type {NodeListOf<HTMLElement>} */
    const controls = element.querySelectorAll("button, a, input, select, summary");
    [...controls].find((control) => identity(control) === focused)?.focus();
  }
  return element;
}
