# make play   set up and open the web app in the browser; make play GAME=draughts plays in the terminal
# make test   set up, check and run all tests
# make check  ruff, mypy --strict, import-linter
# make bench  speed side by side with OpenSpiel and BitBully (writes benchmarks/RESULTS.md)

BIN = .venv/bin
GAME ?=

.PHONY: play test check bench format clean

play: .venv/ready-web
	$(BIN)/plywise $(if $(GAME),play $(GAME),serve --browser)

test: check
	scripts/system-packages
	$(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder --max-worker-restart 0
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 -m kernels

check: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready-bench
	$(BIN)/python benchmarks/run.py

format: .venv/ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv/ready: pyproject.toml scripts/make-venv
	@echo "Setting up .venv; the first time takes a minute or two."
	scripts/make-venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/ready-web: .venv/ready
	$(BIN)/python -m pip install --quiet --editable ".[web]"
	touch $@

.venv/ready-dev: .venv/ready scripts/install-torch
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	scripts/install-torch $(BIN)/python
	touch $@

.venv/ready-bench: .venv/ready
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	touch $@

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
