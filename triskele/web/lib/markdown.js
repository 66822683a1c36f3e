/**
 * Help pages: a small part of Markdown, made into elements; a footnote in the line, `^[why]`, is a ruling. Everything becomes text nodes and known
 * elements; markup inside the text stays text.
 */

import { h } from "./dom.js";
import { say } from "./i18n.js";

const INLINE = /(\^\[[^\]]*\]|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|_[^_\s][^_]*_(?!\w)|`[^`]+`|\[[^\]]+\]\([^)\s]+\))/;

/** Only pages of ours and of the web; nothing that runs. @param {string} address */
const isSafe = (address) => /^(https?:\/\/|\/|#)/.test(address);

let rulings = 0;

/**
 * A sign that something is a ruling of ours; pressed, it shows why. @param {string} words why; none for the usual reason
 * @returns {HTMLElement[]}
 */
function ruling(words) {
  const id = `ruling-${++rulings}`;
  const why = h("span", { class: "ruling-why", id, hidden: true }, h("b", {}, say("web.ruling")), " ");
  why.append(...(words ? [words] : [say("web.ruling-why")]));
  const sign = h(
    "button",
    {
      type: "button",
      class: "ruling",
      title: say("web.ruling"),
      "aria-label": say("web.ruling"),
      "aria-expanded": "false",
      "aria-controls": id,
      on: {
        click: () => {
          why.hidden = !why.hidden;
          sign.setAttribute("aria-expanded", String(!why.hidden));
        },
      },
    },
    "§",
  );
  return [sign, why];
}

/** @param {string} text @returns {import("./elements.js").Child[]} */
function inline(text) {
  return text.split(INLINE).map((part) => {
    if (/^\^\[.*\]$/.test(part)) return ruling(part.slice(2, -1));
    if (/^\*\*.+\*\*$/.test(part)) return h("strong", {}, inline(part.slice(2, -2)));
    if (/^(\*.+\*|_.+_)$/.test(part)) return h("em", {}, inline(part.slice(1, -1)));
    if (/^`.+`$/.test(part)) return h("code", {}, part.slice(1, -1));
    const link = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part);
    if (link && isSafe(link[2])) return h("a", { href: link[2], rel: "noreferrer" }, inline(link[1]));
    return part;
  });
}

/** @param {string} row */
const cells = (row) =>
  row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

/** @param {string[]} lines */
function table(lines) {
  const [head, , ...rows] = lines.map(cells);
  /** @param {"th" | "td"} tag @param {string[]} row */
  const line = (tag, row) =>
    h(
      "tr",
      {},
      row.map((cell) => h(tag, tag === "th" ? { scope: "col" } : {}, inline(cell))),
    );
  return h(
    "table",
    {},
    h("thead", {}, line("th", head)),
    h(
      "tbody",
      {},
      rows.map((row) => line("td", row)),
    ),
  );
}

/**
 * A list; a line that begins no item continues the one before, an indented item is below the one before.
 * @param {string[]} lines @returns {HTMLElement}
 */
function list(lines) {
  /** @type {{text: string, below: string[]}[]} */
  const items = [];
  for (const line of lines) {
    const item = /^(\s*)(?:[-*+]|\d+\.)\s+(.*)$/.exec(line);
    const last = items.at(-1);
    if (item && !(last && item[1])) items.push({ text: item[2], below: [] });
    else if (item && last) last.below.push(line.trimStart());
    else if (last?.below.length) last.below.push(line);
    else if (last) last.text += " " + line.trim();
  }
  /** @param {{text: string, below: string[]}} item */
  const shown = ({ text, below }) => h("li", {}, inline(text), below.length ? list(below) : null);
  return h(/^\s*\d/.test(lines[0]) ? "ol" : "ul", {}, items.map(shown));
}

/**
 * @typedef {{lift: number, picture: (name: string) => string}} Style what is added to the level of headings, and the
 *   address of a picture by its name
 */

const HEADINGS = /** @type {const} */ (["h1", "h2", "h3", "h4", "h5", "h6"]);

/** A picture with its words below. @param {string} words @param {string} src */
function figure(words, src) {
  const image = h("img", { src, alt: "", loading: "lazy", decoding: "async" });
  const made = h("figure", {}, image, h("figcaption", {}, inline(words)));
  image.addEventListener("error", () => made.remove());
  return made;
}

/**
 * @param {string} block lines without an empty one between @param {Style} style
 * @returns {import("./elements.js").Child}
 */
function element(block, style) {
  const lines = block.split("\n");
  const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(lines[0]);
  if (heading) {
    const tag = HEADINGS[Math.min(6, heading[1].length + style.lift) - 1];
    const rest = lines.slice(1).join("\n");
    return [h(tag, {}, inline(heading[2])), rest.trim() ? element(rest, style) : null];
  }
  const image = /^!\[(.*)\]\(picture:([a-z-]+)\)$/.exec(lines.join(" ").trim());
  if (image) return figure(image[1], style.picture(image[2]));
  if (/^```/.test(lines[0])) return h("pre", {}, lines.filter((line) => !/^```/.test(line)).join("\n"));
  if (/^\s*([-*+]|\d+\.)\s/.test(lines[0])) return list(lines);
  if (/^>/.test(lines[0])) return h("blockquote", {}, inline(lines.map((line) => line.replace(/^>\s?/, "")).join(" ")));
  if (lines.length > 1 && /^\|?[\s:|-]+\|[\s:|-]*$/.test(lines[1])) return table(lines);
  if (/^(---+|\*\*\*+)$/.test(lines[0].trim())) return h("hr");
  return h("p", {}, inline(lines.join(" ")));
}

/** @param {string} text Markdown @param {Style} style @returns {HTMLElement} */
export function rendered(text, style) {
  const blocks = text
    .replace(/\r/g, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\n\s*\n/);
  return h(
    "div",
    { class: "prose" },
    blocks.filter((block) => block.trim()).map((block) => element(block, style)),
  );
}
