# The two commands that matter are `make site` and `make test`; each sets up what it needs, once.
# All of it lands in this folder: .venv/, node_modules/, .cache/ and site/.

# Material for MkDocs announces its end of life at each run; docs/ tells it once.
export NO_MKDOCS_2_WARNING := 1

BIN := .venv/bin
LESSONS := $(patsubst %/,%,$(sort $(dir $(wildcard code/*/test_*.py))))

.DEFAULT_GOAL := help
.PHONY: help site serve check figures bench test lint format test-lessons lock clean venv tools

help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s%s\n", $$1, $$2 }' Makefile

site: venv ## Build the site into site/
	$(BIN)/mkdocs build

serve: venv ## Serve the site on this machine, and build it anew at each edit
	$(BIN)/mkdocs serve

check: venv ## Find every problem of every lesson, without building the site
	$(BIN)/workings check

figures: venv ## Render every figure twice: the same bytes, within the size budget
	$(BIN)/python build_figures.py --check

bench: venv ## Time a build: from nothing, unchanged, after an edit of prose and of code
	$(BIN)/python tools/bench.py

test: tools lint test-lessons ## Prove everything: linters, types, lessons, engine, a real browser
	$(BIN)/python -m pytest -p tools.unskipped

test-lessons: tools ## Run each lesson's own tests, in a process of its own
	@for lesson in $(LESSONS); do $(BIN)/python -m pytest -q "$$lesson" || exit 1; done

lint: tools ## Check style and types of all languages
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	@for lesson in $(LESSONS); do (cd "$$lesson" && $(CURDIR)/$(BIN)/mypy --config-file $(CURDIR)/pyproject.toml --cache-dir $(CURDIR)/.mypy_cache .) || exit 1; done
	PATH="$$PATH:$(CURDIR)/$(BIN)" node_modules/.bin/biome ci

format: tools ## Rewrite the sources in the project's style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	PATH="$$PATH:$(CURDIR)/$(BIN)" node_modules/.bin/biome check --write

LOCK := $(BIN)/uv pip compile --python-version 3.11.0 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock" --quiet $(UPGRADE)

lock: venv ## Renew the lock files; UPGRADE=--upgrade takes the newest of everything
	$(BIN)/python -m pip install --quiet uv
	$(LOCK) pyproject.toml requirements.in -o requirements.lock
	$(LOCK) requirements-node.in -o requirements-node.lock
	$(LOCK) requirements-dev.in -o requirements-dev.lock

clean: ## Remove everything that was made: environment, caches and site
	rm -rf .venv node_modules .cache site .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info

venv:
	@sh tools/python tools/environment.py

tools:
	@sh tools/python tools/environment.py --tests
