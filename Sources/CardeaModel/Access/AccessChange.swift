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

/// That somebody set such a thing up, or changed it.
public struct AccessChange: Hashable, Sendable {
    public let thing: AccessResourceKind
    /// The thing's own; of an integration its name, and of the tag policy `policy`.
    public let id: String
    public let name: String
    /// When they changed it last.
    public let changedAt: Date
    public let isOn: Bool

    public init(thing: AccessResourceKind, id: String, name: String, changedAt: Date, isOn: Bool) {
        self.thing = thing
        self.id = id
        self.name = name
        self.changedAt = changedAt
        self.isOn = isOn
    }
}
