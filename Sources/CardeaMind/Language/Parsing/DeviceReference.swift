import CardeaModel

/// Which things of the house are meant, as it was said; what they are is found in the house at hand.
public struct DeviceReference: Hashable, Sendable {
    /// What was named; of each, what it may be.
    var named: [[Referent]] = []
    var rooms: [String] = []
    var floor: LexicalCategory.FloorWord?
    var kind: DeviceCategory?
    /// "The lamp", not "the lamps" and not "a lamp".
    var isOne = false
    /// "Any", "anything", "all": a whole set is meant.
    var isAny = false
    var exceptNamed: [[Referent]] = []
    var exceptRooms: [String] = []
    var exceptKinds: [DeviceCategory] = []

    public init() {}

    var isEmpty: Bool { self == DeviceReference() }

    /// Cameras and bells that were named.
    var cameras: [String] { named.joined().compactMap { if case .camera(let id) = $0 { id } else { nil } } }
}
