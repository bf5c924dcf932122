# Everything is built and installed inside this folder: `target/` and `.venv/`.
#
#   make demo    build, install the packages of the demonstrations, check the six of them
#   make test    all tests, Rust and Python, with their counts
#   make labels  establish the labels of the literate cases by execution
#   make coverage  install the packages of all controlled cases, count where their calls lead
#   make reference  compare the evaluator with naive evaluation and with crepe on every literate case, not on one in ten
#   make bench   where the time of a check goes, and how it grows with the slice
#   make lint    linters and formatters, which change nothing
#   make setup   what the others need: the environment, the packages, a Z3 library to link

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := test
.PHONY: demo test labels bench reference coverage lint setup

# The interpreter that the environment is made with: CPython 3.11 or later.
PYTHON ?= python3
PYTHON_TOOLS := pytest==9.2.0 jsonschema==4.26.0 ruff==0.17.6

ENVIRONMENT := .venv
TOOLS_STAMP := $(ENVIRONMENT)/.tools
# Written by `.ci/provide-libz3`; empty where the system has the library.
LIBZ3 := $(ENVIRONMENT)/libz3.sh
CARGO = source $(LIBZ3) && cargo

# Tests and demonstrations run with the interpreter of the environment.
export PATH := $(CURDIR)/$(ENVIRONMENT)/bin:$(PATH)
# Reports of a run stay out of each other's way.
REPORTS := $(ENVIRONMENT)/reports

RUFF_PATHS := runtime controlled-cases rules/tests rules/written
DEMONSTRATIONS := $(sort $(wildcard controlled-cases/demo/*/))
# The packages that the demonstrations run through; `make coverage` installs the others too.
DEMONSTRATED := boltons prettytable werkzeug
# Where the packages of the controlled cases are: the key of each in `repositories.toml`, and its folder.
PACKAGES := astroid/astroid beautifulsoup4/bs4 boltons/boltons dateparser/dateparser deepdiff/deepdiff icalendar/icalendar \
    jinja2/jinja2 markdown/markdown marshmallow/marshmallow mistune/mistune networkx/networkx pygments/pygments pypdf/pypdf \
    rich/rich sphinx/sphinx sqlglot/sqlglot sympy/sympy werkzeug/werkzeug

setup: $(TOOLS_STAMP) $(LIBZ3)
	python3 controlled-cases/install $(DEMONSTRATED)

$(TOOLS_STAMP): Makefile
	$(PYTHON) -c 'import sys; sys.exit("CPython 3.11 or later is needed") if sys.version_info < (3, 11) else None'
	test -x $(ENVIRONMENT)/bin/python3 || $(PYTHON) -m venv $(ENVIRONMENT)
	$(ENVIRONMENT)/bin/python3 -m pip install --quiet --disable-pip-version-check $(PYTHON_TOOLS)
	touch $@

$(LIBZ3): .ci/provide-libz3 | $(TOOLS_STAMP)
	.ci/provide-libz3 $(ENVIRONMENT)

# Each demonstration is checked whatever the others gave; the label of a case is read here, never by the analyzer.
demo: setup
	$(CARGO) build --quiet --package healcheck
	agree=0; total=0; \
	for case in $(DEMONSTRATIONS); do \
	    status=0; $(CARGO) run --quiet --package healcheck -- check "$$case" --explain || status=$$?; \
	    label=$$(sed -n 's/^label = "\(.*\)"$$/\1/p' "$$case/case.toml"); total=$$((total + 1)); \
	    case "$$label:$$status" in unsafe:1 | safe:0) agree=$$((agree + 1));; *) echo "$$case: labelled $$label, exit status $$status";; esac; \
	    echo; \
	done; \
	echo "demonstrations: $$agree of $$total verdicts agree with the labels"; \
	test "$$agree" -eq "$$total"

# The build makes the program that tests call, with the features that tests ask for, so that nothing is built twice.
# Both halves run even where the first one fails. Documentation tests are not part of `--all-targets`.
test: setup
	mkdir -p $(REPORTS)
	$(CARGO) build --workspace --all-targets
	rust=0; python=0; \
	{ source $(LIBZ3); failed=0; \
	    cargo test --workspace --all-targets --no-fail-fast || failed=1; \
	    cargo test --workspace --doc --no-fail-fast || failed=1; \
	    exit $$failed; } 2>&1 | tee $(REPORTS)/rust.txt || rust=1; \
	(cd runtime && python3 -m pytest -p no:cacheprovider tests healguard_lab/tests) | tee $(REPORTS)/python.txt || python=1; \
	echo; \
	echo "Not run here: the comparisons of evaluators on every literate case (make reference)"; \
	awk '/^test result:/ { passed += $$4; failed += $$6; ignored += $$8 } \
	    END { printf "Rust:   %d passed, %d failed, %d ignored\n", passed, failed, ignored }' $(REPORTS)/rust.txt; \
	echo "Python: $$(sed -n '$$s/^=* *\(.*[^ =]\) *=*$$/\1/p' $(REPORTS)/python.txt)"; \
	test "$$rust$$python" = 00

# Runs every literate case with four healings or more, and compares what the protected operation was given.
labels: setup
	cd runtime && python3 -m healguard_lab.literate ../tests/literate --label --jobs $$(nproc)

reference: setup
	source $(LIBZ3) && export HEALGUARD_EVERY_CASE=1 && \
	cargo test --package healguard-tests --test evaluators && cargo test --package healguard-reference

coverage: setup
	python3 controlled-cases/install
	$(CARGO) run --quiet --package healcheck -- coverage --unknown 20 \
	    $(foreach package,$(PACKAGES),$(ENVIRONMENT)/repositories/$(dir $(package))site-packages/$(notdir $(package)))

bench: setup
	$(CARGO) bench --package healcheck --bench stages

lint: setup
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	cargo fmt --check
	ruff check $(RUFF_PATHS)
	ruff format --check --exclude '*.md' $(RUFF_PATHS)
