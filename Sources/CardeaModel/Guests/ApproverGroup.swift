/// The people who approve or reject a guest whose pass asks each time: the owner's choice, for the whole house.
public enum ApproverGroup: String, Codable, Hashable, Sendable, CaseIterable {
    /// Owners and admins.
    case managers
    /// Those who may let guests in: owners, admins, and members to whom an owner gave that.
    case inviters
    /// Every resident who may use the devices.
    case everyone

    public func includes(_ person: Person) -> Bool {
        guard !person.isDisabled else { return false }
        return switch self {
        case .managers: person.role == .owner || person.role == .admin
        case .inviters: person.rights.contains(.inviteGuests)
        case .everyone: person.rights.contains(.controlDevices)
        }
    }

    /// The words for a guest who waits. They contain no names.
    public var sentence: String {
        switch self {
        case .managers: "An owner or admin of the house has to say yes."
        case .inviters: "Someone who may let guests in has to say yes."
        case .everyone: "Someone who lives here has to say yes."
        }
    }
}
