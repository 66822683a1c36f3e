"""The page's modules: which may import which; its pure parts on their own: entering moves, geometry, motion, help."""

import re
from pathlib import Path

import pytest

import triskele
from tests.support.games import texts_of_decisions
from triskele.core.wordings import PLAYER, move_words
from triskele.core.words import Text, say

WEB = Path(triskele.__file__).parent / "web"
MODULES = sorted([*WEB.rglob("*.js"), *WEB.rglob("*.d.ts")])
LAYERS = (
    "lib",
    "board",
    "table",
    "engine",
    "days",
    "pages",
    "learn",
    "analysis",
    "review",
    "accounts",
    "club",
    "notices",
)
"""The folders of the page; each may import from itself and from those before it, types included."""


@pytest.fixture
def run(visit):
    """Run a script in the page, with a module, once the page has its words."""
    ada = visit()
    ada.go("/learn")
    ada.page.locator("main h1").wait_for()

    def run(module: str, script: str, given=None):
        return ada.page.evaluate(f"async given => {{ const it = await import('/{module}.js'); {script} }}", given)

    return run


def _imported(path: Path) -> set[Path]:
    """Return the modules that a module imports, also for the sake of a type."""
    written = re.findall(r"""(?:from|import\(|import)\s*"(\.[^"]+)\.js\"""", path.read_text())
    modules = [(path.parent / each).resolve() for each in written]
    files = [[each.with_suffix(ending) for ending in (".js", ".d.ts")] for each in modules]
    return {next(file for file in either if file.is_file()) for either in files}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(WEB).as_posix())
def test_imports_point_one_way(path):
    imported = _imported(path)
    if path.parent == WEB:  # the entry points stand above all folders
        return
    allowed = LAYERS[: LAYERS.index(path.parent.name) + 1]
    assert {each.parent.name for each in imported} <= set(allowed)


def test_every_import_is_seen_by_the_check():
    imported = {each.name for each in _imported(WEB / "board" / "rotation-preview.js")}
    assert {"entry.js", "scene-view.js", "settings.js", "protocol.d.ts"} <= imported


MOVES = [
    ["f6-f9", [["f6", "f9"]]],
    ["f6-f7", [["f6", "f7"]]],
    ["hc3", [["h", "c3"]]],
    ["tc4", [["t", "c4"]]],
    ["vc4", [["v", "c4"]]],
    ["pass", [["pass"]]],
]


def test_a_half_entered_move(run):
    answer = run(
        "board/entry",
        """const entry = new it.Entry(it.movesOf(given));
        const place = token => /^[a-z][0-9]$/.test(token);
        const begin = Object.fromEntries(entry.next());
        const steps = [entry.choose("f6"), entry.choose("a1"), entry.move, Object.fromEntries(entry.next())];
        entry.choose("f9");
        const whole = entry.move;
        entry.back(); entry.back();
        return { begin, steps, whole, reach: ["c3", "c4", "f6"].map(token => entry.reach(token, place)) };""",
        MOVES,
    )
    assert answer["begin"] == {"f6": None, "h": None, "t": None, "v": None, "pass": "pass"}
    assert answer["steps"] == [True, False, None, {"f9": "f6-f9", "f7": "f6-f7"}]
    assert answer["whole"] == "f6-f9"
    # One way leads to c3; two lead to c4, so which must be said; f6 is touched as it is.
    assert answer["reach"] == [["h", "c3"], None, ["f6"]]


def test_a_word_of_tokens_gets_a_picker(run):
    words = [[a + b + c, [[a, b, c]]] for a in "BG" for b in "BG" for c in "BG"]
    answer = run(
        "board/entry",
        """const entry = new it.Entry(it.movesOf(given));
        const before = entry.word();
        entry.choose("G");
        return [before, entry.word(), new it.Entry(it.movesOf([["a-b", [["a", "b"]]]])).word()];""",
        words,
    )
    assert answer[0] == {"alphabet": ["B", "G"], "given": [], "left": 3}
    assert answer[1] == {"alphabet": ["B", "G"], "given": ["G"], "left": 2}
    assert answer[2] is None


def test_fields_and_a_number_get_no_picker(run):
    triple = [["c2", "d4", "d6"], ["d4", "d6", "c2"], ["d6", "c2", "d4"]]
    moves = [[f"t>{goal}*1", [["t", *way, goal, "1"] for way in triple]] for goal in triple[0]]
    answer = run(
        "board/entry",
        """const entry = new it.Entry(it.movesOf(given));
        entry.choose("t");
        return [entry.word(), [...entry.next().keys()].sort()];""",
        moves,
    )
    assert answer == [None, ["c2", "d4", "d6"]]


def test_what_leaves_only_the_number_open_is_chosen_by_itself(run):
    # Three fields in any order after the one that gets the tokens, and how many: two such moves for "a", one for "c".
    spelled = {"abc": ("a", "b", "c"), "abd": ("a", "b", "d"), "cab": ("c", "a", "b")}
    given = [
        [f"{name}*{n}", [["t", first, one, other, n], ["t", first, other, one, n]]]
        for name, (first, one, other) in spelled.items()
        for n in "12"
    ]
    answer = run(
        "board/entry",
        """const begun = (...tokens) => {
          const entry = new it.Entry(it.movesOf(given));
          entry.choose(...tokens);
          return [entry.advance(), entry.tokens.join(" ")];
        };
        const entered = ["", "t", "t a", "t a d", "t c", "t c a b 1"];
        return entered.map(tokens => begun(...tokens.split(" ").filter(Boolean)));""",
        given,
    )
    assert answer == [[0, ""], [0, "t"], [0, "t a"], [1, "t a d b"], [2, "t c a b"], [0, "t c a b 1"]]


def test_several_engines_and_several_free_seats_are_counted(run):
    kinds = ("me", "engine", "link", "link")
    seats = [{"kind": kind, "taken": kind != "link"} for kind in kinds]
    assert (
        run("table/seat-names", "return it.together(given, seat => seat.kind)", seats) == "me, engine, and 2 free seats"
    )


def test_a_picture_drawn_again_has_its_extent_at_once(visit):
    ada = visit()
    ada.open("yinsh", [{"kind": "me"}, {"kind": "here"}])
    ada.page.locator(".strip .sprite[viewBox]").first.wait_for()
    again = "async () => (await import('/board/sprites.js')).spriteImage('yinsh-seat-1').getAttribute('viewBox')"
    assert ada.page.evaluate(again)


@pytest.mark.parametrize("game", [game.name for game in triskele.games()])
def test_arrows_lead_from_every_place_to_every_other(visit, game):
    ada = visit()
    ada.open(game, [{"kind": "me"}, {"kind": "here"}])
    ada.until(lambda: ada.my_turn, "a turn")
    lost = ada.page.evaluate(
        """async table => {
        const { neighbour } = await import("/board/geometry.js");
        const answer = await (await fetch(`/api/v1/tables/${table}`)).json();
        const places = answer.mine[0].scene.places;
        const reached = new Set([places[0]]);
        for (const place of reached) for (const way of [[0, -1], [0, 1], [-1, 0], [1, 0]]) {
            const next = neighbour(places, place, ...way);
            if (next) reached.add(next);
        }
        return places.filter(place => !reached.has(place)).map(place => place.token);
    }""",
        ada.table["table"],
    )
    assert lost == []


def test_a_touch_means_the_place_it_is_in_or_near(run):
    places = [
        {"token": "a", "x": 0, "y": 0, "radius": 10, "points": []},
        {"token": "b", "x": 40, "y": 0, "radius": 0, "points": [[-10, -10], [10, -10], [0, 10]]},
    ]
    script = "return [[3, 3], [40, -5], [16, 0], [100, 0]].map(([x, y]) => it.touched(given, x, y, 20)?.token ?? null)"
    assert run("board/geometry", script, places) == ["a", "b", "a", None]


def test_arrows_leave_no_place_out(run):
    """Fields of a Tryad card among which the last could once be reached from none of the others."""
    spots = {"b1": (144, 151), "b3": (216, 151), "c1": (108, 213), "c2": (144, 192), "d2": (108, 255), "d6": (252, 255)}
    places = [{"token": token, "x": x, "y": y, "radius": 10, "points": []} for token, (x, y) in spots.items()]
    script = """
        const ways = [[0, -1], [0, 1], [-1, 0], [1, 0]];
        return given.map(first => {
            const seen = new Set([first]);
            for (const place of seen) ways.forEach(way => seen.add(it.neighbour(given, place, ...way) ?? place));
            return seen.size;
        });"""
    assert run("board/geometry", script, places) == [6] * 6


def _piece(name, x, sprite="s", layer=1, **more):
    return {"id": name, "sprite": sprite, "x": x, "y": 0, "turn": 0, "layer": layer, "label": "", **more}


def test_what_moves_goes_first_and_what_it_passes_turns_over_as_it_passes(run):
    before = {
        "width": 500,
        "pieces": [_piece("ring", 0, layer=3), _piece("m1", 40), _piece("m2", 80), _piece("old", 400)],
    }
    after = {
        "width": 500,
        "pieces": [_piece("ring", 120, layer=3), _piece("m1", 40, "t"), _piece("m2", 80, "t"), _piece("new", 300)],
    }
    plan = run("board/motion", "return it.changes(...given)", [before, after])
    by = {(change["kind"], change["id"]): change for change in plan}
    assert set(by) == {("slide", "ring"), ("flip", "m1"), ("flip", "m2"), ("fade", "old"), ("appear", "new")}
    slide, first, second = by["slide", "ring"], by["flip", "m1"], by["flip", "m2"]
    assert slide["delay"] == 0 < first["delay"] < second["delay"] < slide["length"]
    assert all(150 <= change["length"] <= 400 for change in plan)


def test_a_pushed_row_slides_as_one_and_dice_settle_before_anything_follows(run):
    before = {"width": 500, "pieces": [_piece("c1", 0), _piece("c2", 84), _piece("die", 10, role="die")]}
    after = {"width": 500, "pieces": [_piece("c1", 84), _piece("c2", 168), _piece("die", 10, role="die", label="3")]}
    plan = run("board/motion", "return it.changes(...given)", [before, after])
    slides = [change for change in plan if change["kind"] == "slide"]
    (tumble,) = [change for change in plan if change["kind"] == "tumble"]
    assert len(slides) == 2
    assert slides[0]["delay"] == slides[1]["delay"] == tumble["delay"] + tumble["length"]


def test_the_halo_of_the_last_move_travels_with_what_moved_and_the_rest_comes_after_it(run):
    halo = {"role": "trace"}
    before = {
        "width": 500,
        "pieces": [_piece("ring", 0, layer=3), _piece("halo", 300, **halo), _piece("h2", 9, **halo)],
    }
    after = {
        "width": 500,
        "pieces": [_piece("ring", 120, layer=3), _piece("halo", 120, **halo), _piece("from", 0, **halo)],
    }
    plan = run("board/motion", "return it.changes(...given)", [before, after])
    by = {(change["kind"], change["id"]): change for change in plan}
    assert set(by) == {("slide", "ring"), ("slide", "halo"), ("appear", "from"), ("fade", "h2")}
    ring, carried = by["slide", "ring"], by["slide", "halo"]
    assert (carried["from"]["x"], carried["to"]["x"]) == (0, 120)
    assert (carried["delay"], carried["length"]) == (ring["delay"], ring["length"])
    assert by["appear", "from"]["delay"] >= ring["delay"] + ring["length"]
    assert by["fade", "h2"]["delay"] == 0


def test_differences_are_applied_and_gaps_noticed(run):
    scene = {"pieces": [_piece("a", 0), _piece("b", 1)], "places": [{"token": "p"}, {"token": "q"}], "facts": []}
    answer = run(
        "table/model",
        """const model = new it.TableModel("t");
        const look = scene => [{ seat: 0, scene, moves: [], interrupts: [], ask: "" }];
        const lists = { seats: [], moves: [], offers: [], chat: [] };
        model.receive({ type: "table", table: "t", seq: 4, ...lists, turn: 0, outcome: null, mine: look(given) });
        const places = { places: [{ token: "r" }], places_gone: ["p"] };
        const change = { base: 4, pieces: [{ id: "c", x: 5 }], gone: ["a"], ...places };
        const moved = (seq, at, mine) => model.receive({ type: "moved", seq, at, move: "m", seat: 0, turn: 1, mine });
        const heard = [moved(6, 0, look(change))];
        const now = model.look(0).scene;
        heard.push(moved(6, 0, []), moved(9, 3, []), moved(9, 1, look({ base: 4 })));
        return { heard, pieces: now.pieces.map(piece => piece.id), places: now.places.map(place => place.token) };""",
        scene,
    )
    assert answer == {"heard": ["moved", "old", "gap", "gap"], "pieces": ["b", "c"], "places": ["q", "r"]}


def test_a_move_is_new_after_a_message_about_the_seats_that_overtook_it(run):
    heard = run(
        "table/model",
        """const model = new it.TableModel("t");
        const scene = { pieces: [], places: [], facts: [] };
        const look = () => [{ seat: 0, scene, moves: [], interrupts: [], ask: "" }];
        const lists = { seats: [], moves: [], offers: [], chat: [] };
        model.receive({ type: "table", table: "t", seq: 4, ...lists, turn: 0, outcome: null, mine: look() });
        const seats = model.receive({ type: "seats", table: "t", seq: 5, seats: [] });
        const moved = () => model.receive({ type: "moved", seq: 5, at: 0, move: "m", seat: 0, turn: 1, mine: look() });
        return [seats, moved(), moved(), model.turn, model.moves.length];""",
    )
    assert heard == ["seats", "moved", "old", 1, 1]


def test_moves_are_listed_by_turns_with_the_rolls_before_them(run):
    made = [
        {"move": m, "seat": s}
        for m, s in (("3", "chance"), ("-a", 0), ("2", "chance"), ("-b", 1), ("-c", 1), ("4", "chance"))
    ]
    turns = run("table/move-list", "return it.turns(given)", made)
    assert [(turn["seat"], [move["text"] for move in turn["moves"]]) for turn in turns] == [
        (0, ["3", "-a"]),
        (1, ["2", "-b", "-c", "4"]),
    ]


def test_moves_read_in_the_page_as_the_declarations_say(run):
    """The same patterns, in JavaScript and in Python."""
    texts = {game.name: sorted(texts_of_decisions(game)) for game in triskele.games()}
    said = run(
        "table/move-words",
        """const { games } = await import("/lib/catalogue.js");
        const seats = [1, 2, 3, 4, 5].map(seat => ({ seat, name: `P${seat}`, kind: "link" }));
        const model = { game: "", mine: [], seats };
        return Object.fromEntries((await games()).map(game =>
            [game.name, given[game.name].map(move => it.moveWords(game, move, model))]));""",
        texts,
    )
    for game in triskele.games():
        for move, shown in zip(texts[game.name], said[game.name], strict=True):
            words = move_words(game.wordings, move)
            values = {} if words is None else dict(words.values)
            if PLAYER in values:
                values[PLAYER] = f"P{values[PLAYER]}"
            assert shown == (move if words is None else say(Text(words.key, values)))


def test_help_is_text_and_known_elements_only(run):
    text = """# Title

A **bold** and *light* `code` word, a [link](/learn) and a [trap](javascript:alert(1)).
<img src=x onerror=alert(1)>

1. one
   more of it
   - below
     one
2. two

| a | b |
|---|---|
| 1 | 2 |

![A *small* board](picture:board)
"""
    render = "return it.rendered(given, { lift: 0, picture: (name) => `/${name}.svg` }).innerHTML"
    html = run("lib/markdown", render, text)
    assert html.startswith("<h1>Title</h1><p>A <strong>bold</strong> and <em>light</em> <code>code</code> word, a <a ")
    assert 'href="/learn"' in html
    assert 'href="javascript' not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in html
    assert "<ol><li>one more of it<ul><li>below one</li></ul></li><li>two</li></ol>" in html
    assert '<th scope="col">a</th>' in html
    assert '<figure><img src="/board.svg" alt=""' in html
    assert "<figcaption>A <em>small</em> board</figcaption></figure>" in html


def test_a_ruling_in_a_help_page_is_a_sign_with_its_reason_behind_it(run):
    script = """const page = it.rendered(given, { lift: 0, picture: (name) => name });
    document.querySelector("main").replaceChildren(page);
    const [first, second] = page.querySelectorAll("button.ruling");
    const why = document.getElementById(first.getAttribute("aria-controls"));
    const state = () => [first.getAttribute("aria-expanded"), why.checkVisibility()];
    const closed = [state(), page.innerText];
    first.focus();
    first.click();
    const open = [state(), page.innerText];
    return { closed, open, name: first.getAttribute("aria-label"), usual: second.nextSibling.textContent };"""
    shown = run("lib/markdown", script, "It goes in.^[The rulebook does not say.] And out.\n\nTwice.^[]")
    assert shown["closed"][0] == ["false", False]
    assert "rulebook" not in shown["closed"][1]
    assert shown["open"][0] == ["true", True]
    assert "Our ruling. The rulebook does not say." in shown["open"][1]
    assert shown["name"] == "Our ruling."
    assert shown["usual"] == "Our ruling. The rulebook leaves this open; this is how it is played here."


def test_how_wide_a_circle_fits_into_a_place(run):
    triangle = {"x": 5, "y": 5, "radius": 0, "points": [[0, -20], [17.32, 10], [-17.32, 10]]}
    box = {"x": 0, "y": 0, "radius": 0, "points": [[-30, -10], [30, -10], [30, 10], [-30, 10]]}
    circle = {"x": 0, "y": 0, "radius": 7, "points": []}
    assert [round(wide) for wide in run("board/geometry", "return given.map(it.breadth)", [triangle, box, circle])] == [
        20,
        20,
        14,
    ]
    assert run("board/geometry", "return it.boxAround(given, 5)", [box, circle]) == [-35, -15, 70, 30]
