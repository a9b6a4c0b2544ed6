import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Devices that people plan and that are not connected yet. They have a name, a room and a kind, and keep their place until their
/// integration announces the real device.
public struct PlannedDevices: Sendable {
    let store: Store
    let devices: Devices
    let idempotency: IdempotencyStore
    let environment: HubEnvironment

    /// A limit, so that planned devices cannot fill the disk.
    static let limit = 500

    /// A person's description of a planned device.
    public struct Plan: Sendable {
        public var name: String
        /// nil if it is none of the kinds that the house controls or reads.
        public var kind: EntityKind?
        public var deviceClass: DeviceClass
        /// The class, if the kind alone does not say it, such as a cover's `garage`.
        public var entityClass: String?
        public var roomID: String?
        public var manufacturer: String?
        public var model: String?
        public var description: String?

        public init(
            name: String, kind: EntityKind?, deviceClass: DeviceClass, entityClass: String? = nil, roomID: String? = nil,
            manufacturer: String? = nil, model: String? = nil, description: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.deviceClass = deviceClass
            self.entityClass = entityClass
            self.roomID = roomID
            self.manufacturer = manufacturer
            self.model = model
            self.description = description
        }
    }

    public enum PlanError: Error {
        case name(Name.NameError)
        case description(Name.NameError)
        case full
    }

    /// Adds a planned device. No command reaches it, and it reports nothing.
    ///
    /// - Parameters:
    ///   - plan: an unknown room counts as none.
    ///   - call: the idempotency key. Repeated with the same key, the same device is returned.
    public func add(_ plan: Plan, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin) async throws -> Device {
        let (plan, now) = (try Self.validated(plan), environment.now())
        return try await store.auditedWrite("device.plan", by: principal, origin: origin, at: now) { context in
            let outcome = try idempotency.run(call, in: context) {
                try People.require(.addDevices, of: principal, in: context.db)
                let id = try Self.insert(plan, at: now, in: context.db)
                let seq = try Devices.journal(.deviceAnnounced, id, at: now, in: context.db)
                try AuditLog.append(
                    .init(who: .init(principal), action: "device.plan", deviceID: id, result: .done, journalSeq: seq), in: context)
                return id
            }
            // Made before under this key, and removed since.
            guard let device = try DeviceRecords.one(outcome.answer, context.db) else { throw Devices.EditError.notFound }
            return device
        } committed: { [devices] device in
            devices.updateCache([device])
        }
    }

    private static func validated(_ plan: Plan) throws -> Plan {
        var plan = plan
        do { plan.name = try Name.check(plan.name) } catch { throw PlanError.name(error) }
        do { plan.description = try plan.description.flatMap { text throws(Name.NameError) in try Name.checkDescription(text) } } catch {
            throw PlanError.description(error)
        }
        return plan
    }

    private static func insert(_ plan: Plan, at now: Date, in db: Database) throws -> String {
        let count = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM devices WHERE integration = ? AND withdrawn_at IS NULL", arguments: [Device.planned])
        guard count ?? 0 < limit else { throw PlanError.full }
        // IDs that no integration gives, so that a later announcement finds its own free. A removed device keeps its ID: a pass may still
        // name it.
        let id = try Self.unusedID("planned-" + (Slug.make(plan.name) ?? "device"), "-", in: "devices", db)
        let entities = try plan.kind.map { kind in
            let entityID = try Self.unusedID("\(kind.rawValue)." + id.replacingOccurrences(of: "-", with: "_"), "_", in: "entities", db)
            return [Entity(id: entityID, kind: kind, name: plan.name, deviceClass: plan.entityClass, verbs: kind.verbs)]
        }
        let device = Device(
            id: id, name: plan.name, deviceClass: plan.deviceClass, roomID: plan.roomID, integration: Device.planned,
            manufacturer: plan.manufacturer, model: plan.model, status: .unknown, isGuestAccessible: false, stateChangedAt: now,
            discovery: "said", entities: entities ?? [])
        guard try DeviceRecords.announce(device, at: now, in: db).isNews else { return id }
        let room = try Bool.fetchOne(db, sql: "SELECT 1 FROM rooms WHERE id = ?", arguments: [plan.roomID]) == true ? plan.roomID : nil
        let edit = Devices.Edit(name: plan.name, room: room.map(Devices.Edit.RoomChoice.room))
        try DeviceRecords.update(id, name: plan.name, description: plan.description.map(Optional.some), edit, in: db)
        return id
    }

    private static func unusedID(_ wish: String, _ separator: String, in table: String, _ db: Database) throws -> String {
        var (id, number) = (wish, 2)
        let isTaken = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE id = ?1) OR EXISTS (SELECT 1 FROM aliases WHERE alias = ?1)"
        while try Bool.fetchOne(db, sql: isTaken, arguments: [id]) == true {
            id = "\(wish)\(separator)\(number)"
            number += 1
        }
        return id
    }
}
