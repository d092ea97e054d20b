# SPDX-License-Identifier: Apache-2.0
#
# One command each, over CMake + Ninja. On a fresh Debian 12 with git, make and sh every target works: what is missing
# is installed first (scripts/deps.sh; no network is used when nothing is missing).

PREFIX ?= /usr/local
BUILD  ?= build
JOBS   ?= $(shell getconf _NPROCESSORS_ONLN)
# Two at a time: many tests start JVMs, which bring their own threads.
TEST_JOBS ?= 2

CMAKE_BUILD = cmake --build $(BUILD) --parallel $(JOBS)

.PHONY: all deps deps-build deps-test deps-lint configure everything demo test bench docs format lint install clean

all: configure
	$(CMAKE_BUILD) --target product

deps: deps-build deps-test deps-lint

deps-build deps-test deps-lint: deps-%:
	@sh scripts/deps.sh $*

configure: deps-build
	@test -f $(BUILD)/build.ninja || cmake -G Ninja -S . -B $(BUILD)

everything: configure
	$(CMAKE_BUILD)

demo: all
	@sh examples/demo.sh $(BUILD)

test: deps-test everything
	ctest --test-dir $(BUILD) --output-on-failure --parallel $(TEST_JOBS)

# BENCH_OPTIONS=--quick gives a rough picture in a few minutes.
bench: deps-test everything
	@sh scripts/bench.sh $(BUILD) $(BENCH_OPTIONS)

# docs/options.md is written from the option table; a test fails when it is out of date.
docs: configure
	$(CMAKE_BUILD) --target options_doc
	$(BUILD)/bin/options_doc > docs/options.md

format: deps-lint
	@sh scripts/format.sh

lint: deps-lint configure
	@sh scripts/lint.sh $(BUILD) $(JOBS)

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)
