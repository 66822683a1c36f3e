"""Draws the import graphs from the code: `python docs/draw_imports.py`.

One drawing for each package (a folder of Python modules, or of the page's JavaScript modules) is written to
``docs/pictures/imports/``, and ``docs/imports.md``, the page that shows them all. Python's imports are read by grimp,
which import-linter brings; those of the page from its ``import`` statements.

Importers are above what they import. An import is drawn as an arrow unless it also follows from other arrows
(transitive reduction), which keeps large packages legible; all of them are in the drawing's ``<metadata>``, by which
a test tells whether a drawing is up to date.
"""

import ast
import itertools
import json
import re
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PICTURES = DOCS / "pictures" / "imports"
PAGE = DOCS / "imports.md"
WEB = ROOT / "triskele" / "web"

ROOTS = ("triskele", "web")
ENTRIES = {"__init__", "__main__"}
"""Not drawn at the top: the names that ``import triskele`` offers, and what starts the command."""

Edges = Mapping[str, frozenset[str]]
"""The modules that a module imports."""

_JAVASCRIPT_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}/[^"']+\.js)["']""")
_METADATA = re.compile(r"<metadata>(.*?)</metadata>", re.DOTALL)


# --- reading the code -----------------------------------------------------------------------------


def python_imports() -> Edges:
    """Return the imports between all modules of the package, those inside functions included."""
    import grimp

    graph = grimp.build_graph("triskele", exclude_type_checking_imports=True, cache_dir=None)
    return {module: frozenset(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def javascript_imports(folder: Path = WEB) -> Edges:
    """Return the imports between the page's modules, named as in ``web.folder.module``."""
    found = {}
    for path in sorted(folder.rglob("*.js")):
        targets = _JAVASCRIPT_IMPORT.findall(path.read_text(encoding="utf-8"))
        found[_javascript_name(path, folder)] = frozenset(
            _javascript_name((path.parent / target).resolve(), folder.resolve()) for target in targets
        )
    return found


def _javascript_name(path: Path, folder: Path) -> str:
    return ".".join(("web", *path.relative_to(folder).with_suffix("").parts))


def packages(edges: Edges) -> list[str]:
    """Return all packages: what has modules below it, in the order of their names."""
    above = {name.rpartition(".")[0] for name in _all_names(edges)}
    return sorted(name for name in above if name)


def _all_names(edges: Edges) -> set[str]:
    names = set(edges)
    for module in edges:
        parts = module.split(".")
        names |= {".".join(parts[:end]) for end in range(1, len(parts))}
    return names


def inside(edges: Edges, package: str) -> Edges:
    """Return the imports between the direct members of a package; a folder stands for all modules in it.

    A folder that would be part of a cycle is shown by its modules instead: it has some above and some below its
    neighbours. The package's own ``__init__`` is a member if it imports another one or is imported.
    """
    opened: set[str] = set()
    while True:
        between = _between(edges, package, opened)
        reach = _reachable(between)
        circular = {name for name in between if name in reach[name] and f"{package}.{name}" in packages(edges)}
        if not circular:
            return between
        opened |= circular


def _between(edges: Edges, package: str, opened: set[str]) -> Edges:
    found: defaultdict[str, set[str]] = defaultdict(set)
    names = {_member(package, module, opened) for module in edges} - {"", "__init__", *opened}
    for module, targets in edges.items():
        importer = _member(package, module, opened)
        for target in targets:
            imported = _member(package, target, opened)
            if importer and imported and importer != imported:
                found[importer].add(imported)
    names |= {*found, *itertools.chain.from_iterable(found.values())}
    if package in ROOTS:
        names -= ENTRIES
    return {name: frozenset(found[name] & names) for name in sorted(names)}


def _member(package: str, module: str, opened: set[str]) -> str:
    """Return the member of a package that a module belongs to, empty if it is not in the package."""
    if module == package:
        return "__init__"
    if not module.startswith(f"{package}."):
        return ""
    parts = module.removeprefix(f"{package}.").split(".")
    return ".".join(parts[:2] if parts[0] in opened else parts[:1])


# --- layout ---------------------------------------------------------------------------------------


def reduced(edges: Edges) -> Edges:
    """Return the edges that do not follow from others; edges of a cycle all stay."""
    reach = _reachable(edges)
    kept = {}
    for name, targets in edges.items():
        others = {
            target
            for target in targets
            for by in targets
            if by != target and target in reach[by] and by not in reach[target] and name not in reach[by]
        }
        kept[name] = frozenset(targets - others)
    return kept


def _reachable(edges: Edges) -> dict[str, set[str]]:
    reach = {}
    for name in edges:
        seen: set[str] = set()
        waiting = [*edges[name]]
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += edges[other]
        reach[name] = seen
    return reach


def layers(edges: Edges) -> dict[str, int]:
    """Return the layer of each node, 0 at the bottom: below all its importers, as near to them as possible.

    Nodes of an import cycle share the layer that their lowest common place allows.
    """
    reach = _reachable(edges)
    cycle = {name: min({name} | {other for other in reach[name] if name in reach[other]}) for name in edges}
    heads = sorted(set(cycle.values()))
    between = {head: {cycle[t] for n in edges if cycle[n] == head for t in edges[n]} - {head} for head in heads}
    depth: dict[str, int] = {}

    def place(head: str) -> int:
        if head not in depth:
            depth[head] = 1 + max((place(target) for target in between[head]), default=-1)
        return depth[head]

    for head in heads:
        place(head)
    for head in sorted(heads, key=lambda head: -depth[head]):
        importers = [depth[other] for other in heads if head in between[other]]
        if importers:
            depth[head] = min(importers) - 1
    lowest = min(depth.values(), default=0)
    return {name: depth[cycle[name]] - lowest for name in edges}


@dataclass(eq=False)
class Node:
    """A box of the drawing, or (without a name) the point where an arrow passes through a layer."""

    name: str
    layer: int
    width: float
    x: float = 0.0
    rank: float = 0.0
    above: list["Node"] = field(default_factory=list)
    below: list["Node"] = field(default_factory=list)


GAP = 16.0
PASSAGE = 6.0


def layout(edges: Edges, widths: Mapping[str, float]) -> tuple[list[list[Node]], list[list[Node]]]:
    """Return the rows from the bottom up with their x coordinates, and for each arrow the nodes on its way down."""
    level = layers(edges)
    nodes = {name: Node(name, level[name], widths[name]) for name in edges}
    rows: list[list[Node]] = [[] for _ in range(max(level.values()) + 1)]
    for name in sorted(edges):
        rows[level[name]].append(nodes[name])
    ways = []
    for name in sorted(edges):
        for target in sorted(edges[name]):
            way = [nodes[name]]
            for at in range(level[name] - 1, level[target], -1):
                passing = Node("", at, PASSAGE)
                rows[at].append(passing)
                way.append(passing)
            way.append(nodes[target])
            ways.append(way)
            for upper, lower in itertools.pairwise(way):
                if upper.layer > lower.layer:
                    upper.below.append(lower)
                    lower.above.append(upper)
    _order(rows)
    _place(rows)
    return rows, ways


def _order(rows: list[list[Node]]) -> None:
    """Order each row so that few arrows cross: barycentre sweeps, of which the best result stays."""
    for row in rows:
        _rank(row)
    best, least = [list(row) for row in rows], _crossings(rows)
    for sweep in range(40):
        downwards = sweep % 2 == 0
        for row in reversed(rows) if downwards else rows:
            neighbours = "above" if downwards else "below"
            row.sort(key=lambda node: _centre([other.rank for other in getattr(node, neighbours)], node.rank))
            _rank(row)
        number = _crossings(rows)
        if number < least:
            best, least = [list(row) for row in rows], number
    rows[:] = best


def _rank(row: Sequence[Node]) -> None:
    """Note where in its row each node is, from 0 to 1."""
    for at, node in enumerate(row):
        node.rank = at / max(1, len(row) - 1)


def _centre(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _crossings(rows: list[list[Node]]) -> int:
    total = 0
    for row in rows[1:]:
        at = {id(node): i for i, node in enumerate(rows[row[0].layer - 1])}
        ends = [at[id(lower)] for node in row for lower in sorted(node.below, key=lambda n: at[id(n)])]
        total += sum(one > other for one, other in itertools.combinations(ends, 2))
    return total


def _place(rows: list[list[Node]]) -> None:
    """Give each node an x near those of its neighbours, in the order of its row and without overlap."""
    for row in rows:
        for at, node in enumerate(row):
            node.x = (at - (len(row) - 1) / 2) * 60
    for sweep in range(60):
        for row in rows if sweep % 2 else reversed(rows):
            wanted = [_centre([n.x for n in (*node.above, *node.below)], node.x) for node in row]
            for node, x in zip(row, _spread(row, wanted), strict=True):
                node.x = x
    for row in rows:  # nothing pulls a module without imports anywhere: it goes beside its neighbour
        for left, node in itertools.pairwise(row):
            if not node.above and not node.below:
                node.x = left.x + (left.width + node.width) / 2 + GAP


def _spread(row: Sequence[Node], wanted: Sequence[float]) -> list[float]:
    """Return the positions nearest to those wanted (least squares) that keep the order and the gaps of a row."""
    offsets = [0.0]
    for left, right in itertools.pairwise(row):
        offsets.append(offsets[-1] + (left.width + right.width) / 2 + GAP)
    blocks: list[list[float]] = []  # isotonic regression by pooling adjacent violators: sum and number of each block
    for x, offset in zip(wanted, offsets, strict=True):
        blocks.append([x - offset, 1.0])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, number = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += number
    means = [total / number for total, number in blocks for _ in range(int(number))]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


# --- drawing --------------------------------------------------------------------------------------

ROW, HEIGHT, MARGIN = 74.0, 30.0, 24.0
STYLE = """
.paper{fill:#fbfaf6;stroke:#d9d6cb}.box{fill:#fff;stroke:#7d9c95;stroke-width:1.2}.folder{fill:#e3eeea;stroke:#2f5d55}
.way{fill:none;stroke:#7d9c95;stroke-width:1.3}.head{fill:#7d9c95}.cycle{stroke:#b3541e;stroke-dasharray:5 3}
text{fill:#26302f;text-anchor:middle;font:13px Inter,'DejaVu Sans','Liberation Sans',Arial,sans-serif}
.purpose{font-size:11px;fill:#5c6a68}.bold{font-weight:600}
"""
DARK = """
.paper{fill:#1e2423;stroke:#3b4442}.box{fill:#28302f;stroke:#5f8880}.folder{fill:#2c403c;stroke:#a9d3c8}
.way{stroke:#5f8880}.head{fill:#5f8880}.cycle{stroke:#e08a4f}text{fill:#e6e4dc}.purpose{fill:#a3aba7}
"""


def draw(title: str, edges: Edges, folders: Iterable[str] = (), purposes: Mapping[str, str] | None = None) -> str:
    """Return a package's imports as SVG; ``folders`` are members that are packages, ``purposes`` are shown in boxes."""
    told = purposes or {}
    lines = {name: textwrap.wrap(told.get(name, ""), 30) for name in edges}
    tall = HEIGHT + 15 * max(map(len, lines.values()))
    widths = {
        name: max([8.6 * len(name) + 22, *(6.1 * len(line) + 22 for line in lines[name])], default=0) for name in edges
    }
    rows, ways = layout(reduced(edges), widths)
    left = min(node.x - node.width / 2 for row in rows for node in row) - MARGIN
    wide = max(node.x + node.width / 2 for row in rows for node in row) + MARGIN - left
    high = (len(rows) - 1) * (ROW + tall - HEIGHT) + tall + 2 * MARGIN

    def top(layer: int) -> float:
        return MARGIN + (len(rows) - 1 - layer) * (ROW + tall - HEIGHT)

    body = [_way(way, left, top, tall) for way in ways]
    boxes = [node for row in rows for node in row if node.name]
    body += [_box(node, node.x - left, top(node.layer), tall, lines[node.name], node.name in folders) for node in boxes]
    every = json.dumps([f"{name} -> {target}" for name in sorted(edges) for target in sorted(edges[name])], indent=0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" '
        f'height="{high:.0f}" role="img">\n<title>{escape(title)}</title>\n<metadata>{escape(every, quote=False)}'
        f"</metadata>\n<style>{STYLE}@media (prefers-color-scheme:dark){{{DARK}}}</style>\n"
        f'<rect class="paper" x=".5" y=".5" width="{wide - 1:.0f}" height="{high - 1:.0f}" rx="10"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _box(node: Node, x: float, y: float, tall: float, lines: Sequence[str], folder: bool) -> str:
    kind = "box folder" if folder else "box"
    first = y + 20 + (tall - HEIGHT - 15 * len(lines)) / 2
    name = f'<text class="bold" x="{x:.1f}" y="{first:.1f}">{escape(node.name)}</text>'
    told = (
        f'<text class="purpose" x="{x:.1f}" y="{first + 17 + 15 * at:.1f}">{escape(line)}</text>'
        for at, line in enumerate(lines)
    )
    shape = f'x="{x - node.width / 2:.1f}" y="{y:.1f}" width="{node.width:.1f}" height="{tall:.1f}" rx="6"'
    return f'<rect class="{kind}" {shape}/>{name}{"".join(told)}'


def _way(way: Sequence[Node], left: float, top: Callable[[int], float], tall: float) -> str:
    """Return an arrow through the layers; within a cycle it may also lead upwards or sideways."""
    first, last = way[0], way[-1]
    if last.layer >= first.layer:
        y = top(first.layer) + tall / 2
        x1, x2 = first.x - left, last.x - left
        bend = f"C{x1:.1f} {y + 60:.1f} {x2:.1f} {y + 60:.1f}"
        return f'<path class="way cycle" d="M{x1:.1f} {y:.1f}{bend} {x2:.1f} {y:.1f}"/>'
    x, y = first.x - left, top(first.layer) + tall
    parts = [f"M{x:.1f} {y:.1f}"]
    for node in way[1:]:
        end = top(node.layer) - (7 if node is last else 0)
        middle = (y + end) / 2
        parts.append(f"C{x:.1f} {middle:.1f} {node.x - left:.1f} {middle:.1f} {node.x - left:.1f} {end:.1f}")
        x, y = node.x - left, end
        if node is not last:
            y += tall
            parts.append(f"V{y:.1f}")
    head = f"M{x:.1f} {y + 7:.1f}l-4 -8h8z"
    return f'<path class="way" d="{"".join(parts)}"/><path class="head" d="{head}"/>'


# --- all of it ------------------------------------------------------------------------------------


def purposes(names: Iterable[str]) -> dict[str, str]:
    """Return the first sentence of the docstring of each member of the whole package."""
    told = {}
    for name in names:
        folder = ROOT / "triskele" / name
        path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
        if path.is_file():
            words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            told[name] = words.split("\n")[0].split(". ")[0].rstrip(".").replace("``", "")
    return told


def graphs() -> Iterator[tuple[str, Edges, list[str]]]:
    """Yield each package that has imports between its members, with these imports and the members that are folders."""
    for edges in (python_imports(), javascript_imports()):
        known = packages(edges)
        for package in known:
            within = inside(edges, package)
            if any(within.values()):
                yield package, within, [name for name in within if f"{package}.{name}" in known]


def drawings() -> dict[str, str]:
    """Return all drawings by the names of their packages."""
    drawn = {}
    for package, edges, folders in graphs():
        told = purposes(edges) if package == "triskele" else None
        drawn[package] = draw(f"The imports inside {package}", edges, folders, told)
    return drawn


def drawn_imports(svg: str) -> list[str]:
    """Return the imports that a drawing was made from, each as ``importer -> imported``."""
    found = _METADATA.search(svg)
    listed: list[str] = json.loads(found[1].replace("&gt;", ">")) if found else []
    return listed


ABOUT = """\
Made from the code by `python docs/draw_imports.py`; do not edit this page. Importers are above what they import. An
import that also follows from other arrows is not drawn. Shaded boxes are folders, with a drawing of their own where
their modules import each other; a folder that is both above and below its neighbours is shown by its modules. What is
imported by name at run time (games, commands) has no arrow. How the packages work together is in
[the architecture](architecture.md)."""


def page(names: Iterable[str]) -> str:
    """Return the page that shows all drawings."""
    parts = [
        "# The import graphs",
        ABOUT,
    ]
    for name in names:
        parts += [f"## `{name}`", f"![The imports inside {name}](pictures/imports/{name}.svg)"]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Write the drawings and their page, and remove drawings of packages that are gone."""
    drawn = drawings()
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.glob("*.svg"):
        if old.stem not in drawn:
            old.unlink()
    for name, svg in drawn.items():
        (PICTURES / f"{name}.svg").write_text(svg, encoding="utf-8")
    PAGE.write_text(page(drawn), encoding="utf-8")
    print(f"{len(drawn)} drawings are in {PICTURES}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
