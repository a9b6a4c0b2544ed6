import Foundation

struct CBORReader {
    static let sizeLimit = 64 * 1024
    /// An attestation object is three deep.
    static let depthLimit = 8
    /// Values in all, so that a small message cannot become a large one in memory.
    static let valueLimit = 512

    private let bytes: [UInt8]
    private(set) var position = 0
    private var values = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func value(depth: Int) throws(CBOR.CBORError) -> CBOR {
        guard depth < Self.depthLimit else { throw .tooDeep }
        values += 1
        guard values <= Self.valueLimit else { throw .tooLarge }
        let head = try byte()
        let (major, short) = (head >> 5, head & 0x1F)
        if major == 7 { return try simple(short) }
        guard major != 6 else { throw .unsupported }
        let number = try argument(short)
        switch major {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return .bytes(Data(try read(number)))
        case 3:
            guard let text = String(validating: try read(number), as: UTF8.self) else { throw .invalidText }
            return .text(text)
        case 4: return .array(try array(number, depth: depth))
        default: return .map(try map(number, depth: depth))
        }
    }

    private mutating func array(_ count: UInt64, depth: Int) throws(CBOR.CBORError) -> [CBOR] {
        // Every element needs at least one byte, so a larger count is refused before memory is reserved for it.
        guard count <= UInt64(bytes.count - position) else { throw .truncated }
        var elements: [CBOR] = []
        for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
        return elements
    }

    private mutating func map(_ count: UInt64, depth: Int) throws(CBOR.CBORError) -> [CBOR: CBOR] {
        guard count <= UInt64(bytes.count - position) / 2 else { throw .truncated }
        var members: [CBOR: CBOR] = [:]
        for _ in 0..<count {
            let key = try value(depth: depth + 1)
            let member = try value(depth: depth + 1)
            guard members.updateValue(member, forKey: key) == nil else { throw .duplicateKey }
        }
        return members
    }

    private func simple(_ short: UInt8) throws(CBOR.CBORError) -> CBOR {
        switch short {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        case 31: throw .indefiniteLength
        default: throw .unsupported
        }
    }

    private mutating func argument(_ short: UInt8) throws(CBOR.CBORError) -> UInt64 {
        let width: Int
        switch short {
        case 0...23: return UInt64(short)
        case 24: width = 1
        case 25: width = 2
        case 26: width = 4
        case 27: width = 8
        case 31: throw .indefiniteLength
        default: throw .unsupported
        }
        let number = try read(UInt64(width)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // 24 to 0xFF take one byte, 0x100 to 0xFFFF two, and so on: smaller numbers must use fewer.
        let smallest: UInt64 = width == 1 ? 24 : 1 << UInt64(width * 4)
        guard number >= smallest else { throw .notShortest }
        return number
    }

    private mutating func byte() throws(CBOR.CBORError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func read(_ count: UInt64) throws(CBOR.CBORError) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.count - position) else { throw .truncated }
        let end = position + Int(count)
        defer { position = end }
        return bytes[position..<end]
    }
}
