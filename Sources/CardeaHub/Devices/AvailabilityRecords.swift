import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Rows about the reach of devices, and how well their state is known.
enum AvailabilityRecords {
    /// Marks every state as unknown at the start until it is reported: it may have changed since the last run.
    ///
    /// - Parameter lastRun: the last sign of life of the previous run; since then the devices' states are unknown.
    static func markUnknown(at now: Date, lastRun: Date?, in db: Database) throws {
        let ids = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM devices WHERE withdrawn_at IS NULL
                    AND (status NOT IN ('unknown', 'offline') OR EXISTS (SELECT 1 FROM entities WHERE device_id = devices.id AND is_current))
                """)
        _ = try update(.unknown, of: ids, lastReports: [:], since: lastRun, at: now, in: db)
    }

    /// Marks a device's states as unknown.
    static func markUnknown(_ deviceID: String, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE entities SET is_current = 0 WHERE device_id = ? AND is_current").execute(arguments: [deviceID])
    }

    /// Updates the status of devices. A device that reported itself offline stays so when it is merely lost.
    ///
    /// - Parameters:
    ///   - lastReports: when entities last repeated their stored state.
    ///   - since: when the status began, if that is earlier than it was detected.
    /// - Returns: the revisions of the devices that changed.
    static func update(
        _ status: DeviceStatus, of deviceIDs: [String], lastReports: [String: Date], since: Date? = nil, at now: Date, in db: Database
    ) throws -> [String: Int] {
        var revisions: [String: Int] = [:]
        if status != .online {
            for (entityID, moment) in lastReports {
                try db.cachedStatement(
                    sql: "UPDATE entities SET reported_at = max(coalesce(reported_at, 0), ?) WHERE id = ? AND is_current"
                ).execute(arguments: [moment.milliseconds, entityID])
            }
        }
        for id in deviceIDs {
            let revision = try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        UPDATE devices SET status = iif(status = 'offline' AND ?1 = 'unknown', status, ?1), revision = revision + 1
                        WHERE id = ?2 AND withdrawn_at IS NULL AND (status <> ?1 AND NOT (status = 'offline' AND ?1 = 'unknown')
                            OR ?1 <> 'online' AND EXISTS (SELECT 1 FROM entities WHERE device_id = ?2 AND is_current))
                        RETURNING revision
                        """), arguments: [status.rawValue, id])
            guard let revision else { continue }
            revisions[id] = revision
            if status != .online { try markUnknown(id, in: db) }
        }
        try journal(status, revisions, since: since, at: now, in: db)
        return revisions
    }

    /// Writes one journal row, however many devices changed.
    private static func journal(_ status: DeviceStatus, _ revisions: [String: Int], since: Date?, at now: Date, in db: Database) throws {
        var data: [String: JSONValue] = ["status": .string(status.rawValue)]
        if let since { data["since"] = .number(Double(since.milliseconds)) }
        switch (revisions.count, revisions.first) {
        case (0, _), (_, nil): break
        case (1, let only?): try Devices.journal(.deviceUpdate, only.key, data, at: now, in: db)
        default:
            data["revisions"] = .object(revisions.mapValues { .number(Double($0)) })
            try Journal.append(.reachChanged, data: data, numbers: revisions.count, at: now, in: db)
        }
    }
}
