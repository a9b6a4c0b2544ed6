import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The rights on the house's own locks that the owner grants to another system, such as Home Assistant.
public struct IntegrationGrant: Hashable, Sendable {
    public var allowsLock: Bool
    /// Unlocking and pulling the latch: every action that lets a person in.
    public var allowsOpen: Bool

    public init(allowsLock: Bool, allowsOpen: Bool) {
        self.allowsLock = allowsLock
        self.allowsOpen = allowsOpen
    }
}
