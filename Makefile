# Every target sets up .venv first, from requirements.lock, and does so only once.
# Written for any GNU make from 3.81 (macOS) on.

SET_UP := .venv/.set-up
# What `make run` alone needs is there before the rest; whoever has the rest has it.
SET_UP_TO_RUN := $(if $(wildcard $(SET_UP)),$(SET_UP),.venv/.set-up-to-run)
PYTHON_IN_VENV := .venv/bin/python
# Processes for the tests.  One notebook or test file stays in one process.
JOBS ?= 2
# More for pytest, such as ARGS="-k bootstrap -x".
ARGS ?=

# Extras stay in locks: without them, pip before 23.1, as Debian 12 has it, takes `coverage[toml]` for unlocked.
LOCK_OPTIONS := --universal --python-version 3.11 --fork-strategy fewest --no-strip-extras \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock"
LOCKED_EXTRAS := --extra run --extra notebook --extra data --extra app --extra meteor --extra dask --extra teach --extra dev
APP_SETTINGS := $(CURDIR)/notebooks/app/jupyter

.DEFAULT_GOAL := help
.PHONY: help run test test-fast test-rest test-all check format lab app bench replicate trust judged-again paper notebooks slides labs otter grade grade-in-container handouts quizzes book lite wheels lock clean

help: ## this list
	@echo "make run and make test are all that a newcomer needs. Targets:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(SET_UP): requirements.lock pyproject.toml tools/setup.sh
	@./tools/setup.sh

.venv/.set-up-to-run: tools/run.lock pyproject.toml tools/setup.sh
	@./tools/setup.sh .venv tools/run.lock

run: $(SET_UP_TO_RUN) ## execute the notebook series, write its pages: build/notebooks/index.html
	@$(PYTHON_IN_VENV) -m tools.site.run_series

# In the files' own order, because the newcomer's rehearsal is few tests and long: last, it would run
# alone.  nbval compares what notebooks print.  What is compiled is kept: some hundred processes
# import the package.  What one dependency takes a second to import, and tests do without, is in
# tests/in_place_of.
PYTEST = PYTHONPATH="$(CURDIR)/tests/in_place_of$${PYTHONPATH:+:$$PYTHONPATH}" \
	PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 TQDM_DISABLE=1 $(PYTHON_IN_VENV) -m pytest \
	-n $(JOBS) --dist loadfile --no-loadscope-reorder
NBVAL := -p tests.nbval_numbers --nbval --nbval-current-env --nbval-cell-timeout 120 \
	--nbval-sanitize-with tests/nbval_sanitize.cfg

# pytest's closing line stays the last thing printed by a green run.
test: $(SET_UP) ## what a newcomer needs: make check, statistics, units by nbval, the explorer in a browser
	@status=0; \
	$(MAKE) --no-print-directory check || status=1; \
	$(PYTHON_IN_VENV) -m tools.repository.missing_programs; \
	$(PYTEST) $(NBVAL) $(ARGS) || status=1; \
	exit $$status

test-fast: $(SET_UP) ## a minute: each test that takes no time, with the first of its cases
	@$(PYTEST) --fast $(or $(ARGS),tests mtsig_nb)

test-rest: $(SET_UP) ## what make test leaves out, but for whole books, browsers' courses and processors
	@$(PYTEST) $(NBVAL) -m thorough $(ARGS)

test-all: $(SET_UP) ## every test that there is; needs hours
	@$(MAKE) --no-print-directory test ARGS="--rare $(ARGS)"

check: $(SET_UP) ## style (ruff), types (mypy), spelling (codespell), rooms (import-linter), links, public names
	@status=0; \
	.venv/bin/ruff check --quiet . || status=1; \
	.venv/bin/ruff format --quiet --check . || { echo "make format would change files: ruff format --diff shows how"; status=1; }; \
	.venv/bin/mypy || status=1; \
	.venv/bin/codespell || status=1; \
	.venv/bin/lint-imports --no-logo --no-cache || status=1; \
	$(PYTHON_IN_VENV) -m tools.repository.check_links || status=1; \
	$(PYTHON_IN_VENV) -m tools.repository.budget || status=1; \
	exit $$status

format: $(SET_UP) ## let ruff lay out the code and make its safe repairs
	@.venv/bin/ruff check --fix --quiet . || true
	@.venv/bin/ruff format .

# NumPy's threads wait for each other, busily: beside another program they take several times as long
# as one thread, which is hardly slower on an idle machine.
lab: $(SET_UP) ## JupyterLab on the series
	@OPENBLAS_NUM_THREADS=1 .venv/bin/jupyter lab --LabApp.default_url=/lab/tree/notebooks

# On this machine's loopback only, and the rest of what notebooks/app/jupyter/voila.py says.
app: $(SET_UP) ## the explorer in the browser; NO_BROWSER=1 only serves it, PORT=8866 chooses where
	@JUPYTER_CONFIG_PATH="$(APP_SETTINGS)" JUPYTER_PATH="$(APP_SETTINGS)" OPENBLAS_NUM_THREADS=1 \
		.venv/bin/voila notebooks/app/explorer.ipynb $(if $(PORT),--port=$(PORT)) \
		$(if $(NO_BROWSER),--no-browser)

bench: $(SET_UP) ## how fast we are, beside sacreBLEU, the bound and our aims; five minutes
	@$(PYTHON_IN_VENV) benchmarks/bench.py

replicate: $(SET_UP) ## recompute published tables, figures and claims: docs/replication.md
	@OMP_NUM_THREADS=1 $(PYTHON_IN_VENV) -m tools.replication

trust: $(SET_UP) ## what every test, interval and correction does where nothing differs: docs/trust
	@OMP_NUM_THREADS=1 $(PYTHON_IN_VENV) -m tools.trust

judged-again: $(SET_UP) ## WMT's campaigns of ratings ranked again, by a mixed model: docs/judged-again.md
	@OMP_NUM_THREADS=1 $(PYTHON_IN_VENV) -m tools.judged_again

paper: $(SET_UP) ## the replication as an article, numbers and figures filled in: build/paper/paper.pdf; needs pdflatex
	@$(PYTHON_IN_VENV) -m tools.replication.paper

notebooks: $(SET_UP) ## execute notebooks whose source changed; FORCE=1 for all, ONLY=05 for some
	@$(PYTHON_IN_VENV) -m tools.notebooks.build $(if $(FORCE),--force) $(if $(ONLY),--only $(ONLY))

slides: $(SET_UP) ## decks with notes for who speaks: build/slides; PDF=1 prints them, and a sheet of all slides
	@OMP_NUM_THREADS=1 $(PYTHON_IN_VENV) -m tools.course.decks $(if $(PDF),--pdf) $(if $(ONLY),--only $(ONLY))

labs: $(SET_UP) ## execute instructor versions whose source changed, make the students' from them, and an archive
	@$(PYTHON_IN_VENV) -m tools.labs.build

otter: $(SET_UP) ## the labs as master notebooks for Otter Assign: build/otter
	@$(PYTHON_IN_VENV) -m tools.labs.otter

grade: $(SET_UP) ## grade a filled-in lab, or a folder of them: FILE=filled_in.ipynb; runs its code with all your rights
	@if [ -z "$(FILE)" ]; then echo "make grade FILE=path/to/filled_in.ipynb [CSV=marks.csv] [BY_QUESTION=1]"; exit 2; fi
	@$(PYTHON_IN_VENV) -m tools.labs.grade "$(FILE)" $(if $(CSV),--csv "$(CSV)") $(if $(BY_QUESTION),--by-question)

grade-in-container: ## the same with no network and no rights; FILE may be a folder; podman or docker
	@tools/grade_in_container.sh "$(FILE)"

handouts: $(SET_UP) ## checklist, exam with key, and the cards of Referee the paper, as PDF: build/handouts
	@$(PYTHON_IN_VENV) -m tools.course.handouts

quizzes: $(SET_UP) ## the inventory and every Check yourself for Moodle and others (QTI 2.1): build/quizzes
	@$(PYTHON_IN_VENV) -m tools.course.quizzes

book: $(SET_UP) ## the series, labs, API reference and documents as one site: build/book/html
	@$(PYTHON_IN_VENV) -m tools.site.book

lite: $(SET_UP) ## the course as a site whose pages run Python in the browser: build/lite/site
	@$(PYTHON_IN_VENV) -m tools.site.lite

wheels: $(SET_UP) ## what is published: the package, its source, and a wheel of the other campaigns; dist
	@rm -rf dist
	@$(PYTHON_IN_VENV) -m build --no-isolation --outdir dist .
	@$(PYTHON_IN_VENV) -m build --no-isolation --wheel --outdir dist datasets

lock: ## renew all lock files after a change of pyproject.toml or *.in; UPGRADE=1 takes newer versions
	@command -v uv >/dev/null || { echo "make lock needs uv: python3 -m pip install uv"; exit 1; }
	@uv pip compile --quiet $(LOCK_OPTIONS) $(LOCKED_EXTRAS) $(if $(UPGRADE),--upgrade) \
		pyproject.toml -o requirements.lock
	@uv pip compile --quiet $(LOCK_OPTIONS) --extra run -c requirements.lock pyproject.toml -o tools/run.lock
	@uv pip compile --quiet $(LOCK_OPTIONS) --extra book $(if $(UPGRADE),--upgrade) \
		pyproject.toml -o book/requirements.lock
	@uv pip compile --quiet $(LOCK_OPTIONS) $(if $(UPGRADE),--upgrade) packaging/release.in -o packaging/release.lock
	@uv pip compile --quiet $(subst 3.11,3.13,$(LOCK_OPTIONS)) tests/homes/colab.in pyproject.toml \
		-o tests/homes/colab.lock
	@for folder in lite tests/lite; do \
		uv pip compile --quiet $(LOCK_OPTIONS) $(if $(UPGRADE),--upgrade) \
			$$folder/environment.in -o $$folder/environment.lock && \
		uv pip compile --quiet $(LOCK_OPTIONS) --no-deps $(if $(UPGRADE),--upgrade) \
			$$folder/wheels.in -o $$folder/wheels.lock || exit 1; \
	done
	@cp environment.yml binder/environment.yml

clean: ## remove what was built; .venv stays (remove it by hand to set up again)
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name .venv -prune -o -name __pycache__ -type d -exec rm -rf {} +
