import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// A passkey as its owner knows it.
public struct Passkey: Hashable, Sendable {
    public let id: String
    public let name: String
    /// The name of the house it works under.
    public let rpID: String
    public let isBackedUp: Bool
    public let createdAt: Date
    public let lastUsedAt: Date?
    /// When it was ended, and why: `cloned`.
    public let endedAt: Date?
    public let endReason: String?
}
