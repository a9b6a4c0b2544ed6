import Foundation

/// A kind of resource that people set up and that can open a door or let a person listen in the house.
public enum AccessResourceKind: String, Hashable, Sendable, Codable, CaseIterable {
    case integration, automation, scene, token, pass, button, tag, camera, person
    /// The policy for tags; see `TagPolicy`.
    case tagPolicy = "tag_policy"

    /// True if the resource remains when it is switched off and can be switched on again. Switching off one of the others deletes it.
    public var canBeReenabled: Bool {
        switch self {
        case .automation, .pass, .button, .camera, .person, .tagPolicy: true
        case .integration, .scene, .token, .tag: false
        }
    }
}
