import CardeaMind
import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

extension Automations {
    /// Seconds after which a due action is no longer done, since a door should not move for an event of a while ago.
    static let maximumDelay: TimeInterval = 120
    private static let pageSize = 1000
    /// The most runs at a time.
    private static let maximumConcurrentRuns = 8

    // MARK: Evaluation

    /// Processes the events since the last call, and notes the actions that are due. Events before the first call are past.
    ///
    /// - Parameter isAtEnd: true if all events so far are stored. Until then the clock only advances to the last stored event, since a
    ///   state that must last may have ended already.
    public func evaluate(_ snapshot: HouseSnapshot, isAtEnd: Bool = true) async throws {
        let moment = now()
        state.withLock { inner in
            // After a wrong clock was set back, the engine's times are useless, so it begins anew.
            if let engine = inner.engine, moment < engine.clock.addingTimeInterval(-60) { inner.engine = nil }
        }
        if state.withLock({ $0.engine == nil }) { return try await startEngine(snapshot, at: moment) }
        let rules = try await reloadedRules(snapshot)
        state.withLock { inner in
            inner.engine?.configure(
                in: snapshot.zone, residents: Set(snapshot.people.map(\.key)), integrations: snapshot.integrationsByEntity,
                entities: snapshot.entityIDsByDevice)
            if let rules { inner.engine?.set(rules) }
        }
        var isLast = false
        while !isLast {
            let after = state.withLock { $0.lastEventNumber }
            let news = try await store.read { try HouseEventRecords.pageByNumber(after, limit: Self.pageSize, $0) }
            isLast = news.isLast
            receive(news, snapshot, at: moment, isWhole: isLast && isAtEnd)
        }
        try await recordActivations(at: moment)
    }

    private func receive(_ news: HouseEventRecords.Page, _ snapshot: HouseSnapshot, at moment: Date, isWhole: Bool) {
        state.withLock { inner in
            guard var engine = inner.engine else { return }
            // Two evaluations at once read the same events, which are processed once.
            let new = news.events.filter { Self.eventNumber($0).map { $0 > inner.lastEventNumber } ?? false }
                // If a source's clock is ahead, the house's own clock counts.
                .map { $0.clamped(than: moment) }.sorted { $0.at < $1.at }
            inner.unrecorded += new.flatMap { engine.receive($0) }
            inner.lastEventNumber = max(inner.lastEventNumber, news.lastNumber)
            if isWhole {
                Self.synchronize(&engine, with: snapshot, at: moment)
                inner.unrecorded += Self.sensors(of: snapshot).flatMap { engine.observe($0.id, value: $0.state.value, at: moment) }
                inner.unrecorded += engine.advance(to: moment)
            }
            inner.engine = engine
        }
    }

    /// The changed rules; nil if they have not changed.
    private func reloadedRules(_ snapshot: HouseSnapshot) async throws -> [Automation]? {
        // Counted before reading, so that a change meanwhile leads to another read.
        let commits = watch.changeCount
        let isStale = state.withLock { $0.readCommitCount != commits }
        let changed = isStale ? try await store.read { try AutomationRecords.all($0) } : nil
        let rules = try await disableOrphaned(snapshot, changed)
        if isStale { state.withLock { $0.readCommitCount = commits } }
        return rules
    }

    /// The time of the next evaluation without events; nil if it is not before `end`.
    public func nextDeadline(before end: Date) -> Date? { state.withLock { $0.engine?.nextDeadline(before: end) } }

    private func startEngine(_ snapshot: HouseSnapshot, at moment: Date) async throws {
        // Counted before reading, so that a change from here on leads to another read.
        let commits = watch.changeCount
        let unheard = snapshot.devices.filter { $0.status == .unknown }.map(\.id)
        let (rules, through, runs, words, offline) = try await store.read { db in
            let rules = try AutomationRecords.all(db)
            let watched = rules.reduce(into: Set<String>()) { $0.formUnion($1.entities) }
            return (
                rules, try HouseEventRecords.latestNumber(db),
                try AutomationRecords.runTimes(since: moment.addingTimeInterval(-AutomationEvaluator.hour), db),
                try watched.compactMap { try HouseEventRecords.lastState(of: $0, db) },
                try unheard.filter { try HouseEventRecords.wasOffline($0, before: moment, db) }
            )
        }
        state.withLock { inner in
            guard inner.engine == nil else { return }
            var engine = AutomationEvaluator(zone: snapshot.zone, at: moment)
            engine.configure(
                in: snapshot.zone, residents: Set(snapshot.people.map(\.key)), integrations: snapshot.integrationsByEntity,
                entities: snapshot.entityIDsByDevice)
            // Events since the snapshot are newer than the snapshot.
            let seen = Self.reports(of: snapshot)
            for word in words where seen[word.entityID].map({ $0.at < word.at }) ?? false {
                engine.seed(entity: word.entityID, value: word.value, since: word.at)
            }
            for device in offline { engine.seed(device: device, isUnreachable: true) }
            Self.synchronize(&engine, with: snapshot, at: moment)
            // An entity that is silent now had an earlier state; its repetition is not a change.
            for word in words { engine.seed(entity: word.entityID, value: word.value, since: word.at) }
            engine.set(rules)
            for run in runs { engine.recordRun(run.automationID, ranAt: run.at) }
            (inner.engine, inner.lastEventNumber, inner.readCommitCount) = (engine, through, commits)
        }
        _ = try await disableOrphaned(snapshot, rules)
    }

    /// The last reports of entities, by their ids, so that a repetition does not count as a change.
    private static func reports(of snapshot: HouseSnapshot) -> [String: LastReport] {
        var reports: [String: LastReport] = [:]
        for device in snapshot.devices {
            for entity in device.entities where ![.event, .image].contains(entity.kind) {
                reports[entity.id] = entity.lastReport ?? LastReport(entity.state, at: device.stateChangedAt)
            }
        }
        return reports
    }

    private static func synchronize(_ engine: inout AutomationEvaluator, with snapshot: HouseSnapshot, at moment: Date) {
        let reports = Self.reports(of: snapshot)
        for device in snapshot.devices {
            for entity in device.entities {
                guard let last = reports[entity.id] else { continue }
                engine.seed(entity: entity.id, value: last.state.value, since: last.at)
                engine.reconcile(entity.id, value: device.status == .offline ? "unknown" : entity.state.value, at: moment)
            }
            engine.seed(device: device.id, isUnreachable: device.status == .offline)
        }
        for person in snapshot.people { if let isHome = person.isHome { engine.seed(person: person.key, isHome: isHome) } }
    }

    /// Sensors with numeric states. Their values are not reported one by one; the states of other entities are.
    private static func sensors(of snapshot: HouseSnapshot) -> [Entity] {
        snapshot.devices.flatMap { $0.entities.filter { $0.kind == .sensor && Double($0.state.value) != nil } }
    }

    private static func eventNumber(_ event: HouseEvent) -> Int64? { event.id.split(separator: "_").last.flatMap { Int64($0) } }

    /// Disables automations whose owner no longer lives here.
    ///
    /// - Parameter rules: the changed rules; nil if they have not changed.
    /// - Returns: the changed rules, otherwise nil.
    private func disableOrphaned(_ snapshot: HouseSnapshot, _ rules: [Automation]?) async throws -> [Automation]? {
        let here = Set(snapshot.people.map(\.key))
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

    /// Records due actions before they are done, so that after a crash nothing is done twice. Those that cannot be recorded now are
    /// recorded with the next evaluation.
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

    private func writeActivations(_ firings: [AutomationEvaluator.Activation], at moment: Date) async throws -> [Job] {
        try await store.write { db in
            try firings.compactMap { firing -> Job? in
                // An automation that was changed meanwhile is triggered only by events from now on.
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

    // MARK: Execution

    /// Does due actions as they come, until the service stops.
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

    /// Does the pending actions now, one after the other.
    public func runPending() async {
        while let job = nextJob() { await perform(job) }
    }

    private func nextJob() -> Job? { state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() } }

    private func perform(_ job: Job) async {
        var outcomes: [AutomationRun.Outcome] = []
        if job.result == .tooOften {
            let said: @Sendable (Database) throws -> String = { [lexicon] db in
                let name = try AutomationRecords.one(job.automation.id, db)?.name ?? job.automation.name
                return lexicon.stateText(.ranTooOften, [.name: name, .count: "\(AutomationEvaluator.maximumRunsPerHour)"])
            }
            outcomes.append(await notify(said, to: .owner, job, place: 0))
        } else {
            for (place, action) in job.automation.actions.enumerated() {
                if case .notify(let words, let recipients) = action {
                    // The notification reports the results, so they must be known.
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
            logger.error("automation run could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func submit(_ action: AutomationAction, _ job: Job) async -> [AutomationRun.Outcome] {
        do {
            return try await actuator.submit(action, as: job.automation.owner, of: job.automation.id)
        } catch {
            logger.error("automation action could not be sent", metadata: ["error": "\(type(of: error))"])
            return [AutomationDryRun.outcome(of: action, status: "failed", reason: "service_unavailable")]
        }
    }

    private func writeOutcomes(_ outcomes: [AutomationRun.Outcome], of job: Job) async throws {
        try await store.write { try AutomationRecords.setOutcomes(self.currentOutcomes(outcomes, in: $0), of: job.run, in: $0) }
    }

    /// The outcomes as the commands themselves have them, in the transaction in which they are recorded or announced. A person named in
    /// an outcome may have been erased meanwhile, and the command then names them no more.
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

    /// Returns the text to send as it is now written: a person named in it may have been erased while this waited. If the action has
    /// other recipients by now, its new text is not for these, and the old one is sent.
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
            logger.error("automation notification could not be sent", metadata: ["error": "\(type(of: error))"])
            return .init(.notify, status: "failed", reason: "service_unavailable")
        }
    }

    /// Waits for the commands to the devices to end.
    private func awaitCompletion(_ outcomes: [AutomationRun.Outcome]) async -> [AutomationRun.Outcome] {
        var ended = outcomes
        for place in ended.indices {
            guard let command = ended[place].commandID, CommandStatus(rawValue: ended[place].status)?.isOver == false else { continue }
            do { (ended[place].status, ended[place].reason) = try await actuator.completion(of: command) } catch {
                logger.error("automation command outcome could not be read", metadata: ["error": "\(type(of: error))"])
            }
        }
        return ended
    }

    /// Lists the earlier actions that were not done, so that a message does not say the doors are locked when one is not.
    private func failureText(_ outcomes: [AutomationRun.Outcome]) -> String {
        let wrong = outcomes.filter { !$0.isDone && $0.action != .notify }
        guard !wrong.isEmpty else { return "" }
        let thought: StateSentence = wrong.count == outcomes.filter({ $0.action != .notify }).count ? .noneDone : .notAllDone
        let list = wrong.map { "\($0.deviceID ?? $0.action.rawValue) (\($0.reason ?? $0.status))" }.joined(separator: ", ")
        return " " + lexicon.stateText(thought, [.list: list])
    }
}
