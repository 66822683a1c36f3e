"""A game's rules and programs as one WebAssembly module: the functions that referee and search on the server.

``build.build_module`` makes a module and its description; see ``docs/wasm.md`` for how a page uses them.

===================================  ================================================================
:mod:`~.wasm.build`                  the build: a child process compiles, ``wasm-ld`` links, a cache keeps
:mod:`~.wasm.lowering`               what the child does: from programs to a WebAssembly object file
:mod:`~.wasm.description`            the JSON beside a module: constants, options, exports
:mod:`~.wasm.runtime`                runs a module in Python (PyPI's ``wasmtime``), for tests and benchmarks
===================================  ================================================================
"""
