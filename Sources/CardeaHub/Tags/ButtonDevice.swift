import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The device that a publishing button is: rooms, rights, passes and the gate know it as they know every other.
enum ButtonDevice {
    static let integration = "buttons"

    static func announce(_ button: Button, _ publication: ButtonPublication, isUp: Bool, at now: Date, in db: Database) throws {
        let entity = Entity(
            id: Button.entityID(of: button.id), kind: .button, name: button.title, deviceClass: publication.risk == .open ? "gate" : nil,
            verbs: button.isEnabled ? [.press] : [])
        let device = Device(
            id: button.id, name: button.title, deviceClass: DeviceClass(of: [entity]), integration: integration,
            status: isUp ? .online : .offline, stateChangedAt: now, entities: [entity])
        let isNews = try DeviceRecords.announce(device, at: now, in: db).isNews
        // Its broker may have changed.
        try db.execute(
            sql: "UPDATE devices SET status = ?1, revision = revision + 1 WHERE id = ?2 AND status <> ?1",
            arguments: [device.status.rawValue, button.id])
        guard isNews || db.changesCount > 0 else { return }
        try Devices.journal(.deviceAnnounced, button.id, at: now, in: db)
    }

    /// The button's action has changed. Passes were given for the earlier action, so none opens it until a person allows passes again.
    static func closeToGuests(_ buttonID: String, in db: Database) throws {
        try db.execute(
            sql: "UPDATE devices SET is_guest_accessible = 0 WHERE id = ? AND integration = ?", arguments: [buttonID, integration])
    }

    static func withdraw(_ buttonID: String, at now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE devices SET withdrawn_at = ?, revision = revision + 1
                WHERE id = ? AND integration = ? AND withdrawn_at IS NULL
                """, arguments: [now.milliseconds, buttonID, integration])
        guard db.changesCount > 0 else { return }
        try closeToGuests(buttonID, in: db)
        try Devices.journal(.deviceWithdrawn, buttonID, at: now, in: db)
    }
}
