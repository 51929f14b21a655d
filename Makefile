# FlexDP. "make" alone lists what can be made.
SHELL := /bin/bash
# Formatter and linter run inside Maven and have to read Java 21: Maven gets the newer JDK too.
JDK = 21
MVN = JAVA_HOME="$$(scripts/find-jdk $(JDK))" mvn -B -ntp
CHECKED = $(MVN) -q -Pcheck
# How long every pause takes, times its usual length, and how many processes test at once.
PACE = 1
FORKS = 2
# Much code that runs a few times: the optimising compiler would take more than it gives.
SHORT = -DtestJvm=-XX:TieredStopAtLevel=1
# To its end and with the names of the slowest, whatever fails.
TESTED = JDK=$(JDK) scripts/run-tests -DtestPace=$(PACE) -DtestForks=$(FORKS)

.DEFAULT_GOAL := help
.PHONY: help setup clients build quick test test-trino nightly check format docs dist release image bench bench-check corpus golden soak clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

setup: ## install Maven and a JDK if the machine lacks them
	@scripts/setup

clients: ## install the programs that drive the server in the tests
	@scripts/clients

build: setup ## compile, package and prepare ./flexdp
	@./flexdp --build

quick: setup ## three minutes: compile, architecture, core and gateway on DuckDB and SQLite without what is long
	@scripts/check-sources
	@mkdir -p target && scripts/quick-leaves-out > target/quick-leaves-out
	@$(TESTED) $(SHORT) -q test -Dsurefire.excludesFile="$(CURDIR)/target/quick-leaves-out" -Dsurefire.failIfNoSpecifiedTests=false

test: setup clients ## everything that must pass: format, lint, architecture, tests, launcher
	@failed=0; \
	for part in "scripts/check-sources" "$(TESTED) $(SHORT) -Pcheck,bom verify" scripts/test-launcher scripts/check-dependencies scripts/test-dist; do \
	  FLEXDP_BUILD=packaged bash -c "$$part" || failed=1; \
	done; exit $$failed

test-trino: JDK = 24
test-trino: ## TPC-H on a Trino cluster of three nodes; downloads Trino the first time, needs a JDK 24
	@scripts/setup $(JDK)
	@$(TESTED) -Pcheck,trino -pl trino-tests -am test -Dtest='Trino*Test' -Dsurefire.failIfNoSpecifiedTests=false

nightly: setup ## what is too long for "make test", and "make test" on a fresh machine (as root): an hour
	@scripts/clients --all
	@failed=0; \
	for part in "$(TESTED) verify -DincludedTests='nightly|slow' -DexcludedTests=soak -Dsurefire.timeout=0" scripts/docs "scripts/image && scripts/test-image" scripts/test-deploy scripts/test-release scripts/fresh-machine; do \
	  bash -c "$$part" || failed=1; \
	done; exit $$failed

check: setup ## format, lint and architecture only
	@scripts/check-sources
	$(CHECKED) test -Dtest='*ArchitectureTest,*DocumentationTest' -Dsurefire.failIfNoSpecifiedTests=false

format: setup ## rewrite the sources in the project's format
	$(MVN) -q spotless:apply

docs: setup ## the manual as static pages with a search, target/docs/index.html; fails on broken links
	@scripts/docs

dist: setup ## an archive with its own Java runtime, target/dist
	@scripts/dist

release: setup ## make release VERSION=0.2.0 [KEY=...]: artefacts, archive, checksums, signatures and a tag; target/release
	@scripts/release "$(VERSION)" $(KEY)

image: setup ## an OCI image of the archive, target/image; needs Debian's packages
	@scripts/image

bench: setup ## measure speed; writes a dated file to benchmarks/results
	@scripts/bench

bench-check: setup ## is commit B slower than A? make bench-check A=... B=... [BENCH="analysis types"]
	@scripts/bench-check $(OPTIONS) "$(A)" "$(B)" $(BENCH)

corpus: setup ## write the expectations of the golden corpus anew, for review by git diff
	$(MVN) -q -pl core test -Dtest='CorpusTest,TpchTest' -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dflexdp.corpus.write=true

golden: setup ## write the golden files of statements, answers, ledger and JSON anew, for review by git diff
	$(MVN) -q -pl core,gateway,wasm test -Dtest='Golden*Test' \
	  -Dsurefire.failIfNoSpecifiedTests=false -Dflexdp.golden.write=true

soak: JDK = 24
soak: ## the longest tests, hours of them, also on the Trino cluster; needs a JDK 24
	@scripts/setup $(JDK)
	@scripts/clients --all
	@$(TESTED) -Ptrino verify -DincludedTests='nightly|slow|soak' -DexcludedTests= -Dsurefire.timeout=0

clean: ## remove everything built
	rm -rf .flexdp target */target
