import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The rooms of the house, in the order that people set.
public struct Rooms: Sendable {
    let store: Store
    let house: House
    let devices: Devices
    let idempotency: IdempotencyStore
    let environment: HubEnvironment

    /// A limit, so that rooms cannot fill the disk.
    static let limit = 200

    public enum RoomError: Error {
        case notFound
        case field(FieldError)
        case full
        /// Another user changed it in the meantime.
        case stale(Room)
    }

    // MARK: Reading

    public func all(seenBy principal: Principal) async throws -> [Room] {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try RoomRecords.all(db)
        }
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> Room {
        guard let room = try await all(seenBy: principal).first(where: { $0.id == id }) else { throw RoomError.notFound }
        return room
    }

    // MARK: Changing

    /// - Parameter position: the position in the order, counted from 0; at the end if nil or beyond it.
    public func add(
        _ traits: RoomTraits, position: Int?, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin
    ) async throws -> (Room, isReplay: Bool) {
        let traits = try validated(traits, position)
        let now = environment.now()
        return try await change("room.add", by: principal, origin: origin, at: now) { context in
            let outcome = try idempotency.run(call, in: context) {
                try People.require(.modifySettings, of: principal, in: context.db)
                let rooms = try RoomRecords.all(context.db)
                guard rooms.count < Self.limit else { throw RoomError.full }
                let room = Room(id: Self.newID(for: traits.name, among: Set(rooms.map(\.id))), traits: traits)
                try RoomRecords.insert(room, at: rooms.count, in: context.db)
                if let position { try RoomRecords.move(room.id, to: position, in: context.db) }
                try Self.record("room.add", room.id, in: context)
                return room.id
            }
            guard let room = try RoomRecords.one(outcome.answer, context.db) else { throw RoomError.notFound }
            return ((room, outcome.isReplay), [])
        }
    }

    public func replace(
        _ id: String, with traits: RoomTraits, position: Int?, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin
    ) async throws -> Room {
        let traits = try validated(traits, position)
        let now = environment.now()
        return try await change("room.change", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            var room = try Self.fetchCurrent(id, seen, context.db)
            let isRenamed = room.name != traits.name
            room.traits.name = traits.name
            let isNameAlone = isRenamed && room.traits == traits && position == nil
            room.traits = traits
            room.version += 1
            try RoomRecords.update(room, in: context.db)
            if let position { try RoomRecords.move(id, to: position, in: context.db) }
            try Self.record(isNameAlone ? "room.rename" : "room.change", id, in: context)
            return (room, isRenamed ? try DeviceRecords.touch(in: id, moving: false, at: now, context.db) : [])
        }
    }

    /// Removes a room; its devices stay, without a room.
    public func remove(_ id: String, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await change("room.remove", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            _ = try Self.fetchCurrent(id, seen, context.db)
            let devices = try DeviceRecords.touch(in: id, moving: true, at: now, context.db)
            try context.db.execute(sql: "DELETE FROM rooms WHERE id = ?", arguments: [id])
            try context.db.execute(
                sql: "INSERT OR IGNORE INTO removed_rooms (id, removed_at) VALUES (?, ?)", arguments: [id, now.milliseconds])
            try Self.record("room.remove", id, in: context)
            return ((), devices)
        }
    }

    // MARK: Rules

    private func validated(_ traits: RoomTraits, _ position: Int?) throws -> RoomTraits {
        if let position, !(0...1000).contains(position) { throw RoomError.field(.range(field: "position", 0...1000)) }
        do { return try traits.checked() } catch { throw RoomError.field(error) }
    }

    private static func fetchCurrent(_ id: String, _ seen: ExpectedVersion, _ db: Database) throws -> Room {
        guard let room = try RoomRecords.one(id, db) else { throw RoomError.notFound }
        guard seen.allows(room.version) else { throw RoomError.stale(room) }
        return room
    }

    /// `Living room` becomes `living-room`, and the second one `living-room-2`.
    private static func newID(for name: String, among taken: Set<String>) -> String {
        let slug = Slug.make(name) ?? "room"
        let numbered = (2...(taken.count + 2)).lazy.map { "\(slug)-\($0)" }
        return taken.contains(slug) ? numbered.first { !taken.contains($0) } ?? slug : slug
    }

    private static func record(_ action: String, _ id: String, in context: TransactionContext) throws {
        let seq = try Journal.append(
            .roomChanged, subject: id, data: action == "room.remove" ? ["removed": true] : [:], at: context.now, in: context.db)
        try AuditLog.append(.init(who: .init(context.principal), action: action, result: .done, journalSeq: seq), in: context)
    }

    /// Writes a change, and then notifies the house and the devices of the room. The rooms come first: otherwise a newer device list with
    /// the old room names would be taken as current.
    private func change<Value: Sendable>(
        _ action: String, by principal: Principal, origin: RequestOrigin, at now: Date,
        _ body: @escaping @Sendable (TransactionContext) throws -> (Value, [Device])
    ) async throws -> Value {
        try await store.auditedWrite(action, by: principal, origin: origin, at: now) { context in
            let (value, devices) = try body(context)
            try context.db.execute(sql: "UPDATE house SET revision = revision + 1")
            return (value: value, devices: devices, facts: try House.read(context.db))
        } committed: { [house, devices] changed in
            house.refresh(changed.facts)
            devices.updateCache(changed.devices)
        }.value
    }
}

extension DeviceRecords {
    /// Updates the devices of a room that was renamed or removed, since their representation on the wire changes with it.
    static func touch(in roomID: String, moving: Bool, at now: Date, _ db: Database) throws -> [Device] {
        let ids = try String.fetchAll(
            db, sql: "SELECT id FROM devices WHERE room_id = ? AND withdrawn_at IS NULL ORDER BY rowid", arguments: [roomID])
        try db.execute(
            sql: """
                UPDATE devices SET revision = revision + 1, version = version + ?1, room_id = CASE WHEN ?1 THEN NULL ELSE room_id END
                WHERE room_id = ?2
                """, arguments: [moving, roomID])
        for id in ids { try Devices.journal(.deviceChanged, id, at: now, in: db) }
        return try ids.compactMap { try one($0, db) }
    }
}
