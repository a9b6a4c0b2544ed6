import Foundation

/// Who is told next when somebody does not say that they have seen it.
public struct Escalation: Hashable, Sendable {
    /// Seconds without an answer.
    public var after: Int
    public var personID: String

    public init(after: Int, personID: String) {
        self.after = after
        self.personID = personID
    }

    public static let range = 30...3600
    /// Of what: who only passed by is nobody's business at night.
    public static let kinds: Set<NoticeKind> = [.ask, .ring]
}
