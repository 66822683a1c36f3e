# make play | test | lint | bench | docs | wasm: each sets up .venv by itself on a machine that has only Python 3.11+.

PYTHON ?= python3
BIN := .venv/bin
PLAY := .venv/.play
READY := .venv/.ready

.PHONY: play test test-failed lint bench docs reports wasm browser linker proxy clean

play: $(PLAY)
	@$(BIN)/triskele serve --open

test: $(READY) browser linker proxy
	$(BIN)/pytest -n 2

# Only what failed in the last run, one test after the other.
test-failed: $(READY)
	$(BIN)/pytest --last-failed --last-failed-no-failures none

# The page is tested in a real browser: one that is there, Debian's where apt may install, or Playwright's own.
browser: $(READY)
	@command -v chromium >/dev/null 2>&1 || $(BIN)/python tests/support/own_browser.py || { \
	  echo "bringing a browser for the tests of the page"; \
	  if command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ]; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; \
	  else $(BIN)/playwright install chromium; fi; } || { \
	  echo "make test needs Chromium: install it (Debian: apt-get install chromium)" >&2; exit 1; }

# The server is tested behind a real nginx, with a certificate that openssl makes.
proxy:
	@{ command -v nginx >/dev/null 2>&1 || test -x /usr/sbin/nginx; } && command -v openssl >/dev/null 2>&1 || { \
	  echo "bringing nginx for the tests behind a proxy"; \
	  command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ] && \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nginx-light openssl >/dev/null; } || { \
	  echo "make test needs nginx and openssl: install them (Debian: apt-get install nginx-light openssl)" >&2; exit 1; }

# WebAssembly modules need wasm-ld: the one that is there, Debian's where apt may install, or PyPI's (100 MB).
linker: $(READY)
	@command -v wasm-ld >/dev/null 2>&1 || $(BIN)/python -c 'import ziglang' 2>/dev/null || { \
	  echo "bringing a linker for WebAssembly"; \
	  if command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ]; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq lld >/dev/null; \
	  else $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[wasm]'; fi; } || { \
	  echo "WebAssembly modules need wasm-ld: install it (Debian: apt-get install lld)" >&2; exit 1; }

# The rules and engines of all games as WebAssembly modules, each in a folder of its own: see docs/wasm.md.
wasm: $(READY) linker
	@for game in $$($(BIN)/python -c 'import triskele; print(*(game.name for game in triskele.games()))'); do \
	  $(BIN)/triskele wasm $$game --out build/wasm/$$game || exit 1; done

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/support/lint_web.py

bench: $(READY)
	$(BIN)/python benchmarks/playouts.py

docs: $(READY)
	$(BIN)/python docs/build_site.py

# All five take hours; `.venv/bin/python docs/make_reports.py yinsh` writes one.
reports: $(READY)
	$(BIN)/python docs/make_reports.py

# What playing needs; the tools for tests, docs and notebooks come on top of it.
$(PLAY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Triskele needs Python 3.11 or newer; try: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[server]'
	@touch $(PLAY)

$(READY): $(PLAY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(READY)

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
