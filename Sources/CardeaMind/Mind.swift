// This file is the public interface of CardeaMind, together with its values.
import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// The mind of the house: its memories, emotions and answers. It reads the house through `HouseReader` alone and moves nothing;
/// automations act through a port of their own.
public final class Mind: Service {
    public let eventStore: HouseEventStore
    let memories: Memories
    let store: Store
    let houseReader: any HouseReader
    let time: TimeSource
    let logger: Logger
    let state: Mutex<MutableState>
    /// The words of its sentences.
    public let lexicon: Lexicon
    /// Rewords a sentence that the house could not read; nil if none was configured.
    let reworder: (any Reworder)?
    let conversations = Mutex(Conversations())
    /// The conversations for adding devices.
    public let interviews: Interviews
    public let twins: Twins
    /// Simulates changes that have not been made.
    public let whatIf: WhatIfService
    let automations: any AutomationRunner

    /// The clock of the mind.
    public struct TimeSource: Sendable {
        public let now: @Sendable () -> Date
        public let sleep: @Sendable (_ until: Date) async throws -> Void

        public init(now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (_ until: Date) async throws -> Void) {
            self.now = now
            self.sleep = sleep
        }
    }

    /// The mutable state of the mind.
    struct MutableState {
        var mood: Mood
        var habits: Habits?
        var firstSeen = DeviceFirstSeen()
        var loop = MindLoop(id: "house", name: "The house")
        /// True if the last read of the house succeeded.
        var houseReaderResponds = true
        /// The time since which there have been unread events; nil if there are none.
        var laggingSince: Date?
        var isReady = false
        var polledAt: Date
        var people: Set<String> = []
        var moodUpdatedAt: Date?
        var activeCauseIDs: Set<String> = []
        var learningProgress = LearningProgress()
        /// The time of the last consolidation of memories.
        var consolidatedAt: Date?
        /// The last status that was published.
        var reportedStatus: Status?
        /// The dangers that were reported and are not over, by their causes' ids; nil before the first check.
        var reportedDangers: Set<String>?
        /// The number of saves prepared, and the last of them that was written to disk.
        var saveCounter = (drawn: 0, written: 0)
    }

    /// The public part of the status. Subscribers are notified when it changes.
    struct Status: Hashable {
        let status: ConsciousnessStatus
        let primary: Emotion
        /// The causes of its worry. Only a change of them is published: requesters see the causes they may see when they read the mood.
        let worries: Set<String>
    }

    /// Seconds between two polls of the house without events, and the least between two polls with many.
    private static let (pollInterval, minimumPause): (TimeInterval, TimeInterval) = (60, 1)
    /// The most pages read in one poll, and the most pauses for other writers meanwhile.
    private static let pageLimit = 100
    /// The most pauses for other writers at a time, of a fortieth of a second each.
    private static let yieldLimit = 20
    /// The least seconds between two steps of the mood.
    private static let moodUpdateInterval: TimeInterval = 30
    /// The most steps of the mood at once when people are in danger: more than are needed from the happiest state.
    private static let dangerUpdateLimit = 4
    /// Seconds for which past events affect the mood.
    static let day: TimeInterval = 86_400
    /// Full visibility, for the mind's own use.
    static let fullVisibility = RequesterVisibility(key: "mind", seesEverybody: true, seesGuests: true)

    /// - Throws: if the lexicon's file is not valid.
    public init(
        store: Store, houseReader: any HouseReader, records: any CommandHistoryReader, automations: any AutomationRunner,
        reworder: (any Reworder)? = nil, time: TimeSource, logger: Logger
    ) throws {
        let lexicon = try Lexicon.english()
        self.lexicon = lexicon
        self.reworder = reworder
        self.store = store
        self.houseReader = houseReader
        self.time = time
        self.logger = logger
        let memory = HouseEventStore(store: store, houseReader: houseReader, now: time.now)
        let models = ThermalTwinCache()
        self.eventStore = memory
        twins = Twins(store: store, houseReader: houseReader, records: records, houseHistory: memory, thermalTwins: models, now: time.now)
        // Only the rules as values, so what-if cannot act.
        whatIf = WhatIfService(
            houseReader: houseReader, records: records, houseHistory: memory, models: models, words: WhatIfText(lexicon), now: time.now
        ) {
            try await automations.all()
        }
        memories = Memories(store: store, now: time.now)
        interviews = Interviews(store: store, houseReader: houseReader, now: time.now)
        self.automations = automations
        state = Mutex(MutableState(mood: Mood(at: time.now()), polledAt: time.now()))
    }

    // MARK: Running

    public func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            await handle(.start, nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                group.addTask { [houseReader, time] in
                    for await _ in houseReader.changes() {
                        bell.yield()
                        // Writes within the minimum pause need not wake it.
                        do { try await time.sleep(time.now().addingTimeInterval(Self.minimumPause)) } catch { return }
                    }
                }
                group.addTask { [self] in
                    while !Task.isCancelled {
                        bell.yield()
                        do { try await waitForNextPoll() } catch is CancellationError { return }
                    }
                }
                group.addTask { [automations] in await automations.run() }
                group.addTask { [self] in await repairMemories() }
                for await _ in rings {
                    await poll()
                    do { try await time.sleep(time.now().addingTimeInterval(Self.minimumPause)) } catch is CancellationError { break }
                }
                group.cancelAll()
            }
        }
        await handle(.stop, nil)
    }

    /// Completes the memory index if an older hub has not. On a disk error it tries again; the house is observed meanwhile.
    private func repairMemories() async {
        while !Task.isCancelled {
            do {
                return try await memories.rebuildIndex()
            } catch is CancellationError {
                return
            } catch {
                logger.warning("memories of an older version could not be listed", metadata: ["error": "\(type(of: error))"])
            }
            do { try await time.sleep(time.now().addingTimeInterval(Self.pollInterval)) } catch { return }
        }
    }

    /// Waits for the next poll without events: until the poll interval is over, or an automation is due.
    private func waitForNextPoll() async throws {
        let end = time.now().addingTimeInterval(Self.pollInterval)
        while time.now() < end {
            let step = min(time.now().addingTimeInterval(Self.moodUpdateInterval / 3), end)
            // At least the minimum pause, so that a failing poll is not repeated without end.
            let due = automations.nextDeadline(before: step).map { max($0, time.now().addingTimeInterval(Self.minimumPause)) }
            try await time.sleep(due ?? step)
            if due != nil { return }
        }
    }

    /// Reads new events and processes them.
    ///
    /// - Parameter isAsked: true to do so at once, however short ago the last poll was.
    public func poll(isAsked: Bool = false) async {
        if !state.withLock({ $0.isReady }) { await handle(.start, nil) }
        var isAtEnd = false
        do {
            isAtEnd = try await withTimeout { [self] in
                var rests = Self.pageLimit
                return try await eventStore.catchUp(pages: Self.pageLimit) { isAsked ? true : try await yieldToWriters(&rests) }
            }
            recordProgress(isAtEnd: isAtEnd)
        } catch is CancellationError {
            return
        } catch {
            recordProgress(isAtEnd: false)
            // The position stays where it is, so the next change reads these events again.
            logger.warning("mind could not store a memory", metadata: ["error": "\(type(of: error))"])
        }
        do {
            let snapshot = try await withTimeout { [houseReader] in try await houseReader.house() }
            // Independent of the loop: if it is slow, in error or in safe mode, smoke is announced all the same.
            await reportDangers(snapshot)
            try await automations.evaluate(snapshot, isAtEnd: isAtEnd || isLaggingTooLong)
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning("automations could not be evaluated", metadata: ["error": "\(type(of: error))"])
        }
        await handle(isAsked ? .trigger : .tick, CycleData())
    }

    /// True if the backlog of events has lasted longer than a poll interval. Automations then no longer wait for it: doors due to be
    /// locked at ten are locked all the same.
    private var isLaggingTooLong: Bool {
        let now = time.now()
        return state.withLock { $0.laggingSince.map { now.timeIntervalSince($0) > Self.pollInterval } ?? false }
    }

    func recordProgress(isAtEnd: Bool) {
        let now = time.now()
        state.withLock { $0.laggingSince = isAtEnd ? nil : $0.laggingSince ?? now }
    }

    /// Yields the disk to other writers: for a moment, and for as long as another one writes, up to a limit.
    ///
    /// - Parameter rests: the number of such moments left in this poll. The next poll reads the remaining events.
    /// - Returns: true to continue.
    private func yieldToWriters(_ rests: inout Int) async throws -> Bool {
        for _ in 0..<Self.yieldLimit where rests > 0 {
            rests -= 1
            let commits = store.commitCount
            try await time.sleep(time.now().addingTimeInterval(0.025))
            if store.commitCount == commits { break }
        }
        return rests > 0
    }

    /// Returns the result of `work`. Throws `MindTimeoutError` if it takes longer than half a minute.
    func withTimeout<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let answer = try await time.result(within: LoopRules.response, of: work) else { throw MindTimeoutError() }
        return answer
    }

    /// The results of one round.
    private struct CycleData: Sendable {
        var house: HouseSnapshot?
        var events: [HouseEvent] = []
        /// Hourly readings of the sensors that causes depend on.
        var hours: [String: [HourlyReading]] = [:]
        var causes: [Cause] = []
    }

    private func handle(_ event: MindLoop.Event, _ round: CycleData?) async {
        var round = round
        var decisions = state.withLock { $0.loop.handle(event, at: time.now()) }
        while !decisions.isEmpty {
            let decision = decisions.removeFirst()
            switch decision {
            case .prepare:
                let isReady = await loadState()
                decisions += state.withLock { $0.loop.handle(isReady ? .ready : .notReady, at: time.now()) }
            case .run(let phase, let number, _):
                let (began, before) = (time.now(), round ?? CycleData())
                let end: MindLoop.Event
                if let (found, isDone) = await runPhase(of: phase, before) {
                    round = found
                    let duration = time.now().timeIntervalSince(began)
                    end = isDone ? .done(phase, round: number, duration: duration) : .failed(phase, round: number, duration: duration)
                } else {
                    logger.error("part of the mind does not answer", metadata: ["part": "\(phase.rawValue)"])
                    // The loop measures the wait itself.
                    end = .tick
                }
                decisions += state.withLock { $0.loop.handle(end, at: time.now()) }
            case .enteredSafeMode(let why):
                logger.error("mind entered safe mode", metadata: ["why": "\(why)"])
                await saveSafeMode()
            // The next signal triggers the next round; cancelled work is not waited for any more.
            case .abandon, .rest: break
            }
        }
    }

    /// Reports a violation: the loop goes into safe mode.
    func reportViolation(_ why: String) async {
        // The saved state includes it, so the state must have been loaded first.
        if !state.withLock({ $0.isReady }) { await handle(.start, nil) }
        await handle(.violation(.critical, why: why), nil)
    }

    /// Runs a phase and returns its results. A phase that does not answer in time is cancelled.
    private func runPhase(of phase: LoopPhase, _ before: CycleData) async -> (CycleData, isDone: Bool)? {
        do {
            let answer = try await time.result(within: LoopRules.response) { [self] in
                var round = before
                let isDone = await perform(phase, &round)
                return (round, isDone: isDone)
            }
            if answer == nil, phase == .sense { state.withLock { $0.houseReaderResponds = false } }
            return answer
        } catch {
            return (before, isDone: false)
        }
    }

    private func perform(_ phase: LoopPhase, _ round: inout CycleData) async -> Bool {
        do {
            switch phase {
            case .sense: try await readHouse(&round)
            case .analyze: findCauses(&round)
            case .feedback: try await updateMood(round)
            case .learn: try await learn(round.house)
            }
            return true
        } catch {
            // Work that is cancelled, since the hub stops or no answer came in time, has not failed.
            guard !Task.isCancelled else { return false }
            logger.warning("part of the mind failed", metadata: ["part": "\(phase.rawValue)", "error": "\(type(of: error))"])
            if phase == .sense { state.withLock { $0.houseReaderResponds = false } }
            return false
        }
    }

    private func readHouse(_ round: inout CycleData) async throws {
        let now = time.now()
        let snapshot = try await houseReader.house()
        try await interviews.erase(except: Set(snapshot.people.map { String($0.key.drop { $0 != ":" }.dropFirst()) }))
        let wanted = HouseEventFilter(from: now.addingTimeInterval(-Self.day), to: now.addingTimeInterval(1), limit: 1000)
        round.events = try await eventStore.events(wanted, seenBy: Self.fullVisibility)
        round.house = snapshot
        let (habits, firstSeen) = state.withLock { ($0.habits, $0.firstSeen) }
        let outlook = CauseDetector(
            snapshot: snapshot, events: round.events, habits: habits, firstSeen: firstSeen, now: now, in: lexicon)
        // A full page may end before the day does.
        let page = round.events.count < wanted.limit ? nil : round.events.last?.at
        let border = page ?? now.addingTimeInterval(-Self.day)
        var begun: [HouseEvent] = []
        for beginning in outlook.startTimeFilters(before: border) {
            begun += try await eventStore.events(beginning, seenBy: Self.fullVisibility)
        }
        for word in outlook.lastReportFilters(before: border, beside: begun) {
            begun += try await eventStore.events(word, seenBy: Self.fullVisibility)
        }
        round.events += begun
        for sensor in outlook.evidenceSensors {
            round.hours[sensor] = try await houseReader.hours(
                of: sensor, from: now.addingTimeInterval(-Self.day), to: now.addingTimeInterval(1))
        }
        state.withLock { inner in
            inner.houseReaderResponds = true
            if inner.habits?.zone != snapshot.zone { inner.resetHabits(in: snapshot.zone) }
            inner.polledAt = now
            inner.firstSeen.update(snapshot, at: now)
            // Causes about people who no longer live here are removed.
            let people = Set((snapshot.people + snapshot.guests).map(\.key))
            for gone in inner.people.subtracting(people) { inner.mood.removeCauses(gone) }
            inner.people = people
        }
    }

    private func findCauses(_ round: inout CycleData) {
        guard let snapshot = round.house else { return }
        let (habits, firstSeen) = state.withLock { ($0.habits, $0.firstSeen) }
        let outlook = CauseDetector(
            snapshot: snapshot, events: round.events, hours: round.hours, habits: habits, firstSeen: firstSeen,
            quietHours: snapshot.quietHours, now: time.now(), in: lexicon)
        round.causes = outlook.causes()
    }

    /// Updates the mood. Causes that exist act at once; the effects of causes that are over fade with time.
    private func updateMood(_ round: CycleData) async throws {
        let (now, ids) = (time.now(), Set(round.causes.map(\.id)))
        let begun = state.withLock { inner -> [Deviation] in
            // While only half of the past is learned, usual behaviour is not known yet.
            let isStudying = inner.learningProgress.isReplayingPast
            let begun = isStudying ? [] : round.house.flatMap { inner.habits?.detectDeviations($0, at: now, lexicon).begun } ?? []
            // New worries act at once.
            let alarms = round.causes.contains { $0.effects.worry > 0 && !inner.activeCauseIDs.contains($0.id) }
            // So do worries that are over.
            let isRelieved = inner.mood.state.shares.contains { $0.cause.effects.worry > 0 && !ids.contains($0.cause.id) }
            let wait = alarms || isRelieved ? 0 : ids == inner.activeCauseIDs ? Self.pollInterval : Self.moodUpdateInterval
            guard inner.moodUpdatedAt.map({ now.timeIntervalSince($0) >= wait || now < $0 }) ?? true else { return begun }
            inner.mood.update(round.causes, at: now)
            // In a danger, worry must be the strongest emotion at once, however happy the house was a moment ago.
            var cycles = 1
            while cycles < Self.dangerUpdateLimit, inner.mood.state.primary != .worry, round.causes.contains(where: \.isDanger) {
                inner.mood.update(round.causes, at: now)
                cycles += 1
            }
            (inner.moodUpdatedAt, inner.activeCauseIDs) = (now, ids)
            return begun
        }
        do {
            try await reportDeviations(begun, at: now)
        } catch {
            // Deviations that could not be published are raised again by the next round.
            state.withLock { inner in for deviation in begun { inner.habits?.raised[deviation.key] = nil } }
            throw error
        }
        if let snapshot = round.house { try await reportStatus(snapshot, round, at: now) }
    }

    /// Saves deviations as memories and publishes them.
    private func reportDeviations(_ begun: [Deviation], at now: Date) async throws {
        guard !begun.isEmpty else { return }
        try await store.write { [lexicon] db in
            for deviation in begun {
                let memory = Memory(of: deviation, at: now, lexicon)
                try MemoryRecords.write(memory, in: db)
                try Journal.append(.memoryChanged, subject: memory.id, data: ["removed": false], at: now, in: db)
                var data: [String: JSONValue] = ["notice": "unusual", "words": .string(deviation.words.text)]
                // The sender of the notification picks the text in its reader's unit.
                if !deviation.words.warmths.isEmpty {
                    let fahrenheit = TemperatureUnit.fahrenheit
                    data["words_in"] = [fahrenheit.rawValue: .string(deviation.words.text(in: fahrenheit))]
                }
                if deviation.isEnergy { data["needs"] = .string(Right.viewEnergy.rawValue) }
                try Journal.append(.mindChanged, deviceID: deviation.deviceID, subject: memory.id, data: data, at: now, in: db)
            }
        }
    }

    /// Publishes that the status has changed. Clients fetch the details.
    private func reportStatus(_ snapshot: HouseSnapshot, _ round: CycleData, at now: Date) async throws {
        let standing = state.withLock { inner -> Status? in
            let recent = round.events.filter { $0.at >= now.addingTimeInterval(-2 * Awareness.inactivityLimit) }
            let signals = Awareness.Signals(
                snapshot: snapshot, houseReaderResponds: true, journalLag: inner.laggingSince.map { now.timeIntervalSince($0) } ?? 0,
                events: recent, quietHours: snapshot.quietHours, phaseDuration: 0)
            let standing = Status(
                status: Awareness(signals, at: now).status, primary: inner.mood.seen(by: Self.fullVisibility).primary,
                worries: Set(round.causes.filter { $0.effects.worry > 0 }.map(\.id)))
            guard standing != inner.reportedStatus else { return nil }
            inner.reportedStatus = standing
            return standing
        }
        guard let standing else { return }
        try await store.write { db in
            let status = JSONValue.string(standing.status.rawValue)
            try Journal.append(.mindChanged, subject: "mind", data: ["status": status], at: now, in: db)
        }
    }
}
