import Foundation

/// A tag on a wall, written for one button.
public struct Tag: Hashable, Sendable {
    public let id: String
    public let kind: TagKind
    public let buttonID: String
    /// The button's `actionVersion` that the tag was last confirmed for. Once the action changes, the tag presses nothing until a person
    /// confirms it again.
    public let buttonVersion: Int
    /// The button does something else than when the tag was last meant for it.
    public let isOutdated: Bool
    public let label: String?
    public let state: State
    /// The tag that it replaces once it is written.
    public let replaces: String?
    /// Seven octets; nil for a kind without one.
    public let uid: Data?
    /// The number of touches at the last accepted one.
    public let counter: Int?
    public let createdAt: Date
    /// The time at which a person read the written content back; nil before.
    public let writtenAt: Date?
    public let lastUsedAt: Date?
    /// When it last sent a counter below an earlier one: an old link, or a copy of the tag.
    public let alarmedAt: Date?

    public init(
        id: String, kind: TagKind, buttonID: String, buttonVersion: Int, isOutdated: Bool = false, label: String?, state: State = .active,
        replaces: String? = nil, uid: Data? = nil, counter: Int? = nil, createdAt: Date, writtenAt: Date? = nil, lastUsedAt: Date? = nil,
        alarmedAt: Date? = nil
    ) {
        self.id = id
        self.kind = kind
        self.buttonID = buttonID
        self.buttonVersion = buttonVersion
        self.isOutdated = isOutdated
        self.label = label
        self.state = state
        self.replaces = replaces
        self.uid = uid
        self.counter = counter
        self.createdAt = createdAt
        self.writtenAt = writtenAt
        self.lastUsedAt = lastUsedAt
        self.alarmedAt = alarmedAt
    }

    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is being written, and presses nothing yet.
        case pending
        case active
    }

    /// Seconds within which a pending tag must be written; then it is deleted.
    public static let writeDeadline: TimeInterval = 900
    /// Of one button.
    public static let limitPerButton = 3
    /// Seconds between two touches of one tag that both count.
    public static let cooldown: TimeInterval = 2
}
