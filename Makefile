# The two commands of the README are `make run` and `make test`; the rest is for whoever works on Cardea.

# No debug information, which nothing here reads, and no index of the system's modules.
BUILD := swift build -c debug -j 2 -debug-info-format none -Xswiftc -index-ignore-system-modules
# A clean clone that is built once compiles each module in one piece, which is a third less work. A developer's build compiles single files,
# which is less work the second time. docs/technotes/build-time.md has the figures.
ifdef CI
BUILD += -Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads -Xswiftc 2
endif
# Swift's runtime is linked into what a house runs: nothing else need be there, and calls into it go straight to it.
RELEASE := swift build -c release -j 2 --static-swift-stdlib
# `swift run` of Swift 6.3 knows neither of these options.
RATIOS := swift build --package-path Benchmarks -c release -j 2 --static-swift-stdlib
PYTHON := .venv/bin/python
# A trap must not leave the port held while a backtrace is drawn.
export SWIFT_BACKTRACE := enable=yes,symbolicate=off,threads=crashed,images=none,registers=none

# Where `make install` puts things, and takes them from.
PREFIX := /usr/local
DESTDIR :=
BIN := .build/release
SHARE = $(DESTDIR)$(PREFIX)/share

# One thing after the other, whatever `-j` says: each step wants both cores.
.NOTPARALLEL:
.PHONY: run demo test test-long test-all check format lint bench bench-peers chaos coverage release manual deb image sbom install install-only build

## run: install what is missing, build, and serve a house with virtual devices
run: setup-run
	@test -x .build/debug/cardea-hub || echo "Building Cardea. The first time takes about 10 minutes on two cores; later ones take seconds."
	@$(BUILD) --product cardea-hub
	@$(BUILD) --product cardea
	@exec .build/debug/cardea-hub serve --data house --virtual-house --insecure-http

## demo: install what is missing, build, and serve a house that lives by itself, kept in memory
demo: setup-run
	@$(BUILD) --product cardea-hub
	@exec .build/debug/cardea-hub demo

## test: the gate: install what is missing, lint, build, and run the tests that must pass before a change lands (28 minutes at most)
test:
	@scripts/test gate

## test-long: everything else that meets real peers: Home Assistant, Bonjour, NFC, cameras, every page in a browser (75 minutes at most)
test-long:
	@scripts/test long

## test-all: both
test-all:
	@scripts/test all

## check: the fast loop: build, and the tests that need no peers
check:
	@scripts/test gate build computing houses real-time

build:
	$(BUILD) --build-tests

## format: lay the code out as it should be
format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

## lint: fail where the layout is not what `make format` makes of it, or a test depends on time or chance
lint:
	scripts/lint-tests
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

## bench: the ratios that keep Cardea fast, linked as a release is, against the thresholds that are checked in; then what a real release hub is timed by
bench: setup-bench
	$(RATIOS)
	Benchmarks/.build/release/Benchmarks
	$(RELEASE) --product cardea-hub
	$(RELEASE) --product cardea
	CARDEA_HUB_BINARY=$(CURDIR)/.build/release/cardea-hub $(PYTHON) -m pytest -q Benchmarks/times

## bench-peers: a release hub beside a real Home Assistant, in one run; needs root for a network of its own
bench-peers: setup-bench
	$(RELEASE) --product cardea-hub
	$(PYTHON) Benchmarks/peers.py

## chaos: what is long by its nature: the crash harness at length, a hub that is killed at each durable step of an export, an erasure, a backup, a migration, another key and a restore, a hub and those who follow it killed at random, a million guesses at a phone's digits, 100 000 simulated operations, 10 000 recorded taps, a record of 10 000 entries tampered with at every place, a million links and a million NDEF messages that somebody damaged, 20 000 calls over a bad line, a minute of a thousand listeners, 200 examples of every operation in every role, what people take away out of a thousand houses, a house that is used for an hour on a network that is listened to, a page that is told a hundred changes a second for half a minute, and every state of every screen in both themes and all sizes
chaos: setup-long
	$(BUILD) --build-tests
	CARDEA_CROWD_SECONDS=60 swift test -c debug --skip-build --filter CrowdTests
	CARDEA_GUESSES=1000000 swift test -c debug --skip-build --filter PhonePairingTests/bruteForce
	CARDEA_SIMULATED_OPERATIONS=100000 swift test -c debug --skip-build --filter SimulationTests
	CARDEA_RECORDED_TAPS=10000 swift test -c debug --skip-build --filter TouchTests/recorded
	CARDEA_TAMPER_STRIDE=1 swift test -c debug --skip-build --filter 'AuditEverywhereTests|AuditBundleTests/everywhere'
	CARDEA_FUZZED_LINKS=1000000 swift test -c debug --skip-build --filter TriggerLinksTests/fuzz
	CARDEA_FUZZED_LINKS=1000000 swift test -c debug --skip-build --filter TagLinkTests/fuzz
	CARDEA_FUZZED_MESSAGES=1000000 swift test -c debug --skip-build --filter MessageTests/fuzz
	CARDEA_FUZZED_TEMPLATES=1000000 swift test -c debug --skip-build --filter TemplateFuzzTests
	CARDEA_FUZZED_SENTENCES=20000 swift test -c debug --skip-build --filter SuggestingTests/fuzz
	CARDEA_FUZZED_REMARKS=20000 swift test -c debug --skip-build --filter InterviewFuzzTests/fuzz
	CARDEA_FAULTED_CALLS=20000 swift test -c debug --skip-build --filter BadLineTests
	CARDEA_EXPORTED_HOUSES=1000 swift test -c debug --skip-build --filter ExportedHousesTests
	CARDEA_CHAOS_ROUNDS=1000 $(PYTHON) -m pytest -q Tests/PeerTests/test_crash.py Tests/PeerTests/test_event_crash.py
	CARDEA_KILLS=200 $(PYTHON) -m pytest -q Tests/PeerTests/test_offline.py
	CARDEA_CRASH_POINTS=100000 $(PYTHON) -m pytest -q Tests/PeerTests/test_privacy_crash.py Tests/PeerTests/test_house_key.py Tests/PeerTests/test_backup.py -k the_power_goes
	CARDEA_REALTIME_ROUNDS=100 $(PYTHON) -m pytest -q Tests/PeerTests/test_realtime_crash.py
	CARDEA_CONTRACT_EXAMPLES=200 $(PYTHON) -m pytest -q Tests/PeerTests/test_contract.py
	CARDEA_QUIET_SECONDS=3600 $(PYTHON) -m pytest -q Tests/PeerTests/test_quiet_network.py
	CARDEA_BUSY_SECONDS=30 $(PYTHON) -m pytest -q Benchmarks/times/test_web_speed.py -k a_hundred_changes_a_second
	CARDEA_PICTURES=1 $(PYTHON) -m pytest -q Tests/PeerTests/test_tour.py Tests/PeerTests/test_web_states.py

# What meets the world outside covers none of that.
OUTSIDE := CrowdTests|BadLineTests|CardeaMQTTTests|CardeaHomeAssistantTests|CardeaTLSTests|CardeaPushTests|CardeaChatTests|CardeaCamerasTests|CardeaPicturesTests

## coverage: every region of the gate, the commands, the tokens, the tags and the audit trail is covered by the Swift tests
coverage: setup-gate
	swift test -c debug --enable-code-coverage --skip '$(OUTSIDE)'
	scripts/coverage

## release: what a house runs day and night
release: setup-run
	$(RELEASE) --product cardea-hub
	$(RELEASE) --product cardea

## manual: the manual pages, from what the programs say of themselves, into .build/manual
manual:
	$(BUILD) --product cardea-hub
	$(BUILD) --product cardea
	scripts/manual .build/manual .build/debug/cardea .build/debug/cardea-hub

## deb: a Debian package of a release build, or with CONFIGURATION=debug of a debug build, into .build/deb
CONFIGURATION := release
deb: setup-run
	$(if $(filter release,$(CONFIGURATION)),$(RELEASE),$(BUILD)) --product cardea-hub
	$(if $(filter release,$(CONFIGURATION)),$(RELEASE),$(BUILD)) --product cardea
	scripts/deb .build/$(CONFIGURATION) .build/deb

## image: a container's image of that package, by podman, docker or buildah; BASE=scratch where no registry can be reached
IMAGE := localhost/cardea
BASE := docker.io/library/debian:12-slim
image:
	@ENGINE=$(ENGINE) scripts/image --try $(BASE)
	@$(MAKE) deb
	ENGINE=$(ENGINE) scripts/image .build/deb $(IMAGE) $(BASE)

## sbom: what it is made of, as CycloneDX JSON, into .build/cardea.cdx.json
sbom:
	$(BUILD) --product cardea-hub
	$(BUILD) --product cardea
	scripts/sbom .build/cardea.cdx.json .build/debug/cardea-hub .build/debug/cardea

## install: the programs, their manual pages and the shells' completions, under PREFIX
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

setup-%:
	@scripts/setup $*
