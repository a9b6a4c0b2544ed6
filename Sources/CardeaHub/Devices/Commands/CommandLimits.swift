import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The deadlines and limits of commands.
public struct CommandLimits: Hashable, Sendable {
    /// Seconds after acceptance in which a command may still be dispatched.
    public var freshness: TimeInterval = 10
    /// Seconds after dispatch in which the device may report.
    public var report: TimeInterval = 10
    /// Seconds in which a moving cover may arrive. A garage door takes 15 to 30; with the ten before, a waiting HTTP request is answered
    /// within the minute that proxies commonly allow.
    public var movement: TimeInterval = 45
    /// Seconds in which a person of the house may approve.
    public var approval: TimeInterval = 120
    /// Commands that may wait at one door.
    public var queue = 8
    /// Commands that may be pending at any other entity, such as a light that does not answer.
    public var pending = 32

    public init() {}
}
