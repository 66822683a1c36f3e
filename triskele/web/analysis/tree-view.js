/** The tree of moves as a list with levels: the main line, and below a move those that were tried instead. */

/** @import { Node, Path } from "./tree.js" */

import { h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

/**
 * @typedef {{go: (path: Path) => void, mover: (depth: number, moves: string[]) => string}} Owner `mover`: who made a move,
 *   in words, empty where that is not known yet
 */

export class TreeView {
  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner;
    this.element = h("div", { class: "tree", role: "group", "aria-label": say("web.tree") });
  }

  /** @param {Node} tree @param {Path} path the node in sight */
  draw(tree, path) {
    const had = this.element.contains(document.activeElement);
    const begin = this.#key([], say("web.tree-start"), "", path.length === 0, say("web.tree-start"));
    this.element.replaceChildren(begin, this.#line(tree, [], [], path, 0));
    if (tree.comment) begin.after(h("p", { class: "said" }, tree.comment));
    /** @type {HTMLElement | null} */
    const current = this.element.querySelector("[aria-current]");
    if (had) current?.focus();
    if (current) this.#reveal(current);
  }

  /** @param {HTMLElement} current */
  #reveal(current) {
    const [list, line] = [this.element.getBoundingClientRect(), current.getBoundingClientRect()];
    if (line.top < list.top || line.bottom > list.bottom)
      this.element.scrollTop += line.top - list.top - (list.height - line.height) / 2;
  }

  /**
   * The list of the moves below a node, along its main line; what was tried instead is a list within it.
   * @param {Node} node @param {Path} path of it @param {string[]} moves to it @param {Path} shown @param {number} level
   */
  #line(node, path, moves, shown, level) {
    const list = h("ol", { class: "line", "aria-label": level ? say("web.variation") : say("web.main-line") });
    for (let found = node; found.children.length;) {
      const [main, ...others] = found.children;
      const item = h("li", {}, this.#move(main, [...path, 0], [...moves, main.move], shown));
      list.append(item);
      others.forEach((other, index) =>
        item.append(this.#variation(other, [...path, index + 1], moves, shown, level + 1)),
      );
      [found, path, moves] = [main, [...path, 0], [...moves, main.move]];
    }
    return list;
  }

  /** @param {Node} node @param {Path} path @param {string[]} before @param {Path} shown @param {number} level */
  #variation(node, path, before, shown, level) {
    const moves = [...before, node.move];
    const list = this.#line(node, path, moves, shown, level);
    list.classList.add("variation");
    list.prepend(h("li", {}, this.#move(node, path, moves, shown)));
    return list;
  }

  /** @param {Node} node @param {Path} path @param {string[]} moves @param {Path} shown */
  #move(node, path, moves, shown) {
    const here = path.length === shown.length && path.every((index, depth) => shown[depth] === index);
    const mover = this.owner.mover(moves.length, moves);
    const spoken = say(mover ? "web.tree-move" : "web.tree-move-alone", { n: moves.length, mover, move: node.move });
    const number = `${moves.length}.`;
    const key = this.#key(path, node.move, number, here, node.comment ? `${spoken}. ${node.comment}` : spoken);
    if (node.marks.length) key.append(h("span", { class: "marked", "aria-hidden": "true" }, "◎"));
    return node.comment ? [key, h("p", { class: "said", "aria-hidden": "true" }, node.comment)] : [key];
  }

  /** @param {Path} path @param {string} words @param {string} number @param {boolean} here @param {string} spoken */
  #key(path, words, number, here, spoken) {
    return h(
      "button",
      {
        type: "button",
        class: "node",
        "aria-current": here ? "true" : null,
        "aria-label": spoken,
        on: { click: () => this.owner.go(path) },
      },
      number ? h("small", { class: "muted" }, number) : null,
      words,
    );
  }
}
