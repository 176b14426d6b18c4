# Two commands set everything up on a machine with Python (3.11 or later) and git:
#   make odds   prints the odds of every tới trắng pattern
#   make test   runs the tests
PYTHON ?= python3
VENV ?= .venv
RUN = $(VENV)/bin
# Two processes or more: each compiles what it needs first, and finds in the cache what the others compiled.
SIDE_BY_SIDE = -n auto --maxprocesses 4 --dist worksteal

.PHONY: odds test look lint bench slow oldest notebooks refresh words answers docs clean

odds: $(VENV)/installed
	$(RUN)/tlsim odds

test: $(VENV)/tested
	$(RUN)/lint-imports
	$(RUN)/ruff check
	$(RUN)/ruff format --check
	$(RUN)/mypy
	$(RUN)/pytest $(SIDE_BY_SIDE) tests

# What takes longer: the terminal at other widths, every notebook, the documentation.
look: $(VENV)/tested docs
	$(RUN)/pytest $(SIDE_BY_SIDE) -m look tests

# About two hours on one core: 20,000 whole games of each preset and number of players on the engine and on its slow twin, on all cores.
# And 20,000 of every table of house rules (TLSIM_CLAUSE_SLOW_GAMES), and for every clause and value a search for a game that it
# changes, unless it is refused or named as moot (TLSIM_MOOT_TRIES, TLSIM_MOOT_VARIANTS).
# A part of it: TLSIM_SLOW_PRESETS=zing,hue TLSIM_SLOW_PLAYERS=4 TLSIM_SLOW_MINUTES=30 TLSIM_SLOW_CORES=1 make slow
slow: $(VENV)/tested
	$(RUN)/pytest -m slow tests

# The tests of the kernels on the oldest numba of the range.
oldest: $(VENV)/tested
	$(PYTHON) -m venv $(VENV)/oldest
	$(VENV)/oldest/bin/python -m pip install --quiet 'numba==0.68.0' . --group test
	$(VENV)/oldest/bin/pytest tests/kernels/test_pipeline.py tests/test_recorded_tallies.py

# Opens the notebooks in a browser.
notebooks: $(VENV)/installed
	$(RUN)/python -m pip install --quiet '.[notebooks]'
	$(RUN)/jupyter lab notebooks

# Runs the notebooks at full size, some six minutes on two cores, and keeps what they show.
refresh: $(VENV)/tested
	$(RUN)/python notebooks/refresh.py
	$(RUN)/tlsim fair --rules doithuong --games 0 --lang en --plot notebooks/prices.png > /dev/null
	$(RUN)/tlsim fair --rules doithuong --games 0 --lang vi --plot notebooks/prices.vi.png > /dev/null
	$(RUN)/tlsim report --rules doithuong --games 24000 --rake 5% --lang en --out docs/_static/report-doithuong.html
	$(RUN)/python docs/shown.py

# Builds the documentation into build/docs: warnings are errors, links inside are checked, the examples of the pages run.
docs: $(VENV)/documented
	$(RUN)/sphinx-build -W --keep-going -q -b html docs build/docs
	$(RUN)/pytest --doctest-glob '*.md' --ignore docs/_generated docs

# Collects the sentences that people read, and compiles the Vietnamese catalogue; says which have no translation.
words: $(VENV)/tested
	PYTHONPATH=. $(RUN)/python tests/words.py

# Records the answers anew that tests/test_same_answers.py compares, and says what is new in them.
answers: $(VENV)/tested
	$(RUN)/python tests/answers.py

bench: $(VENV)/tested
	$(RUN)/pytest benchmarks

$(VENV)/python:
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/installed: $(VENV)/python pyproject.toml $(shell find tlsim -name '*.py' -o -name '*.toml' -o -name '*.mo' -o -name '*.npz' -o -path '*/templates/*')
	$(RUN)/python -m pip install --quiet .
	touch $@

# The tests run on the installed package, not on the source folder: a missing data file is noticed.
$(VENV)/tested: $(VENV)/installed
	$(RUN)/python -m pip install --quiet --group dev
	touch $@

$(VENV)/documented: $(VENV)/tested
	$(RUN)/python -m pip install --quiet --group docs
	touch $@

clean:
	rm -rf $(VENV) build dist docs/_generated *.egg-info
