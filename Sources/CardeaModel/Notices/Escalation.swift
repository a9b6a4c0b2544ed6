import Foundation

/// The next person to notify when the first one does not acknowledge a notification.
public struct Escalation: Hashable, Sendable {
    /// Seconds without an answer.
    public var after: Int
    public var personID: String

    public init(after: Int, personID: String) {
        self.after = after
        self.personID = personID
    }

    public static let range = 30...3600
    /// The kinds that are escalated. A person who only passes by does not matter at night.
    public static let kinds: Set<NoticeKind> = [.ask, .ring]
}
