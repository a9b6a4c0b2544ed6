import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// What the owner lets another system of the house do with the house's own locks.
public struct IntegrationGrant: Hashable, Sendable {
    public var allowsLock: Bool
    /// Unlocking, and pulling the latch: whatever lets somebody in.
    public var allowsOpen: Bool

    public init(allowsLock: Bool, allowsOpen: Bool) {
        self.allowsLock = allowsLock
        self.allowsOpen = allowsOpen
    }
}
