import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Devices and entities as rows.
enum DeviceRecords {
    /// All announced devices, in their display order.
    static func all(_ db: Database) throws -> [Device] {
        let rows = try Row.fetchAll(db, sql: "SELECT \(entityColumns), device_id FROM entities ORDER BY device_id, position")
        let entities = Dictionary(grouping: rows, by: { $0["device_id"] as String })
        return try Row.fetchAll(db, sql: "SELECT \(deviceColumns) FROM devices WHERE withdrawn_at IS NULL ORDER BY rowid").map {
            try device($0, entities: entities[$0[0]] ?? [])
        }
    }

    /// An announced device, by its current or a former ID.
    static func one(_ id: String, _ db: Database) throws -> Device? {
        if let device = try fetch(selectOne, id, db) { return device }
        return try AliasRecords.target(.device, id, db).flatMap { try fetch(selectOne, $0, db) }
    }

    /// The device, which may have been withdrawn, with its remaining data.
    static func oneIncludingWithdrawn(_ id: String, _ db: Database) throws -> (device: Device, isAnnounced: Bool)? {
        guard let device = try fetch(selectKnown, id, db) else { return nil }
        let isAnnounced = try Bool.fetchOne(db, sql: "SELECT withdrawn_at IS NULL FROM devices WHERE id = ?", arguments: [id])
        return (device, isAnnounced ?? false)
    }

    private static func fetch(_ select: String, _ id: String, _ db: Database) throws -> Device? {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: select), arguments: [id]) else { return nil }
        return try device(row, entities: try Row.fetchAll(db.cachedStatement(sql: selectEntities), arguments: [id]))
    }

    private static let selectKnown = "SELECT \(deviceColumns) FROM devices WHERE id = ?"
    private static let selectOne = selectKnown + " AND withdrawn_at IS NULL"
    private static let selectEntities = "SELECT \(entityColumns) FROM entities WHERE device_id = ? ORDER BY position"

    /// Writes the description anew, and keeps a person's changes and the device's last report.
    ///
    /// - Returns: the device before, if it existed; whether anything changed; and other devices that changed with it, as they were before.
    static func announce(
        _ device: Device, at now: Date, in db: Database
    ) throws -> (before: Device?, isNews: Bool, others: [Device]) {
        // The ID of a merged device is an alias of the one that stays.
        guard try AliasRecords.target(.device, device.id, db) == nil else {
            throw DeviceIDConflictError(deviceID: device.id, integration: device.integration)
        }
        let stored = try String.fetchOne(db, sql: "SELECT attributes FROM devices WHERE id = ?", arguments: [device.id])
        let isKnown = stored != nil
        let before = isKnown ? try one(device.id, db) : nil
        let attributes = try (stored.map { try JSONText.object($0) } ?? [:]).merging(device.attributes) { _, described in described }
        let owner = try String.fetchOne(
            db, sql: "SELECT integration FROM devices WHERE id = ? AND integration <> ? AND withdrawn_at IS NULL",
            arguments: [device.id, device.integration])
        // A pass for that device must not open another.
        if let owner { throw DeviceIDConflictError(deviceID: device.id, integration: owner) }
        try db.execute(
            sql: """
                INSERT INTO devices (id, integration, name, device_class, room_id, connection, manufacturer, model, status,
                    is_security_device, is_guest_accessible, attributes, revision, state_changed_at, discovery, hub_id)
                VALUES (?, ?, ?, ?, (SELECT id FROM rooms WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET integration = excluded.integration,
                    name = CASE WHEN name_is_given THEN name ELSE excluded.name END, device_class = excluded.device_class,
                    room_id = CASE WHEN room_is_given THEN room_id ELSE excluded.room_id END, connection = excluded.connection,
                    manufacturer = excluded.manufacturer, model = excluded.model, discovery = excluded.discovery,
                    hub_id = excluded.hub_id, attributes = excluded.attributes, withdrawn_at = NULL
                """,
            arguments: [
                device.id, device.integration, device.name, device.deviceClass.rawValue, device.roomID, device.connection.rawValue,
                device.manufacturer, device.model, device.status.rawValue, device.isSecurityDevice, device.isGuestAccessible,
                try JSONText.encode(.object(attributes)), now.milliseconds, device.discovery, device.hubID,
            ])
        // The device returns: its earlier reports may be outdated.
        if isKnown, before == nil { try AvailabilityRecords.markUnknown(device.id, in: db) }
        let stays = Set(device.entities.map(\.id))
        for id in try String.fetchAll(db, sql: "SELECT id FROM entities WHERE device_id = ?", arguments: [device.id])
        where !stays.contains(id) {
            try db.execute(sql: "DELETE FROM entities WHERE id = ?", arguments: [id])
        }
        var described = device
        for position in device.entities.indices {
            described.entities[position].opensWayIn = try WayInMarkRecords.isMarked(device.entities[position].id, db)
            try announce(described.entities[position], at: position, of: device, now, in: db)
        }
        let others = try WayInProtection.applyAnnouncement(described, at: now, in: db)
        guard isKnown else { return (nil, true, others) }
        guard try before == nil || one(device.id, db) != before else { return (before, false, others) }
        try incrementVersion(device.id, in: db)
        return (before, true, others)
    }

    static func incrementVersion(_ id: String, in db: Database) throws {
        try db.execute(sql: "UPDATE devices SET revision = revision + 1, version = version + 1 WHERE id = ?", arguments: [id])
    }

    private static func announce(_ entity: Entity, at position: Int, of device: Device, _ now: Date, in db: Database) throws {
        // An entity of a withdrawn device of the same integration may be moved to another device. A pass names both device and entity, so
        // it opens neither.
        let taken = try String.fetchOne(
            db,
            sql: """
                SELECT e.device_id FROM entities e JOIN devices d ON d.id = e.device_id
                WHERE e.id = ? AND e.device_id <> ? AND (d.withdrawn_at IS NULL OR d.integration <> ?)
                """, arguments: [entity.id, device.id, device.integration])
        if let taken = try taken ?? AliasRecords.owner(ofFormer: entity.id, db) {
            throw EntityIDConflictError(entityID: entity.id, deviceID: taken)
        }
        let verbs = Verb.allCases.filter(entity.verbs.contains).map(\.rawValue).joined(separator: " ")
        try db.execute(
            sql: """
                INSERT INTO entities (id, device_id, position, kind, name, device_class, unit, is_enabled, verbs, notice, state, attributes, is_way_in,
                    unique_id, icon, category, is_assumed, is_current, reported_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET device_id = excluded.device_id, position = excluded.position, kind = excluded.kind, name = excluded.name,
                    device_class = excluded.device_class, unit = excluded.unit, is_enabled = excluded.is_enabled,
                    verbs = excluded.verbs, notice = excluded.notice, is_way_in = excluded.is_way_in,
                    unique_id = excluded.unique_id, icon = excluded.icon, category = excluded.category, is_assumed = excluded.is_assumed
                """,
            arguments: [
                entity.id, device.id, position, entity.kind.rawValue, entity.name, entity.deviceClass, entity.unit, entity.isEnabled,
                verbs, entity.notice, entity.state.value,
                try JSONText.encode(.object(entity.state.attributes)), entity.isWayIn, entity.uniqueID, entity.icon,
                entity.category?.rawValue, entity.isAssumed, !entity.state.saysNothing,
                entity.state.saysNothing ? nil : now.milliseconds,
            ])
    }

    /// Writes a person's changes; nil values leave a field unchanged.
    static func update(_ id: String, name: String?, description: String??, _ edit: Devices.Edit, in db: Database) throws {
        let room: String? = if case .room(let id)? = edit.room { id } else { nil }
        try db.execute(
            sql: """
                UPDATE devices SET name = coalesce(:name, name), name_is_given = name_is_given OR :name IS NOT NULL,
                    description = CASE WHEN :describes THEN :description ELSE description END,
                    room_id = CASE WHEN :moves THEN :room ELSE room_id END, room_is_given = room_is_given OR :moves,
                    is_security_device = coalesce(:security, is_security_device),
                    is_guest_accessible = coalesce(:guests, is_guest_accessible), version = version + 1, revision = revision + 1
                WHERE id = :id
                """,
            arguments: [
                "name": name, "describes": description != nil, "description": description ?? nil, "moves": edit.room != nil, "room": room,
                "security": edit.isSecurityDevice, "guests": edit.isGuestAccessible, "id": id,
            ])
    }

    /// Deletes a device except for its number and its flags. Returns false if there was nothing to delete.
    static func delete(_ id: String, at now: Date, in db: Database) throws -> Bool {
        // A withdrawn device with nothing left to delete counts as deleted.
        try db.execute(
            sql: """
                UPDATE devices SET withdrawn_at = coalesce(withdrawn_at, ?), name_is_given = 0, description = NULL, room_id = NULL,
                    room_is_given = 0, last_seen_at = NULL, version = version + 1, revision = revision + 1
                WHERE id = ? AND (withdrawn_at IS NULL OR EXISTS (SELECT 1 FROM entities WHERE device_id = devices.id))
                """, arguments: [now.milliseconds, id])
        guard db.changesCount > 0 else { return false }
        try db.execute(sql: "DELETE FROM readings WHERE entity_id IN (SELECT id FROM entities WHERE device_id = ?)", arguments: [id])
        try db.execute(sql: "DELETE FROM hourly_readings WHERE entity_id IN (SELECT id FROM entities WHERE device_id = ?)", arguments: [id])
        try db.execute(sql: "DELETE FROM entities WHERE device_id = ?", arguments: [id])
        return true
    }

    /// The subject of a report and the change it made.
    struct ReportEffect {
        let deviceID: String
        let kind: EntityKind
        /// The entity's state before the report. Attributes are included only for covers, whose position they hold.
        let before: EntityState
        /// nil if the report changed nothing.
        let change: StateChange?
    }

    /// A device with one entity's new state, as it was committed.
    struct StateChange: Sendable {
        let deviceID: String
        let revision: Int
        /// nil if the report repeated the stored state.
        let changedAt: Date?
        let seenAt: Date
        let entityID: String
        /// The last reported state. `isKnown` says whether it is still the current one.
        let state: EntityState
        let reportedAt: Date
        let isKnown: Bool
        /// The device's own attributes; nil if the report does not contain any.
        let deviceAttributes: [String: JSONValue]?
    }

    /// Writes an entity's report. Returns nil for an entity that was never announced.
    ///
    /// A report of an unknown state is not a state: the previous value stays as the last report.
    static func report(_ report: EntityReport, at now: Date, in db: Database) throws -> ReportEffect? {
        guard
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT e.device_id, e.kind, e.state, e.attributes, d.attributes, e.is_current, d.status, e.reported_at FROM entities e
                        JOIN devices d ON d.id = e.device_id WHERE e.id = ? AND d.withdrawn_at IS NULL
                        """), arguments: [report.entityID]),
            let kind = EntityKind(rawValue: row[1])
        else { return nil }
        let deviceID: String = row[0]
        let isReached = isReached(DeviceStatus(rawValue: row[6]))
        let wasCurrent: Bool = row[5]
        let stored = EntityState(row[2], attributes: kind == .cover ? try JSONText.object(row[3]) : [:])
        let before = wasCurrent && isReached ? stored : stored.forgotten
        let isCurrent = !report.state.saysNothing
        let state = isCurrent ? report.state : try mergedState(row, describedBy: report.state)
        let attributes = try JSONText.encode(.object(state.attributes))
        // Most reports have no device attributes, and then the stored ones need not be read.
        let held = report.deviceAttributes.isEmpty ? nil : try JSONText.object(row[4])
        let device = held?.merging(report.deviceAttributes) { _, new in new }
        let isOther = stored.value != state.value || row[3] != attributes
        guard isOther || wasCurrent != isCurrent || device != held else {
            return ReportEffect(deviceID: deviceID, kind: kind, before: before, change: nil)
        }
        // A retained message with the same state was sent when it was first reported; nothing has changed.
        let saidAt: Date? = (row[7] as Int64?).map(Date.init(milliseconds:))
        let reportedAt = isCurrent && (report.isFresh || isOther) ? now : saidAt ?? now
        let isChange = isOther || device != held
        try db.cachedStatement(sql: "UPDATE entities SET state = ?, attributes = ?, is_current = ?, reported_at = ? WHERE id = ?").execute(
            arguments: [
                state.value, attributes, isCurrent, isCurrent ? reportedAt.milliseconds : saidAt?.milliseconds, report.entityID,
            ])
        let revision = try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    UPDATE devices SET attributes = ?, revision = revision + 1, state_changed_at = iif(?, ?, state_changed_at),
                        last_seen_at = max(coalesce(last_seen_at, 0), ?)
                    WHERE id = ? RETURNING revision
                    """),
            arguments: [
                try device.map { try JSONText.encode(.object($0)) } ?? row[4], isChange, now.milliseconds,
                (report.isFresh || isChange ? now : reportedAt).milliseconds, deviceID,
            ])
        return ReportEffect(
            deviceID: deviceID, kind: kind, before: before,
            change: revision.map {
                StateChange(
                    deviceID: deviceID, revision: $0, changedAt: isChange ? now : nil,
                    seenAt: report.isFresh || isChange ? now : reportedAt, entityID: report.entityID, state: state, reportedAt: reportedAt,
                    isKnown: isCurrent && isReached, deviceAttributes: device)
            })
    }

    /// The stored state, merged with the descriptive attributes of the new report. If the report has none, the state is unchanged.
    private static func mergedState(_ row: Row, describedBy new: EntityState) throws -> EntityState {
        let state = EntityState(row[2], attributes: try JSONText.object(row[3]))
        guard !new.attributes.isEmpty else { return state }
        let lasting = state.attributes.filter { !EntityState.describing.contains($0.key) }
        return EntityState(state.value, attributes: lasting.merging(new.forgotten.attributes) { $1 })
    }

    /// Returns whether a device's report can be its current state: true unless the device is offline or in error. A device that the hub
    /// lost contact with may have reported since.
    private static func isReached(_ status: DeviceStatus?) -> Bool { status != .offline && status != .error }

    /// In the order in which `device` reads them: by position, because a name is searched for each time.
    private static let deviceColumns = """
        id, name, device_class, room_id, integration, connection, manufacturer, model, status, is_security_device, is_guest_accessible,
        attributes, version, state_changed_at, last_seen_at, description, discovery, hub_id, revision
        """

    /// The kinds of the existing entities among `ids`, and which of them are sensors without a unit and a category.
    static func kinds(
        ofEntities ids: Set<String>, _ db: Database
    ) throws -> (kinds: [String: EntityKind], speaking: Set<String>) {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql:
                    "SELECT id, kind, kind = 'sensor' AND unit IS NULL AND category IS NULL FROM entities WHERE id IN (SELECT value FROM json_each(?))"
            ),
            arguments: [try JSONText.encode(.array(ids.map(JSONValue.string)))])
        var kinds: [String: EntityKind] = [:]
        var speaking: Set<String> = []
        while let row = try rows.next() {
            kinds[row[0]] = EntityKind(rawValue: row[1])
            if row[2] { speaking.insert(row[0]) }
        }
        return (kinds, speaking)
    }

    private static func device(_ row: Row, entities: [Row]) throws -> Device {
        let status = DeviceStatus(rawValue: row[8]) ?? .unknown
        return Device(
            id: row[0], name: row[1], deviceClass: DeviceClass(rawValue: row[2]) ?? .other, roomID: row[3], integration: row[4],
            connection: ConnectionMethod(rawValue: row[5]) ?? .local, manufacturer: row[6], model: row[7],
            status: status, isSecurityDevice: row[9], isGuestAccessible: row[10],
            attributes: try JSONText.object(row[11]), version: row[12], revision: row[18], stateChangedAt: Date(milliseconds: row[13]),
            lastSeenAt: (row[14] as Int64?).map(Date.init(milliseconds:)), description: row[15], discovery: row[16], hubID: row[17],
            entities: try entities.compactMap { try entity($0, isReached: isReached(status)) })
    }

    private static let entityColumns = """
        id, kind, name, device_class, unit, is_enabled, verbs, state, attributes, notice, unique_id, icon, category,
        EXISTS (SELECT 1 FROM ways_in WHERE entity_id = entities.id),
        (SELECT hold FROM known_ways_in WHERE entity_id = entities.id),
        (SELECT changed_at FROM known_ways_in WHERE entity_id = entities.id), is_current, reported_at, is_assumed
        """

    private static func entity(_ row: Row, isReached: Bool) throws -> Entity? {
        guard let kind = EntityKind(rawValue: row[1]) else { return nil }
        let verbs = (row[6] as String).split(separator: " ").compactMap { Verb(rawValue: String($0)) }
        var entity = Entity(
            id: row[0], uniqueID: row[10], kind: kind, name: row[2], deviceClass: row[3], unit: row[4], icon: row[11],
            category: (row[12] as String?).flatMap(EntityCategory.init), isEnabled: row[5], opensWayIn: row[13],
            hold: WayInRestrictions(words: row[14] ?? "", changedAt: (row[15] as Int64?).map(Date.init(milliseconds:))), verbs: Set(verbs),
            isAssumed: row[18], notice: row[9])
        entity.updateState(
            as: EntityState(row[7], attributes: try JSONText.object(row[8])),
            reportedAt: (row[17] as Int64?).map(Date.init(milliseconds:)), isKnown: isReached && row[16])
        return entity
    }
}
