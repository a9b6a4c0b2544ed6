import CardeaModel

/// An event of an open connection.
enum HomeAssistantEvent: Hashable, Sendable {
    case stateReported(StateReport)
    case entityRemoved(entityID: String)
    case registryChanged
    /// An entity was renamed: its old entity id may soon belong to another.
    case renamed
    /// A service call has completed; the entity's present state is its answer.
    case serviceCompleted(entityID: String)
    /// More happened than could be kept, or Home Assistant was not ready: the whole house is to be read again.
    case reloadRequired
    case detection(HomeAssistantDetection)
    /// The state of a person or a device tracker.
    case presence(PresenceState)

    static let subscribedTypes = ["state_changed", "area_registry_updated", "device_registry_updated", "entity_registry_updated"]

    /// Reads an event; empty if it does not concern the house.
    static func all(in event: JSONValue) -> [HomeAssistantEvent] {
        let occurrence = event["event_type"]?.string == "state_changed" ? HomeAssistantDetection(event: event) : nil
        return [HomeAssistantEvent(event: event), occurrence.map(HomeAssistantEvent.detection)].compactMap(\.self)
    }

    private init?(event: JSONValue) {
        switch event["event_type"]?.string {
        case "state_changed":
            guard let entityID = event["data"]?["entity_id"]?.string else { return nil }
            let isPresence = PresenceState.isPresenceEntity(by: entityID)
            guard isPresence || StateReport.kind(of: entityID) != nil else { return nil }
            guard let state = event["data"]?["new_state"], state != .null else {
                self = .entityRemoved(entityID: entityID)
                return
            }
            if isPresence {
                guard let presence = PresenceState(state, toldAt: HomeAssistantDetection.date(event["time_fired"]?.string)) else {
                    return nil
                }
                self = .presence(presence)
            } else {
                guard let report = StateReport(state) else { return nil }
                self = .stateReported(report)
            }
        case "entity_registry_updated" where event["data"]?["old_entity_id"]?.string != nil: self = .renamed
        case "area_registry_updated", "device_registry_updated", "entity_registry_updated": self = .registryChanged
        default: return nil
        }
    }

    /// The part of the event that a later list of all states does not contain; nil if there is none.
    var withoutState: HomeAssistantEvent? {
        switch self {
        case .stateReported(let report): .serviceCompleted(entityID: report.entityID)
        case .entityRemoved, .presence: nil
        // The list contains states, not events.
        case .registryChanged, .renamed, .serviceCompleted, .reloadRequired, .detection: self
        }
    }
}
