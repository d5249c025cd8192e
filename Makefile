# Everything here may be run again and again: what is done already is not done twice.

VENV    ?= .venv
# The environment of the tests, with the sources as they lie here.
DEV     ?= .venv-dev
# Where language servers are installed: once for this user, shared by every checkout.
export TIELINE_SERVERS_DIR ?= $(or $(XDG_DATA_HOME),$(HOME)/.local/share)/tieline/servers
# The servers that `make servers` and `make test` make sure of, all there are; `make resolve` brings those that its
# repository needs.
SERVERS ?= pyright typescript-language-server gopls rust-analyzer jdtls
BENCH   ?=
PYTEST  ?= -n auto

# The first python that is new enough.
PYTHON  ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,$(shell \
	command -v $(name) >/dev/null 2>&1 && $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))

BIN     := $(VENV)/bin
TIELINE := $(BIN)/tieline
INSTALL := -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# What an installation is made of: it is made anew when some of it has changed.
SOURCES := $(shell find graph lsp_clients resolver bench configs -type f -not -name '*.pyc') hatch_build.py pyproject.toml
# Tests of what is compiled: they see the installed modules first, and the tests of this checkout. None of them patches a module.
COMPILED := tests/test_cases.py tests/languages tests/source tests/index/test_incremental.py tests/index/test_deep_chains.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help resolve test test-compiled lint bench servers setup constraints clean check-repository check-python

help: ## This list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-22s %s\n' "$$name" "$$text"; done

resolve: check-repository setup ## REPO=path: index a repository, ask the language servers, show the resolution rates
	@# Exit code 5: finished, but some part (a server, a file) failed, and the output says which. The figures still count.
	@part=0; \
	run() { code=0; "$$@" || code=$$?; case $$code in 0) ;; 5) part=5 ;; *) exit $$code ;; esac; }; \
	run $(TIELINE) index "$(REPO)"; \
	for name in $$($(TIELINE) contexts --root "$(REPO)" --json | $(BIN)/python -P -c \
		'import json, sys; print(*sorted({one["server"] for one in json.load(sys.stdin)["contexts"]}))'); do \
		$(TIELINE) servers install "$$name" || part=5; \
	done; \
	run $(TIELINE) resolve "$(REPO)"; \
	$(TIELINE) stats --root "$(REPO)" || exit $$?; \
	exit $$part

test: $(DEV)/.tieline servers lint test-compiled ## Lint, import contracts, strict types, the whole test suite
	$(DEV)/bin/python -m pytest $(PYTEST)

test-compiled: $(DEV)/.tieline setup ## The tests of extraction, linking and indexing on the installed, compiled modules
	@if $(BIN)/python -P -c 'import sys; from graph.compiled import is_compiled; sys.exit(not is_compiled())'; then \
		installed="$$($(BIN)/python -P -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"; \
		TIELINE_INSTALLED="$$installed" PYTHONPATH="$$installed" \
			$(DEV)/bin/pytest --quiet --import-mode=importlib $(PYTEST) $(COMPILED); \
	else echo "nothing is compiled here (no C compiler): the sources run, and are tested next"; fi

lint: $(DEV)/.tieline servers ## Ruff, import contracts, strict types
	$(DEV)/bin/ruff check .
	$(DEV)/bin/ruff format --check .
	$(DEV)/bin/lint-imports
	$(DEV)/bin/mypy graph
	$(DEV)/bin/python -m tests.harness.strict_types

bench: setup servers ## BENCH="options": the benchmarks of bench/
	$(BIN)/python -P -m bench $(BENCH)

servers: setup ## SERVERS="pyright gopls ...": install language servers into the folder of this user
	@for name in $(SERVERS); do $(TIELINE) servers install "$$name" || exit $$?; done

setup: $(VENV)/.tieline ## The virtual environment with tieline in it

$(VENV)/.tieline: $(SOURCES) constraints.txt | check-python
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { \
		echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu install python3-venv" >&2; rm -rf $(VENV); exit 2; }
	@echo "installing tieline into $(VENV); its hot modules are compiled, which takes about a minute"
	$(BIN)/python $(INSTALL) .
	@touch $@

$(DEV)/.tieline: pyproject.toml constraints.txt | check-python
	@test -x $(DEV)/bin/python || $(PYTHON) -m venv $(DEV) || { \
		echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu install python3-venv" >&2; rm -rf $(DEV); exit 2; }
	TIELINE_COMPILE=0 $(DEV)/bin/python $(INSTALL) --editable '.[dev]'
	@touch $@

# A fresh environment with the newest versions that pyproject.toml allows, written down. Only package==version lines:
# no addresses, no hashes.
constraints: | check-python ## Renew constraints.txt from what pyproject.toml allows
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && $(PYTHON) -m venv "$$folder" && \
	"$$folder/bin/python" -m pip install --quiet --disable-pip-version-check '.[dev]' && \
	{ echo "# Exact versions that are tested together; renewed by make constraints."; \
	  "$$folder/bin/python" -m pip freeze --exclude tieline | grep -E '^[A-Za-z0-9._-]+==[^ ]+$$'; } > "$$folder/constraints.txt" && \
	cp "$$folder/constraints.txt" constraints.txt

clean: ## Remove the environment and the caches (indexes and installed servers stay)
	rm -rf $(VENV) $(DEV) build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

check-repository:
	@test -n "$(REPO)" || { echo "make resolve: say which repository, e.g. make resolve REPO=../my-project" >&2; exit 2; }
	@test -d "$(REPO)" || { echo "make resolve: $(REPO) is no folder" >&2; exit 2; }

check-python:
	@test -n "$(PYTHON)" || { echo "tieline needs Python 3.11 or newer; found $$(python3 --version 2>/dev/null || echo none). make PYTHON=/path/to/python3.12 ... names another" >&2; exit 2; }
