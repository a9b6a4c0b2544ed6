# The two commands of the README are `make run` and `make test`; the rest is for whoever works on Cardea.

# Without the index that editors read: nothing here asks for it.
BUILD := swift build -c debug -j 2 --disable-index-store
# Swift's runtime is linked into what a house runs: nothing else need be there, and calls into it go straight to it.
RELEASE := swift build -c release -j 2 --static-swift-stdlib
PYTHON := .venv/bin/python
# Tests that speak to others in real time. They run by themselves: beside hundreds that want the same two cores, a second is not a second.
NO_CREDENTIALS := CrowdTests|BadLineTests|CardeaMQTTTests|CardeaHomeAssistantTests|CardeaTLSTests|CardeaPushTests|CardeaChatTests
IN_REAL_TIME := $(NO_CREDENTIALS)|CardeaClientTests|SecretStoreTests|KeyringFaultTests
# Those with ffmpeg, which takes a core for each picture, run apart from these too, one after another: a camera plays in real time.
WITH_FFMPEG := RealCameraTests|HostileCameraTests|CardeaPicturesTests
# What is measured in seconds runs with nothing beside it, one after another.
BY_ITSELF := RecordedHouseTests|RecordsTests/month|AutomationTests/speed|ReplayTests/many|WatchTests/large
# What only computes, some of it for half a minute without a pause: a house beside it, which has as many threads as there are cores, would answer nobody meanwhile.
WITHOUT_A_HOUSE := CardeaMindTests|CardeaModelTests|CardeaSecurityTests|CardeaCamerasTests.(ParserTests|MotionDetectorTests)
# So many begin at a time. All at once, each takes as long as all, and what waits for an answer has given up by then.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := 12
# A trap must not leave the port held while a backtrace is drawn.
export SWIFT_BACKTRACE := enable=yes,symbolicate=off,threads=crashed,images=none,registers=none

# Where `make install` puts things, and takes them from.
PREFIX := /usr/local
DESTDIR :=
BIN := .build/release
SHARE = $(DESTDIR)$(PREFIX)/share

# One thing after the other, whatever `-j` says: each step wants both cores.
.NOTPARALLEL:
.PHONY: run demo test check format lint bench bench-peers chaos coverage release manual deb sbom install install-only setup build tour

## run: install what is missing, build, and serve a house with virtual devices
run: setup
	@test -x .build/debug/cardea-hub || echo "Building Cardea. The first time takes about 10 minutes on two cores; later ones take seconds."
	@$(BUILD) --product cardea-hub
	@$(BUILD) --product cardea
	@exec .build/debug/cardea-hub serve --data house --virtual-house --insecure-http

## demo: install what is missing, build, and serve a house that lives by itself, kept in memory
demo: setup
	@$(BUILD) --product cardea-hub
	@exec .build/debug/cardea-hub demo

# Home Assistant is for the tests.
run demo release: export CARDEA_RUN_ONLY := yes

## test: install what is missing, and run every test with real parts
test: setup lint check
	$(PYTHON) -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder -m 'not alone' Tests/PeerTests
	$(PYTHON) -m pytest -q -m alone Tests/PeerTests

## check: the fast loop: build and the tests that need no peers
check:
	$(BUILD) --build-tests
	swift test -c debug --skip-build --filter '$(WITHOUT_A_HOUSE)' --skip '$(IN_REAL_TIME)|$(WITH_FFMPEG)|$(BY_ITSELF)'
	swift test -c debug --skip-build --skip '$(WITHOUT_A_HOUSE)|$(IN_REAL_TIME)|$(WITH_FFMPEG)|$(BY_ITSELF)'
	swift test -c debug --skip-build --filter '$(IN_REAL_TIME)'
	swift test -c debug --skip-build --no-parallel --filter '$(WITH_FFMPEG)'
	swift test -c debug --skip-build --no-parallel --filter '$(BY_ITSELF)'

## format: lay the code out as it should be
format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

## lint: fail where the layout is not what `make format` makes of it
lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

## bench: the ratios that keep Cardea fast, linked as a release is, against the thresholds that are checked in
bench: setup
	swift run --package-path Benchmarks -c release --static-swift-stdlib Benchmarks

## bench-peers: a release hub beside a real Home Assistant, in one run; needs root for a network of its own
bench-peers: setup
	$(RELEASE) --product cardea-hub
	$(PYTHON) Benchmarks/peers.py

## chaos: the crash harness at length, a hub that is killed at each durable step of an export, an erasure, a backup, a migration, another key and a restore, a hub and those who follow it killed at random, a million guesses at a phone's digits, 100 000 simulated operations, 10 000 recorded taps, a record of 10 000 entries tampered with at every place, a million links and a million NDEF messages that somebody damaged, 20 000 calls over a bad line, a minute of a thousand listeners, 200 examples of every operation in every role, what people take away out of a thousand houses, a house that is used for an hour on a network that is listened to, a page that is told a hundred changes a second for half a minute, and every state of every screen in both themes and all sizes
chaos: setup
	$(BUILD) --build-tests
	CARDEA_CROWD_SECONDS=60 swift test -c debug --skip-build --filter CrowdTests
	CARDEA_GUESSES=1000000 swift test -c debug --skip-build --filter PhonePairingTests/bruteForce
	CARDEA_SIMULATED_OPERATIONS=100000 swift test -c debug --skip-build --filter SimulationTests
	CARDEA_RECORDED_TAPS=10000 swift test -c debug --skip-build --filter TouchTests/recorded
	CARDEA_TAMPER_STRIDE=1 swift test -c debug --skip-build --filter 'AuditEverywhereTests|AuditBundleTests/everywhere'
	CARDEA_FUZZED_LINKS=1000000 swift test -c debug --skip-build --filter TriggerLinksTests/fuzz
	CARDEA_FUZZED_LINKS=1000000 swift test -c debug --skip-build --filter TagLinkTests/fuzz
	CARDEA_FUZZED_MESSAGES=1000000 swift test -c debug --skip-build --filter MessageTests/fuzz
	CARDEA_FUZZED_SENTENCES=20000 swift test -c debug --skip-build --filter SuggestingTests/fuzz
	CARDEA_FUZZED_REMARKS=20000 swift test -c debug --skip-build --filter InterviewFuzzTests/fuzz
	CARDEA_FAULTED_CALLS=20000 swift test -c debug --skip-build --filter BadLineTests
	CARDEA_EXPORTED_HOUSES=1000 swift test -c debug --skip-build --filter ExportedHousesTests
	CARDEA_CHAOS_ROUNDS=1000 $(PYTHON) -m pytest -q Tests/PeerTests/test_crash.py
	CARDEA_CRASH_POINTS=100000 $(PYTHON) -m pytest -q Tests/PeerTests/test_privacy_crash.py Tests/PeerTests/test_house_key.py Tests/PeerTests/test_backup.py -k the_power_goes
	CARDEA_REALTIME_ROUNDS=100 $(PYTHON) -m pytest -q Tests/PeerTests/test_realtime_crash.py
	CARDEA_CONTRACT_EXAMPLES=200 $(PYTHON) -m pytest -q Tests/PeerTests/test_contract.py
	CARDEA_QUIET_SECONDS=3600 $(PYTHON) -m pytest -q Tests/PeerTests/test_quiet_network.py
	CARDEA_BUSY_SECONDS=30 $(PYTHON) -m pytest -q Tests/PeerTests/test_web_live.py -k a_hundred_changes_a_second
	CARDEA_PICTURES=1 $(PYTHON) -m pytest -q Tests/PeerTests/test_web_states.py

## coverage: every region of the gate, the commands, the tokens, the tags and the audit trail is covered by the Swift tests
coverage: setup
	swift test -c debug --disable-index-store --enable-code-coverage --skip '$(NO_CREDENTIALS)|CardeaCamerasTests|$(WITH_FFMPEG)|$(BY_ITSELF)'
	scripts/coverage

## release: what a house runs day and night
release: setup
	$(RELEASE) --product cardea-hub
	$(RELEASE) --product cardea

## manual: the manual pages, from what the programs say of themselves, into .build/manual
manual:
	$(BUILD) --product cardea-hub
	$(BUILD) --product cardea
	scripts/manual .build/manual .build/debug/cardea .build/debug/cardea-hub

## deb: a Debian package of a release build, or with CONFIGURATION=debug of a debug build, into .build/deb
CONFIGURATION := release
deb: setup
	$(if $(filter release,$(CONFIGURATION)),$(RELEASE),$(BUILD)) --product cardea-hub
	$(if $(filter release,$(CONFIGURATION)),$(RELEASE),$(BUILD)) --product cardea
	scripts/deb .build/$(CONFIGURATION) .build/deb

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

setup:
	@scripts/setup
