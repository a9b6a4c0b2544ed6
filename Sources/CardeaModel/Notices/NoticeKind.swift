/// What a notice tells of.
public enum NoticeKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// Somebody with a pass stands before a door and asks to be let in.
    case ask
    case ring
    case person
    case package
    case vehicle
    case animal
    case motion
    /// What a source sees that the house has no word for.
    case other
    /// Something in the house is not as it usually is.
    case unusual
    /// An automation says so.
    case automation
    /// The day has come on which something in the house is to be done.
    case maintenance
    /// Smoke, gas or water where none should be.
    case danger
    /// Long work that somebody asked for is at its end.
    case work

    public init(of type: DetectionType) {
        self =
            type.isDoorbellRing
            ? .ring : [.person, .package, .vehicle, .animal, .motion].contains(type) ? Self(rawValue: type.rawValue) ?? .other : .other
    }

    /// Whether somebody waits for an answer: it may come through quiet hours.
    public var isCritical: Bool { self == .ask }

    /// Whether it is told whatever somebody chose, at every hour: who is told of anything is told of what may kill them.
    public var isMandatory: Bool { self == .danger }

    /// Whether it is told only to who asked for it: they need not choose that they want to know.
    public var isOnRequest: Bool { self == .work }

    /// How much it matters beside others of the same visit, most first: a bell after a face is told, a face after a bell is not.
    var priority: Int {
        switch self {
        case .danger: 5
        case .ask: 4
        case .ring: 3
        case .person, .package: 2
        case .vehicle, .animal, .unusual, .automation, .maintenance, .work: 1
        case .motion, .other: 0
        }
    }

    public func outranks(than other: NoticeKind) -> Bool { priority > other.priority }
}
