import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The phones that ask, as rows.
enum GuestPairingRequestRecords {
    /// Phones that may ask for a pass at a time.
    static let limit = 5

    private static let columns = "id, guest_id, number, asked_at, approved_at, rejected_at"

    private static func request(_ row: Row) -> GuestPairingRequest {
        func date(_ milliseconds: Int64?) -> Date? { milliseconds.map(Date.init(milliseconds:)) }
        return GuestPairingRequest(
            id: row[0], guestID: row[1], number: row[2], askedAt: Date(milliseconds: row[3]), approvedAt: date(row[4]),
            rejectedAt: date(row[5]))
    }

    /// The ask of this phone; nil if it has not asked.
    static func one(of requester: PairingPhone, for guestID: String, _ db: Database) throws -> GuestPairingRequest? {
        for mark in requester.digests {
            let row = try Row.fetchOne(
                db, sql: "SELECT \(columns) FROM phone_asks WHERE guest_id = ? AND phone = ?", arguments: [guestID, mark])
            if let row { return request(row) }
        }
        return nil
    }

    /// The asks for a pass, the first one first.
    static func all(for guestID: String, _ db: Database) throws -> [GuestPairingRequest] {
        try Row.fetchAll(
            db, sql: "SELECT \(columns) FROM phone_asks WHERE guest_id = ? ORDER BY asked_at, rowid", arguments: [guestID]
        ).map(request)
    }

    /// Phones that wait for approval, of any pass that has not ended.
    static func waiting(at now: Date, _ db: Database) throws -> [GuestPairingRequest] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(columns) FROM phone_asks WHERE approved_at IS NULL AND rejected_at IS NULL AND asked_at > ?
                ORDER BY asked_at, rowid
                """, arguments: [now.addingTimeInterval(-GuestPairingRequest.lifetime).milliseconds]
        ).map(request)
    }

    /// Records the request of a phone. After an expired request it gets a new number.
    ///
    /// - Parameter mark: SHA-256 of its key, or of the secret that it is given.
    static func insert(_ id: String, mark: Data, for guestID: String, at now: Date, in db: Database) throws -> GuestPairingRequest {
        let taken = try Set(all(for: guestID, db).map(\.number))
        var number = SecretGenerator.approvalNumber()
        while taken.contains(number) { number = SecretGenerator.approvalNumber() }
        try db.execute(
            sql: "INSERT INTO phone_asks (id, guest_id, phone, number, asked_at) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, guestID, mark, number, now.milliseconds])
        return GuestPairingRequest(id: id, guestID: guestID, number: number, askedAt: now, approvedAt: nil, rejectedAt: nil)
    }

    /// Deletes the requests that were not answered in time.
    static func deleteExpired(for guestID: String, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM phone_asks WHERE guest_id = ? AND approved_at IS NULL AND rejected_at IS NULL AND asked_at <= ?",
            arguments: [guestID, now.addingTimeInterval(-GuestPairingRequest.lifetime).milliseconds])
    }

    /// Approving this phone rejects the others, and withdraws an earlier approval that was not used.
    static func approve(_ ask: GuestPairingRequest, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "UPDATE phone_asks SET approved_at = NULL, rejected_at = ? WHERE guest_id = ? AND id <> ? AND rejected_at IS NULL",
            arguments: [now.milliseconds, ask.guestID, ask.id])
        try db.execute(sql: "UPDATE phone_asks SET approved_at = ? WHERE id = ?", arguments: [now.milliseconds, ask.id])
    }

    static func reject(_ asks: [GuestPairingRequest], at now: Date, in db: Database) throws {
        for ask in asks {
            try db.execute(
                sql: "UPDATE phone_asks SET rejected_at = ? WHERE id = ? AND rejected_at IS NULL", arguments: [now.milliseconds, ask.id])
        }
    }

    /// A phone has the pass, or its codes are good no longer.
    static func deleteAll(for guestID: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM phone_asks WHERE guest_id = ?", arguments: [guestID])
    }
}
