# Everything runs in .venv, which is made from nothing but Python >= 3.11.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
EXTRAS := fast,report,live,postgres,cluster,ray,dev
JOBS ?= 2
# One more than cores, as some tests wait.
TESTERS ?= 3

SAMPLE ?= 0

.PHONY: install lint test test-quick test-slow test-all mutants reproduce arena benchmark clean

install: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$(EXTRAS)]"
	touch $@

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint test-quick

test-quick: install
	$(BIN)/pytest --quiet --numprocesses $(TESTERS) -m "not slow"

test-slow: install
	$(BIN)/pytest --quiet --numprocesses $(TESTERS) -m slow

test-all: test test-slow

# A full run takes hours; SAMPLE=200 some twenty minutes.
mutants: install
	$(BIN)/python tests/mutants --sample $(SAMPLE) --jobs $(JOBS)

reproduce: install
	$(BIN)/duelli reproduce

# All learners side by side; less than a quarter of an hour on two cores.
arena: install
	$(BIN)/duelli compare --preset paper
	$(BIN)/duelli compare --preset practice

benchmark: install
	$(BIN)/python benchmarks/engines.py
	$(BIN)/python benchmarks/optimize.py

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache
