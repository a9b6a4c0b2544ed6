import CardeaModel
import Foundation
import GRDB

/// Every fact of the house, once, in the order in which it became true.
public enum Journal {
    /// What a row tells.
    public enum Kind: String, Sendable, CaseIterable {
        case deviceAnnounced = "device_announced"
        case deviceChanged = "device_changed"
        case deviceWithdrawn = "device_withdrawn"
        case deviceUpdate = "device_update"
        /// Several devices came into reach or went out of it at once. The row stands for one number of each.
        case reachChanged = "reach_changed"
        case commandAccepted = "command_accepted"
        case commandChanged = "command_changed"
        case guestChanged = "guest_changed"
        case personChanged = "person_changed"
        /// Whoever had this id is nobody any more: what is kept of them elsewhere goes too.
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

        /// Whether it always tells in words, which may tell of anybody: they are sealed.
        var isSealed: Bool { Self.sealedKinds.contains(self) }

        public static let sealedKinds: Set<Kind> = [.houseAsked, .mindChanged]
    }

    /// Writes one row in the transaction of the change it tells of, and returns its sequence number.
    ///
    /// - Parameters:
    ///   - about: what the row is about, as it stands now: whoever is told of the commit need not read it.
    ///   - hasWords: whether `data` tells in words this once, as a device does why it did not do something.
    ///   - numbers: sequence numbers that the row stands for, at least 1. It has the last of them.
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

    /// Leaves numbers out: a row that says nothing has the last one of them.
    public static func skip(by count: Int64, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO journal (seq, at, kind, data) VALUES (?, ?, ?, '{}')",
            arguments: [last(in: db) + count, now.milliseconds, Kind.houseChanged.rawValue])
    }
}
