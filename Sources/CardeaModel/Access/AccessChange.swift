import Foundation

/// A resource that a person set up or changed, with the time of the last change.
public struct AccessChange: Hashable, Sendable {
    public let kind: AccessResourceKind
    /// The thing's own; of an integration its name, and of the tag policy `policy`.
    public let id: String
    public let name: String
    /// When they changed it last.
    public let changedAt: Date
    public let isOn: Bool

    public init(kind: AccessResourceKind, id: String, name: String, changedAt: Date, isOn: Bool) {
        self.kind = kind
        self.id = id
        self.name = name
        self.changedAt = changedAt
        self.isOn = isOn
    }
}
