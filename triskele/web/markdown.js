/**
 * Help pages: a small part of Markdown, made into elements. Everything becomes text nodes and known
 * elements; markup inside the text stays text.
 */

import { h } from "./dom.js";

const INLINE = /(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|_[^_\s][^_]*_(?!\w)|`[^`]+`|\[[^\]]+\]\([^)\s]+\))/;

/** Only pages of ours and of the web; nothing that runs. @param {string} address */
const isSafe = (address) => /^(https?:\/\/|\/|#)/.test(address);

/** @param {string} text @returns {(Node | string)[]} */
function inline(text) {
  return text.split(INLINE).map((part) => {
    if (/^\*\*.+\*\*$/.test(part)) return h("strong", {}, inline(part.slice(2, -2)));
    if (/^(\*.+\*|_.+_)$/.test(part)) return h("em", {}, inline(part.slice(1, -1)));
    if (/^`.+`$/.test(part)) return h("code", {}, part.slice(1, -1));
    const link = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part);
    if (link && isSafe(link[2])) return h("a", { href: link[2], rel: "noreferrer" }, inline(link[1]));
    return part;
  });
}

/** @param {string} row */
const cells = (row) => row.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** @param {string[]} lines */
function table(lines) {
  const [head, , ...rows] = lines.map(cells);
  const line = (tag, row) => h("tr", {}, row.map((cell) => h(tag, tag === "th" ? { scope: "col" } : {}, inline(cell))));
  return h("table", {}, h("thead", {}, line("th", head)), h("tbody", {}, rows.map((row) => line("td", row))));
}

/** @param {string[]} lines of one list; what begins no item goes on with the one before, items set in are below it */
function list(lines) {
  const items = [];
  for (const line of lines) {
    const item = /^(\s*)(?:[-*+]|\d+\.)\s+(.*)$/.exec(line);
    const last = items.at(-1);
    if (item && !(last && item[1])) items.push({ text: item[2], below: [] });
    else if (item) last.below.push(line.trimStart());
    else if (last.below.length) last.below.push(line);
    else last.text += " " + line.trim();
  }
  const shown = ({ text, below }) => h("li", {}, inline(text), below.length ? list(below) : null);
  return h(/^\s*\d/.test(lines[0]) ? "ol" : "ul", {}, items.map(shown));
}

/**
 * @typedef {{lift: number, picture: (name: string) => string}} Manner what is added to the level of headings, and where
 *   the picture of a name is
 */

/** A picture with its words below. @param {string} words @param {string} src */
function figure(words, src) {
  const image = h("img", { src, alt: "", loading: "lazy", decoding: "async" });
  const made = h("figure", {}, image, h("figcaption", {}, inline(words)));
  image.addEventListener("error", () => made.remove());
  return made;
}

/** @param {string} block lines without an empty one between @param {Manner} manner */
function element(block, manner) {
  const lines = block.split("\n");
  const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(lines[0]);
  if (heading) {
    const level = Math.min(6, heading[1].length + manner.lift);
    const rest = lines.slice(1).join("\n");
    return [h(`h${level}`, {}, inline(heading[2])), rest.trim() ? element(rest, manner) : null];
  }
  const image = /^!\[(.*)\]\(picture:([a-z-]+)\)$/.exec(lines.join(" ").trim());
  if (image) return figure(image[1], manner.picture(image[2]));
  if (/^```/.test(lines[0])) return h("pre", {}, lines.filter((line) => !/^```/.test(line)).join("\n"));
  if (/^\s*([-*+]|\d+\.)\s/.test(lines[0])) return list(lines);
  if (/^>/.test(lines[0])) return h("blockquote", {}, inline(lines.map((line) => line.replace(/^>\s?/, "")).join(" ")));
  if (lines.length > 1 && /^\|?[\s:|-]+\|[\s:|-]*$/.test(lines[1])) return table(lines);
  if (/^(---+|\*\*\*+)$/.test(lines[0].trim())) return h("hr");
  return h("p", {}, inline(lines.join(" ")));
}

/** @param {string} text Markdown @param {Manner} manner @returns {HTMLElement} */
export function rendered(text, manner) {
  const blocks = text.replace(/\r/g, "").replace(/<!--[\s\S]*?-->/g, "").split(/\n\s*\n/);
  return h("div", { class: "prose" }, blocks.filter((block) => block.trim()).map((block) => element(block, manner)));
}
