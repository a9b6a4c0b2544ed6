import CardeaModel

/// The things that a sentence means, as it named them. They are resolved in the present house.
public struct DeviceReference: Hashable, Sendable {
    /// The names that were mentioned; for each, everything it may refer to.
    var named: [[Referent]] = []
    var rooms: [String] = []
    var floor: LexicalCategory.FloorWord?
    var kind: DeviceCategory?
    /// "The lamp", not "the lamps" and not "a lamp".
    var isOne = false
    /// True for "any", "anything", "all": a whole set is meant.
    var isAny = false
    var exceptNamed: [[Referent]] = []
    var exceptRooms: [String] = []
    var exceptKinds: [DeviceCategory] = []

    public init() {}

    var isEmpty: Bool { self == DeviceReference() }

    /// The cameras and bells that were named.
    var cameras: [String] { named.joined().compactMap { if case .camera(let id) = $0 { id } else { nil } } }
}
