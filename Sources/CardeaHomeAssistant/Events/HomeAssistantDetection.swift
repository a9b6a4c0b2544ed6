import CardeaModel
import Foundation

/// Something that happened at the house just now, as Home Assistant tells it: a bell was pressed, something moved.
///
/// An event entity's state is the moment of its last event, and it says it again whenever it comes back; so what it says of the past, by
/// Home Assistant's own clock, is none. A bell that is a binary sensor rings when it goes from off to on.
struct HomeAssistantDetection: Hashable, Sendable {
    let entityID: String
    let type: DetectionType
    /// What tells it from the one before: when it was, as Home Assistant writes it.
    let stamp: String
    let name: String

    /// Seconds after which it is no longer told as something that happens.
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

    /// Whatever a bell calls it, somebody rang. What moved may have a word.
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

    /// A moment as Home Assistant writes it; nil where it is none.
    static func date(_ text: String?) -> Date? {
        guard let text, text.utf8.count <= 40 else { return nil }
        return try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
    }
}
