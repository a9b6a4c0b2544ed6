/// How a pass wants to know at the door that it is its guest who asks.
public enum PresenceRequirement: String, Codable, Hashable, Sendable, CaseIterable {
    /// Whoever has the phone holds the button for a moment.
    case hold
    /// The phone verifies its owner each time: by face, finger or PIN.
    case verified
}
