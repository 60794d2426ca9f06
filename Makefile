# Tillroll's commands. Call `make` to see them.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
# The steps of a target use the same build folder: one after another.
.NOTPARALLEL:

# How many compilers run at once. Each takes up to 1 GB of memory; on a small machine: make test JOBS=1
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# How many tests run at once; more than the machine can serve makes time-outs that mean nothing.
WIDTH ?= $(shell echo $$(( 2 * $(JOBS) )))
# What follows the subcommand of `make demo` and `make up`.
ARGS ?=
# How often `make soak` kills devices.
ROUNDS ?= 300
# What `make fuzz` does: for how long in all, and which target; all of them unless named.
SECONDS ?= 60
TARGET ?=

# One moving line on a terminal; in a pipe or a log nothing but warnings and errors.
BUILD = if [ -t 1 ]; then quiet=; else quiet=--quiet; fi; swift build $$quiet --jobs $(JOBS)
ANNOUNCE = [ -e .build/debug ] || echo "Building for the first time; this takes several minutes."
TILLROLL = "$$(swift build --show-bin-path)/tillroll"

.PHONY: help demo up test soak tsan bench fuzz totality setup lint docs format clean

help: ## Lists these commands
	@echo "Tillroll, in-app purchasing whole:"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-15s %s\n", $$1, $$2 }'

demo: setup ## Plays the tour: a phone, a store and a server, from the first purchase to the refund
	@$(ANNOUNCE)
	@$(BUILD) --product tillroll
	@exec $(TILLROLL) tour $(ARGS)

up: setup ## Starts store and server with the sample's products, and keeps them up until Ctrl-C
	@$(ANNOUNCE)
	@$(BUILD) --product tillroll
	@exec $(TILLROLL) up $(ARGS)

test: setup lint ## Checks everything: lint, build, tests, documentation
	@$(ANNOUNCE)
	@$(BUILD) --build-tests
	@swift test --skip-build --disable-xctest --experimental-maximum-parallelization-width $(WIDTH)
	@swift test --skip-build --disable-swift-testing
	@scripts/build-tools $(JOBS)
	@scripts/proof-alone $(JOBS)
	@scripts/totality
	@scripts/docs

soak: setup ## Kills devices at any time, and lives lives drawn by lot: make soak ROUNDS=300
	@$(ANNOUNCE)
	@$(BUILD) --build-tests
	@TILLROLL_SOAK=$(ROUNDS) swift test --skip-build --disable-xctest --experimental-maximum-parallelization-width $(WIDTH) \
		--filter 'KillPointTests|RandomLifeTests'

tsan: setup ## Runs the tests of device and test sessions under the thread sanitizer, in a build of its own
	@swift build --build-tests --jobs $(JOBS) --sanitize=thread --scratch-path .build-tsan
	@TSAN_OPTIONS="suppressions=$(CURDIR)/scripts/tsan.suppressions" \
		swift test --skip-build --sanitize=thread --scratch-path .build-tsan --disable-xctest \
		--experimental-maximum-parallelization-width $(WIDTH) --filter 'OpenStoreKitTests|OpenStoreKitTestTests'

bench: setup ## Measures verification against what the cryptography allows, and against other libraries
	@Benchmarks/run $(ARGS)

fuzz: setup ## Fuzzes the readers of hostile input: make fuzz SECONDS=60 TARGET=cms
	@Fuzz/run $(SECONDS) $(TARGET)

totality: setup ## Damages signed samples in every way: only an error or the same value may come out
	@scripts/totality

setup: ## Installs what is missing on this machine
	@scripts/setup

lint: ## Checks format, arrows between the rooms, and habits
	@scripts/lint

docs: setup ## Builds the documentation into docs/api
	@scripts/docs

format: ## Lays the sources out as .swift-format says
	@swift format format --in-place --parallel --recursive Package.swift Sources Tests {Benchmarks,Fuzz}/{Package.swift,Sources}

clean: ## Removes what was built
	@rm -rf .build {Benchmarks,Fuzz}/.build* docs/api
