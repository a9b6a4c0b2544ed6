import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging

/// Two devices to be merged, in their current state.
struct DeviceMergePair {
    let staying: Device
    let removed: Device
    private let announced: Set<String>

    /// - Throws: `Integrations.MoveError`
    init(_ id: String, _ other: String, _ db: Database) throws {
        let ids = (try AliasRecords.resolve(.device, id, db), try AliasRecords.resolve(.device, other, db))
        guard let first = try DeviceRecords.oneIncludingWithdrawn(ids.0, db) else { throw Integrations.MoveError.notFound }
        guard let second = try DeviceRecords.oneIncludingWithdrawn(ids.1, db) else { throw Integrations.MoveError.noSuchOther }
        guard ids.0 != ids.1 else { throw Integrations.MoveError.same(field: "with") }
        guard first.device.integration == second.device.integration else {
            throw Integrations.MoveError.otherIntegration(first.device.integration, second.device.integration)
        }
        announced = Set([first, second].filter { $0.isAnnounced }.map { $0.device.id })
        guard !announced.isEmpty else { throw Integrations.MoveError.bothGone }
        let isFirst = try Self.isNamed(ids.0, db) || !Self.isNamed(ids.1, db)
        (staying, removed) = isFirst ? (first.device, second.device) : (second.device, first.device)
    }

    private static func isNamed(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM guest_items WHERE device_id = ?1) OR EXISTS (SELECT 1 FROM buttons WHERE device_id = ?1)
                """, arguments: [id]) ?? false
    }

    func isAnnounced(_ device: Device) -> Bool { announced.contains(device.id) }

    func candidate(_ device: Device) -> MergeCandidate { MergeCandidate(attributes: device.attributes, isAnnounced: isAnnounced(device)) }

    func merge(_ result: MergeResult, at now: Date, in db: Database) throws -> ReferenceCounts {
        let renaming = ReferenceMapping(
            from: removed.id, to: staying.id, entities: result.sameEntities, isWhole: true, before: [staying, removed].filter(isAnnounced))
        let counts = try DeviceReferenceRewriter.move(renaming, at: now, in: db)
        try mergeEntities(result.sameEntities, in: db)
        try mergeDevices(result.attributes, at: now, in: db)
        for (former, id) in result.sameEntities { try AliasRecords.add(.entity, former, of: id, at: now, in: db) }
        try AliasRecords.add(.device, removed.id, of: staying.id, at: now, in: db)
        try DeviceRecords.reclassifyWaysIn(of: staying.id, in: db)
        return counts
    }

    /// Deletes the entities of a withdrawn device, and renames the others to the ids that stay.
    private func mergeEntities(_ same: [String: String], in db: Database) throws {
        for device in [staying, removed] where !isAnnounced(device) {
            try db.execute(sql: "DELETE FROM entities WHERE device_id = ?", arguments: [device.id])
        }
        for (former, id) in same { try db.execute(sql: "UPDATE entities SET id = ? WHERE id = ?", arguments: [id, former]) }
        try db.execute(
            sql: "UPDATE entities SET device_id = ?, position = position + ? WHERE device_id = ?",
            arguments: [staying.id, isAnnounced(staying) ? staying.entities.count : 0, removed.id])
    }

    /// The merged device keeps the stricter of each of the two rules.
    private func mergeDevices(_ attributes: [String: JSONValue], at now: Date, in db: Database) throws {
        let (there, other) = isAnnounced(staying) ? (staying, removed) : (removed, staying)
        let all = other.attributes.merging(there.attributes) { _, now in now }.merging(attributes) { _, merged in merged }
        let isOnline = [staying, removed].contains { isAnnounced($0) && $0.status == .online }
        let status = isOnline ? DeviceStatus.online : there.status
        let isSecurityDevice = staying.isSecurityDevice || removed.isSecurityDevice
        let isGuestAccessible = staying.isGuestAccessible && removed.isGuestAccessible
        let revision = max(staying.revision, removed.revision) + 1
        let changedAt = max(staying.stateChangedAt, removed.stateChangedAt)
        try db.execute(
            sql: """
                UPDATE devices SET withdrawn_at = NULL, device_class = ?, room_id = coalesce(room_id, ?), manufacturer = ?, model = ?,
                    status = ?, is_security_device = ?, is_guest_accessible = ?, attributes = ?, version = version + 1, revision = ?,
                    state_changed_at = ?
                WHERE id = ?
                """,
            arguments: [
                there.deviceClass.rawValue, removed.roomID, there.manufacturer, there.model, status.rawValue, isSecurityDevice,
                isGuestAccessible, try JSONText.encode(.object(all)), revision, changedAt.milliseconds, staying.id,
            ])
        try db.execute(
            sql: """
                UPDATE devices SET withdrawn_at = coalesce(withdrawn_at, ?), revision = revision + 1, version = version + 1 WHERE id = ?
                """, arguments: [now.milliseconds, removed.id])
    }
}
