# The commands. Each installs what it needs into .venv first; nothing else has to be set up.
VENV   := .venv
PYTHON := $(VENV)/bin/python
unexport PYTHONDONTWRITEBYTECODE # the tests start hundreds of processes: each would read all sources anew

.PHONY: play test check style types layers clauses same looks bench slaps slaps-real crash evenings shots lighthouse frames made screen lock golden clean

play: $(VENV)/play screen     ## open the house: prints the address and a code to join
	$(VENV)/bin/cheeseboard serve

test: $(VENV)/dev screen      ## all tests
	$(PYTHON) -m tests.web.chromium
	$(PYTHON) -m pytest -n $(shell expr $$(nproc) + 2) --dist worksteal

check: $(VENV)/dev            ## style, types, layers, and that every clause of the rules has a test
	@$(MAKE) --no-print-directory --keep-going --jobs $(shell nproc) $(SYNC) types looks style layers clauses same

SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync)

types:                        # the parts of check; the longest first, for they run side by side
	$(VENV)/bin/mypy

looks:
	$(PYTHON) hatch_build.py --check

style:
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

layers:
	$(VENV)/bin/lint-imports

clauses:
	$(PYTHON) tools/clauses.py

same:
	$(PYTHON) tools/made.py --check

bench: $(VENV)/bench          ## speed, as ratios against a peer measured in the same run
	$(PYTHON) bench/rules.py
	$(PYTHON) bench/house.py
	$(PYTHON) bench/load.py --tables 500 --seats 4 --think 9 --seconds 60 --warmup 40
	$(PYTHON) bench/attack.py

slaps: $(VENV)/dev            ## that the ping does not decide who was first: millions of simulated slaps, honest and not
	$(PYTHON) bench/slaps.py

slaps-real: $(VENV)/dev       ## the same over real sockets: 4,000 races for each pair of lines
	PYTHONPATH=bench $(PYTHON) -m tests.server.slapping --races 4000

crash: $(VENV)/dev            ## kill the server 2,000 times: nothing acknowledged is lost, nothing is done twice
	$(PYTHON) -m tests.server.crash --kills 2000

evenings: $(VENV)/dev         ## thousands of simulated evenings of a whole house, and of worlds that must look alike
	$(PYTHON) -m tests.server.simulation --seeds 2000
	$(PYTHON) -m tests.server.worlds --pairs 10000

shots: $(VENV)/dev screen     ## pictures of every place and every moment of every game, in shots/
	$(PYTHON) -m tests.web.shots

lighthouse: $(VENV)/dev screen ## the screen's marks, as a phone sees it
	$(PYTHON) -m tests.web.lighthouse

frames: $(VENV)/dev screen    ## how smoothly the tables move
	$(PYTHON) -m tests.web.frames

made: $(VENV)/dev             ## write what the screen has from the house anew: types, texts, facts
	$(PYTHON) tools/made.py

screen:                       ## build the web client, if anything in it has changed
	$(PYTHON) hatch_build.py

golden: $(VENV)/dev           ## write the golden playthroughs anew; a changed story needs a new rules version
	$(PYTHON) -m tests.games.playthrough

lock: $(VENV)/dev             ## pin all dependencies anew, by version and hash
	$(PYTHON) -m pip install --quiet uv
	$(call pin,requirements.txt,--extra build)
	$(call pin,requirements-dev.txt,--extra build --extra dev)
	$(call pin,requirements-bench.txt,--extra build --extra dev --extra bench)

define pin
	$(VENV)/bin/uv pip compile pyproject.toml $(2) --upgrade --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header -o $(1)
endef

clean:                        ## remove what the commands above made
	rm -rf $(VENV) dist shots src/cheeseboard/screen web/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# One folder serves all three sets; a set is installed when its list is newer than its mark.
$(VENV)/play: requirements.txt pyproject.toml
	$(call install,requirements.txt)

$(VENV)/dev: requirements-dev.txt pyproject.toml
	$(call install,requirements-dev.txt,--no-compile,$(PYTHON) hatch_build.py --tools)

$(VENV)/bench: requirements-bench.txt pyproject.toml
	$(call install,requirements-bench.txt)

# --no-compile: of what the tests install most is never imported, and Python compiles the rest when it is.
define install
	test -x $(PYTHON) || python3 -m venv $(VENV)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check $(2) --require-hashes -r $(1)
	$(3)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	touch $@
endef
