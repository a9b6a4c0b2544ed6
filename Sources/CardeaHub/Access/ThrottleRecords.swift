import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Durable counters of wrong guesses: a restart forgives nothing.
enum ThrottleRecords {
    enum Scope: String {
        case account, address
        /// An account at an address from which it has signed in.
        case accountThere = "account_address"
        case codeAddress = "code_address"
        case codeHouse = "code_house"
        case sameCode = "same_code"
        case stranger
        /// All unknown callers together, for the limit on recorded failures.
        case strangers
        case refusedPass = "refused_pass"
        case phoneAsks = "phone_asks"
        case phoneDigits = "phone_digits"
        case phoneConfirmer = "phone_confirmer"
        case phoneHouse = "phone_house"
        case tap

        var rule: Throttle {
            switch self {
            case .account, .address, .accountThere: .password
            case .codeAddress: .codePerAddress
            case .codeHouse: .codePerHouse
            case .sameCode: .sameCode
            case .stranger: .unknownTokens
            case .strangers: .unknownTokensPerHouse
            case .refusedPass: .refusals
            case .phoneAsks: .phonePairingRequests
            case .phoneDigits, .phoneConfirmer: .phoneDigits
            case .phoneHouse: .phoneDigitsPerHouse
            case .tap: .taps
            }
        }
    }

    /// The subject under which wrong guesses at a user name are counted: its mark. The typed text may be a password in the wrong field.
    static func accountSubject(_ name: String, _ db: Database) throws -> String {
        try mark(name, "SELECT lower(hex(marked(?, 'people.username')))", db)
    }

    /// The subject where that name has signed in from the address before: its mark and the address's behind it. In clear text, the two
    /// would reveal where a person is.
    static func accountSubject(_ name: String, at address: String, _ db: Database) throws -> String {
        let place = try mark(address, "SELECT lower(hex(marked(?, 'sessions.remote')))", db)
        return try "\(accountSubject(name, db))@\(place)"
    }

    private struct MissingMarkError: Error {}

    private static func mark(_ text: String, _ sql: String, _ db: Database) throws -> String {
        try String.fetchOne(db.cachedStatement(sql: sql), arguments: [text]).orThrow(MissingMarkError())
    }

    /// Deletes all wrong guesses at a user name, from any address.
    static func resetAccount(_ name: String, in db: Database) throws {
        let mark = try accountSubject(name, db)
        try reset(.account, mark, in: db)
        try db.execute(
            sql: "DELETE FROM throttles WHERE scope = ? AND instr(subject, ? || '@') = 1",
            arguments: [Scope.accountThere.rawValue, mark])
    }

    /// Seconds until the subject may try again, the longest of several; nil if it may try now.
    static func wait(_ subjects: [(Scope, String)], at now: Date, in db: Database) throws -> TimeInterval? {
        try subjects.compactMap { scope, subject in scope.rule.wait(try record(scope, subject, db), at: now) }.max()
    }

    /// Attempts left without delay, and the seconds until there are more. An unknown address is not counted.
    static func remaining(_ scope: Scope, _ subject: String?, at now: Date, in db: Database) throws -> (tries: Int, after: TimeInterval) {
        scope.rule.remaining(try subject.flatMap { try record(scope, $0, db) }, at: now)
    }

    static func recordFailure(_ scope: Scope, _ subject: String, at now: Date, in db: Database) throws {
        let record = scope.rule.recordingFailure(try record(scope, subject, db), at: now)
        try db.cachedStatement(
            sql: """
                INSERT INTO throttles (scope, subject, failures, last_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (scope, subject) DO UPDATE SET failures = excluded.failures, last_at = excluded.last_at
                """
        ).execute(arguments: [scope.rawValue, subject, record.failures, record.lastAt.milliseconds])
    }

    /// True if the table has a row of the subject already, so that another failure adds none.
    static func isCounted(_ scope: Scope, _ subject: String, in db: Database) throws -> Bool {
        try record(scope, subject, db) != nil
    }

    static func reset(_ scope: Scope, _ subject: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM throttles WHERE scope = ? AND subject = ?").execute(
            arguments: [scope.rawValue, subject])
    }

    /// Deletes counters that no rule needs any more.
    static func sweep(at now: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM throttles WHERE last_at < ?", arguments: [now.addingTimeInterval(-7200).milliseconds])
    }

    private static func record(_ scope: Scope, _ subject: String, _ db: Database) throws -> Throttle.Record? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT failures, last_at FROM throttles WHERE scope = ? AND subject = ?"),
            arguments: [scope.rawValue, subject]
        ).map { Throttle.Record(failures: $0["failures"], lastAt: Date(milliseconds: $0["last_at"])) }
    }
}
