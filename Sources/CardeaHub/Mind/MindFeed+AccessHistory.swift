import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Commands and grants of the past, for the mind. These are values only; they move nothing.
extension MindFeed {
    /// Returns the latest thousand accepted commands since a moment, oldest first.
    ///
    /// - Parameter deviceID: nil for any.
    public func commands(of deviceID: String? = nil, since: Date) async throws -> [Command] {
        try await store.read { try Self.commands(of: deviceID, since: since, limit: 1000, $0) }
    }

    /// One attempt of a principal.
    public struct Attempt: Sendable {
        /// `command:{id}` or `trail:{seq}`.
        public let source: String
        public let at: Date
        public let endedAt: Date?
        public let who: String?
        public let deviceID: String?
        public let entityID: String?
        public let verb: Verb
        public let status: CommandStatus
        /// The house's reason for the refusal; nil if it was allowed.
        public let refusal: String?
        /// True if the request came from the house's own network.
        public let isLocal: Bool
        /// True if the use of the pass was returned; nil if that is not known yet.
        public let wasReturned: Bool?
    }

    /// A value that holds from a moment on.
    public struct TimedValue<Value: Sendable>: Sendable {
        public let from: Date
        public let value: Value
    }

    /// Attempts of the past, with the data by which each is decided.
    public struct AccessHistory: Sendable {
        public let zone: TimeZone
        /// The oldest first.
        public let attempts: [Attempt]
        /// The time since which every attempt is included, if there were more than are read; nil if nothing was left out.
        public let since: Date?
        /// The grants by caller: `person:{id}`, `guest:{id}`, `token:{id}:{person}`, `integration:{name}`; of each, the oldest first.
        public let grants: [String: [TimedValue<Grant>]]
        /// The devices by id, with the flags that they had; of each, the oldest first.
        public let devices: [String: [TimedValue<Device>]]
    }

    /// The last attempts, with the rights of everyone. At most `limit` of each kind are read, the latest.
    public func accessHistory(since: Date, limit: Int = 50_000) async throws -> AccessHistory {
        let (zone, known) = (house.current.timeZone, devices.all.devices)
        return try await store.read { [auditLogWriter] db in
            let commands = try Self.commands(of: nil, since: since, limit: limit + 1, db)
            let refused = try Self.refusedNotes(since: since, limit: limit + 1, auditLogWriter, db)
            // One more than is used shows whether there are more. Commands and refusals go back equally far, because a pass is used up by
            // its commands.
            let border = [
                commands.count > limit ? commands.suffix(limit).first?.acceptedAt : nil,
                refused.count > limit ? refused.prefix(limit).last?.note.at : nil,
            ].compactMap(\.self).max()
            let all = commands.map(Self.attempt) + refused.compactMap { Self.attempt($0, known) }
            let attempts = all.filter { attempt in border.map { attempt.at >= $0 } ?? true }
                .sorted { ($0.at, $0.source) < ($1.at, $1.source) }
            let then = HistoricalRules(try RuleChange.since(since, db))
            return AccessHistory(
                zone: zone, attempts: attempts, since: border, grants: try then.grants(of: Set(attempts.compactMap(\.who)), db),
                devices: then.devices(known))
        }
    }

    // MARK: Rows

    private static func commands(of deviceID: String?, since: Date, limit: Int, _ db: Database) throws -> [Command] {
        // Commands are written in the order in which they are accepted: from the end, until one is too old.
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(CommandRecords.columns), opened(c.remote, 'commands.remote', c.id) AS place FROM commands c
                WHERE ?1 IS NULL OR c.device_id = ?1 ORDER BY c.rowid DESC
                """, arguments: [deviceID])
        var found: [Command] = []
        // A clock that was set back may have left a few out of order.
        var tooOld = 0
        while found.count < limit, tooOld < 100, let row = try rows.next() {
            guard var command = try CommandRecords.command(row) else { continue }
            command.origin = RequestOrigin(remote: row["place"], isLocal: true, requestID: nil)
            if command.acceptedAt >= since { found.append(command) } else { tooOld += 1 }
        }
        return found.sorted { ($0.acceptedAt, $0.id) < ($1.acceptedAt, $1.id) }
    }

    private static func attempt(_ command: Command) -> Attempt {
        Attempt(
            source: "command:\(command.id)", at: command.acceptedAt, endedAt: command.finishedAt, who: command.principal,
            deviceID: command.deviceID, entityID: command.entityID, verb: command.verb, status: command.status, refusal: nil,
            isLocal: isLocal(command.origin?.remote), wasReturned: command.status.isOver ? command.life.useReturned : nil)
    }

    private static func isLocal(_ remote: String?) -> Bool { remote.map(LocalNetwork.contains) ?? true }

    private static func refusedNotes(
        since: Date, limit: Int, _ auditLogWriter: AuditLogWriter, _ db: Database
    ) throws -> [(seq: Int64, note: UnsealedAuditEntry)] {
        let refused: [SQL] = ["a.result = \(auditLogWriter.keys.mark(.result, "refused"))", "a.at >= \(since.milliseconds)"]
        let query = try AuditIndex(db).entries(AuditLogWriter.columns, where: refused, .newestFirst, limit: limit)
        let records = try SQLRequest<Row>(literal: query).fetchAll(db).map(AuditLogWriter.record)
        return try openEntries(records, auditLogWriter, db)
    }

    private static func attempt(_ entry: (seq: Int64, note: UnsealedAuditEntry), _ devices: [Device]) -> Attempt? {
        let note = entry.note
        guard let verb = Verb(requested: note.action), note.deviceID != nil || note.entityID != nil else { return nil }
        let device = devices.first { device in
            note.deviceID.map { $0 == device.id } ?? device.entities.contains { $0.id == note.entityID }
        }
        // If no entity was named, the only capable one was meant.
        let able = device?.entities.filter { $0.resolve(verb) != nil } ?? []
        let entityID = note.entityID ?? (able.count == 1 ? able.first?.id : nil)
        let resolved = able.first { $0.id == entityID }?.resolve(verb) ?? verb
        return Attempt(
            source: "trail:\(entry.seq)", at: note.at, endedAt: nil, who: key(of: note), deviceID: note.deviceID ?? device?.id,
            entityID: entityID, verb: resolved, status: .failed, refusal: note.reasonText ?? "refused", isLocal: isLocal(note.remote),
            wasReturned: nil)
    }

    /// Returns the key of the requester, in the form of `Principal`: the command of a token or an automation is not its person's own.
    static func key(of note: UnsealedAuditEntry) -> String? {
        guard let id = note.id else { return nil }
        if note.kind == "person", let grant = note.grantID, grant.hasPrefix("token:") || grant.hasPrefix("automation:") {
            return "\(grant):\(id)"
        }
        return "\(note.kind == "system" ? "integration" : note.kind):\(id)"
    }
}
