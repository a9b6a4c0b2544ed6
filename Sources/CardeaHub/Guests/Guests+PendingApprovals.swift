import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The requests that wait for approval: phones that ask for a pass, and guests at a door.
extension Guests {
    public struct PendingApproval: Sendable {
        public let guestID: String
        public let guestName: String
        /// nil if a phone asks to take the pass.
        public let command: Command?
        /// The phone that asks; nil if a door is to be opened.
        public let pairingRequest: GuestPairingRequest?
        /// True if another phone asked for the same pass before this one.
        public let isSecondPhone: Bool
        /// True if approval takes the pass from the phone that has it.
        public let replacesPhone: Bool
        public let deviceName: String?
        public let askedAt: Date
        public let expiresAt: Date
    }

    /// The questions that wait for this person: of phones, if they let guests in; of guests at a door, if the owner chose them.
    public func pendingApprovals(seenBy principal: Principal) async throws -> [PendingApproval] {
        let now = environment.now()
        return try await store.read { db in
            let person = try People.require(.controlDevices, of: principal, in: db)
            let (invites, answers) = (person.rights.contains(.inviteGuests), try GuestApprovers.chosen(db).includes(person))
            guard invites || answers else { throw Commands.ApprovalError.notAnApprover }
            let phones = try (invites ? GuestPairingRequestRecords.waiting(at: now, db) : []).compactMap { phone -> PendingApproval? in
                guard let guest = try GuestRecords.one(phone.guestID, db), guest.endedReason(at: now) == nil else { return nil }
                let first = try GuestPairingRequestRecords.all(for: guest.id, db).first { $0.approvedAt != nil || $0.isWaiting(at: now) }
                return PendingApproval(
                    guestID: guest.id, guestName: guest.name, command: nil, pairingRequest: phone, isSecondPhone: first?.id != phone.id,
                    replacesPhone: guest.pairedAt != nil,
                    deviceName: guest.items.first?.deviceName, askedAt: phone.askedAt, expiresAt: phone.waitsUntil)
            }
            guard answers else { return Array(phones.reversed()) }
            let doors = try Row.fetchAll(
                db,
                sql: """
                    SELECT \(CommandRecords.columns), opened(g.name, 'guests.name', g.id) AS guest_name, d.name AS device_name FROM commands c
                    JOIN guests g ON g.id = c.guest_id LEFT JOIN devices d ON d.id = c.device_id
                    WHERE c.status IN ('accepted', 'dispatching') AND c.status = 'accepted' AND c.asks = 1 AND c.not_after > ?
                    """, arguments: [now.milliseconds]
            ).compactMap { row in
                try CommandRecords.command(row).map {
                    PendingApproval(
                        guestID: row["guest_id"], guestName: row["guest_name"], command: $0, pairingRequest: nil, isSecondPhone: false,
                        replacesPhone: false,
                        deviceName: row["device_name"], askedAt: $0.acceptedAt, expiresAt: $0.life.notAfter)
                }
            }
            return (phones.reversed() + doors).sorted { $0.askedAt > $1.askedAt }
        }
    }
}
