import CardeaModel
import Foundation

/// A reference to an event or to hourly readings, with just the data that a cause needs: the id, and the fields that decide who may see
/// it.
public struct EvidenceReference: Codable, Hashable, Sendable {
    public let id: String
    public let at: Date
    let deviceID: String?
    let actor: String?
    private let kind: String

    init(_ event: HouseEvent) {
        id = event.id
        at = event.at
        deviceID = event.deviceID
        // The actor of a state is left out, since an requester who may see the state may not be allowed to know its actor.
        switch event.fact {
        case .command, .presence: actor = event.actor
        case .state, .sighting, .deviceStatus: actor = nil
        }
        kind = event.fact.kind.rawValue
    }

    /// Hourly readings of a sensor. Every requester who sees its device may see them, as with the device's states.
    init(_ evidence: ReadingEvidence, of device: Device) {
        id = evidence.id
        at = evidence.from
        deviceID = device.id
        actor = nil
        kind = HouseEventFilter.Kind.state.rawValue
    }

    /// An event with just the fields that `RequesterVisibility` judges by. Only the kind of fact matters there, not its values.
    var eventOutline: HouseEvent {
        let fact: HouseEvent.Fact =
            switch HouseEventFilter.Kind(rawValue: kind) {
            case .state: .state("")
            case .seen: .sighting(type: "", words: "")
            case .presence: .presence(isHome: true)
            case .standing: .deviceStatus(.unknown)
            // Unknown kinds are protected like the most protected one.
            case .asked, nil: .command(.read, .confirmed, refusal: nil)
            }
        return HouseEvent(id: id, at: at, deviceID: deviceID, actor: actor, fact: fact)
    }
}
