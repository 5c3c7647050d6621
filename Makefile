# `make run` builds a small corpus without a key; `make test` runs every check. Both set up .venv first.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
MODEL  ?= offline
# The embedded model is slow: two articles, kept apart from the other tables.
ifneq ($(filter local:%,$(MODEL)),)
DATA   ?= data-local
ARGS   ?= --domain economics --per-domain 2 --examples 6
endif
DATA   ?= data

.DELETE_ON_ERROR:
.PHONY: run test test-shared test-services compose-check setup lock lint bench clean

setup: $(READY)

$(READY): requirements.lock requirements-uv.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "prism-bn needs Python 3.11 or newer: try make PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-uv.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --no-deps --compile-bytecode -r requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@$(BIN)/python -c 'import pyagrum' \
	  || { echo "pyAgrum cannot be loaded; on a bare Debian it lacks a library: apt-get install libgomp1"; exit 2; }
	@touch $@

run: $(READY)
	@$(BIN)/prism build --model $(MODEL) --data $(DATA) $(ARGS)

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile --ignore=tests/shared --ignore=tests/services

# Against a real server, which each test starts for itself.
test-services: $(READY)
	@command -v redis-server >/dev/null || { echo "make test-services needs a program: apt-get install redis-server"; exit 2; }
	$(BIN)/pytest tests/services

test-shared: $(READY)
	@test -d ../shared/real || { echo "make test-shared needs ../shared/real beside the project"; exit 2; }
	$(BIN)/pytest tests/shared

# The two locks name versions and hashes, never an index.
lock: $(READY)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --all-extras pyproject.toml -o requirements.lock
	echo uv | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header - -o requirements-uv.lock

COMPOSE ?= $(shell command -v docker-compose || echo docker compose)
compose-check:
	POSTGRES_PASSWORD=check $(COMPOSE) config -q
	@! POSTGRES_PASSWORD= $(COMPOSE) config -q 2>/dev/null || { echo "compose must refuse an empty password"; exit 1; }

bench: $(READY)
	$(BIN)/python -m benchmarks.structure
	$(BIN)/python -m benchmarks.tables
	$(BIN)/python -m benchmarks.calls
	$(BIN)/python -m benchmarks.scm
	$(BIN)/python -m benchmarks.judges
	$(BIN)/python -m benchmarks.scoring

clean:
	rm -rf $(VENV) data .pytest_cache .ruff_cache
