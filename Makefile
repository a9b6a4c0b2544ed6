# `make run` and `make test` are the two main targets; `make help` lists the rest.

# No debug information, which nothing here reads, and no index of the system's modules.
BUILD := swift build -c debug -j 2 -debug-info-format none -Xswiftc -index-ignore-system-modules
# A clean clone that is built once compiles each module in one piece, which is a third less work. A developer's build compiles single files,
# which is less work the second time. docs/technotes/build-time.md has the figures.
ifdef CI
BUILD += -Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads -Xswiftc 2
endif
# Swift's runtime is linked statically into the programs: they need no installed runtime, and calls into it are direct.
RELEASE := swift build -c release -j 2 --static-swift-stdlib
# `swift run` of Swift 6.3 knows neither of these options.
RATIOS := swift build --package-path Benchmarks -c release -j 2 --static-swift-stdlib
PYTHON := .venv/bin/python
# A trap must not hold the port while a backtrace is made.
export SWIFT_BACKTRACE := enable=yes,symbolicate=off,threads=crashed,images=none,registers=none

# Where `make install` puts things, and takes them from.
PREFIX := /usr/local
DESTDIR :=
BIN := .build/release
SHARE = $(DESTDIR)$(PREFIX)/share

# One step after the other, whatever `-j` says: each step uses both cores.
.NOTPARALLEL:
.PHONY: help setup run demo test test-long test-all check format lint bench bench-peers chaos coverage release manual deb image sbom install install-only build

## help: list the targets
help:
	@awk '/^## [a-z-]+: / { name = $$2; sub(":$$", "", name); line = $$0; sub("^## [a-z-]+: ", "", line); printf "  make %-12s %s\n", name, line }' $(MAKEFILE_LIST)

## run: install what is missing, build, and serve a house with virtual devices
run: setup-run
	@test -x .build/debug/cardea-hub || echo "Building Cardea. The first time takes about 10 minutes on two cores; later ones take seconds."
	@$(BUILD) --product cardea-hub
	@$(BUILD) --product cardea
	@exec .build/debug/cardea-hub serve --data house --virtual-house --insecure-http

## demo: install what is missing, build, and serve a simulated house, kept in memory
demo: setup-run
	@$(BUILD) --product cardea-hub
	@exec .build/debug/cardea-hub demo

## test: the gate, which must pass before a change lands: set up, lint, build, test (28 minutes at most)
test:
	@scripts/test gate

## test-long: the other tests with real peers: Home Assistant, Bonjour, NFC, cameras, every page in a browser (75 minutes at most)
test-long:
	@scripts/test long

## test-all: the gate, then the long tests
test-all:
	@scripts/test all

## check: the fast loop: build, and the tests that need no peers
check:
	@scripts/test gate build computing houses real-time

## build: build the programs and the tests, without running them
build:
	$(BUILD) --build-tests

## format: format the code
format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

## lint: fail on code that is not formatted, on tests that depend on time or chance, and on texts that CONTRIBUTING rules out
lint:
	scripts/lint-tests
	scripts/lint-texts
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

## bench: the benchmarks of a release build, against the thresholds that are checked in
bench: setup-bench
	$(RATIOS)
	Benchmarks/.build/release/Benchmarks
	$(RELEASE) --product cardea-hub
	$(RELEASE) --product cardea
	CARDEA_HUB_BINARY=$(CURDIR)/.build/release/cardea-hub $(PYTHON) -m pytest -q Benchmarks/times

## bench-peers: compare a release hub with a real Home Assistant; needs root
bench-peers: setup-bench
	$(RELEASE) --product cardea-hub
	$(PYTHON) Benchmarks/peers.py

## chaos: the tests that are long by nature: crashes at random moments, millions of damaged inputs, a thousand listeners, every page in every state
chaos: setup-long
	$(BUILD) --build-tests
	CARDEA_CROWD_SECONDS=60 swift test -c debug --skip-build --filter RealtimeLoadTests
	CARDEA_GUESSES=1000000 swift test -c debug --skip-build --filter PhonePairingTests/bruteForce
	CARDEA_SIMULATED_OPERATIONS=100000 swift test -c debug --skip-build --filter SimulationTests
	CARDEA_RECORDED_TAPS=10000 swift test -c debug --skip-build --filter TapHandlerTouchTests/recorded
	CARDEA_TAMPER_STRIDE=1 swift test -c debug --skip-build --filter 'AuditTamperingStressTests|AuditBundleTests/everywhere'
	CARDEA_FUZZED_LINKS=1000000 swift test -c debug --skip-build --filter TriggerLinksTests/fuzz
	CARDEA_FUZZED_LINKS=1000000 swift test -c debug --skip-build --filter TagLinkTests/fuzz
	CARDEA_FUZZED_MESSAGES=1000000 swift test -c debug --skip-build --filter NDEFMessageTests/fuzz
	CARDEA_FUZZED_TEMPLATES=1000000 swift test -c debug --skip-build --filter TemplateFuzzTests
	CARDEA_FUZZED_SENTENCES=20000 swift test -c debug --skip-build --filter SuggestionTests/fuzz
	CARDEA_FUZZED_REMARKS=20000 swift test -c debug --skip-build --filter InterviewFuzzTests/fuzz
	CARDEA_FAULTED_CALLS=20000 swift test -c debug --skip-build --filter FaultRecoveryTests
	CARDEA_EXPORTED_HOUSES=1000 swift test -c debug --skip-build --filter PersonExportPropertyTests
	CARDEA_CHAOS_ROUNDS=1000 $(PYTHON) -m pytest -q Tests/PeerTests/test_crash.py Tests/PeerTests/test_event_crash.py
	CARDEA_KILLS=200 $(PYTHON) -m pytest -q Tests/PeerTests/test_offline.py
	CARDEA_CRASH_POINTS=100000 $(PYTHON) -m pytest -q Tests/PeerTests/test_privacy_crash.py Tests/PeerTests/test_house_key.py Tests/PeerTests/test_backup.py -k a_power_cut
	CARDEA_REALTIME_ROUNDS=100 $(PYTHON) -m pytest -q Tests/PeerTests/test_realtime_crash.py
	CARDEA_CONTRACT_EXAMPLES=200 $(PYTHON) -m pytest -q Tests/PeerTests/test_contract.py
	CARDEA_QUIET_SECONDS=3600 $(PYTHON) -m pytest -q Tests/PeerTests/test_quiet_network.py
	CARDEA_BUSY_SECONDS=30 $(PYTHON) -m pytest -q Benchmarks/times/test_web_speed.py -k a_hundred_changes_a_second
	CARDEA_PICTURES=1 $(PYTHON) -m pytest -q Tests/PeerTests/test_tour.py Tests/PeerTests/test_web_states.py

# The suites with peers cover none of that code.
OUTSIDE := RealtimeLoadTests|FaultRecoveryTests|CardeaMQTTTests|CardeaHomeAssistantTests|CardeaNetworkTests|CardeaPushTests|CardeaLanguageModelTests|CardeaCamerasTests

## coverage: list the regions of gate, commands, tokens, tags and audit log that no Swift test runs
coverage: setup-gate
	swift test -c debug --enable-code-coverage --skip '$(OUTSIDE)'
	scripts/coverage

## release: build both programs with optimisation
release: setup-run
	$(RELEASE) --product cardea-hub
	$(RELEASE) --product cardea

## manual: write the manual pages, from the programs' help, into .build/manual
manual:
	$(BUILD) --product cardea-hub
	$(BUILD) --product cardea
	scripts/manual .build/manual .build/debug/cardea .build/debug/cardea-hub

## deb: build a Debian package into .build/deb; CONFIGURATION=debug packs the debug build
CONFIGURATION := release
deb: setup-run
	$(if $(filter release,$(CONFIGURATION)),$(RELEASE),$(BUILD)) --product cardea-hub
	$(if $(filter release,$(CONFIGURATION)),$(RELEASE),$(BUILD)) --product cardea
	scripts/deb .build/$(CONFIGURATION) .build/deb

## image: build a container image of that package with podman, docker or buildah; BASE=scratch needs no registry
IMAGE := localhost/cardea
BASE := docker.io/library/debian:12-slim
image:
	@ENGINE=$(ENGINE) scripts/image --try $(BASE)
	@$(MAKE) deb
	ENGINE=$(ENGINE) scripts/image .build/deb $(IMAGE) $(BASE)

## sbom: write the list of components as CycloneDX JSON to .build/cardea.cdx.json
sbom:
	$(BUILD) --product cardea-hub
	$(BUILD) --product cardea
	scripts/sbom .build/cardea.cdx.json .build/debug/cardea-hub .build/debug/cardea

## install: install the release, its manual pages and shell completions under PREFIX
install: release install-only

install-only:
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1 $(SHARE)/man/man8
	install -m 755 $(BIN)/cardea $(BIN)/cardea-hub $(DESTDIR)$(PREFIX)/bin
	rm -rf $(DESTDIR)$(PREFIX)/bin/cardea_CardeaWeb.resources
	cp -R $(BIN)/cardea_CardeaWeb.resources $(DESTDIR)$(PREFIX)/bin
	rm -rf .build/manual
	scripts/manual .build/manual $(BIN)/cardea $(BIN)/cardea-hub
	gzip -9nf .build/manual/*
	rm -f $(SHARE)/man/man1/cardea*.1.gz
	install -m 644 .build/manual/*.1.gz $(SHARE)/man/man1
	install -m 644 .build/manual/*.8.gz $(SHARE)/man/man8
	install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	$(BIN)/cardea completions bash > $(SHARE)/bash-completion/completions/cardea
	$(BIN)/cardea completions zsh > $(SHARE)/zsh/site-functions/_cardea
	$(BIN)/cardea completions fish > $(SHARE)/fish/vendor_completions.d/cardea.fish

## setup: install what the gate needs, and the hook that checks commit subjects
setup: setup-gate
	git config core.hooksPath scripts/hooks

setup-%:
	@scripts/setup $*
