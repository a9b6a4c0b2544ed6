import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The rows of `happenings`. Automations read them too, within their own transactions.
public enum HouseEventRecords {
    /// Writes new events, and updates the results of known ones. An imported event that is already on record, by the house itself or by
    /// an earlier import, is not added again.
    ///
    /// - Parameter later: the events of the import that follow these.
    static func write(_ told: [ReportedHouseEvent], before later: ArraySlice<ReportedHouseEvent> = [], in db: Database) throws {
        let past = ImportedStates(told + later)
        // Commands come first, so that the actor of a change is found in whichever order the two were reported.
        let asked = told.filter { $0.event.fact.kind == .asked }
        for one in asked + told.filter({ $0.event.fact.kind != .asked }) {
            let event = one.event
            if one.isImported, try isDuplicate(event, in: past, db) { continue }
            var actor = event.actor
            if case .state(let value) = event.fact {
                // A repeated state is no event, unless it is a button press.
                if event.report != .press, try latestState(of: event.entityID, before: event.at, db) == value { continue }
                if actor == nil { actor = try requester(event, value, db) }
            }
            let (value, status, words) = columns(of: event.fact)
            try db.cachedStatement(
                sql: """
                    INSERT INTO happenings (at, kind, device_id, entity_id, actor, value, status, words, source, report)
                    VALUES (?, ?, ?, ?, ?, ?, ?, sealed(?8, 'happenings.words', ?9), ?9, ?10)
                    ON CONFLICT (source) DO UPDATE SET at = excluded.at, status = excluded.status, words = excluded.words
                    WHERE kind IN ('asked', 'seen')
                    """
            ).execute(arguments: [
                event.at.milliseconds, event.fact.kind.rawValue, event.deviceID, event.entityID, actor, value, status,
                words, one.source, event.report?.rawValue,
            ])
        }
    }

    /// Deletes the events of these sources, so that data deleted by a person is forgotten here as well.
    static func delete(_ sources: [String], in db: Database) throws {
        for source in sources {
            try db.cachedStatement(sql: "DELETE FROM happenings WHERE source = ?").execute(arguments: [source])
        }
    }

    static func find(_ wanted: HouseEventFilter, matching words: TextMatch? = nil, seenBy visibility: RequesterVisibility, _ db: Database)
        throws
        -> [HouseEvent]
    {
        let order: SQL = wanted.newestFirst ? "at DESC, number DESC" : "at, number"
        let told: SQL = words?.condition ?? "1"
        let query: SQL = """
            SELECT \(sql: columns) FROM happenings WHERE \(told) AND \(conditions(of: wanted, seenBy: visibility))
            ORDER BY \(order) LIMIT \(wanted.limit)
            """
        return try SQLRequest<Row>(literal: query).fetchAll(db).compactMap(event).compactMap(visibility.redacted)
    }

    /// The number of events that `find` would return without a limit.
    static func count(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility, _ db: Database) throws -> Int {
        let query: SQL = "SELECT count(*) FROM happenings WHERE \(conditions(of: wanted, seenBy: visibility))"
        return try SQLRequest<Int>(literal: query).fetchOne(db) ?? 0
    }

    private static func conditions(of wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) -> SQL {
        var conditions: [SQL] = ["1"]
        func among(_ column: String, _ values: Set<String>?) {
            if let values { conditions.append("\(sql: column) IN \(values)") }
        }
        among("device_id", wanted.devices)
        among("entity_id", wanted.entities)
        among("actor", wanted.actors)
        among("kind", wanted.kinds.map { Set($0.map(\.rawValue)) })
        if let from = wanted.from { conditions.append("at >= \(from.milliseconds)") }
        if let to = wanted.to { conditions.append("at < \(to.milliseconds)") }
        // Filtered by visibility here, so that hidden events do not use up the limit.
        if let devices = visibility.devices { conditions.append("(device_id IS NULL OR device_id IN \(devices))") }
        if !visibility.seesEverybody {
            let guests: SQL = visibility.seesGuests ? "OR actor GLOB 'guest:*'" : ""
            conditions.append("(kind NOT IN ('asked', 'presence') OR actor = \(visibility.key) \(guests))")
            // An requester who may not see the actor cannot search by actor either.
            if wanted.actors != nil { conditions.append("(actor = \(visibility.key) \(guests))") }
        }
        if !visibility.seesEvents { conditions.append("kind <> 'seen'") }
        return conditions.joined(separator: " AND ")
    }

    static func one(_ number: Int64, seenBy visibility: RequesterVisibility, _ db: Database) throws -> HouseEvent? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns) FROM happenings WHERE number = ?"), arguments: [number])
            .flatMap(event).flatMap(visibility.redacted)
    }

    /// The commands in imported history, oldest first: at most the latest `limit`. The result's `since` is the moment from which they are
    /// complete; nil if there are no more than `limit`.
    static func importedCommands(since: Date, limit: Int = 50_000, _ db: Database) throws -> (events: [HouseEvent], since: Date?) {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM happenings WHERE kind = 'asked' AND source GLOB 'past:*' AND at >= ? ORDER BY at DESC, number DESC
                    LIMIT ?
                    """), arguments: [since.milliseconds, limit + 1])
        let found = rows.prefix(limit).reversed().compactMap(event)
        return (found, rows.count > limit ? found.first?.at : nil)
    }

    /// Events that follow a position.
    public struct Page: Sendable {
        public let events: [HouseEvent]
        /// The number of the last of them. For a page by time, the number of the last event of all.
        public let lastNumber: Int64
        /// True if no event follows them.
        public let isLast: Bool
        /// The position of the last event in the order of time.
        var cursor: Cursor?
    }

    /// A position in past events in the order of time.
    struct Cursor: Codable, Hashable, Sendable {
        let at: Int64
        let number: Int64
    }

    /// A page of events in the order in which they happened, whenever they were recorded.
    static func pageByTime(after place: Cursor?, limit: Int, _ db: Database) throws -> Page {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM happenings WHERE (at, number) > (?, ?) ORDER BY at, number LIMIT ?"),
            arguments: [place?.at ?? .min, place?.number ?? 0, limit])
        return Page(
            events: rows.compactMap(event), lastNumber: try latestNumber(db), isLast: rows.count < limit,
            cursor: rows.last.map { Cursor(at: $0[1], number: $0[0]) })
    }

    /// The events recorded after the one with this number, in the order of their numbers.
    public static func pageByNumber(_ number: Int64, limit: Int, _ db: Database) throws -> Page {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM happenings WHERE number > ? ORDER BY number LIMIT ?"),
            arguments: [number, limit])
        return Page(events: rows.compactMap(event), lastNumber: rows.last?[0] ?? number, isLast: rows.count < limit)
    }

    /// Deletes events that are older than they may be kept. The last state of each entity before that is kept.
    static func deleteExpired(before moment: Date, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM happenings WHERE at < ?1 AND (kind <> 'state' OR EXISTS (
                    SELECT 1 FROM happenings later
                    WHERE later.entity_id = happenings.entity_id AND later.kind = 'state' AND later.at > happenings.at AND later.at < ?1))
                """
        ).execute(arguments: [moment.milliseconds])
    }

    /// The number of the last event; 0 if there is none.
    public static func latestNumber(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT max(number) FROM happenings") ?? 0
    }

    private static func latestState(of entityID: String?, before moment: Date, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT value FROM happenings WHERE entity_id = ? AND kind = 'state' AND at <= ? ORDER BY at DESC, number DESC LIMIT 1"
            ),
            arguments: [entityID, moment.milliseconds])
    }

    /// Seconds after a command in which a matching change counts as its result.
    static let responseWindow: TimeInterval = 30

    /// The most rows of an entity's states and commands that are looked back at, so that an entity with a hundred new states a second
    /// does not delay the others.
    private static let responseRowLimit = 200

    /// The actor of the command that this state change follows from, if no such change has come since the command. A door that locks
    /// itself or is opened by hand is not attributed to a person who asked for something else.
    private static func requester(_ event: HouseEvent, _ value: String, _ db: Database) throws -> String? {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT at, kind, actor, value, coalesce(status NOT IN ('failed', 'expired') AND words IS NULL, 0) FROM happenings
                    WHERE entity_id = ?1 AND kind IN ('asked', 'state') AND at BETWEEN ?2 AND ?3 ORDER BY at DESC, number DESC LIMIT \(responseRowLimit)
                    """),
            arguments: [event.entityID, event.at.addingTimeInterval(-responseWindow).milliseconds, event.at.milliseconds])
        // Newest first. A state at the moment of the command counts as following it.
        var found: (at: Int64, actor: String?)?
        while let row = try rows.next() {
            let (at, said): (Int64, String) = (row[0], row[3])
            if let found, at < found.at { return found.actor }
            if row[1] == "state" {
                if said == value { return nil }
            } else if found == nil, row[4], let verb = Verb(rawValue: said), canCause(verb, to: value) {
                found = (at, row[2])
            }
        }
        return found?.actor
    }

    /// Returns true if a state of `value` may be the result of this command.
    static func canCause(_ verb: Verb, to value: String) -> Bool {
        switch verb {
        case .lock: ["locked", "locking", "jammed"].contains(value)
        case .unlock: ["unlocked", "unlocking", "jammed", "open"].contains(value)
        case .open: ["open", "opening", "unlocked", "unlocking"].contains(value)
        case .close: ["closed", "closing"].contains(value)
        case .off: value == "off"
        case .on, .setTemperature, .setPercentage: value != "off"
        case .arm: value.hasPrefix("arm") || value == "pending"
        case .disarm: ["disarmed", "disarming"].contains(value)
        case .trigger: ["triggered", "pending"].contains(value)
        case .play, .pause, .stop, .press, .setPosition, .setTilt, .setBrightness, .setColor, .setVolume, .setMode, .setPreset, .setEffect,
            .setDirection, .oscillate:
            true
        case .read: false
        }
    }

    static func columns(of fact: HouseEvent.Fact) -> (value: String, status: String?, words: String?) {
        switch fact {
        case .state(let value): (value, nil, nil)
        case .command(let verb, let status, let refusal): (verb.rawValue, status.rawValue, refusal)
        case .sighting(let type, let words): (type, nil, words)
        case .presence(let isHome): (isHome ? "home" : "away", nil, nil)
        case .deviceStatus(let status): (status.rawValue, nil, nil)
        }
    }

    /// The columns in the order in which `event` reads them.
    public static let columns =
        "number, at, kind, device_id, entity_id, actor, value, status, opened(words, 'happenings.words', source), report"

    /// The event in a row of `columns`; nil if its kind or value is not known to this version.
    public static func event(_ row: Row) -> HouseEvent? {
        let value: String = row[6]
        let fact: HouseEvent.Fact? =
            switch HouseEventFilter.Kind(rawValue: row[2]) {
            case .state: .state(value)
            case .asked:
                Verb(rawValue: value).flatMap { verb in
                    (row[7] as String?).flatMap(CommandStatus.init).map { .command(verb, $0, refusal: row[8]) }
                }
            case .seen: .sighting(type: value, words: row[8] ?? "")
            case .presence: .presence(isHome: value == "home")
            case .standing: DeviceStatus(rawValue: value).map { .deviceStatus($0) }
            case nil: nil
            }
        return fact.map {
            HouseEvent(
                id: "happening_\(row[0] as Int64)", at: Date(milliseconds: row[1]), deviceID: row[3], entityID: row[4], actor: row[5],
                fact: $0, report: (row[9] as String?).flatMap(StateReportKind.init))
        }
    }
}
