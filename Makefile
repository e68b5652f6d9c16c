# SPDX-License-Identifier: Apache-2.0
# The commands of this repository. Each sets up what it needs.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: help run test lint format bench clean

help:
	@echo "make run     recognise spoken keywords on an emulated Cortex-M55"
	@echo "make test    run every test (installs torch and executorch)"
	@echo "make lint    check style and types"
	@echo "make format  put style right"
	@echo "make bench   measure the benchmark models, and rewrite BENCHMARK.md"
	@echo "make clean   remove what the commands above made"

run:
	@$(PYTHON) scripts/setup_environment.py run $(VENV)
	@$(BIN)/python samples/kws/run.py

test:
	@$(PYTHON) scripts/setup_environment.py test $(VENV)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup $(PYTEST_ARGS)

lint:
	@$(PYTHON) scripts/setup_environment.py lint $(VENV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	git ls-files -z '*.c' '*.h' | xargs -0 $(BIN)/clang-format --dry-run --Werror

format:
	@$(PYTHON) scripts/setup_environment.py lint $(VENV)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	git ls-files -z '*.c' '*.h' | xargs -0 $(BIN)/clang-format -i

bench:
	@$(PYTHON) scripts/setup_environment.py test $(VENV)
	$(BIN)/python tests/budgets/bench.py --output BENCHMARK.md

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis
