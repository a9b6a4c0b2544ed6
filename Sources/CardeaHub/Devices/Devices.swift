import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The things in the house and how they stand. Integrations hand in here what they find and hear.
///
/// What is committed is also kept in memory, since everybody looks at it all the time; a device changes there only after its commit.
public final class Devices: DeviceDesk, Sendable {
    let store: Store
    let commands: Commands
    let surroundings: Surroundings
    private let mirror: Mutex<Mirror>

    private struct Mirror {
        var devices: [String: Device] = [:]
        var order: [String] = []
        /// Which device an entity belongs to.
        var owners: [String: String] = [:]
        /// Rises with every change to any device.
        var revision = 0
        /// All devices in order, until one of them changes.
        var list: [Device]?

        mutating func changed() {
            revision += 1
            list = nil
        }
    }

    init(store: Store, commands: Commands, surroundings: Surroundings) async throws {
        self.store = store
        self.commands = commands
        self.surroundings = surroundings
        let devices = try await store.read { try DeviceRecords.all($0) }
        mirror = Mutex(Mirror())
        keep(devices)
    }

    /// Every device, in the order they were found, with a number that changes whenever one of them does.
    public var all: (devices: [Device], revision: Int) {
        mirror.withLock { mirror in
            let list = mirror.list ?? mirror.order.compactMap { mirror.devices[$0] }
            mirror.list = list
            return (list, mirror.revision)
        }
    }

    public func device(_ id: String) -> Device? {
        mirror.withLock { $0.devices[id] }
    }

    // MARK: What integrations hand in

    public func announce(_ device: Device) async throws {
        let now = surroundings.now()
        try await change(device.id) { db in
            try DeviceRecords.announce(device, at: now, in: db)
            try Self.journal(.deviceAnnounced, device.id, at: now, in: db)
        }
    }

    public func withdraw(deviceID: String, integration: String) async throws {
        let now = surroundings.now()
        try await change(deviceID) { db in
            try db.execute(
                sql: "UPDATE devices SET withdrawn_at = ?, version = version + 1 WHERE id = ? AND integration = ? AND withdrawn_at IS NULL",
                arguments: [now.milliseconds, deviceID, integration])
            guard db.changesCount > 0 else { return }
            try Self.journal(.deviceWithdrawn, deviceID, at: now, in: db)
        }
    }

    public func availability(_ status: DeviceStatus, deviceIDs: [String]) async throws {
        let now = surroundings.now()
        let others = deviceIDs.filter { device($0)?.status != status }
        guard !others.isEmpty else { return }
        let devices = try await store.write { db in
            try others.compactMap { id -> Device? in
                try db.cachedStatement(sql: "UPDATE devices SET status = ?, version = version + 1 WHERE id = ? AND status <> ?")
                    .execute(arguments: [status.rawValue, id, status.rawValue])
                guard db.changesCount > 0 else { return nil }
                try Self.journal(.deviceUpdate, id, ["status": .string(status.rawValue)], at: now, in: db)
                return try DeviceRecords.one(id, db)
            }
        }
        keep(devices)
    }

    public func report(_ reports: [EntityReport]) async throws {
        let now = surroundings.now()
        let news = reports.filter { isNews($0) || ($0.isFresh && commands.isWaiting(for: $0.entityID)) }
        guard !news.isEmpty else { return }
        let (changes, endings) = try await store.write { db in
            var changes: [DeviceRecords.Change] = []
            var endings: [Commands.Ending] = []
            for report in news {
                guard let written = try DeviceRecords.report(report, at: now, in: db) else { continue }
                if let change = written.change {
                    changes.append(change)
                    try Journal.append(
                        .deviceUpdate, deviceID: written.deviceID, subject: report.entityID,
                        data: [
                            "state": .string(report.state.value), "attributes": .object(report.state.attributes),
                            "version": .number(Double(change.version)),
                        ], at: now, in: db)
                }
                if report.isFresh {
                    endings += try Commands.hear(report, kind: written.kind, before: written.before, at: now, in: db)
                }
            }
            return (changes, endings)
        }
        defer { commands.ended(endings) }
        let missed = keep(changes)
        if !missed.isEmpty { keep(try await store.read { db in try missed.compactMap { try DeviceRecords.one($0, db) } }) }
    }

    // MARK: What a person changes

    public struct Edit: Sendable {
        public var name: String?
        public var roomID: String?
        public var isSecurityDevice: Bool?
        public var isGuestAccessible: Bool?

        public init(name: String? = nil, roomID: String? = nil, isSecurityDevice: Bool? = nil, isGuestAccessible: Bool? = nil) {
            self.name = name
            self.roomID = roomID
            self.isSecurityDevice = isSecurityDevice
            self.isGuestAccessible = isGuestAccessible
        }
    }

    public enum EditProblem: Error {
        case notFound
        case name(Name.Problem)
        case noSuchRoom
        case forbidden(Refusal)
    }

    /// Changes what people decide about a device: its name, its room, who may be let in through it.
    public func edit(_ id: String, _ edit: Edit, by principal: Principal, origin: Origin) async throws -> Device {
        let now = surroundings.now()
        let name: String?
        do { name = try edit.name.map { text throws(Name.Problem) in try Name.check(text) } } catch { throw EditProblem.name(error) }
        let changed = try await store.attempt("device.change", on: .device(id), by: principal, origin: origin, at: now) { db -> Device? in
            try People.require(.modifySettings, of: principal, in: db)
            guard try DeviceRecords.one(id, db) != nil else { throw EditProblem.notFound }
            if let roomID = edit.roomID {
                guard try Bool.fetchOne(db, sql: "SELECT 1 FROM rooms WHERE id = ?", arguments: [roomID]) == true else {
                    throw EditProblem.noSuchRoom
                }
            }
            try db.execute(
                sql: """
                    UPDATE devices SET name = coalesce(:name, name), name_is_given = CASE WHEN :name IS NULL THEN name_is_given ELSE 1 END,
                        room_id = coalesce(:room, room_id), is_security_device = coalesce(:security, is_security_device),
                        is_guest_accessible = coalesce(:guests, is_guest_accessible), version = version + 1
                    WHERE id = :id
                    """,
                arguments: [
                    "name": name, "room": edit.roomID, "security": edit.isSecurityDevice, "guests": edit.isGuestAccessible, "id": id,
                ])
            let seq = try Self.journal(.deviceChanged, id, at: now, in: db)
            try AuditTrail.append(
                .init(who: .init(principal), action: "device.change", deviceID: id, result: .done, journalSeq: seq), origin: origin,
                at: now, in: db)
            return try DeviceRecords.one(id, db)
        }
        guard let changed else { throw EditProblem.notFound }
        keep([changed])
        return device(id) ?? changed
    }

    /// A row about a device names the version that the change led to, so that whoever reads it can tell whether they have it.
    @discardableResult
    private static func journal(
        _ kind: Journal.Kind, _ id: String, _ data: [String: JSONValue] = [:], at now: Date, in db: Database
    ) throws -> Int64 {
        let version = try Int.fetchOne(db.cachedStatement(sql: "SELECT version FROM devices WHERE id = ?"), arguments: [id]) ?? 0
        return try Journal.append(
            kind, deviceID: id, data: data.merging(["version": .number(Double(version))]) { $1 }, at: now, in: db)
    }

    // MARK: The copy in memory

    private func change(_ id: String, _ body: @escaping @Sendable (Database) throws -> Void) async throws {
        let device = try await store.write { db in
            try body(db)
            return try DeviceRecords.one(id, db)
        }
        if let device {
            keep([device])
        } else {
            mirror.withLock { mirror in
                mirror.devices[id] = nil
                mirror.order.removeAll { $0 == id }
                mirror.changed()
            }
        }
    }

    private func keep(_ devices: [Device]) {
        guard !devices.isEmpty else { return }
        mirror.withLock { mirror in
            for device in devices {
                // Two commits may be told of in either order; the later version wins.
                if let known = mirror.devices[device.id] {
                    guard known.version < device.version else { continue }
                } else {
                    mirror.order.append(device.id)
                }
                mirror.devices[device.id] = device
                for entity in device.entities { mirror.owners[entity.id] = device.id }
            }
            mirror.changed()
        }
    }

    /// Changes the devices in memory as their rows were. Returns those that missed an earlier change and must be read anew.
    private func keep(_ changes: [DeviceRecords.Change]) -> Set<String> {
        guard !changes.isEmpty else { return [] }
        return mirror.withLock { mirror in
            var missed: Set<String> = []
            for change in changes {
                guard let known = mirror.devices[change.deviceID]?.version, change.version == known + 1,
                    let position = mirror.devices[change.deviceID]?.entities.firstIndex(where: { $0.id == change.entityID })
                else {
                    missed.insert(change.deviceID)
                    continue
                }
                mirror.devices[change.deviceID]?.take(change, at: position)
            }
            mirror.changed()
            return missed
        }
    }

    private func isNews(_ report: EntityReport) -> Bool {
        mirror.withLock { mirror in
            guard let owner = mirror.owners[report.entityID], let device = mirror.devices[owner],
                let entity = device.entities.first(where: { $0.id == report.entityID })
            else { return true }
            return entity.state != report.state || report.deviceAttributes.contains { device.attributes[$0.key] != $0.value }
        }
    }
}

extension Device {
    fileprivate mutating func take(_ change: DeviceRecords.Change, at position: Int) {
        entities[position].state = change.state
        attributes = change.deviceAttributes
        version = change.version
        stateChangedAt = change.at
        lastSeenAt = change.at
    }
}
