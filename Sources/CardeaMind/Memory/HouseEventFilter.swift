import CardeaModel
import Foundation

/// A filter for events. Fields that are nil do not restrict it.
public struct HouseEventFilter: Hashable, Sendable {
    public var devices: Set<String>?
    public var entities: Set<String>?
    public var actors: Set<String>?
    public var kinds: Set<Kind>?
    public var from: Date?
    /// Exclusive.
    public var to: Date?
    public var newestFirst: Bool
    /// 1 to 1000.
    public var limit: Int

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case state, asked, seen, presence, standing
    }

    public init(
        devices: Set<String>? = nil, entities: Set<String>? = nil, actors: Set<String>? = nil, kinds: Set<Kind>? = nil, from: Date? = nil,
        to: Date? = nil, newestFirst: Bool = true, limit: Int = 100
    ) {
        self.devices = devices
        self.entities = entities
        self.actors = actors
        self.kinds = kinds
        self.from = from
        self.to = to
        self.newestFirst = newestFirst
        self.limit = min(max(limit, 1), 1000)
    }
}
