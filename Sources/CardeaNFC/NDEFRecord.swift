/// One record of a tag's content (NFC Forum, NDEF 1.0).
public struct NDEFRecord: Hashable, Sendable {
    /// The format of `type`.
    public enum TypeName: UInt8, Hashable, Sendable, CaseIterable {
        case empty = 0
        /// One of the NFC Forum's own: `U` is a link, `T` a text.
        case wellKnown
        case media
        case absoluteURI
        case external
        case unknown
    }

    public let typeName: TypeName
    public let type: [UInt8]
    public let id: [UInt8]
    public let payload: [UInt8]

    /// Refuses what cannot be written down: a type or an id of more than 255 octets, one with a name where there is none to have.
    public init(_ typeName: TypeName, type: [UInt8] = [], id: [UInt8] = [], payload: [UInt8] = []) throws(NDEFError) {
        guard type.count <= 255, id.count <= 255, payload.count <= UInt32.max else { throw .malformed }
        switch typeName {
        case .empty: guard type.isEmpty, id.isEmpty, payload.isEmpty else { throw .malformed }
        case .unknown: guard type.isEmpty else { throw .malformed }
        case .wellKnown, .media, .absoluteURI, .external: guard !type.isEmpty else { throw .malformed }
        }
        (self.typeName, self.type, self.id, self.payload) = (typeName, type, id, payload)
    }

    /// For this target's well-known types, whose name is one letter.
    init(letter: Character, payload: [UInt8]) {
        (typeName, type, id, self.payload) = (.wellKnown, Array(String(letter).utf8), [], payload)
    }
}

public enum NDEFError: Error, Hashable, Sendable {
    /// No message, or a truncated one.
    case malformed
}
