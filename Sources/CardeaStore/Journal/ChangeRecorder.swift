import CardeaModel
import GRDB

/// Puts on the house's record that somebody changed something, in the transaction of the change itself: as a row of the journal, and as an
/// entry of the trail that says who it was. Whoever knows who asks makes one; whoever makes the change uses it and need not know.
public struct ChangeRecorder: Sendable {
    private let write: @Sendable (Journal.Kind, String?, [String: JSONValue], Database) throws -> Void

    public init(
        _ write: @escaping @Sendable (_ kind: Journal.Kind, _ subject: String?, _ data: [String: JSONValue], Database) throws -> Void
    ) {
        self.write = write
    }

    /// - Parameter subject: what it is about, by its id.
    public func callAsFunction(_ kind: Journal.Kind, subject: String?, data: [String: JSONValue] = [:], in db: Database) throws {
        try write(kind, subject, data, db)
    }
}
