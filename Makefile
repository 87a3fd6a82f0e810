# Everything runs in .venv, which is made from nothing but Python >= 3.11.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
JOBS ?= 2

.PHONY: install test lint reproduce benchmark clean

install: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[report,live,postgres,cluster,dev]"
	touch $@

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest --quiet --numprocesses $(JOBS)

reproduce: install
	$(BIN)/duelli reproduce

benchmark: install
	$(BIN)/python benchmarks/engines.py

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache
