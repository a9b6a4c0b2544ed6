import Foundation

/// A kind of thing by which a door can be opened, or by which somebody can listen in the house, and which people set up.
public enum AccessResourceKind: String, Hashable, Sendable, Codable, CaseIterable {
    case integration, automation, scene, token, pass, button, tag, camera, person
    /// How much the house leaves to tags.
    case tagPolicy = "tag_policy"

    /// Whether it is still there when it is off, and can be switched on again. Of the others, off is gone.
    public var canBeReenabled: Bool {
        switch self {
        case .automation, .pass, .button, .camera, .person, .tagPolicy: true
        case .integration, .scene, .token, .tag: false
        }
    }
}
