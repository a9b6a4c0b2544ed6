import CardeaModel
import Foundation

/// A happening, or a sensor's hours, as far as a cause must know it: by what it is named, and by what it is decided who may hear of it.
public struct EvidenceReference: Codable, Hashable, Sendable {
    public let id: String
    public let at: Date
    let deviceID: String?
    let actor: String?
    private let kind: String

    init(_ happening: HouseEvent) {
        id = happening.id
        at = happening.at
        deviceID = happening.deviceID
        // Whose doing a state was may be hidden from somebody who may hear of the state, so it is not carried along.
        switch happening.fact {
        case .command, .presence: actor = happening.actor
        case .state, .sighting, .deviceStatus: actor = nil
        }
        kind = happening.fact.kind.rawValue
    }

    /// Hours of a sensor: whoever sees its device may hear of them, as of what a device says.
    init(_ evidence: ReadingEvidence, of device: Device) {
        id = evidence.id
        at = evidence.from
        deviceID = device.id
        actor = nil
        kind = HouseEventFilter.Kind.state.rawValue
    }

    /// What `Sight` needs to judge it by its own rule. Only the sort of fact matters there, not what it says.
    var eventOutline: HouseEvent {
        let fact: HouseEvent.Fact =
            switch HouseEventFilter.Kind(rawValue: kind) {
            case .state: .state("")
            case .seen: .sighting(type: "", words: "")
            case .presence: .presence(isHome: true)
            case .standing: .deviceStatus(.unknown)
            // What cannot be told is guarded like the best guarded.
            case .asked, nil: .command(.read, .confirmed, refusal: nil)
            }
        return HouseEvent(id: id, at: at, deviceID: deviceID, actor: actor, fact: fact)
    }
}
