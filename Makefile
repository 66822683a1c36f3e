# make play | test | lint | bench | docs: each sets up .venv by itself on a machine that has only Python 3.11+.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: play test lint bench docs reports browser clean

play: $(READY)
	@$(BIN)/triskele serve --open

test: $(READY) browser
	$(BIN)/pytest -n 2

# The page is tested in a real browser: one that is there, Debian's where apt may install, or Playwright's own.
browser: $(READY)
	@command -v chromium >/dev/null 2>&1 || $(BIN)/python tests/support/own_browser.py || { \
	  echo "bringing a browser for the tests of the page"; \
	  if command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ]; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; \
	  else $(BIN)/playwright install chromium; fi; } || { \
	  echo "make test needs Chromium: install it (Debian: apt-get install chromium)" >&2; exit 1; }

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python benchmarks/playouts.py

docs: $(READY)
	$(BIN)/python docs/build_site.py

# All five take hours; `.venv/bin/python docs/make_reports.py yinsh` writes one.
reports: $(READY)
	$(BIN)/python docs/make_reports.py

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Triskele needs Python 3.11 or newer; try: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(READY)

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
