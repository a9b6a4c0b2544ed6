import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The house's own data for Home Assistant: its locks, the number of passes in use, and the last visitor.
public struct HomeAssistantExport: Sendable {
    let store: Store
    let house: House
    let commands: Commands
    let environment: HubEnvironment
    private let notifier: ChangeNotifier

    /// The exported data at one moment.
    public struct Snapshot: Hashable, Sendable {
        public let houseID: String
        public let houseName: String
        public let locks: [Lock]
        public let passesInUse: Int
        /// The person who last used a pass; nil if no pass has been used.
        public let lastVisitor: String?

        public init(houseID: String, houseName: String, locks: [Lock], passesInUse: Int, lastVisitor: String?) {
            self.houseID = houseID
            self.houseName = houseName
            self.locks = locks
            self.passesInUse = passesInUse
            self.lastVisitor = lastVisitor
        }
    }

    /// One of the house's own locks, with its device.
    public struct Lock: Hashable, Sendable {
        public let device: Device
        public let entity: Entity
        public let room: String?

        public init(device: Device, entity: Entity, room: String?) {
            self.device = device
            self.entity = entity
            self.room = room
        }
    }

    init(store: Store, house: House, commands: Commands, environment: HubEnvironment) {
        self.store = store
        self.house = house
        self.commands = commands
        self.environment = environment
        notifier = ChangeNotifier(store)
    }

    /// The house's permanent ID.
    public var id: String { house.current.id }

    /// The current name of the house.
    public var name: String { house.current.name }

    public func snapshot() async throws -> Snapshot {
        let now = environment.now()
        return try await store.read { db in
            let rooms = Dictionary(try RoomRecords.all(db).map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
            let facts = try House.read(db)
            return Snapshot(
                houseID: facts.id, houseName: facts.name,
                locks: try HomeAssistantExportLocks.all(db).map {
                    Lock(device: $0.device, entity: $0.entity, room: $0.device.roomID.flatMap { rooms[$0] })
                },
                passesInUse: try GuestRecords.all(db).count { $0.status(at: now) == .active },
                lastVisitor: try String.fetchOne(
                    db,
                    sql: """
                        SELECT opened(name, 'guests.name', id) FROM guests
                        WHERE last_used_at IS NOT NULL ORDER BY last_used_at DESC LIMIT 1
                        """))
        }
    }

    /// Signals when a commit may have changed the snapshot. Changes by time alone are not signalled.
    public func changes() -> AsyncStream<Void> { notifier.subscribe() }

    /// Submits a command for one of the house's locks in the name of `integration`. It passes the gate and is recorded like any other
    /// command; the lock's own state shows its result.
    ///
    /// - Parameter name: identifies this request, so that a message that arrives twice is one command.
    /// - Throws: `CommandRefusal` if it was not accepted.
    public func submit(_ verb: Verb, of lock: Lock, by integration: String, name: String) async throws {
        let call = IdempotencyKey(key: name, method: "ASK", path: "/\(integration)/\(lock.entity.id)", body: Data(verb.rawValue.utf8))
        _ = try await commands.submit(
            CommandRequest(
                principal: .integration(integration), target: .device(id: lock.device.id, entityID: lock.entity.id, verb: verb),
                idempotencyKey: call, origin: .house))
    }

    /// Records that `integration` sent a message for a lock that was not a command: it was old, retained, or incomplete. Repeated ones are
    /// not recorded each time, so that they do not fill the audit log.
    public func recordRejection(_ reason: AuditReason, at lock: Lock, by integration: String) async throws {
        let (now, requester) = (environment.now(), Principal.integration(integration))
        try await store.write { db in
            guard try ThrottleRecords.wait([(.refusedPass, requester.key)], at: now, in: db) == nil else { return }
            try ThrottleRecords.recordFailure(.refusedPass, requester.key, at: now, in: db)
            try AuditLog.append(
                .init(
                    who: .init(requester), action: "command", deviceID: lock.device.id, entityID: lock.entity.id, result: .refused,
                    reason: reason),
                in: .house(db, at: now))
        }
    }

    /// Wakes the listeners after commits that change exported tables.
    private final class ChangeNotifier: Sendable {
        private let listeners = Mutex<(next: Int, bells: [Int: AsyncStream<Void>.Continuation])>((0, [:]))
        private let watch: TableChangeCounter

        init(_ store: Store) {
            watch = store.observe(["devices", "entities", "rooms", "house", "guests"])
            let rung = Mutex(0)
            store.onCommit { [weak self] _ in
                guard let self else { return }
                let commits = watch.changeCount
                guard
                    rung.withLock({ before in
                        defer { before = commits }
                        return before != commits
                    })
                else { return }
                for bell in listeners.withLock({ Array($0.bells.values) }) { bell.yield() }
            }
        }

        func subscribe() -> AsyncStream<Void> {
            let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let number = listeners.withLock { listeners in
                listeners.next += 1
                listeners.bells[listeners.next] = bell
                return listeners.next
            }
            bell.onTermination = { [weak self] _ in self?.listeners.withLock { $0.bells[number] = nil } }
            return rings
        }
    }
}
