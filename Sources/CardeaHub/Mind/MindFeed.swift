import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Read access to the whole house for the mind, which shows no more than `reach` permits.
public struct MindFeed: Sendable {
    let store: Store
    let house: House
    let devices: Devices
    let auditLogWriter: AuditLogWriter
    let environment: HubEnvironment
    let activity: ActivityLog

    /// The house at one moment.
    public struct Snapshot: Sendable {
        public let name: String
        public let zone: TimeZone
        public let preferences: HousePreferences
        public let rooms: [Room]
        public let devices: [Device]
        public let people: [Person]
        public let guests: [(id: String, name: String)]
        public let scenes: [(id: String, name: String)]
        /// The sources of events, under the names they are listed by: cameras by their names, others by the names they report.
        public let cameras: [(place: String, name: String)]
    }

    public func snapshot() async throws -> Snapshot {
        let facts = house.current
        return try await store.read { [devices] db in
            Snapshot(
                name: facts.name, zone: facts.timeZone, preferences: facts.preferences, rooms: try RoomRecords.all(db),
                devices: devices.withLastSeen, people: try PeopleRecords.all(db),
                guests: try Row.fetchAll(
                    db, sql: "SELECT id, opened(name, 'guests.name', id) FROM guests ORDER BY created_at DESC LIMIT 500"
                ).map { ($0[0], $0[1]) },
                scenes: try SceneRecords.all(db).map { ($0.id, $0.name) }, cameras: try EventRecords.places(db))
        }
    }

    /// Returns the person who asks, with their present rights. Throws for someone who no longer lives here or may not see devices.
    public func requester(_ principal: Principal) async throws -> Person {
        try await store.read { try People.require(.controlDevices, of: principal, in: $0) }
    }

    /// The same for a request that needs a certain right.
    public func requester(_ principal: Principal, needing right: Right) async throws -> Person {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try People.require(right, of: principal, in: db)
        }
    }

    /// The same for a question to the house: a denial is recorded in the audit log.
    public func requester(_ principal: Principal, origin: RequestOrigin) async throws -> Person {
        try await store.audited("mind.ask", by: principal, origin: origin, at: environment.now()) { try await requester(principal) }
    }

    /// The same for a request to the house's mind that needs a certain right: a denial is recorded in the audit log.
    public func requester(_ principal: Principal, for action: String, needing right: Right, origin: RequestOrigin) async throws -> Person {
        try await store.audited(action, by: principal, origin: origin, at: environment.now()) {
            try await requester(principal, needing: right)
        }
    }

    /// Returns the error to throw if the person's role lacks a right. The refusal is recorded in the audit log.
    public func refusal(_ action: String, to principal: Principal, origin: RequestOrigin) async -> any Error {
        do {
            return try await store.audited(action, by: principal, origin: origin, at: environment.now()) { () -> any Error in
                throw People.PersonError.forbidden(.roleLacksRight)
            }
        } catch { return error }
    }

    /// Performs a request to the house's mind. A denial is recorded in the audit log when this throws.
    public func audited<Value: Sendable>(
        _ action: String, by principal: Principal, origin: RequestOrigin, _ body: () async throws -> Value
    ) async throws -> Value {
        try await store.audited(action, by: principal, origin: origin, at: environment.now(), body)
    }

    /// Returns the problem with a name for something that acts for a person, in words that follow the name; nil if it is valid.
    public func nameProblem(_ name: String) async throws -> String? {
        try await store.read { try ConfusableNames.isResident(name, $0) ? ConfusableNames.message : nil }
    }

    /// Performs a write if it gives no other person more access than before; otherwise it asks for a step-up.
    public func requiringStepUpForWiderAccess(for principal: Principal, in db: Database, _ write: (Database) throws -> Void) throws {
        try Sessions.requiringStepUpForWiderAccess(for: principal, at: environment.now(), in: db, write)
    }

    /// Records the principal's changes of the house's mind in the audit log, as `action`.
    public func recorder(_ action: String, by principal: Principal, origin: RequestOrigin) -> ChangeRecorder {
        let who = AuditLog.AuditActor(principal)
        return ChangeRecorder { [environment] kind, subject, data, db in
            let context = TransactionContext(db: db, now: environment.now(), origin: origin, principal: principal)
            if kind == .automationChanged, let subject, data["removed"] != true {
                try AccessChanges.recordAutomation(subject, in: context)
            }
            let seq = try Journal.append(kind, subject: subject, data: data, at: context.now, in: db)
            try AuditLog.append(.init(who: who, action: action, grantID: principal.grantID, result: .done, journalSeq: seq), in: context)
        }
    }

    /// Records that a person was told what others did, as the list of attempts does: once in a quarter of an hour.
    public func recordAnswer(_ person: Person, citing happenings: Int, by principal: Principal, origin: RequestOrigin) async {
        guard happenings > 0, person.rights.contains(.managePeople) else { return }
        await activity.recordRead(of: nil, by: principal, origin: origin)
    }

    /// A sensor's hourly values, oldest first.
    public func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading] {
        let now = environment.now()
        return try await store.read { try ReadingRecords.hours(entityID, .init(from: from, to: to), asOf: now, limit: 24 * 400, $0) }
    }

    /// Yields after a commit that added journal rows or refusals.
    public func changes() -> AsyncStream<Void> {
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        bell.yield()
        let lastCount = Mutex(auditLogWriter.refusalCount.value)
        // A commit without a new row or refusal, such as one by a reader here, is no change of the house.
        store.onCommit { [refusals = auditLogWriter.refusalCount] rows in
            let (before, now) = lastCount.withLock { lastCount in
                defer { lastCount = refusals.value }
                return (lastCount, refusals.value)
            }
            if !rows.isEmpty || before != now { bell.yield() }
        }
        return rings
    }

    // MARK: Events

    /// One event, with a stable identity for when it is delivered again.
    public struct MindFeedEvent: Sendable {
        public let at: Date
        public let source: String
        public let fact: Fact

        public enum Fact: Sendable {
            /// An entity says a word, or an event's type.
            case reported(deviceID: String, entityID: String, String, StateReportKind?)
            case deviceStatus(deviceID: String, DeviceStatus)
            case command(Command)
            case event(Event)
            case eventDeleted(id: String)
            /// A person reported that they are home, or not.
            case presence(personID: String, isHome: Bool)
            /// A request that the house refused.
            case refused(who: String?, Verb, deviceID: String?, entityID: String?, reason: String?)
        }
    }

    /// Returns the events after a row of the journal, oldest first. A command or an event is read in its present state and returned once,
    /// however many of the rows are about it.
    public func journalEvents(after seq: Int64, limit: Int, in db: Database) throws -> (occurrences: [MindFeedEvent], through: Int64) {
        // Deleted rows are not waited for.
        let (rows, through) = try Journal.rows(after: seq, limit: limit, in: db)
        let subjects = try Subjects(of: rows, db)
        var told: Set<String> = []
        let found = try rows.flatMap { row -> [MindFeedEvent] in
            if row.kind == .reachChanged { return Self.reachEvents(row) }
            guard let fact = try Self.fact(row, subjects, db) else { return [] }
            let source = Self.source(fact, row)
            return told.insert(source).inserted ? [MindFeedEvent(at: Self.moment(fact, row), source: source, fact: fact)] : []
        }
        return (found, through)
    }

    /// Returns the refusals at devices after an entry of the audit log.
    ///
    /// - Parameter isPassing: true to skip entries without a refusal for good, so that the next call need not read them.
    public func refusals(
        after seq: Int64, limit: Int, isPassing: Bool, in db: Database
    ) throws -> (occurrences: [MindFeedEvent], through: Int64) {
        let refused: SQL = "a.result = \(auditLogWriter.keys.mark(.result, "refused"))"
        let query = try AuditIndex(db).entries(AuditLogWriter.columns, after: seq, where: [refused], .oldestFirst, limit: limit)
        let records = try SQLRequest<Row>(literal: query).fetchAll(db).map(AuditLogWriter.record)
        let notes = try Self.openEntries(records, auditLogWriter, db)
        let found = notes.compactMap { seq, note -> MindFeedEvent? in
            guard let verb = Verb(requested: note.action), note.deviceID != nil || note.entityID != nil else { return nil }
            return MindFeedEvent(
                at: note.at, source: "trail:\(seq)",
                fact: .refused(
                    who: Self.key(of: note), verb, deviceID: note.deviceID, entityID: note.entityID,
                    reason: note.reasonText))
        }
        let last = records.last?.seq ?? seq
        return (found, isPassing && records.count < limit ? try max(last, AuditLogWriter.chainHead(db).seq) : last)
    }

    /// Changes whenever an erasure progresses or ends, and is nil while one runs: earlier reads may name the erased person.
    public func erasures(in db: Database) throws -> String? { try JobRecords.erasures(db) }

    /// Reads the house at one moment.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await store.read(body)
    }

    /// Opens entries of the audit log. One that does not open is reported by `check`; the others are read all the same.
    static func openEntries(_ records: [AuditRecord], _ auditLogWriter: AuditLogWriter, _ db: Database) throws -> [(
        seq: Int64, note: UnsealedAuditEntry
    )] {
        do { return try auditLogWriter.open(records, in: db) } catch is AuditChain.ChainError {
            return records.flatMap { record in (try? auditLogWriter.open([record], in: db)) ?? [] }
        }
    }

    /// The subjects of journal rows by id, read at once for all of them.
    private struct Subjects {
        var kinds: [String: EntityKind] = [:]
        /// Sensors that measure nothing and do not report on their device.
        var reportingSensors: Set<String> = []
        var commands: [String: Command] = [:]

        init(of rows: [JournalRow], _ db: Database) throws {
            let updated = Set(rows.lazy.filter { $0.kind == .deviceUpdate }.compactMap(\.subject))
            if !updated.isEmpty { (kinds, reportingSensors) = try DeviceRecords.kinds(ofEntities: updated, db) }
            let asked = Set(rows.lazy.filter { [.commandAccepted, .commandChanged].contains($0.kind) }.compactMap(\.subject))
            if !asked.isEmpty { commands = try CommandRecords.all(asked, db) }
        }
    }

    /// Returns one event for each device of a row about several.
    private static func reachEvents(_ row: JournalRow) -> [MindFeedEvent] {
        guard let status = row.data["status"]?.string.flatMap(DeviceStatus.init) else { return [] }
        return zip(row.firstSeq..., row.reachChanges).map { number, reached in
            MindFeedEvent(at: since(row), source: "journal:\(number)", fact: .deviceStatus(deviceID: reached.deviceID, status))
        }
    }

    private static func fact(_ row: JournalRow, _ subjects: Subjects, _ db: Database) throws -> MindFeedEvent.Fact? {
        switch row.kind {
        case .deviceUpdate:
            guard let deviceID = row.deviceID else { return nil }
            if let entityID = row.subject, let state = row.data["state"]?.string {
                let report = row.data["report"]?.string.flatMap(StateReportKind.init)
                switch subjects.kinds[entityID] {
                case nil, .image: return nil
                // Sensor measurements are stored as readings.
                case .sensor where !isWord(state) || !subjects.reportingSensors.contains(entityID): return nil
                case .event:
                    guard report == .press, let type = row.data["attributes"]?["event_type"]?.string else { return nil }
                    return .reported(deviceID: deviceID, entityID: entityID, type, .press)
                default: return .reported(deviceID: deviceID, entityID: entityID, state, report)
                }
            }
            return row.data["status"]?.string.flatMap(DeviceStatus.init).map { .deviceStatus(deviceID: deviceID, $0) }
        case .commandAccepted, .commandChanged:
            return row.subject.flatMap { subjects.commands[$0] }.map { .command($0) }
        case .eventRemoved: return row.subject.map { .eventDeleted(id: $0) }
        case .personChanged:
            guard let id = row.subject, case .bool(let isHome)? = row.data["is_home"] else { return nil }
            return .presence(personID: id, isHome: isHome)
        case .eventRecorded, .eventDescribed:
            return try row.subject.flatMap { try EventRecords.one($0, db) }.map { .event($0) }
        default: return nil
        }
    }

    /// Returns whether a sensor's state is a word, not a number, a time or a sentence: `single`, `1_double`, `running`.
    private static func isWord(_ state: String) -> Bool {
        state.utf8.count <= 40 && state.contains(where: \.isLetter)
            && state.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == " " }
    }

    private static func moment(_ fact: MindFeedEvent.Fact, _ row: JournalRow) -> Date {
        switch fact {
        // A command that had to wait, for its turn or for approval, counts at its end.
        case .command(let command):
            command.finishedAt.flatMap { $0.timeIntervalSince(command.acceptedAt) > 30 ? $0 : nil } ?? command.acceptedAt
        case .event(let event): event.at
        // An integration may have been away when a person came or left, and the hub itself when a device was lost.
        case .presence, .deviceStatus: since(row)
        default: row.at
        }
    }

    private static func since(_ row: JournalRow) -> Date {
        row.data["since"]?.number.map { Date(timeIntervalSince1970: $0 / 1000) } ?? row.at
    }

    private static func source(_ fact: MindFeedEvent.Fact, _ row: JournalRow) -> String {
        switch fact {
        case .command(let command): "command:\(command.id)"
        case .event(let event): "event:\(event.id)"
        case .eventDeleted(let id): "event:\(id)"
        default: "journal:\(row.seq)"
        }
    }
}
