/// A person's role in the house (Seed 001, item 15). An unknown role holds no rights.
public enum Role: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case owner, admin, member, guest

    /// Reads a role as it came from outside; `resident` is another word for member (Seed 004).
    public init?(named name: String) {
        if name == "resident" {
            self = .member
        } else {
            self.init(rawValue: name)
        }
    }

    /// The rights that come with the role, by the table of Seed 001. `guest` grants nothing: a pass does.
    public var rights: Set<Right> {
        switch self {
        case .owner, .admin: Set(Right.allCases)
        case .member: [.controlDevices, .viewEnergy]
        case .guest: []
        }
    }

    /// Returns whether a person of this role may give or take `other`. Only an owner may give or take owner and admin.
    public func mayManage(_ other: Role) -> Bool {
        switch self {
        case .owner: true
        case .admin: other == .member || other == .guest
        case .member, .guest: false
        }
    }
}

extension Role {
    /// Orders roles by their rights, the fewest first.
    public static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .guest: 0
        case .member: 1
        case .admin: 2
        case .owner: 3
        }
    }
}
