import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// What was tried in the house, newest first: a reading of the audit trail.
public struct ActivityLog: Sendable {
    let store: Store
    let ledger: AuditLogWriter
    let environment: HubEnvironment
    let logger: Logger
    private let recentReads = RecentReads()

    init(store: Store, ledger: AuditLogWriter, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.ledger = ledger
        self.environment = environment
        self.logger = logger
    }

    public struct Entry: Hashable, Sendable {
        public let id: Int
        public let at: Date
        public let whoKind: String
        public let whoID: String?
        public let whoName: String?
        /// The automation or program that did it in their name, or the button or tag by which they did; nil where there was none.
        public let via: Intermediary?
        public let action: String
        public let deviceID: String?
        public let deviceName: String?
        public let entityID: String?
        public let result: String
        public let reason: String?
        public let commandID: String?
        public let remote: String?
        /// The pass, the role, the token or the automation by which it was asked, or which it is about.
        public let grantID: String?
        public let requestID: String?
    }

    /// An automation or a program that acts for whoever made it, or a button or a tag by which somebody acts.
    public struct Intermediary: Hashable, Sendable {
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case automation, button, tag
            case program = "api_token"
        }

        public let kind: Kind
        public let id: String
        /// nil where it is not there any more.
        public let name: String?

        /// Kind and id, as an entry names them; nil where somebody acted by themselves, or it is what the entry is about.
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
            // A touch itself, whatever came of it.
            case "tag" where note.action == "tag.tap": return (.tag, parts[1])
            default: return nil
            }
        }
    }

    public struct Filter: Hashable, Sendable {
        public var guestID: String?
        /// Who did it, or whom it concerns.
        public var personID: String?
        public var deviceID: String?
        public var result: String?
        public var action: String?
        /// From this moment on.
        public var from: Date?
        /// Up to this moment, with it.
        public var to: Date?
        /// Only entries older than this one.
        public var before: Int?
        /// 1 to 500.
        public var limit: Int
        /// Every entry as it stands: what was looked at too, and what was asked as well as how it ended.
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

    /// Whoever runs the house sees everything that was tried; a member sees what they did themselves, and what was done about them.
    public func entries(_ filter: Filter, seenBy principal: Principal, origin: RequestOrigin) async throws -> [Entry] {
        let (entries, seesAll) = try await store.read { db in
            let person = try People.require(.controlDevices, of: principal, in: db)
            let seesAll = person.rights.contains(.managePeople)
            return (try self.entries(filter, onlyOf: seesAll ? nil : person.id, in: db), seesAll)
        }
        if seesAll { await recordRead(of: filter.guestID ?? filter.personID.map { "role:\($0)" }, by: principal, origin: origin) }
        return entries
    }

    /// One thing that people change by the version that they have seen, as the journal names it.
    public struct VersionedItem: Sendable {
        let kinds: [Journal.Kind]
        let deviceID: String?
        let subject: String?

        public static func device(_ id: String) -> VersionedItem {
            VersionedItem(kinds: [.deviceAnnounced, .deviceChanged], deviceID: id, subject: nil)
        }

        /// - Parameter id: nil for what there is one of, which the journal names by its kind alone.
        public static func item(_ id: String?, _ kind: Journal.Kind) -> VersionedItem {
            VersionedItem(kinds: [kind], deviceID: nil, subject: id)
        }

        /// Members of rows that tell something else of a thing and change no version: where somebody is, what they prefer, whether a camera
        /// answers, when a task is due.
        static let unversionedFields = ["is_home", "presence_source", "preferences", "notifications", "is_online", "due_on"]
    }

    /// The name of the person who changed a thing last.
    ///
    /// Nil where the record does not say, where something else changed it since (an integration, a rule), and for a caller who does not see
    /// what others did.
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
            let changes = try ledger.open(records, in: db).filter { $0.note.journalSeq == seq }
            return try entries(changes, seenBy: nil, in: db).first?.whoName
        }
    }

    /// - Parameter person: whose view it is; nil for everybody's.
    func entries(_ filter: Filter, onlyOf person: String? = nil, in db: Database) throws -> [Entry] {
        var conditions = try conditions(filter, onlyOf: person, in: db)
        let index = try AuditIndex(db)
        if !filter.isWhole {
            // That somebody looked is told to whoever asks for it, and not among what was tried.
            if filter.result == nil { conditions.append("a.result <> \(ledger.keys.mark(.result, "read"))") }
            // A command that has ended is told by its end alone.
            conditions.append(
                "NOT (a.result IN \(["allowed", "asked"].map { ledger.keys.mark(.result, $0) }) AND \(index.hasLaterEntryOfCommand))")
        }
        let query = index.entries(AuditLogWriter.columns, where: conditions, .newestFirst, limit: filter.limit)
        let records = try SQLRequest<Row>(literal: query).fetchAll(db).map(AuditLogWriter.record)
        return try entries(try ledger.open(records, in: db), seenBy: person, in: db)
    }

    /// What `filter` means, in words of `AuditIndex`.
    func conditions(_ filter: Filter, onlyOf person: String? = nil, in db: Database) throws -> [SQL] {
        let keys = ledger.keys
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

    /// Puts the names to it, with one look for each kind of thing that has one.
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
                // Where somebody else was when they did it is not the business of whom they did it to.
                remote: person == nil || person == note.id ? note.remote : nil, grantID: note.grantID,
                requestID: person == nil || person == note.id ? note.requestID : nil)
        }
    }

    /// What the house does by itself without an automation that somebody wrote.
    private static func builtInName(of via: (kind: Intermediary.Kind, id: String)) -> String? {
        via.kind == .automation && MotionLights.room(of: via.id) != nil ? MotionLights.name : nil
    }

    // MARK: Who looked

    /// Whoever looked lately, so that a page that stays open is one entry and not a hundred.
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

    /// Puts on record that somebody looked at what others did: once in a quarter of an hour.
    ///
    /// A disk that takes nothing must not keep the owner from seeing why, so that it could not be written is told in the log instead.
    func recordRead(of guestID: String?, by principal: Principal, origin: RequestOrigin) async {
        let now = environment.now()
        guard recentReads.isNew("\(principal.key) \(guestID ?? "")", at: now) else { return }
        do {
            try await store.write { db in
                try AuditLog.append(
                    .init(who: .init(principal), action: "activity.read", grantID: guestID.map { String($0.prefix(128)) }, result: .read),
                    origin: origin, at: now, in: db)
            }
        } catch {
            logger.error("a reading of the audit trail could not be written down", metadata: ["error": "\(type(of: error))"])
        }
    }
}
