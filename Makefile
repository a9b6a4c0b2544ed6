# The two commands of the README are `make run` and `make test`; the rest is for whoever works on Cardea.

BUILD := swift build -c debug -j 2
RELEASE := swift build -c release -j 2
PYTHON := .venv/bin/python
# Tests that speak to others in real time. They run by themselves: beside hundreds that want the same two cores, a second is not a second.
# Those with ffmpeg, which takes a core for each picture, run apart from these too.
WITH_FFMPEG := CardeaCamerasTests|CardeaPicturesTests
# What is measured in milliseconds runs with nothing beside it.
BY_ITSELF := RecordedHouseTests
IN_REAL_TIME := CrowdTests|BadLineTests|CardeaMQTTTests|CardeaHomeAssistantTests|CardeaClientTests|CardeaTLSTests
# So many begin at a time. All at once, each takes as long as all, and what waits for an answer has given up by then.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := 12
# A trap must not leave the port held while a backtrace is drawn.
export SWIFT_BACKTRACE := enable=yes,symbolicate=off,threads=crashed,images=none,registers=none

# Where `make install` puts things, and takes them from.
PREFIX := /usr/local
DESTDIR :=
BIN := .build/release
SHARE = $(DESTDIR)$(PREFIX)/share

.PHONY: run test check format lint bench bench-peers chaos coverage release manual deb sbom install install-only setup build tour

## run: install what is missing, build, and serve a house with virtual devices
run: setup
	@test -x .build/debug/cardea-hub || echo "Building Cardea. The first time takes about 8 minutes on two cores; later ones take seconds."
	@$(BUILD) --product cardea-hub
	@$(BUILD) --product cardea
	@exec .build/debug/cardea-hub serve --data house --virtual-house --insecure-http

# Home Assistant is for the tests.
run release: export CARDEA_RUN_ONLY := yes

## test: install what is missing, and run every test with real parts
test: setup lint
	$(BUILD) --build-tests
	swift test -c debug --skip-build --skip '$(IN_REAL_TIME)|$(WITH_FFMPEG)|$(BY_ITSELF)'
	swift test -c debug --skip-build --filter '$(IN_REAL_TIME)'
	swift test -c debug --skip-build --filter '$(WITH_FFMPEG)'
	swift test -c debug --skip-build --filter '$(BY_ITSELF)'
	$(PYTHON) -m pytest -q -n 3 --dist loadfile -m 'not alone' Tests/PeerTests
	$(PYTHON) -m pytest -q -m alone Tests/PeerTests

## check: the fast loop: build and the tests that need no peers
check:
	$(BUILD) --build-tests
	swift test -c debug --skip-build --skip '$(IN_REAL_TIME)|$(WITH_FFMPEG)|$(BY_ITSELF)'
	swift test -c debug --skip-build --filter '$(IN_REAL_TIME)'
	swift test -c debug --skip-build --filter '$(WITH_FFMPEG)'
	swift test -c debug --skip-build --filter '$(BY_ITSELF)'

## format: lay the code out as it should be
format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

## lint: fail where the layout is not what `make format` makes of it
lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

## bench: the ratios that keep Cardea fast, against the thresholds that are checked in
bench: setup
	swift run --package-path Benchmarks -c release Benchmarks

## bench-peers: a release hub beside a real Home Assistant, in one run; needs root for a network of its own
bench-peers: setup
	$(RELEASE) --product cardea-hub
	$(PYTHON) Benchmarks/peers.py

## chaos: the crash harness at length, a hub that is killed at each durable step of an export, an erasure, a backup and a migration, a million guesses at a phone's digits, 100 000 simulated operations, 10 000 recorded taps, a record of 10 000 entries tampered with at every place, a million links and a million NDEF messages that somebody damaged, 20 000 calls over a bad line, a minute of a thousand listeners, 200 examples of every operation in every role, what people take away out of a thousand houses, and a house that is used for an hour on a network that is listened to
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
	CARDEA_CRASH_POINTS=100000 $(PYTHON) -m pytest -q Tests/PeerTests/test_privacy_crash.py
	CARDEA_CONTRACT_EXAMPLES=200 $(PYTHON) -m pytest -q Tests/PeerTests/test_contract.py
	CARDEA_QUIET_SECONDS=3600 $(PYTHON) -m pytest -q Tests/PeerTests/test_quiet_network.py

## coverage: every region of the gate, the commands, the tokens, the tags and the audit trail is covered by the Swift tests
coverage: setup
	swift test -c debug --enable-code-coverage --skip '$(subst CardeaClientTests|,,$(IN_REAL_TIME))|$(WITH_FFMPEG)|$(BY_ITSELF)'
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
	swift build -c $(CONFIGURATION) -j 2 --product cardea-hub
	swift build -c $(CONFIGURATION) -j 2 --product cardea
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
