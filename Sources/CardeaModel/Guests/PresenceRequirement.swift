/// The proof of presence that a pass requires at the door.
public enum PresenceRequirement: String, Codable, Hashable, Sendable, CaseIterable {
    /// The guest holds the button on the phone for a moment.
    case hold
    /// The phone verifies its owner each time: by face, finger or PIN.
    case verified
}
