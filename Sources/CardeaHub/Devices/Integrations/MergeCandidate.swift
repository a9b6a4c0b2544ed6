import CardeaModel

/// One of two devices to be merged, as its integration sees it.
public struct MergeCandidate: Sendable {
    /// The device's attributes, in which its integration keeps its identifiers.
    public let attributes: [String: JSONValue]
    /// False for a withdrawn device.
    public let isAnnounced: Bool

    public init(attributes: [String: JSONValue], isAnnounced: Bool) {
        self.attributes = attributes
        self.isAnnounced = isAnnounced
    }
}

extension MergeCandidate {
    func members(_ attribute: String) -> [String: JSONValue] {
        if case .object(let members)? = attributes[attribute] { members } else { [:] }
    }
}
