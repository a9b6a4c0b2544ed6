import CardeaMind
import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

extension Automations {
    /// Seconds after which what should have been done is not done any more: nobody wants a door moved for what was a while ago.
    static let maximumDelay: TimeInterval = 120
    private static let pageSize = 1000
    /// Things that are done at a time.
    private static let maximumConcurrentRuns = 8

    // MARK: Seeing that something is to be done

    /// Takes in what has happened since it last looked, and notes what is to be done. What happened before it looked for the first time is past.
    ///
    /// - Parameter isAtEnd: whether all that has happened is remembered by now. As long as it is not, the clock goes no further than what is:
    ///   what was to stay so may have ended already.
    public func evaluate(_ picture: HouseSnapshot, isAtEnd: Bool = true) async throws {
        let moment = now()
        state.withLock { inner in
            // A clock that was wrong and is set back says nothing of what has happened since: it begins anew.
            if let engine = inner.engine, moment < engine.clock.addingTimeInterval(-60) { inner.engine = nil }
        }
        if state.withLock({ $0.engine == nil }) { return try await startEngine(picture, at: moment) }
        let rules = try await reloadedRules(picture)
        state.withLock { inner in
            inner.engine?.configure(
                in: picture.zone, residents: Set(picture.people.map(\.key)), integrations: picture.integrationsByEntity,
                entities: picture.entityIDsByDevice)
            if let rules { inner.engine?.set(rules) }
        }
        var isLast = false
        while !isLast {
            let after = state.withLock { $0.lastEventNumber }
            let news = try await store.read { try HouseEventRecords.pageByNumber(after, limit: Self.pageSize, $0) }
            isLast = news.isLast
            receive(news, picture, at: moment, isWhole: isLast && isAtEnd)
        }
        try await recordActivations(at: moment)
    }

    private func receive(_ news: HouseEventRecords.Page, _ picture: HouseSnapshot, at moment: Date, isWhole: Bool) {
        state.withLock { inner in
            guard var engine = inner.engine else { return }
            // Two looks at once read the same; it is taken in once.
            let new = news.events.filter { Self.eventNumber($0).map { $0 > inner.lastEventNumber } ?? false }
                // Whoever tells of it has a clock that is ahead: the house goes by its own.
                .map { $0.clamped(than: moment) }.sorted { $0.at < $1.at }
            inner.unrecorded += new.flatMap { engine.receive($0) }
            inner.lastEventNumber = max(inner.lastEventNumber, news.lastNumber)
            if isWhole {
                Self.synchronize(&engine, with: picture, at: moment)
                inner.unrecorded += Self.sensors(of: picture).flatMap { engine.observe($0.id, says: $0.state.value, at: moment) }
                inner.unrecorded += engine.advance(to: moment)
            }
            inner.engine = engine
        }
    }

    /// The rules, where they are not what they were.
    private func reloadedRules(_ picture: HouseSnapshot) async throws -> [Automation]? {
        // Counted before they are read: what is changed meanwhile has them read once more.
        let commits = watch.changeCount
        let isStale = state.withLock { $0.readCommitCount != commits }
        let changed = isStale ? try await store.read { try AutomationRecords.all($0) } : nil
        let rules = try await disableOrphaned(picture, changed)
        if isStale { state.withLock { $0.readCommitCount = commits } }
        return rules
    }

    /// When it is to look again though nothing happens; nil where that is not before `end`.
    public func nextDeadline(before end: Date) -> Date? { state.withLock { $0.engine?.nextDeadline(before: end) } }

    private func startEngine(_ picture: HouseSnapshot, at moment: Date) async throws {
        // Whatever is changed from here on makes it look again.
        let commits = watch.changeCount
        let unheard = picture.devices.filter { $0.status == .unknown }.map(\.id)
        let (rules, through, runs, words, offline) = try await store.read { db in
            let rules = try AutomationRecords.all(db)
            let watched = rules.reduce(into: Set<String>()) { $0.formUnion($1.entities) }
            return (
                rules, try HouseEventRecords.latestNumber(db),
                try AutomationRecords.runTimes(since: moment.addingTimeInterval(-AutomationEngine.hour), db),
                try watched.compactMap { try HouseEventRecords.lastState(of: $0, db) },
                try unheard.filter { try HouseEventRecords.wasOffline($0, before: moment, db) }
            )
        }
        state.withLock { inner in
            guard inner.engine == nil else { return }
            var engine = AutomationEngine(zone: picture.zone, at: moment)
            engine.configure(
                in: picture.zone, residents: Set(picture.people.map(\.key)), integrations: picture.integrationsByEntity,
                entities: picture.entityIDsByDevice)
            // What was told since the house was looked at is newer than what was seen of it.
            let seen = Self.reports(of: picture)
            for word in words where seen[word.entityID].map({ $0.at < word.at }) ?? false {
                engine.seed(entity: word.entityID, says: word.value, since: word.at)
            }
            for device in offline { engine.seed(device: device, isUnreachable: true) }
            Self.synchronize(&engine, with: picture, at: moment)
            // What says nothing just now said something before: that it says so again is no news.
            for word in words { engine.seed(entity: word.entityID, says: word.value, since: word.at) }
            engine.set(rules)
            for run in runs { engine.recordRun(run.automationID, ranAt: run.at) }
            (inner.engine, inner.lastEventNumber, inner.readCommitCount) = (engine, through, commits)
        }
        _ = try await disableOrphaned(picture, rules)
    }

    /// What entities said last, by their ids: that they say so again is no news.
    private static func reports(of picture: HouseSnapshot) -> [String: LastReport] {
        var reports: [String: LastReport] = [:]
        for device in picture.devices {
            for entity in device.entities where ![.event, .image].contains(entity.kind) {
                reports[entity.id] = entity.lastReport ?? LastReport(entity.state, at: device.stateChangedAt)
            }
        }
        return reports
    }

    private static func synchronize(_ engine: inout AutomationEngine, with picture: HouseSnapshot, at moment: Date) {
        let reports = Self.reports(of: picture)
        for device in picture.devices {
            for entity in device.entities {
                guard let last = reports[entity.id] else { continue }
                engine.seed(entity: entity.id, says: last.state.value, since: last.at)
                engine.reconcile(entity.id, says: device.status == .offline ? "unknown" : entity.state.value, at: moment)
            }
            engine.seed(device: device.id, isUnreachable: device.status == .offline)
        }
        for person in picture.people { if let isHome = person.isHome { engine.seed(person: person.key, isHome: isHome) } }
    }

    /// What they say is not told one by one.
    /// Those that measure: words are told one by one.
    private static func sensors(of picture: HouseSnapshot) -> [Entity] {
        picture.devices.flatMap { $0.entities.filter { $0.kind == .sensor && Double($0.state.value) != nil } }
    }

    private static func eventNumber(_ happening: HouseEvent) -> Int64? { happening.id.split(separator: "_").last.flatMap { Int64($0) } }

    /// Switches off what nobody answers for any more.
    ///
    /// - Parameter rules: those that are known; nil where they are as they were.
    /// - Returns: the rules, where they are not what they were.
    private func disableOrphaned(_ picture: HouseSnapshot, _ rules: [Automation]?) async throws -> [Automation]? {
        let here = Set(picture.people.map(\.key))
        let owners = state.withLock { $0.engine?.owners ?? [] }.union(rules?.map(\.owner) ?? [])
        guard !owners.allSatisfy({ here.contains("person:\($0)") }) else { return rules }
        let moment = now()
        return try await store.write { [actuator] db in
            var all = try AutomationRecords.all(db)
            for place in all.indices where all[place].isOn && !here.contains("person:\(all[place].owner)") {
                all[place].isOn = false
                all[place].offBecause = .ownerLeft
                all[place].version += 1
                all[place].changedAt = moment
                try AutomationRecords.write(all[place], in: db)
                let record = actuator.recorder(of: all[place].id, owner: all[place].owner)
                try record(.automationChanged, subject: all[place].id, data: ["removed": false], in: db)
            }
            return all
        }
    }

    /// Writes down what is to be done before it is done: whatever ends the house, nothing is done twice. What cannot be written now is with the
    /// next look.
    private func recordActivations(at moment: Date) async throws {
        let firings = state.withLock { inner in
            defer { inner.unrecorded = [] }
            return inner.unrecorded
        }
        guard !firings.isEmpty else { return }
        let jobs: [Job]
        do { jobs = try await writeActivations(firings, at: moment) } catch {
            state.withLock { $0.unrecorded = firings + $0.unrecorded }
            throw error
        }
        state.withLock { $0.jobs += jobs }
        if !jobs.isEmpty { wakeups.continuation.yield() }
    }

    private func writeActivations(_ firings: [AutomationEngine.Activation], at moment: Date) async throws -> [Job] {
        try await store.write { db in
            try firings.compactMap { firing -> Job? in
                // One that is another by now is set going by what happens to it from now on.
                guard let automation = try AutomationRecords.one(firing.automationID, db), automation.isOn,
                    automation.version == firing.version
                else { return nil }
                let isLate = moment.timeIntervalSince(firing.occurredAt) > Self.maximumDelay
                let result = isLate ? .late : firing.verdict.result
                let run = try AutomationRecords.add(firing, result, in: db)
                return result == .ran || result == .tooOften ? Job(run: run, automation: automation, at: firing.at, result: result) : nil
            }
        }
    }

    // MARK: Doing it

    /// Does what is to be done, as it comes, until the house ends.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            var busy = 0
            for await _ in wakeups.stream {
                while let job = nextJob() {
                    if busy == Self.maximumConcurrentRuns {
                        await group.next()
                        busy -= 1
                    }
                    busy += 1
                    group.addTask { await self.perform(job) }
                }
            }
        }
    }

    /// Does what waits to be done now, one after the other.
    public func runPending() async {
        while let job = nextJob() { await perform(job) }
    }

    private func nextJob() -> Job? { state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() } }

    private func perform(_ job: Job) async {
        var outcomes: [AutomationRun.Outcome] = []
        if job.result == .tooOften {
            let said: @Sendable (Database) throws -> String = { [lexicon] db in
                let name = try AutomationRecords.one(job.automation.id, db)?.name ?? job.automation.name
                return lexicon.stateText(.ranTooOften, [.name: name, .count: "\(AutomationEngine.maximumRunsPerHour)"])
            }
            outcomes.append(await notify(said, to: .owner, job, place: 0))
        } else {
            for (place, action) in job.automation.actions.enumerated() {
                if case .notify(let words, let recipients) = action {
                    // What is told is told of what has come of it.
                    let done = await awaitCompletion(outcomes)
                    let said: @Sendable (Database) throws -> String = { db in
                        try self.currentText(words, to: recipients, job, place: place, in: db)
                            + self.failureText(self.currentOutcomes(done, in: db))
                    }
                    let told = await notify(said, to: recipients, job, place: place)
                    outcomes = done + [told]
                } else {
                    outcomes += await submit(action, job)
                }
            }
        }
        do {
            try await writeOutcomes(outcomes, of: job)
            let all = await awaitCompletion(outcomes)
            if all != outcomes { try await writeOutcomes(all, of: job) }
        } catch {
            logger.error("what came of an automation could not be written", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func submit(_ action: AutomationAction, _ job: Job) async -> [AutomationRun.Outcome] {
        do {
            return try await actuator.submit(action, as: job.automation.owner, of: job.automation.id)
        } catch {
            logger.error("an automation could not ask for what it does", metadata: ["error": "\(type(of: error))"])
            return [AutomationDryRun.outcome(of: action, status: "failed", reason: "service_unavailable")]
        }
    }

    private func writeOutcomes(_ outcomes: [AutomationRun.Outcome], of job: Job) async throws {
        try await store.write { try AutomationRecords.setOutcomes(self.currentOutcomes(outcomes, in: $0), of: job.run, in: $0) }
    }

    /// As the commands themselves tell of it, in the transaction in which it is noted or told: while this waited, somebody may have been erased
    /// whom one had named, and the command names them no more.
    private func currentOutcomes(_ outcomes: [AutomationRun.Outcome], in db: Database) throws -> [AutomationRun.Outcome] {
        try outcomes.map { outcome -> AutomationRun.Outcome in
            guard let command = outcome.commandID else { return outcome }
            let standing = try actuator.status(of: command, in: db)
            var told = outcome
            told.status = standing?.status ?? outcome.status
            told.reason = standing?.reason
            return told
        }
    }

    /// What is said, as it is written when it is said: while this waited, somebody may have been erased whom it had named. What is written for
    /// others by now is not for these.
    private func currentText(
        _ words: String, to recipients: AutomationAction.Recipients, _ job: Job, place: Int, in db: Database
    ) throws -> String {
        guard let automation = try AutomationRecords.one(job.automation.id, db), automation.actions.indices.contains(place),
            case .notify(let written, recipients) = automation.actions[place]
        else { return words }
        return written
    }

    private func notify(
        _ words: @escaping @Sendable (Database) throws -> String, to recipients: AutomationAction.Recipients, _ job: Job, place: Int
    ) async -> AutomationRun.Outcome {
        do {
            let refusal = try await actuator.notify(
                words, to: recipients, as: job.automation.owner, of: job.automation.id, occasion: "run:\(job.run):\(place)")
            return .init(.notify, status: refusal == nil ? "told" : "refused", reason: refusal?.name)
        } catch {
            logger.error("an automation could not tell anybody", metadata: ["error": "\(type(of: error))"])
            return .init(.notify, status: "failed", reason: "service_unavailable")
        }
    }

    /// Waits for what was asked of the devices.
    private func awaitCompletion(_ outcomes: [AutomationRun.Outcome]) async -> [AutomationRun.Outcome] {
        var ended = outcomes
        for place in ended.indices {
            guard let command = ended[place].commandID, CommandStatus(rawValue: ended[place].status)?.isOver == false else { continue }
            do { (ended[place].status, ended[place].reason) = try await actuator.completion(of: command) } catch {
                logger.error("what came of a command is not known", metadata: ["error": "\(type(of: error))"])
            }
        }
        return ended
    }

    /// Of what was asked before, what was not done: nobody is told that the doors are locked where one is not.
    private func failureText(_ outcomes: [AutomationRun.Outcome]) -> String {
        let wrong = outcomes.filter { !$0.isDone && $0.action != .notify }
        guard !wrong.isEmpty else { return "" }
        let thought: StateSentence = wrong.count == outcomes.filter({ $0.action != .notify }).count ? .noneDone : .notAllDone
        let list = wrong.map { "\($0.deviceID ?? $0.action.rawValue) (\($0.reason ?? $0.status))" }.joined(separator: ", ")
        return " " + lexicon.stateText(thought, [.list: list])
    }
}
