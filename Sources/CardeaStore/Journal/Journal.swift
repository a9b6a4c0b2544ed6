import CardeaModel
import Foundation
import GRDB

/// Every fact of the house, once, in the order in which it became true.
public enum Journal {
    /// The kind of a row.
    public enum Kind: String, Sendable, CaseIterable {
        case deviceAnnounced = "device_announced"
        case deviceChanged = "device_changed"
        case deviceWithdrawn = "device_withdrawn"
        case deviceUpdate = "device_update"
        /// Several devices became reachable or unreachable at once. The row uses one sequence number for each.
        case reachChanged = "reach_changed"
        case commandAccepted = "command_accepted"
        case commandChanged = "command_changed"
        case guestChanged = "guest_changed"
        case personChanged = "person_changed"
        /// A person was erased: data that is kept about this id elsewhere must be deleted too.
        case personErased = "person_erased"
        case houseChanged = "house_changed"
        case sceneChanged = "scene_changed"
        case roomChanged = "room_changed"
        case integrationChanged = "integration_changed"
        case phoneChanged = "phone_changed"
        case eventRecorded = "event_recorded"
        case eventDescribed = "event_described"
        case eventRemoved = "event_removed"
        case cameraChanged = "camera_changed"
        case buttonChanged = "button_changed"
        case tagChanged = "tag_changed"
        case memoryChanged = "memory_changed"
        case interviewChanged = "interview_changed"
        case twinChanged = "twin_changed"
        case automationChanged = "automation_changed"
        case houseAsked = "house_asked"
        case mindChanged = "mind_changed"
        case maintenanceChanged = "maintenance_changed"

        /// True if its rows always contain text, which may be about anyone; they are sealed.
        var isSealed: Bool { Self.sealedKinds.contains(self) }

        public static let sealedKinds: Set<Kind> = [.houseAsked, .mindChanged]
    }

    /// Writes one row in the transaction of its change, and returns its sequence number.
    ///
    /// - Parameters:
    ///   - about: the subject of the row in its present state, so that listeners of the commit need not read it.
    ///   - hasWords: true if the `data` of this row contains free text, such as a device's reason for not doing something.
    ///   - numbers: the count of sequence numbers that the row uses, at least 1. It has the last of them.
    @discardableResult
    public static func append(
        _ kind: Kind, deviceID: String? = nil, subject: String? = nil, data: [String: JSONValue] = [:], about: (any Sendable)? = nil,
        hasWords: Bool = false, numbers: Int = 1, at now: Date, in db: Database
    ) throws -> Int64 {
        let text = try JSONText.encode(.object(data))
        if hasWords || kind.isSealed {
            try db.cachedStatement(
                sql: """
                    INSERT INTO journal (seq, at, kind, device_id, subject, data) VALUES (?1, ?, ?, ?, ?, sealed(?, 'journal.data', ?1))
                    """
            ).execute(arguments: [last(in: db) + 1, now.milliseconds, kind.rawValue, deviceID, subject, text])
        } else if numbers > 1 {
            try db.cachedStatement(sql: "INSERT INTO journal (seq, at, kind, device_id, subject, data) VALUES (?, ?, ?, ?, ?, ?)")
                .execute(arguments: [last(in: db) + Int64(numbers), now.milliseconds, kind.rawValue, deviceID, subject, text])
        } else {
            try db.cachedStatement(sql: "INSERT INTO journal (at, kind, device_id, subject, data) VALUES (?, ?, ?, ?, ?)")
                .execute(arguments: [now.milliseconds, kind.rawValue, deviceID, subject, text])
        }
        let seq = db.lastInsertedRowID
        TransactionBuffer.current?.add(
            JournalRow(
                seq: seq, at: Date(milliseconds: now.milliseconds), kind: kind, deviceID: deviceID, subject: subject, data: data,
                about: about))
        return seq
    }

    /// Skips numbers: an empty row has the last one of them.
    public static func skip(by count: Int64, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO journal (seq, at, kind, data) VALUES (?, ?, ?, '{}')",
            arguments: [last(in: db) + count, now.milliseconds, Kind.houseChanged.rawValue])
    }
}
