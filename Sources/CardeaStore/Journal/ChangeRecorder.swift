import CardeaModel
import GRDB

/// Records a change and its author, in the transaction of the change itself: as a row of the journal, and as an entry of the audit log. The
/// code that knows the principal makes one; the code that makes the change uses it and need not know the principal.
public struct ChangeRecorder: Sendable {
    private let write: @Sendable (Journal.Kind, String?, [String: JSONValue], Database) throws -> Void

    public init(
        _ write: @escaping @Sendable (_ kind: Journal.Kind, _ subject: String?, _ data: [String: JSONValue], Database) throws -> Void
    ) {
        self.write = write
    }

    /// - Parameter subject: the id of its subject.
    public func callAsFunction(_ kind: Journal.Kind, subject: String?, data: [String: JSONValue] = [:], in db: Database) throws {
        try write(kind, subject, data, db)
    }
}
