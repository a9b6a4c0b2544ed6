import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The house itself: its name, its zone, its rooms, and whether somebody has claimed it.
public final class House: Sendable {
    public struct Facts: Hashable, Sendable {
        public let id: String
        public var name: String
        public var timeZone: TimeZone
        public var isClaimed: Bool
        public var rooms: [Room]
    }

    let store: Store
    private let facts: Mutex<Facts>

    /// Reads the house, or makes a new one that waits for its owner.
    init(store: Store, surroundings: Surroundings) async throws {
        self.store = store
        let id = surroundings.newID()
        let zone = TimeZone.current.identifier
        facts = Mutex(
            try await store.write { db in
                try db.execute(
                    sql: "INSERT OR IGNORE INTO house (id, house_id, name, time_zone) VALUES (1, ?, 'Home', ?)", arguments: [id, zone])
                return try Self.read(db)
            })
    }

    public var now: Facts { facts.withLock { $0 } }

    /// Adds rooms that are not there yet.
    public func addRooms(_ rooms: [Room]) async throws {
        let facts = try await store.write { db in
            for (position, room) in rooms.enumerated() {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO rooms (id, name, position) VALUES (?, ?, ?)", arguments: [room.id, room.name, position])
            }
            return try Self.read(db)
        }
        refresh(facts)
    }

    /// A new claim token, the only one that counts; nil when the house has its owner.
    public func newClaimToken() async throws -> Secret? {
        let token = Minting.token(.claim)
        let isOpen = try await store.write { db in
            try db.execute(sql: "UPDATE house SET claim_hash = ? WHERE claimed_at IS NULL", arguments: [token.digest])
            return db.changesCount == 1
        }
        return isOpen ? token : nil
    }

    func refresh(_ facts: Facts) {
        self.facts.withLock { $0 = facts }
    }

    static func read(_ db: Database) throws -> Facts {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM house WHERE id = 1") else { throw NoHouse() }
        return Facts(
            id: row["house_id"], name: row["name"], timeZone: TimeZone(identifier: row["time_zone"]) ?? .gmt,
            isClaimed: row["claimed_at"] != nil,
            rooms: try Row.fetchAll(db, sql: "SELECT id, name FROM rooms ORDER BY position, id").map {
                Room(id: $0["id"], name: $0["name"])
            })
    }

    struct NoHouse: Error {}
}
