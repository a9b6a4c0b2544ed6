import Foundation

/// CBOR (RFC 8949) as an authenticator may write it: definite lengths, the shortest form of every number, no key twice, no tags and no
/// floats. The bytes are a stranger's, so depth, size and count are bounded, and whatever is not understood is refused.
public indirect enum CBOR: Hashable, Sendable {
    case unsigned(UInt64)
    /// -1 - n.
    case negative(UInt64)
    case bytes(Data)
    case text(String)
    case array([CBOR])
    case map([CBOR: CBOR])
    case bool(Bool)
    case null

    public enum CBORError: Error, Hashable, Sendable {
        case truncated
        case trailingBytes
        case tooLarge
        case tooDeep
        case indefiniteLength
        case notShortest
        case duplicateKey
        case invalidText
        case unsupported
    }

    /// A number of either sign, if it fits one.
    public init(_ number: Int64) {
        self = number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(bitPattern: ~number))
    }

    /// The bytes of one whole value, and nothing behind it.
    public static func decode(_ data: Data) throws(CBORError) -> CBOR {
        let (value, count) = try decodeFirst(data)
        guard count == data.count else { throw .trailingBytes }
        return value
    }

    /// The first value of `data`, and how many bytes it takes.
    public static func decodeFirst(_ data: Data) throws(CBORError) -> (value: CBOR, count: Int) {
        guard data.count <= CBORReader.sizeLimit else { throw .tooLarge }
        var reader = CBORReader(bytes: Array(data))
        let value = try reader.value(depth: 0)
        return (value, reader.position)
    }

    public subscript(_ key: String) -> CBOR? { self[.text(key)] }

    public subscript(_ key: Int64) -> CBOR? { self[CBOR(key)] }

    private subscript(_ key: CBOR) -> CBOR? {
        if case .map(let members) = self { members[key] } else { nil }
    }

    public var data: Data? {
        if case .bytes(let data) = self { data } else { nil }
    }
}
