import CardeaHub
import CardeaModel
import Foundation

/// The state of a person or a device tracker: at home or not, and since when. The zone is not read.
struct PresenceState: Hashable, Sendable {
    let entityID: String
    let name: String
    /// nil while Home Assistant does not know.
    let isHome: Bool?
    /// The time of the change, by the clock of Home Assistant.
    let changedAt: Date
    /// Seconds since the change, by the same clock; nil if it was not reported as it happened.
    let age: TimeInterval?

    /// Reads a state object; nil if it is neither a person nor a device tracker.
    ///
    /// - Parameter toldAt: when the change was reported, by the clock of Home Assistant; nil for a state that was requested.
    init?(_ json: JSONValue, toldAt: Date? = nil) {
        guard let entityID = json["entity_id"]?.string, Self.isPresenceEntity(by: entityID), let value = json["state"]?.string,
            let changedAt = HomeAssistantDetection.date(json["last_changed"]?.string)
        else { return nil }
        self.entityID = entityID
        name = Name.cleaned(json["attributes"]?["friendly_name"]?.string ?? entityID, else: entityID)
        switch value {
        case "home": isHome = true
        case "unknown", "unavailable", "": isHome = nil
        // `not_home`, or the name of another zone.
        default: isHome = false
        }
        self.changedAt = changedAt
        age = toldAt.map { max(0, $0.timeIntervalSince(changedAt)) }
    }

    /// True for the entity ids of persons and device trackers.
    static func isPresenceEntity(by entityID: String) -> Bool {
        StateReport.isEntityID(entityID) && ["person", "device_tracker"].contains(entityID.prefix { $0 != "." })
    }
}
