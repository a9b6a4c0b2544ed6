import CardeaModel
import Foundation
import GRDB

/// What is to go into the audit trail, as it is left by the write that it tells of: not sealed yet, not chained, and in memory only.
public struct UnsealedAuditEntry: Hashable, Sendable {
    public var at: Date
    /// Who did it: `person`, `guest`, `system`, `stranger`; `erased` where nobody can say any more.
    public var kind: String
    public var id: String?
    public var action: String
    public var deviceID: String?
    public var entityID: String?
    public var grantID: String?
    /// The button or the tag by which somebody asked, as `button:id` or `tag:id`.
    public var means: String?
    public var result: String
    /// Why, in one of the record's own words.
    public var reason: AuditReason?
    /// What stands as its reason in an entry that another version of the hub wrote, and is none of our words: it is read, and never written.
    public let unlistedReason: String?
    public var commandID: String?
    public var journalSeq: Int64?
    public var remote: String?
    public var requestID: String?

    /// - Parameter reason: as it stands in an entry that is read.
    public init(at: Date, kind: String, id: String?, action: String, result: String, reading reason: String? = nil) {
        self.at = at
        self.kind = kind
        self.id = id
        self.action = action
        self.result = result
        self.reason = reason.flatMap { AuditReason(rawValue: $0) }
        unlistedReason = self.reason == nil ? reason : nil
    }

    /// The reason as it reads, whoever wrote it.
    public var reasonText: String? { reason?.rawValue ?? unlistedReason }
}

extension Database {
    /// Leaves a note for the audit trail at the end of the transaction that is under way.
    ///
    /// - Throws: `MissingAuditSinkError` outside `Store.write`, or where nobody is set to write them: what is not written must not count as if it were.
    public func enqueue(_ note: UnsealedAuditEntry) throws {
        guard let notes = TransactionBuffer.current, notes.acceptsAudit else { throw MissingAuditSinkError() }
        notes.add(note)
    }
}

/// A note was left where nobody would have written it.
public struct MissingAuditSinkError: Error {}
