# Tillroll's development commands. `make` lists them.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
# The targets share a build folder, so they must not run at the same time.
.NOTPARALLEL:

# The number of parallel compiler processes, each with up to 1 GB of memory; on a small machine: make test JOBS=1
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# The number of tests that run in parallel; too many cause time-outs.
WIDTH ?= $(shell echo $$(( 2 * $(JOBS) )))
# Additional arguments for the commands of `make demo`, `make up` and `make bench`.
ARGS ?=
# The number of rounds of `make soak`, and of `make cluster`, whose default is 8.
ROUNDS ?= 300
# The number of rounds with a cluster in `make soak`; each takes about a minute.
CLUSTER_ROUNDS ?= 100
# The number of simulations of the whole system in `make soak`.
SEEDS ?= 10000
# The total duration of `make fuzz` in seconds, and its fuzz target (default: all targets).
SECONDS ?= 60
TARGET ?=
# The test target of `make check` (default: all targets).
SUITE ?=

# Builds with progress on a terminal, and with warnings and errors only in a pipe or a log.
BUILD = if [ -t 1 ]; then quiet=; else quiet=--quiet; fi; swift build $$quiet --jobs $(JOBS)
# Builds the tool that writes man pages, unless there is one; planning its build takes 20 seconds, and any version of it serves the check.
BUILD_MANUAL = [ -x .build/debug/generate-manual ] || swift build --quiet --product generate-manual
ANNOUNCE = [ -e .build/debug ] || echo "Building for the first time; this takes several minutes."
MONKEYSHOP = "$$(swift build --show-bin-path)/monkeyshop"

.PHONY: help demo up check test soak cluster tsan bench fuzz totality deb tarball package-test setup setup-build setup-package setup-check setup-cluster lint docs format clean

help: ## Lists the development commands
	@echo "Development commands of Tillroll:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-15s %s\n", $$1, $$2 }'

demo: setup-build ## Builds and runs the tour of a device, a store and a server
	@scripts/build --jobs $(JOBS) monkeyshop
	@exec $(MONKEYSHOP) tour $(ARGS)

up: setup-build ## Runs a local App Store and a purchase server with sample products until Ctrl-C
	@scripts/build --jobs $(JOBS) monkeyshop tillroll
	@exec $(MONKEYSHOP) up $(ARGS)

check: setup-check ## Runs lint, the build and the tests without processes, or those of one target: make check SUITE=PurchaseProof
	@$(ANNOUNCE)
	@scripts/check --jobs $(JOBS) --width $(WIDTH) $(SUITE)

test: ## Runs lint, all tests and the documentation build, and prints the seconds of each stage
	@scripts/stages \
		setup scripts/setup \
		lint scripts/lint \
		build '$(ANNOUNCE); $(BUILD) --build-tests; $(BUILD_MANUAL)' \
		+kit-alone 'BUILT=yes scripts/once kit-alone target:PurchaseKit -- scripts/kit-alone' \
		+proof-alone 'BUILT=yes scripts/once proof-alone target:tillroll Examples/ReceiptCheck -- scripts/proof-alone $(JOBS)' \
		+totality 'BUILT=yes scripts/once totality target:tillroll Benchmarks Fuzz Tests/Forgeries -- scripts/totality' \
		+package-check 'BUILT=yes scripts/once package-check Sources Examples packaging docs/install.md LICENSE -- scripts/package-check $(JOBS)' \
		+docs 'BUILT=yes scripts/docs' \
		tests 'scripts/run-tests --disable-xctest --experimental-maximum-parallelization-width $(WIDTH)' \
		XCTest 'scripts/run-tests --disable-swift-testing' \
		build-tools 'scripts/once build-tools Sources Benchmarks Fuzz -- scripts/build-tools $(JOBS)'

soak: setup-cluster ## Runs tests that kill devices, servers, apps and databases, and play random scenarios and requests: make soak ROUNDS=300
	@$(ANNOUNCE)
	@$(BUILD) --build-tests
	@TILLROLL_SOAK=$(ROUNDS) TILLROLL_SIMULATIONS=$(SEEDS) scripts/run-tests --disable-xctest --experimental-maximum-parallelization-width $(WIDTH) \
		--filter 'KillPointTests|RandomScenarioTests|RandomRequestTests|ServerKillTests|ServerMemoryTests|PurchaseServerTests.HistoryTests|KitSimulationTests|SystemSimulationTests|KitKillTests|LargeDownloadTests|ShopLoadTests'
	@TILLROLL_CLUSTER=$(CLUSTER_ROUNDS) scripts/in-namespaces scripts/run-tests --disable-xctest --filter ClusterTests

cluster: ROUNDS = 8
cluster: setup-cluster ## Runs servers with a PostgreSQL cluster, and kills and disconnects its nodes under load: make cluster ROUNDS=8
	@$(ANNOUNCE)
	@$(BUILD) --build-tests
	@TILLROLL_CLUSTER=$(ROUNDS) scripts/in-namespaces scripts/run-tests --disable-xctest --filter ClusterTests

tsan: setup ## Runs the tests of devices and test sessions with the thread sanitizer, in a separate build folder
	@swift build --build-tests --jobs $(JOBS) --sanitize=thread --scratch-path .build-tsan
	@TSAN_OPTIONS="suppressions=$(CURDIR)/scripts/tsan.suppressions" \
		scripts/run-tests --sanitize=thread --scratch-path .build-tsan --disable-xctest \
		--experimental-maximum-parallelization-width $(WIDTH) --filter 'OpenStoreKitTests|OpenStoreKitTestTests'

bench: setup ## Measures verification, compared with cryptography alone and other libraries, the store, a device, the server and the kit
	@Benchmarks/run $(ARGS)

fuzz: setup ## Fuzzes the parsers of untrusted input: make fuzz SECONDS=60 TARGET=cms
	@Fuzz/run $(SECONDS) $(TARGET)

totality: setup ## Checks that parsers and verifiers handle damaged samples without traps
	@scripts/totality

deb: setup-package ## Builds a Debian package in release, which needs no toolchain
	@scripts/package deb --jobs $(JOBS)

tarball: setup-package ## Builds an archive for other distributions in release, which needs no toolchain
	@scripts/package tarball --jobs $(JOBS)

package-test: ## Installs the packages in a bare Debian system, as root, and runs the README's example of the store there
	@scripts/package-test

setup: ## Installs missing system packages
	@scripts/setup

# The packages for tests, and those for tests with a cluster of servers.
setup-cluster:
	@scripts/setup --cluster

# The packages for building, lint and the tests without processes.
setup-check:
	@scripts/setup --check

# The packages for building and running, without those for tests.
setup-build:
	@scripts/setup --build

# The packages for building, and for writing packages of the commands.
setup-package:
	@scripts/setup --package

lint: ## Checks format, dependencies of targets, and conventions
	@scripts/lint

docs: setup ## Builds the documentation into docs/api
	@scripts/docs

format: ## Formats the sources with swift format
	@swift format format --in-place --parallel --recursive Package.swift Sources Tests Examples/MonkeyShop {Benchmarks,Fuzz}/{Package.swift,Sources}

clean: ## Removes build products
	@rm -rf .build {Benchmarks,Fuzz}/.build* docs/api
