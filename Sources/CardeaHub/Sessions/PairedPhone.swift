import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// A phone that acts for somebody, as they know it.
public struct PairedPhone: Hashable, Sendable {
    /// The hub's name for it. The phone's own name for itself is nobody's to see.
    public let id: String
    public let name: String
    public let model: String?
    public let platform: PhoneDescription.Platform?
    public let pairedAt: Date
    public let lastUsedAt: Date
    /// Until then, if it is not used before: each use of its refresh token moves that on.
    public let expiresAt: Date
    /// Where it was last paired from.
    public let address: String?
    public let isLocal: Bool
}
