"""The Workers of an engine in the page: how they divide the work, stop, and share memory; and the board beside them."""

import pytest

from tests.web.engines import AT_ONE_SCREEN, OPPONENT, modules, said, server  # noqa: F401 (fixtures)


@pytest.fixture
def run(visit):
    """Run a script in a table's page, with a module of the page, the state of the table and the files of its engine."""

    def begin(module, script, **context):
        ada = visit(**context)
        opened = ada.open("yinsh", AT_ONE_SCREEN)
        root = f"{ada.base}/api/v1"
        state = ada.page.request.get(f"{root}/tables/{opened['table']}/state").json()["state"]
        files = next(game for game in ada.page.request.get(f"{root}/games").json() if game["name"] == "yinsh")["engine"]
        engine = {part: f"{root}/games/yinsh/engine/{file}" for part, file in files.items()}
        given = {"state": state, "engine": engine}
        return ada.page.evaluate(
            f"async ({{state, engine}}) => {{ const it = await import('/{module}.js'); {script} }}", given
        )

    return begin


def test_the_best_line_is_that_of_the_deeper_search_and_the_others_those_of_the_wider(run):
    found = run(
        "engine/live-analysis",
        """
        const line = (text) => ({ texts: [text], scores: [0, 0], proven: null });
        const deep = { depth: 7, nodes: 100, lines: [line("a")] };
        const wide = { depth: 5, nodes: 50, lines: [line("b"), line("a"), line("c")] };
        const first = (found) => found && [found.depth, found.nodes, ...found.lines.map(({ texts }) => texts[0])];
        return [
            first(it.merged(deep, wide, 0)), first(it.merged(deep, { ...wide, depth: 7 }, 0)),
            first(it.merged(null, wide, 0)), first(it.merged(deep, null, 0)), it.merged(null, null, 0),
        ];
        """,
    )
    assert found == [[7, 150, "a", "b", "c"], [7, 150, "b", "a", "c"], [5, 50, "b", "a", "c"], [7, 100, "a"], None]


def test_scores_of_two_searches_by_samples_are_averaged(run):
    """Weighed by their samples; what both have found comes first, the best for the seat that asks before the others."""
    found = run(
        "engine/live-analysis",
        """
        const line = (text, score) => ({ texts: [text], scores: [-score, score], proven: null });
        const one = { depth: 2, nodes: 100, sampled: true, lines: [line("a", 0.4), line("b", 0.3), line("c", 0.9)] };
        const other = { depth: 2, nodes: 300, sampled: true, lines: [line("a", 0), line("d", 0.2), line("b", 0.1)] };
        return [it.merged(one, other, 1), it.merged(other, one, 1)]
            .map(({ nodes, lines }) => [nodes, ...lines.map(({ texts, scores }) => [texts[0], scores[1].toFixed(2)])]);
        """,
    )
    assert found == [[400, ["b", "0.15"], ["a", "0.10"], ["d", "0.20"]]] * 2


def test_a_new_search_ends_the_one_before_and_a_stopped_one_says_nothing_more(run):
    found = run(
        "engine/engine-worker",
        """
        const worker = new it.EngineWorker(engine, 32);
        const heard = [0, 0];
        const first = worker.search({ state, seat: 0, lines: 3 }, () => heard[0]++);
        while (!heard[0]) await new Promise((resolve) => setTimeout(resolve, 10));
        const second = worker.search({ state, seat: 0, lines: 1, within: 300 }, () => heard[1]++);
        const ended = await first;
        const before = heard[0];
        const answer = await second;
        const third = worker.search({ state, seat: 0, lines: 1 });
        worker.stop();
        return { ended, more: heard[0] - before, answer: answer.lines[0].texts.length, third: await third, heard };
        """,
    )
    assert found["ended"] is None
    assert found["more"] == 0
    assert found["answer"] > 0
    assert found["third"] is None
    assert found["heard"][1] > 0


@pytest.mark.parametrize(("phone", "most"), [(True, 64), (False, 192)])
def test_the_workers_share_a_bounded_memory(run, phone, most):
    """What they have in all, their code's memory included, stays near what they were given."""
    found = run(
        "engine/engine-pool",
        """
        const memory = it.memoryForAll();
        const { PageEngine } = await import("/engine/page-engine.js");
        const loaded = await PageEngine.load({
            module: await fetch(engine.module), description: await (await fetch(engine.description)).json(),
            memoryMb: Math.floor(memory / it.workersForAll()),
        });
        const bytes = Uint8Array.from(atob(state), (letter) => letter.charCodeAt(0));
        loaded.start({ state: new BigInt64Array(bytes.buffer), seat: 0, lines: 3 });
        loaded.resume(200);
        return { memory, used: it.workersForAll() * loaded.module.memory.buffer.byteLength / 1e6 };
        """,
        **({"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 780}} if phone else {}),
    )
    assert found["memory"] <= most
    assert found["used"] <= most * 1.1


@pytest.mark.parametrize("size", [(1280, 800), (390, 780)])
def test_the_board_keeps_its_size_while_the_page_computes(visit, size):
    ada = visit(viewport={"width": size[0], "height": size[1]})
    ada.open("yinsh", OPPONENT)
    ada.page.evaluate(
        """() => {
            const board = document.querySelector(".boardbox");
            window.boxes = new Set();
            const note = () => {
                const { x, y, width, height } = board.getBoundingClientRect();
                window.boxes.add([x, y, width, height].map(Math.round).join());
                requestAnimationFrame(note);
            };
            note();
        }"""
    )
    # On a phone the strips have no space for it: there it is in the menu.
    ada.page.get_by_text(said("in-your-browser")).first.wait_for(state="attached")
    for _ in range(2):
        ada.until(lambda: ada.my_turn, "my turn")
        ada.make(next(iter(ada.moves())))
    ada.until(lambda: ada.my_turn, "the answer")
    assert ada.table["made"] == 4
    assert len(ada.page.evaluate("[...window.boxes]")) == 1
