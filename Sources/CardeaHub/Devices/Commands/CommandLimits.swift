import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The times and numbers of the path of a command.
public struct CommandLimits: Hashable, Sendable {
    /// Seconds after acceptance in which a command may still be sent.
    public var freshness: TimeInterval = 10
    /// Seconds after sending in which the device may answer.
    public var report: TimeInterval = 10
    /// Seconds in which a cover that has set out may arrive. A garage door takes 15 to 30; with the ten before, whoever waits by HTTP
    /// has the answer within the minute that proxies commonly give it.
    public var movement: TimeInterval = 45
    /// Seconds in which somebody in the house may say yes.
    public var approval: TimeInterval = 120
    /// Commands that may wait at one door.
    public var queue = 8
    /// Commands that may be under way at anything else, such as a light that does not answer.
    public var pending = 32

    public init() {}
}
