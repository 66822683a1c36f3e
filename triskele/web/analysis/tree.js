/**
 * A game with variations: a tree of moves that never changes; an edit gives a new one, so that every edit can be undone.
 * Pure: it knows no page and no game. `triskele/core/variations.py` has the same in Python.
 *
 * @typedef {{move: string, comment: string, marks: string[][], children: Node[]}} Node the main line's child is the first
 * @typedef {number[]} Path from the root to a node: at each node, which of its children
 */

/** @import { Annotation, Line } from "../lib/protocol.js" */

export const NODES = 5000; // moves of all variations together, as the server allows
export const COMMENT = 2000; // characters of a comment

/** @param {string} [move] @returns {Node} */
const node = (move = "") => ({ move, comment: "", marks: [], children: [] });

/** @returns {Node} a tree without moves */
export const empty = () => node();

/** @param {Node} tree @param {Path} path */
export const nodeAt = (tree, path) => path.reduce((found, index) => found.children[index], tree);

/** The moves from the root to a node. @param {Node} tree @param {Path} path */
export function movesTo(tree, path) {
  let found = tree;
  return path.map((index) => (found = found.children[index]).move);
}

/** The path of the end of the main line from a node on. @param {Node} tree @param {Path} path @returns {Path} */
export function mainEnd(tree, path) {
  const longer = [...path];
  for (let found = nodeAt(tree, path); found.children.length; found = found.children[0]) longer.push(0);
  return longer;
}

/** As much of a path as a tree has. @param {Node} tree @param {Path} path @returns {Path} */
export function within(tree, path) {
  let found = tree;
  const kept = [];
  for (const index of path) {
    if (!found.children[index]) break;
    found = found.children[index];
    kept.push(index);
  }
  return kept;
}

/** How many moves there are. @param {Node} tree */
export function size(tree) {
  let count = 0;
  const pending = [tree];
  for (let next = pending.pop(); next; next = pending.pop()) {
    count += next.children.length;
    pending.push(...next.children);
  }
  return count;
}

/**
 * A tree in which one node is another. @param {Node} tree @param {Path} path @param {(node: Node) => Node} change
 * @returns {Node}
 */
function changed(tree, path, change) {
  const above = path.map((_, depth) => nodeAt(tree, path.slice(0, depth)));
  let made = change(nodeAt(tree, path));
  for (let depth = path.length - 1; depth >= 0; depth--) {
    made = { ...above[depth], children: above[depth].children.with(path[depth], made) };
  }
  return made;
}

/**
 * Add a move below a node; one that is there is not added again.
 * @param {Node} tree @param {Path} path @param {string} move @returns {{tree: Node, path: Path}}
 */
export function push(tree, path, move) {
  const { children } = nodeAt(tree, path);
  const known = children.findIndex((child) => child.move === move);
  if (known >= 0) return { tree, path: [...path, known] };
  const made = changed(tree, path, (found) => ({ ...found, children: [...found.children, node(move)] }));
  return { tree: made, path: [...path, children.length] };
}

/** Make a node's move the first where it begins. @param {Node} tree @param {Path} path @returns {{tree: Node, path: Path}} */
export function promote(tree, path) {
  const [above, index] = [path.slice(0, -1), path[path.length - 1]];
  const made = changed(tree, above, (found) => {
    const others = found.children.filter((_, other) => other !== index);
    return { ...found, children: [found.children[index], ...others] };
  });
  return { tree: made, path: [...above, 0] };
}

/** Delete a node with all below it. @param {Node} tree @param {Path} path @returns {{tree: Node, path: Path}} */
export function remove(tree, path) {
  const [above, index] = [path.slice(0, -1), path[path.length - 1]];
  const made = changed(tree, above, (found) => ({
    ...found,
    children: found.children.filter((_, other) => other !== index),
  }));
  return { tree: made, path: above };
}

/** @param {Node} tree @param {Path} path @param {string} comment */
export const comment = (tree, path, comment) => changed(tree, path, (found) => ({ ...found, comment }));

/** Mark a place or draw an arrow; one that is there goes. @param {Node} tree @param {Path} path @param {string[]} mark */
export const mark = (tree, path, mark) =>
  changed(tree, path, (found) => {
    const others = found.marks.filter((each) => each.join() !== mark.join());
    return { ...found, marks: others.length < found.marks.length ? others : [...found.marks, mark] };
  });

/** A tree as plain data: the main line with its annotations. @param {Node} tree @param {string[]} [first] @returns {Line} */
export function lineOf(tree, first = []) {
  const moves = [...first];
  /** @type {Annotation[]} */
  const annotations = [];
  for (let found = tree; ; found = found.children[0]) {
    const variations = found.children.slice(1).map((child) => lineOf(child, [child.move]));
    const { comment, marks } = found;
    if (comment || marks.length || variations.length)
      annotations.push({
        at: moves.length,
        ...(comment ? { comment } : {}),
        ...(marks.length ? { marks } : {}),
        ...(variations.length ? { variations } : {}),
      });
    if (!found.children.length) return annotations.length ? { moves, annotations } : { moves };
    moves.push(found.children[0].move);
  }
}

/** The tree of a line. @param {Line} line @returns {Node} */
export function treeOf({ moves, annotations = [] }) {
  /** @type {Node} */
  let below = node();
  for (let at = moves.length; at >= 0; at--) {
    const said = annotations.find((each) => each.at === at);
    const variations = (said?.variations ?? []).map((line) => treeOf(line).children[0]);
    const own = at < moves.length ? [below] : [];
    // A variation's own annotation of its first move stands in the node that it begins with.
    below = {
      move: at ? moves[at - 1] : "",
      comment: said?.comment ?? "",
      marks: said?.marks ?? [],
      children: [...own, ...variations],
    };
  }
  return below;
}
