import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// The attempts made in the house, newest first, read from the audit log.
public struct ActivityLog: Sendable {
    let store: Store
    let auditLogWriter: AuditLogWriter
    let environment: HubEnvironment
    let logger: Logger
    private let recentReads = RecentReads()

    init(store: Store, auditLogWriter: AuditLogWriter, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.auditLogWriter = auditLogWriter
        self.environment = environment
        self.logger = logger
    }

    public struct Entry: Hashable, Sendable {
        public let id: Int
        public let at: Date
        public let whoKind: String
        public let whoID: String?
        public let whoName: String?
        /// The automation or program that acted for the person, or the button or tag they used; nil if there was none.
        public let via: Intermediary?
        public let action: String
        public let deviceID: String?
        public let deviceName: String?
        public let entityID: String?
        public let result: String
        public let reason: String?
        public let commandID: String?
        public let remote: String?
        /// The pass, role, token or automation that authorised the request, or that the entry is about.
        public let grantID: String?
        public let requestID: String?
    }

    /// The automation or program that acts for the person who made it, or the button or tag by which a person acts.
    public struct Intermediary: Hashable, Sendable {
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case automation, button, tag
            case program = "api_token"
        }

        public let kind: Kind
        public let id: String
        /// nil if it no longer exists.
        public let name: String?

        /// Kind and ID as an entry names them; nil if a person acted directly, or the entry is about the intermediary itself.
        static func reference(in note: UnsealedAuditEntry) -> (kind: Kind, id: String)? {
            switch note.means.flatMap(CommandTrigger.init) {
            case .button(let id): return (.button, id)
            case .tag(let id): return (.tag, id)
            case nil: break
            }
            guard !note.action.hasPrefix("api_token."), let parts = note.grantID?.split(separator: ":", maxSplits: 1).map(String.init),
                parts.count == 2
            else { return nil }
            switch parts[0] {
            case "automation": return (.automation, parts[1])
            case "token": return (.program, parts[1])
            // A tap itself, whatever its result.
            case "tag" where note.action == "tag.tap": return (.tag, parts[1])
            default: return nil
            }
        }
    }

    public struct Filter: Hashable, Sendable {
        public var guestID: String?
        /// The person who acted, or whom the entry concerns.
        public var personID: String?
        public var deviceID: String?
        public var result: String?
        public var action: String?
        /// From this moment on.
        public var from: Date?
        /// Up to and including this moment.
        public var to: Date?
        /// Only entries older than this one.
        public var before: Int?
        /// 1 to 500.
        public var limit: Int
        /// True for every entry, including reads, and requests of commands that have ended.
        public var isWhole = false

        public init(
            guestID: String? = nil, personID: String? = nil, deviceID: String? = nil, result: String? = nil, action: String? = nil,
            from: Date? = nil, to: Date? = nil, before: Int? = nil, limit: Int = 50, isWhole: Bool = false
        ) {
            self.guestID = guestID
            self.personID = personID
            self.deviceID = deviceID
            self.result = result
            self.action = action
            self.from = from
            self.to = to
            self.before = before
            self.limit = min(max(limit, 1), 500)
            self.isWhole = isWhole
        }
    }

    /// Returns the entries that match `filter`. People who may manage people see every entry; other members see what they did themselves
    /// and what was done about them.
    public func entries(_ filter: Filter, seenBy principal: Principal, origin: RequestOrigin) async throws -> [Entry] {
        let (entries, seesAll) = try await store.read { db in
            let person = try People.require(.controlDevices, of: principal, in: db)
            let seesAll = person.rights.contains(.managePeople)
            return (try self.entries(filter, onlyOf: seesAll ? nil : person.id, in: db), seesAll)
        }
        if seesAll { await recordRead(of: filter.guestID ?? filter.personID.map { "role:\($0)" }, by: principal, origin: origin) }
        return entries
    }

    /// An item that people edit by version, as the journal names it.
    public struct VersionedItem: Sendable {
        let kinds: [Journal.Kind]
        let deviceID: String?
        let subject: String?

        public static func device(_ id: String) -> VersionedItem {
            VersionedItem(kinds: [.deviceAnnounced, .deviceChanged], deviceID: id, subject: nil)
        }

        /// - Parameter id: nil for a single item, which the journal names by its kind alone.
        public static func item(_ id: String?, _ kind: Journal.Kind) -> VersionedItem {
            VersionedItem(kinds: [kind], deviceID: nil, subject: id)
        }

        /// Fields of journal rows that do not change a version: a person's presence, their preferences, whether a camera answers, when a
        /// task is due.
        static let unversionedFields = ["is_home", "presence_source", "preferences", "notifications", "is_online", "due_on"]
    }

    /// The name of the person who changed a thing last.
    ///
    /// nil if the log does not say, if an integration or a rule has changed it since, and for callers who may not see the actions of
    /// others.
    public func lastChange(of changed: VersionedItem, seenBy principal: Principal) async throws -> String? {
        try await store.read { db in
            guard try People.require(.controlDevices, of: principal, in: db).rights.contains(.managePeople) else { return nil }
            let column: SQL = changed.deviceID == nil ? "subject" : "device_id"
            let newest = try SQLRequest<Row>(
                """
                SELECT seq, at FROM journal WHERE \(column) IS \(changed.deviceID ?? changed.subject)
                    AND kind IN \(changed.kinds.map(\.rawValue))
                    AND NOT iif(json_valid(data), EXISTS (SELECT 1 FROM json_each(data) WHERE key IN \(VersionedItem.unversionedFields)), 0)
                    ORDER BY seq DESC LIMIT 1
                """
            ).fetchOne(db)
            guard let newest else { return nil }
            let (seq, at): (Int64, Int64) = (newest[0], newest[1])
            // An entry is written in the transaction of its change, with the same time.
            let moment = Date(milliseconds: at)
            let query = try AuditIndex(db).entries(
                AuditLogWriter.columns, where: try self.conditions(Filter(result: "done", from: moment, to: moment), in: db), .newestFirst,
                limit: 100)
            let records = try SQLRequest<Row>(literal: query).fetchAll(db).map(AuditLogWriter.record)
            let changes = try auditLogWriter.open(records, in: db).filter { $0.note.journalSeq == seq }
            return try entries(changes, seenBy: nil, in: db).first?.whoName
        }
    }

    /// - Parameter person: the person whose view it is; nil for the view of all entries.
    func entries(_ filter: Filter, onlyOf person: String? = nil, in db: Database) throws -> [Entry] {
        var conditions = try conditions(filter, onlyOf: person, in: db)
        let index = try AuditIndex(db)
        if !filter.isWhole {
            // Reads are shown only if the filter asks for them.
            if filter.result == nil { conditions.append("a.result <> \(auditLogWriter.keys.mark(.result, "read"))") }
            // Of a command that has ended, only the end is shown.
            conditions.append(
                "NOT (a.result IN \(["allowed", "asked"].map { auditLogWriter.keys.mark(.result, $0) }) AND \(index.hasLaterEntryOfCommand))"
            )
        }
        let query = index.entries(AuditLogWriter.columns, where: conditions, .newestFirst, limit: filter.limit)
        let records = try SQLRequest<Row>(literal: query).fetchAll(db).map(AuditLogWriter.record)
        return try entries(try auditLogWriter.open(records, in: db), seenBy: person, in: db)
    }

    /// Translates `filter` into conditions of `AuditIndex`.
    func conditions(_ filter: Filter, onlyOf person: String? = nil, in db: Database) throws -> [SQL] {
        let keys = auditLogWriter.keys
        var conditions: [SQL] = []
        let subjects = [filter.guestID.map { "guest:\($0)" }, filter.personID.map { "person:\($0)" }, person.map { "person:\($0)" }]
        for subject in subjects.compactMap(\.self) {
            conditions.append(AuditIndex.concerns(try keys.ids(of: subject, in: db)))
        }
        if let device = filter.deviceID {
            // Its history includes the time under former ids, and that of devices that were merged into it.
            let id = try AliasRecords.resolve(.device, device, db)
            let marks = try ([id] + AliasRecords.formerIDs(.device, of: id, db)).map { keys.mark(.device, $0) }
            if marks.count == 1 {
                conditions.append("a.device = \(keys.mark(.device, id))")
            } else {
                conditions.append("a.device IN \(marks)")
            }
        }
        if let result = filter.result { conditions.append("a.result = \(keys.mark(.result, result))") }
        if let action = filter.action { conditions.append("a.action = \(keys.mark(.action, action))") }
        if let from = filter.from { conditions.append("a.at >= \(from.milliseconds)") }
        if let to = filter.to { conditions.append("a.at <= \(to.milliseconds)") }
        if let before = filter.before { conditions.append("a.seq < \(before)") }
        return conditions
    }

    /// Adds the names, with one query for each kind of named item.
    func entries(_ notes: [(seq: Int64, note: UnsealedAuditEntry)], seenBy person: String?, in db: Database) throws -> [Entry] {
        func names(_ table: String, _ ids: [String?]) throws -> [String: String] {
            let rows = try SQLRequest<Row>(
                literal: "SELECT id, opened(name, \(table) || '.name', id) FROM \(sql: table) WHERE id IN \(Set(ids.compactMap(\.self)))"
            ).fetchAll(db)
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
        }
        func titles(_ asked: SQL) throws -> [String: String] {
            Dictionary(uniqueKeysWithValues: try SQLRequest<Row>(literal: asked).fetchAll(db).map { ($0[0], $0[1]) })
        }
        func ids(_ kind: String) -> [String?] { notes.map { $0.note.kind == kind ? $0.note.id : nil } }
        let who = ["person": try names("people", ids("person")), "guest": try names("guests", ids("guest"))]
        let devices = try names("devices", notes.map(\.note.deviceID))
        let vias = notes.map { Intermediary.reference(in: $0.note) }
        func ids(_ kind: Intermediary.Kind) -> [String?] { vias.map { $0?.kind == kind ? $0?.id : nil } }
        let makers = [
            Intermediary.Kind.automation: try names("automations", ids(.automation)), .program: try names("api_tokens", ids(.program)),
            .button: try titles("SELECT id, title FROM buttons WHERE id IN \(Set(ids(.button).compactMap(\.self)))"),
            .tag: try titles(
                """
                SELECT t.id, coalesce(t.label, b.title) FROM tags t JOIN buttons b ON b.id = t.button_id
                WHERE t.id IN \(Set(ids(.tag).compactMap(\.self)))
                """),
        ]
        return zip(notes, vias).map { entry, via in
            let (seq, note) = entry
            return Entry(
                id: Int(seq), at: note.at, whoKind: note.kind, whoID: note.id, whoName: note.id.flatMap { who[note.kind]?[$0] },
                via: via.map { Intermediary(kind: $0.kind, id: $0.id, name: makers[$0.kind]?[$0.id] ?? Self.builtInName(of: $0)) },
                action: note.action,
                deviceID: note.deviceID, deviceName: note.deviceID.flatMap { devices[$0] }, entityID: note.entityID,
                result: note.result, reason: note.reasonText, commandID: note.commandID,
                // A person's address is not shown to the person they acted upon.
                remote: person == nil || person == note.id ? note.remote : nil, grantID: note.grantID,
                requestID: person == nil || person == note.id ? note.requestID : nil)
        }
    }

    /// The name of a built-in automation; nil for automations that people wrote.
    private static func builtInName(of via: (kind: Intermediary.Kind, id: String)) -> String? {
        via.kind == .automation && MotionLights.room(of: via.id) != nil ? MotionLights.name : nil
    }

    // MARK: Reads

    /// The reads of the last 15 minutes, so that a page that stays open is one entry and not a hundred.
    private final class RecentReads: Sendable {
        static let interval: TimeInterval = 900
        private let last = Mutex<[String: Date]>([:])

        func isNew(_ reading: String, at now: Date) -> Bool {
            last.withLock { last in
                last = last.filter { $0.value.addingTimeInterval(Self.interval) > now && $0.value <= now }
                return last.updateValue(now, forKey: reading) == nil
            }
        }
    }

    /// Records that a person read the actions of others, at most once in 15 minutes.
    ///
    /// A full or broken disk must not keep the owner from reading the log, so a failure to record is only logged.
    func recordRead(of guestID: String?, by principal: Principal, origin: RequestOrigin) async {
        let now = environment.now()
        guard recentReads.isNew("\(principal.key) \(guestID ?? "")", at: now) else { return }
        do {
            try await store.write(from: origin, at: now) { context in
                try AuditLog.append(
                    .init(who: .init(principal), action: "activity.read", grantID: guestID.map { String($0.prefix(128)) }, result: .read),
                    in: context)
            }
        } catch {
            logger.error("audit log access could not be recorded", metadata: ["error": "\(type(of: error))"])
        }
    }
}
