import Foundation

/// An event in the house, as the mind stores it: one row of the journal in the words of the mind.
public struct HouseEvent: Hashable, Sendable, Identifiable {
    /// The id by which an answer names its evidence: `happening_{number}`.
    public let id: String
    public private(set) var at: Date
    public let deviceID: String?
    public let entityID: String?
    /// The actor: `person:{id}`, `guest:{id}`, `token:{id}:{person}`, `integration:{name}`; nil if it is unknown.
    public var actor: String?
    public let fact: Fact
    /// The way in which the state became known, if that was not by the change itself.
    public let report: StateReportKind?

    public enum Fact: Hashable, Sendable {
        /// An entity reported a different state than before.
        case state(String)
        /// A command and its result. `refusal` is the reason for which it was refused.
        case command(Verb, CommandStatus, refusal: String?)
        /// A camera or a bell saw something; in words.
        case sighting(type: String, words: String)
        /// A person came home, or left.
        case presence(isHome: Bool)
        /// A device became reachable or unreachable.
        case deviceStatus(DeviceStatus)
    }

    public init(
        id: String, at: Date, deviceID: String? = nil, entityID: String? = nil, actor: String? = nil, fact: Fact,
        report: StateReportKind? = nil
    ) {
        self.id = id
        self.at = at
        self.deviceID = deviceID
        self.entityID = entityID
        self.actor = actor
        self.fact = fact
        self.report = report
    }
}

extension HouseEvent {
    /// The same event, not later than `moment`.
    public func clamped(than moment: Date) -> HouseEvent {
        var happening = self
        happening.at = min(at, moment)
        return happening
    }
}
