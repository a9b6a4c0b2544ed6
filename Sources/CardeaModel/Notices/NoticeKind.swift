/// The subject of a notification.
public enum NoticeKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A guest with a pass is at a door and asks to be let in.
    case ask
    case ring
    case person
    case package
    case vehicle
    case animal
    case motion
    /// A detection of a type that has no kind of its own.
    case other
    /// Something in the house is not as it usually is.
    case unusual
    /// An automation sends it.
    case automation
    /// The due date of a maintenance task has come.
    case maintenance
    /// Smoke, gas or water where none should be.
    case danger
    /// A long job that the person requested has ended.
    case work

    public init(of type: DetectionType) {
        self =
            type.isDoorbellRing
            ? .ring : [.person, .package, .vehicle, .animal, .motion].contains(type) ? Self(rawValue: type.rawValue) ?? .other : .other
    }

    /// True if a guest waits for an answer, so that it may come through quiet hours.
    public var isCritical: Bool { self == .ask }

    /// True if it is delivered at every hour, whatever kinds the person chose: everyone who gets notifications is warned of danger to life.
    public var isMandatory: Bool { self == .danger }

    /// True if only the person who asked for it gets it, without having to choose the kind.
    public var isOnRequest: Bool { self == .work }

    /// The importance beside other notifications of the same visit, highest first: a bell after a face is sent, a face after a bell is not.
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
