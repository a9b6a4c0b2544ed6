import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The devices of the house and their states. Integrations report them here.
///
/// Committed data is also kept in memory, since it is read all the time. A device changes in memory right after its commit, before
/// listeners are notified.
public final class Devices: DeviceSink, Sendable {
    let store: Store
    let commands: Commands
    let environment: HubEnvironment
    private let cache: Mutex<Cache>
    let formerDevices = Mutex<[Device]>([])

    private struct Cache {
        var devices: [String: Device] = [:]
        var order: [String] = []
        /// The device of each entity.
        var owners: [String: String] = [:]
        var aliases = FormerIDs()
        /// When each entity last repeated its stored state: no row holds that.
        var lastReported: [String: Date] = [:]
        /// Rises with every change to any device.
        var revision = 0
        /// All devices in order, until one of them changes.
        var cachedList: [Device]?

        mutating func invalidateList() {
            revision += 1
            cachedList = nil
        }

        mutating func remove(_ id: String) {
            devices[id] = nil
            order.removeAll { $0 == id }
            invalidateList()
        }

        func isNew(_ report: EntityReport, of owner: String) -> Bool {
            guard let device = devices[owner], let entity = device.entities.first(where: { $0.id == report.entityID }) else { return true }
            let state = report.state.saysNothing ? report.state.forgotten : report.state
            return entity.state != state || report.deviceAttributes.contains { device.attributes[$0.key] != $0.value }
        }
    }

    /// - Parameter lastRun: the last sign of life of the previous run; nil if unknown.
    init(store: Store, commands: Commands, environment: HubEnvironment, lastRun: Date?) async throws {
        self.store = store
        self.commands = commands
        self.environment = environment
        let now = environment.now()
        _ = try await store.write { try AvailabilityRecords.markUnknown(at: now, lastRun: lastRun, in: $0) }
        let (devices, aliases) = try await store.read { (try DeviceRecords.all($0), try FormerIDs($0)) }
        cache = Mutex(Cache(aliases: aliases))
        updateCache(devices)
        try await reloadFormer()
    }

    /// Every device, in the order they were found, with a number that changes whenever one of them does.
    public var all: (devices: [Device], revision: Int) {
        cache.withLock { mirror in
            let list = mirror.cachedList ?? mirror.order.compactMap { mirror.devices[$0] }
            mirror.cachedList = list
            return (list, mirror.revision)
        }
    }

    /// A device, by its id or a former one.
    public func device(_ id: String) -> Device? {
        cache.withLock { mirror in mirror.devices[id] ?? mirror.aliases.devices[id].flatMap { mirror.devices[$0] } }
    }

    /// Former IDs of devices and entities. They are never given to another.
    public var formerIDs: FormerIDs { cache.withLock { $0.aliases } }

    func entity(_ id: String) -> Entity? {
        cache.withLock { mirror in
            let id = mirror.aliases.entities[id] ?? id
            return mirror.owners[id].flatMap { mirror.devices[$0] }?.entities.first { $0.id == id }
        }
    }

    // MARK: Integrations

    public func announce(rooms: [Room]) async throws {
        try await commands.house.mergeRooms(rooms, at: environment.now()) { [self] in updateCache($0) }
    }

    public func announce(_ device: Device) async throws {
        let now = environment.now()
        _ = try await store.write { db in
            let (before, isNews, others) = try DeviceRecords.announce(device, at: now, in: db)
            let after = try DeviceRecords.one(device.id, db)
            // A repeated announcement, as after every reconnection, is not an event.
            if isNews, let after {
                let turn = before.map { RuleChange.data(from: $0, to: after) } ?? [:]
                try Self.journal(.deviceAnnounced, device.id, turn, at: now, in: db)
            }
            return try [after].compactMap(\.self) + others.compactMap { try Self.refreshWayIn($0, at: now, in: db) }
        } committed: { [self] in
            updateCache($0)
        }
    }

    /// Updates a device of which an entity became a way in, or is none any more, because of a change to another one.
    static func refreshWayIn(_ before: Device, at now: Date, in db: Database) throws -> Device? {
        try DeviceRecords.incrementVersion(before.id, in: db)
        guard let after = try DeviceRecords.one(before.id, db) else { return nil }
        try journal(.deviceChanged, after.id, RuleChange.data(from: before, to: after), at: now, in: db)
        return after
    }

    public func withdraw(deviceID: String, integration: String) async throws {
        let now = environment.now()
        try await change(deviceID) { db in
            try db.execute(
                sql:
                    "UPDATE devices SET withdrawn_at = ?, revision = revision + 1 WHERE id = ? AND integration = ? AND withdrawn_at IS NULL",
                arguments: [now.milliseconds, deviceID, integration])
            guard db.changesCount > 0 else { return }
            try Self.journal(.deviceWithdrawn, deviceID, at: now, in: db)
        }
    }

    public func report(_ reports: [EntityReport]) async throws {
        let now = environment.now()
        let news = newReports(in: reports, at: now)
        guard !news.isEmpty else { return }
        let limits = commands.limits
        _ = try await store.write { [commands] db in
            var changes: [DeviceRecords.StateChange] = []
            var fresh: [(EntityReport, DeviceRecords.ReportEffect)] = []
            for report in news {
                guard let written = try DeviceRecords.report(report, at: now, in: db) else { continue }
                if let change = written.change {
                    changes.append(change)
                    // A retained message from an earlier time measures nothing now.
                    if report.isFresh || change.changedAt != nil, let number = ReadingPolicy.number(report.state, of: written.kind) {
                        try ReadingRecords.write(report.entityID, number, at: now, in: db)
                    }
                    var data: [String: JSONValue] = [
                        "state": .string(report.state.value), "attributes": .object(report.state.attributes),
                        "revision": .number(Double(change.revision)),
                    ]
                    data["report"] = report.reportKind(of: written.kind, after: written.before).map { .string($0.rawValue) }
                    try Journal.append(
                        .deviceUpdate, deviceID: written.deviceID, subject: report.entityID, data: data, at: now, in: db)
                }
                if report.isFresh { fresh.append((report, written)) }
            }
            // The journal keeps the changes together, and the resolved commands after them, so that they are sent as one.
            var resolution = Commands.Resolution()
            for (report, written) in fresh {
                resolution += try CommandCompletion.resolve(
                    report, kind: written.kind, before: written.before, pending: commands.pending, at: now, limits: limits, in: db)
            }
            return (changes: changes, resolution: resolution)
        } committed: { [self] written in
            updateCache(written.changes)
            commands.apply(written.resolution)
        }
    }

    // MARK: Edits

    public struct Edit: Sendable {
        public var name: String?
        /// An empty string removes it.
        public var description: String?
        public var room: RoomChoice?
        public var isSecurityDevice: Bool?
        public var isGuestAccessible: Bool?

        public enum RoomChoice: Hashable, Sendable {
            case none
            case room(String)
        }

        public init(
            name: String? = nil, description: String? = nil, room: RoomChoice? = nil, isSecurityDevice: Bool? = nil,
            isGuestAccessible: Bool? = nil
        ) {
            self.name = name
            self.description = description
            self.room = room
            self.isSecurityDevice = isSecurityDevice
            self.isGuestAccessible = isGuestAccessible
        }

        /// The audit action. A new name alone changes no rule.
        var action: String {
            let isName = name != nil && description == nil && room == nil && isSecurityDevice == nil && isGuestAccessible == nil
            return isName ? "device.rename" : "device.change"
        }
    }

    public enum EditError: Error {
        case notFound
        case noSuchEntity
        /// Entities of this kind cannot be marked as a way in.
        case neverWayIn(EntityKind)
        case name(Name.NameError)
        case description(Name.NameError)
        case noSuchRoom
        /// It changed in the meantime.
        case stale(Device, room: String?)
        case forbidden(Refusal)
    }

    /// Changes a person's settings of a device: its name, its room, whether guests may be let in through it.
    public func edit(
        _ id: String, _ edit: Edit, seen: ExpectedVersion = .any, by principal: Principal, origin: RequestOrigin
    ) async throws -> Device {
        let (now, id) = (environment.now(), formerIDs.device(id))
        let name: String?
        let description: String??
        do { name = try edit.name.map { text throws(Name.NameError) in try Name.check(text) } } catch { throw EditError.name(error) }
        do {
            description = try edit.description.map { text throws(Name.NameError) in try Name.checkDescription(text) }
        } catch { throw EditError.description(error) }
        let changed = try await store.auditedWrite(edit.action, on: .device(id), by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            guard let device = try DeviceRecords.one(id, context.db) else { throw EditError.notFound }
            try Self.require(seen, of: device, in: context.db)
            if case .room(let roomID)? = edit.room {
                guard try Bool.fetchOne(context.db, sql: "SELECT 1 FROM rooms WHERE id = ?", arguments: [roomID]) == true else {
                    throw EditError.noSuchRoom
                }
            }
            try DeviceRecords.update(id, name: name, description: description, edit, in: context.db)
            let others = edit.isSecurityDevice == true ? try WayInProtection.markSecurityDevice(id, at: now, in: context.db) : []
            guard let changed = try DeviceRecords.one(id, context.db) else { throw EditError.notFound }
            let turn = RuleChange.data(from: device, to: changed)
            try Self.record(edit.action, .deviceChanged, id, turn, in: context)
            return try [changed] + others.compactMap { try Self.refreshWayIn($0, at: now, in: context.db) }
        } committed: { [self] changed in
            updateCache(changed)
        }
        return try changed.first.orThrow(EditError.notFound)
    }

    /// Writes the journal row of a change. A row about a device names its new revision, so that readers can tell whether they have it.
    @discardableResult
    static func journal(
        _ kind: Journal.Kind, _ id: String, _ data: [String: JSONValue] = [:], at now: Date, in db: Database
    ) throws -> Int64 {
        let revision = try Int.fetchOne(db.cachedStatement(sql: "SELECT revision FROM devices WHERE id = ?"), arguments: [id]) ?? 0
        return try Journal.append(
            kind, deviceID: id, data: data.merging(["revision": .number(Double(revision))]) { $1 }, at: now, in: db)
    }

    /// Removes a device and its sensors' readings. If it is announced again, it returns as newly found, except that its guest access stays
    /// as people decided.
    public func remove(_ id: String, seen: ExpectedVersion = .any, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("device.remove", on: .device(id), by: principal, origin: origin, at: now) { context in
            try People.require(.addDevices, of: principal, in: context.db)
            // A former ID must not remove the device that stays.
            guard try AliasRecords.target(.device, id, context.db) == nil else { throw EditError.notFound }
            if let device = try DeviceRecords.one(id, context.db) { try Self.require(seen, of: device, in: context.db) }
            guard try DeviceRecords.delete(id, at: now, in: context.db) else { throw EditError.notFound }
            try Self.record("device.remove", .deviceWithdrawn, id, in: context)
        } committed: { [self] in
            cache.withLock { $0.remove(id) }
        }
    }

    private static func require(_ seen: ExpectedVersion, of device: Device, in db: Database) throws {
        guard !seen.allows(device.version) else { return }
        throw EditError.stale(device, room: try device.roomID.flatMap { try RoomRecords.one($0, db)?.name })
    }

    static func record(
        _ action: String, _ kind: Journal.Kind, _ id: String, _ data: [String: JSONValue] = [:], in context: TransactionContext
    ) throws {
        let seq = try journal(kind, id, data, at: context.now, in: context.db)
        try AuditLog.append(.init(who: .init(context.principal), action: action, deviceID: id, result: .done, journalSeq: seq), in: context)
    }

    // MARK: In-memory copy

    private func change(_ id: String, _ body: @escaping @Sendable (Database) throws -> Void) async throws {
        _ = try await store.write { db in
            try body(db)
            return try DeviceRecords.one(id, db)
        } committed: { [self] device in
            if let device {
                updateCache([device])
            } else {
                cache.withLock { $0.remove(id) }
            }
        }
    }

    /// Stores committed devices in memory, in the order of the commits.
    func updateCache(_ devices: [Device]) {
        guard !devices.isEmpty else { return }
        cache.withLock { mirror in
            for device in devices {
                if mirror.devices.updateValue(device, forKey: device.id) == nil { mirror.order.append(device.id) }
                for entity in device.entities { mirror.owners[entity.id] = device.id }
            }
            mirror.invalidateList()
        }
    }

    /// Stores merged or replaced devices in memory, as committed.
    ///
    /// - Parameter gone: the IDs of devices that are no longer announced.
    func updateCache(_ devices: [Device], without gone: [String], aliases: FormerIDs) {
        cache.withLock { $0.aliases = aliases }
        for id in gone { removeFromCache(id) }
        updateCache(devices)
    }

    /// When each of these entities last repeated its stored state.
    func lastReports(_ deviceIDs: [String]) -> [String: Date] {
        cache.withLock { mirror in
            let entities = deviceIDs.compactMap { mirror.devices[$0] }.flatMap(\.entities)
            return Dictionary(entities.compactMap { entity in mirror.lastReported[entity.id].map { (entity.id, $0) } }) { $1 }
        }
    }

    /// Removes a withdrawn device from memory.
    func removeFromCache(_ id: String) {
        cache.withLock { mirror in
            if mirror.devices[id] != nil { mirror.remove(id) }
        }
    }

    /// Applies the changes of the rows to the devices in memory.
    private func updateCache(_ changes: [DeviceRecords.StateChange]) {
        guard !changes.isEmpty else { return }
        cache.withLock { mirror in
            for change in changes { mirror.devices[change.deviceID]?.apply(change) }
            mirror.invalidateList()
        }
    }

    /// The reports worth a commit. They are compared with the state in memory before all of them. Once one report of a device is kept, its
    /// later ones are kept too: a later one may repeat the value that memory still holds.
    private func newReports(in reports: [EntityReport], at now: Date) -> [EntityReport] {
        cache.withLock { mirror in
            var told: Set<String> = []
            return reports.filter { report in
                guard let owner = mirror.owners[report.entityID] else { return true }
                guard
                    told.contains(owner) || mirror.isNew(report, of: owner)
                        || (report.isFresh && commands.hasPendingCommand(for: report.entityID))
                else {
                    if report.isFresh { mirror.lastReported[report.entityID] = now }
                    return false
                }
                told.insert(owner)
                return true
            }
        }
    }
}

extension Device {
    fileprivate mutating func apply(_ change: DeviceRecords.StateChange) {
        if let position = entities.firstIndex(where: { $0.id == change.entityID }) {
            entities[position].updateState(as: change.state, reportedAt: change.reportedAt, isKnown: change.isKnown)
        }
        if let reported = change.deviceAttributes { attributes = reported }
        revision = change.revision
        stateChangedAt = change.changedAt ?? stateChangedAt
        lastSeenAt = max(lastSeenAt ?? change.seenAt, change.seenAt)
    }
}
