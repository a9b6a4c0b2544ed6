import Foundation

/// Something that happened in the house, as the mind remembers it: one row of the journal in the mind's own words.
public struct HouseEvent: Hashable, Sendable, Identifiable {
    /// By which an answer names what it rests on: `happening_{number}`.
    public let id: String
    public private(set) var at: Date
    public let deviceID: String?
    public let entityID: String?
    /// Who did it: `person:{id}`, `guest:{id}`, `token:{id}:{person}`, `integration:{name}`; nil where nobody is known to have.
    public var actor: String?
    public let fact: Fact
    /// How it came to be known that an entity stands so, where that is not by the change itself.
    public let report: ReportKind?

    public enum Fact: Hashable, Sendable {
        /// An entity said something else than before.
        case state(String)
        /// Somebody asked for something, and what came of it. `refusal` says why the house did not let it through.
        case command(Verb, CommandStatus, refusal: String?)
        /// A camera or a bell saw something; in words.
        case sighting(type: String, words: String)
        /// Somebody came home, or left.
        case presence(isHome: Bool)
        /// A device came into reach, or went out of it.
        case deviceStatus(DeviceStatus)
    }

    public init(
        id: String, at: Date, deviceID: String? = nil, entityID: String? = nil, actor: String? = nil, fact: Fact, report: ReportKind? = nil
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
