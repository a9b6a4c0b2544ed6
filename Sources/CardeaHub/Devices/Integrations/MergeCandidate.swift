import CardeaModel

/// One of two devices that are to be merged, as its integration sees it.
public struct MergeCandidate: Sendable {
    /// Its attributes, in which its integration keeps what it is known by.
    public let attributes: [String: JSONValue]
    /// False for a device that was withdrawn.
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
