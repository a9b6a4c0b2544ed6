import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The house itself: its name, its time zone, its rooms, and whether an owner has claimed it.
public final class House: Sendable {
    public struct Facts: Hashable, Sendable {
        public let id: String
        public var name: String
        public var timeZone: TimeZone
        public var isClaimed: Bool
        public var rooms: [Room]
        public var preferences: HousePreferences
        /// The version of the preferences.
        public var version: Int
        /// Rises with every change of the preferences or of a room.
        var revision: Int
    }

    let store: Store
    private let facts: Mutex<Facts>

    /// Reads the house, or makes a new one that has no owner yet.
    init(store: Store, environment: HubEnvironment) async throws {
        self.store = store
        let id = environment.newID()
        let current = TimeZone.current.identifier
        let zone = TimeZoneName.zone(current)?.identifier ?? TimeZoneName.offset(current) ?? TimeZone.gmt.identifier
        facts = Mutex(
            try await store.write { db in
                try db.execute(
                    sql: "INSERT OR IGNORE INTO house (id, house_id, name, time_zone) VALUES (1, ?, 'Home', ?)", arguments: [id, zone])
                return try Self.read(db)
            })
    }

    public var current: Facts { facts.withLock { $0 } }

    public var rooms: [Room] { facts.withLock { $0.rooms } }

    /// Adds rooms that the house does not know. A room that people removed does not return by itself.
    public func addRooms(_ rooms: [Room]) async throws {
        try await mergeRooms(rooms, at: Date())
    }

    /// Adds rooms that the house does not know, and renames those found before to their current names, unless people named them.
    ///
    /// - Parameter committed: called with the devices in them, since the wire shows their room's name.
    func mergeRooms(_ rooms: [Room], at now: Date, committed: @escaping @Sendable ([Device]) -> Void = { _ in }) async throws {
        let known = Dictionary(self.current.rooms.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let news = rooms.filter { known[$0.id] != $0.name }
        guard !news.isEmpty else { return }
        _ = try await store.write { db in
            var devices: [Device] = []
            for room in news {
                if try RoomRecords.rename(room, in: db) {
                    try Journal.append(.roomChanged, subject: room.id, at: now, in: db)
                    devices += try DeviceRecords.touch(in: room.id, moving: false, at: now, db)
                } else if try !RoomRecords.exists(room.id, db) {
                    let position = try Int.fetchOne(db, sql: "SELECT coalesce(max(position) + 1, 0) FROM rooms") ?? 0
                    try RoomRecords.insert(room, at: position, foundName: room.name, in: db)
                    try Journal.append(.roomChanged, subject: room.id, at: now, in: db)
                }
            }
            try db.execute(sql: "UPDATE house SET revision = revision + 1")
            return (facts: try Self.read(db), devices: devices)
        } committed: { [self] changed in
            refresh(changed.facts)
            committed(changed.devices)
        }
    }

    /// Makes a new claim token, the only valid one; nil if the house has an owner.
    public func newClaimToken() async throws -> Secret? {
        let token = SecretGenerator.token(.claim)
        let isOpen = try await store.write { db in
            try db.execute(sql: "UPDATE house SET claim_hash = ? WHERE claimed_at IS NULL", arguments: [token.digest])
            return db.changesCount == 1
        }
        return isOpen ? token : nil
    }

    func refresh(_ facts: Facts) {
        // A journal reader may call this after a later commit has set newer facts; the later ones win.
        self.facts.withLock { if $0.revision <= facts.revision { $0 = facts } }
    }

    /// Notifies the people who look after the house, once, that its time zone is an offset unknown to browsers. Older versions accepted
    /// these.
    func notifyOfUnknownTimeZone(at now: Date) async throws {
        let name = self.current.timeZone.identifier
        guard TimeZoneName.zone(name) == nil else { return }
        let subject = "zone:\(name)"
        let isTold = try await store.read { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM journal WHERE subject = ?)", arguments: [subject])
        }
        guard isTold != true else { return }
        let words =
            "The house's time zone is \(name), which browsers do not support: guests may see times in their own time zone. "
            + "Choose one by its place, such as Europe/Berlin, in the settings of the house."
        _ = try await store.write { db in
            try Journal.append(
                .mindChanged, subject: subject,
                data: [
                    "notice": .string(NoticeKind.unusual.rawValue), "words": .string(words),
                    "needs": .string(Right.modifySettings.rawValue),
                ], at: now, in: db)
        }
    }

    static func read(_ db: Database) throws -> Facts {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM house WHERE id = 1") else { throw HouseMissingError() }
        return Facts(
            id: row["house_id"], name: row["name"], timeZone: TimeZone(identifier: row["time_zone"]) ?? .gmt,
            isClaimed: row["claimed_at"] != nil,
            rooms: try RoomRecords.all(db), preferences: preferences(row), version: row["version"], revision: row["revision"])
    }

    private static func preferences(_ row: Row) -> HousePreferences {
        var preferences = HousePreferences()
        preferences.floors = row["floors"]
        preferences.defaultTemperature = row["default_temperature"]
        preferences.savesEnergy = row["saves_energy"]
        preferences.securityLevel = SecurityLevel(rawValue: row["security_level"]) ?? .medium
        preferences.isOnVacation = row["is_on_vacation"]
        preferences.asksAnsweredBy = ApproverGroup(rawValue: row["asks_answered_by"]) ?? .managers
        if let from = (row["quiet_from"] as Int?).flatMap(TimeOfDay.init(minutes:)),
            let to = (row["quiet_to"] as Int?).flatMap(TimeOfDay.init(minutes:))
        {
            preferences.quietHours = QuietHours(from: from, to: to)
        }
        return preferences
    }

    // MARK: Preferences

    public enum HouseError: Error {
        case field(FieldError)
        case unknownTimeZone
        /// Another user changed it in the meantime.
        case stale(Facts)
    }

    /// Changes the house's preferences, and its name and time zone if they are given. The new ones apply from the commit on.
    ///
    /// - Parameter timeZone: an IANA name.
    public func change(
        _ change: @escaping @Sendable (HousePreferences) -> HousePreferences, name: String? = nil, timeZone: String? = nil,
        seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin, at now: Date
    ) async throws -> Facts {
        let name = try name.map { name in
            do throws(Name.NameError) { return try Name.check(name) } catch { throw HouseError.field(.name(field: "name", error)) }
        }
        let zone = try timeZone.map { identifier in
            // An offset accepted by an older version stays valid until another zone is chosen.
            if identifier == self.current.timeZone.identifier { return identifier }
            guard let zone = TimeZoneName.zone(identifier) else { throw HouseError.unknownTimeZone }
            return zone.identifier
        }
        return try await store.auditedWrite("house.change", by: principal, origin: origin, at: now) { context in
            let person = try People.require(.modifySettings, of: principal, in: context.db)
            let before = try Self.read(context.db)
            guard seen.allows(before.version) else { throw HouseError.stale(before) }
            let preferences = change(before.preferences)
            // Only the owner decides who may open the door to guests.
            if preferences.asksAnsweredBy != before.preferences.asksAnsweredBy, person.role != .owner {
                throw People.PersonError.forbidden(.roleLacksRight)
            }
            do throws(FieldError) { try preferences.check() } catch { throw HouseError.field(error) }
            try context.db.execute(
                sql: """
                    UPDATE house SET floors = ?, default_temperature = ?, saves_energy = ?, security_level = ?, quiet_from = ?,
                        quiet_to = ?, is_on_vacation = ?, asks_answered_by = ?, name = coalesce(?, name), time_zone = coalesce(?, time_zone),
                        version = version + 1, revision = revision + 1
                    """,
                arguments: [
                    preferences.floors, preferences.defaultTemperature, preferences.savesEnergy, preferences.securityLevel.rawValue,
                    preferences.quietHours?.from.minutes, preferences.quietHours?.to.minutes, preferences.isOnVacation,
                    preferences.asksAnsweredBy.rawValue, name, zone,
                ])
            if preferences.isOnVacation, !before.preferences.isOnVacation { try VacationMode.markEveryoneAway(at: now, in: context.db) }
            let seq = try Journal.append(.houseChanged, subject: "preferences", at: now, in: context.db)
            try AuditLog.append(.init(who: .init(principal), action: "house.change", result: .done, journalSeq: seq), in: context)
            return try Self.read(context.db)
        } committed: { [self] facts in
            refresh(facts)
        }
    }

    struct HouseMissingError: Error {}
}
