"""The child process of a build: ``python -m triskele.core.wasm FOLDER`` with a task on standard input.

Writes ``module.o`` and ``answer.json`` into the folder: the exports, or the key and the values of what went wrong.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Any


def main(folder: Path, task: dict[str, Any]) -> None:
    """Compile the programs of a task."""
    sys.path[:] = task["path"]
    from triskele.core.compile import programs_at
    from triskele.core.wasm.build import DATA_FILE, own_programs, source_hash
    from triskele.core.wasm.description import export_of
    from triskele.core.wasm.errors import WasmError
    from triskele.core.wasm.lowering import emit_object
    from triskele.core.words import text

    rules = importlib.import_module(task["rules"])
    programs = list(programs_at(task["programs"]))
    try:
        constant = (folder / DATA_FILE).read_bytes()
        if source_hash(rules, programs, constant) != task["source"]:
            # Rules that were changed in memory only, or files that have changed since they were read.
            raise WasmError(text("core.wasm-other-source", rules=task["rules"]))
        everything = [*own_programs(rules), *programs]
        data, lowered = emit_object(rules, everything, constant)
        (folder / "module.o").write_bytes(data)
        pairs = zip(everything, lowered, strict=True)
        answer: dict[str, Any] = {"exports": [export_of(program, function) for program, function in pairs]}
    except WasmError as error:
        answer = {"error": error.text.key, "values": dict(error.text.values)}
    (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.load(sys.stdin))
