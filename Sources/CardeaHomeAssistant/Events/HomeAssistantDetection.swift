import CardeaModel
import Foundation

/// Something that happened at the house just now, as Home Assistant reports it: a bell was pressed, something moved.
///
/// An event entity's state is the time of its last event, and it is reported again whenever the entity comes back; so a state from the
/// past, by Home Assistant's own clock, is no event. A bell that is a binary sensor rings when it changes from off to on.
struct HomeAssistantDetection: Hashable, Sendable {
    let entityID: String
    let type: DetectionType
    /// The time of the event as Home Assistant writes it, which distinguishes it from the one before.
    let stamp: String
    let name: String

    /// Seconds after which it is not reported as a present event any more.
    static let maximumAge: TimeInterval = 10

    /// - Parameter event: a `state_changed`.
    init?(event: JSONValue) {
        guard let data = event["data"], let entityID = data["entity_id"]?.string, StateReport.isEntityID(entityID),
            let new = data["new_state"],
            let state = new["state"]?.string
        else { return nil }
        let old = data["old_state"]?["state"]?.string
        let attributes = new["attributes"]
        let deviceClass = attributes?["device_class"]?.string
        switch entityID.prefix(while: { $0 != "." }) {
        case "event":
            guard let type = Self.type(deviceClass, attributes?["event_type"]?.string), state != old, let at = Self.date(state),
                let toldAt = Self.date(event["time_fired"]?.string), abs(toldAt.timeIntervalSince(at)) <= Self.maximumAge
            else { return nil }
            self.type = type
            stamp = state
        case "binary_sensor":
            guard Self.isBell(entityID), deviceClass == nil || deviceClass == "occupancy", old == "off", state == "on",
                let changed = new["last_changed"]?.string, Self.date(changed) != nil
            else { return nil }
            type = .ring
            stamp = changed
        default: return nil
        }
        self.entityID = entityID
        name = Name.cleaned(attributes?["friendly_name"]?.string ?? entityID, else: entityID)
    }

    /// A bell's event means a ring, whatever its name. Motion may have a word.
    private static func type(_ deviceClass: String?, _ word: String?) -> DetectionType? {
        switch deviceClass {
        case "doorbell": .ring
        case "motion": DetectionType.smart.first { word?.lowercased().contains($0.rawValue) ?? false } ?? .motion
        default: nil
        }
    }

    /// Home Assistant has no class for a bell that is a sensor; what integrations call them is all there is to know one by.
    private static func isBell(_ entityID: String) -> Bool {
        ["doorbell", "doorbell_ring", "ding", "visitor"].contains { entityID.hasSuffix(".\($0)") || entityID.hasSuffix("_\($0)") }
    }

    /// A moment as Home Assistant writes it; nil if it is none.
    static func date(_ text: String?) -> Date? {
        guard let text, text.utf8.count <= 40 else { return nil }
        return try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
    }
}
