import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The rows of `happenings`. Automations read them too, within transactions of their own.
public enum HouseEventRecords {
    /// Writes down what the mind does not have yet; of what it has, what has come of it meanwhile. What was brought along and is on record already,
    /// by the house itself or by what was brought before, is the same happening and not another.
    ///
    /// - Parameter later: what a past that is brought along tells after these.
    static func write(_ told: [ReportedHouseEvent], before later: ArraySlice<ReportedHouseEvent> = [], in db: Database) throws {
        let past = ImportedStates(told + later)
        // What was asked for comes first, so that whose doing a change was is found whichever of the two was told before.
        let asked = told.filter { $0.event.fact.kind == .asked }
        for one in asked + told.filter({ $0.event.fact.kind != .asked }) {
            let happening = one.event
            if one.isImported, try isDuplicate(happening, in: past, db) { continue }
            var actor = happening.actor
            if case .state(let value) = happening.fact {
                // What an entity says again is no news, unless it is a press.
                if happening.report != .press, try latestState(of: happening.entityID, before: happening.at, db) == value { continue }
                if actor == nil { actor = try requester(happening, value, db) }
            }
            let (value, status, words) = columns(of: happening.fact)
            try db.cachedStatement(
                sql: """
                    INSERT INTO happenings (at, kind, device_id, entity_id, actor, value, status, words, source, report)
                    VALUES (?, ?, ?, ?, ?, ?, ?, sealed(?8, 'happenings.words', ?9), ?9, ?10)
                    ON CONFLICT (source) DO UPDATE SET at = excluded.at, status = excluded.status, words = excluded.words
                    WHERE kind IN ('asked', 'seen')
                    """
            ).execute(arguments: [
                happening.at.milliseconds, happening.fact.kind.rawValue, happening.deviceID, happening.entityID, actor, value, status,
                words, one.source, happening.report?.rawValue,
            ])
        }
    }

    /// What somebody has deleted is not remembered either.
    static func delete(_ sources: [String], in db: Database) throws {
        for source in sources {
            try db.cachedStatement(sql: "DELETE FROM happenings WHERE source = ?").execute(arguments: [source])
        }
    }

    static func find(_ wanted: HouseEventFilter, telling words: TextMatch? = nil, seenBy sight: AskerVisibility, _ db: Database) throws
        -> [HouseEvent]
    {
        let order: SQL = wanted.newestFirst ? "at DESC, number DESC" : "at, number"
        let told: SQL = words?.condition ?? "1"
        let query: SQL = """
            SELECT \(sql: columns) FROM happenings WHERE \(told) AND \(conditions(of: wanted, seenBy: sight))
            ORDER BY \(order) LIMIT \(wanted.limit)
            """
        return try SQLRequest<Row>(literal: query).fetchAll(db).compactMap(event).compactMap(sight.redacted)
    }

    /// How many there are that `find` would find without a limit.
    static func count(_ wanted: HouseEventFilter, seenBy sight: AskerVisibility, _ db: Database) throws -> Int {
        let query: SQL = "SELECT count(*) FROM happenings WHERE \(conditions(of: wanted, seenBy: sight))"
        return try SQLRequest<Int>(literal: query).fetchOne(db) ?? 0
    }

    private static func conditions(of wanted: HouseEventFilter, seenBy sight: AskerVisibility) -> SQL {
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
        // As far as the sight reaches, so that what is hidden takes no place from what is not.
        if let devices = sight.devices { conditions.append("(device_id IS NULL OR device_id IN \(devices))") }
        if !sight.seesEverybody {
            let guests: SQL = sight.seesGuests ? "OR actor GLOB 'guest:*'" : ""
            conditions.append("(kind NOT IN ('asked', 'presence') OR actor = \(sight.key) \(guests))")
            // Whoever may not know whose doing it was cannot ask for it by name either.
            if wanted.actors != nil { conditions.append("(actor = \(sight.key) \(guests))") }
        }
        if !sight.seesEvents { conditions.append("kind <> 'seen'") }
        return conditions.joined(separator: " AND ")
    }

    static func one(_ number: Int64, seenBy sight: AskerVisibility, _ db: Database) throws -> HouseEvent? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns) FROM happenings WHERE number = ?"), arguments: [number])
            .flatMap(event).flatMap(sight.redacted)
    }

    /// What was asked of devices in a past that was brought along, oldest first: at most the latest `limit`, and since when it is all of it
    /// where there is more.
    static func importedCommands(since: Date, limit: Int = 50_000, _ db: Database) throws -> (happenings: [HouseEvent], since: Date?) {
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
        /// The number of the last of them; read by time, the number of the last of all.
        public let lastNumber: Int64
        /// Whether no event follows them.
        public let isLast: Bool
        /// Where in the past they end.
        var cursor: Cursor?
    }

    /// A place in the past, by the order in which things were.
    struct Cursor: Codable, Hashable, Sendable {
        let at: Int64
        let number: Int64
    }

    /// What was, in the order in which it was, whenever it was told.
    static func pageByTime(after place: Cursor?, limit: Int, _ db: Database) throws -> Page {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM happenings WHERE (at, number) > (?, ?) ORDER BY at, number LIMIT ?"),
            arguments: [place?.at ?? .min, place?.number ?? 0, limit])
        return Page(
            events: rows.compactMap(event), lastNumber: try latestNumber(db), isLast: rows.count < limit,
            cursor: rows.last.map { Cursor(at: $0[1], number: $0[0]) })
    }

    /// The events that were recorded after the one with this number, in the order of their numbers.
    public static func pageByNumber(_ number: Int64, limit: Int, _ db: Database) throws -> Page {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM happenings WHERE number > ? ORDER BY number LIMIT ?"),
            arguments: [number, limit])
        return Page(events: rows.compactMap(event), lastNumber: rows.last?[0] ?? number, isLast: rows.count < limit)
    }

    /// Those that are older than they may be kept. How each thing has stood since then is known all the same.
    static func deleteExpired(before moment: Date, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM happenings WHERE at < ?1 AND (kind <> 'state' OR EXISTS (
                    SELECT 1 FROM happenings later
                    WHERE later.entity_id = happenings.entity_id AND later.kind = 'state' AND later.at > happenings.at AND later.at < ?1))
                """
        ).execute(arguments: [moment.milliseconds])
    }

    /// The number of the last event; 0 where there is none.
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

    /// Seconds after an asking in which a change of what was asked for is taken for what came of it.
    static let responseWindow: TimeInterval = 30

    /// What an entity said and was asked for that is looked back at, at most: one that says something new a hundred times a second holds up no door.
    private static let responseRowLimit = 200

    /// Whoever asked for just this a moment ago, if it has not come about since: a door that locks itself, or is opened by hand, is nobody's
    /// doing who asked for something else.
    private static func requester(_ happening: HouseEvent, _ value: String, _ db: Database) throws -> String? {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT at, kind, actor, value, coalesce(status NOT IN ('failed', 'expired') AND words IS NULL, 0) FROM happenings
                    WHERE entity_id = ?1 AND kind IN ('asked', 'state') AND at BETWEEN ?2 AND ?3 ORDER BY at DESC, number DESC LIMIT \(responseRowLimit)
                    """),
            arguments: [happening.entityID, happening.at.addingTimeInterval(-responseWindow).milliseconds, happening.at.milliseconds])
        // Newest first. What was said in the moment of the asking has come about since.
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

    /// Whether a thing that says `value` may say so because it was asked for this.
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

    /// In the order in which `event` reads them.
    public static let columns =
        "number, at, kind, device_id, entity_id, actor, value, status, opened(words, 'happenings.words', source), report"

    /// The event of a row of `columns`; nil where it has a kind or a value that this version does not know.
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
                fact: $0, report: (row[9] as String?).flatMap(ReportKind.init))
        }
    }
}
