import CardeaModel
import Foundation
import GRDB

/// An audit entry as a write leaves it for the audit log: not yet sealed or chained, and in memory only.
public struct UnsealedAuditEntry: Hashable, Sendable {
    public var at: Date
    /// The kind of the actor: `person`, `guest`, `system`, `stranger`; `erased` where the actor can no longer be known.
    public var kind: String
    public var id: String?
    public var action: String
    public var deviceID: String?
    public var entityID: String?
    public var grantID: String?
    /// The button or the tag that was used, as `button:id` or `tag:id`.
    public var means: String?
    public var result: String
    /// The reason, one of the audit log's own words.
    public var reason: AuditReason?
    /// The reason in an entry from another version of the hub, if it is not one of this version's; it is read, and never written.
    public let unlistedReason: String?
    public var commandID: String?
    public var journalSeq: Int64?
    public var remote: String?
    public var requestID: String?

    /// - Parameter reason: as it is in an entry that is read.
    public init(at: Date, kind: String, id: String?, action: String, result: String, reading reason: String? = nil) {
        self.at = at
        self.kind = kind
        self.id = id
        self.action = action
        self.result = result
        self.reason = reason.flatMap { AuditReason(rawValue: $0) }
        unlistedReason = self.reason == nil ? reason : nil
    }

    /// The reason as text, from any version.
    public var reasonText: String? { reason?.rawValue ?? unlistedReason }
}

extension Database {
    /// Adds an entry to those that the running transaction writes at its end.
    ///
    /// - Throws: `MissingAuditSinkError` outside `Store.write`, or if no sink is set: an entry that is not written must not count as
    ///   written.
    public func enqueue(_ note: UnsealedAuditEntry) throws {
        guard let notes = TransactionBuffer.current, notes.acceptsAudit else { throw MissingAuditSinkError() }
        notes.add(note)
    }
}

/// An entry was added where it would not have been written.
public struct MissingAuditSinkError: Error {}
