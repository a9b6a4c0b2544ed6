/// Why the session bus, or a program on it, was of no use.
enum DBusError: Error, Hashable {
    case noConnection(String)
    case noAnswer
    /// The other side's refusal, by the name it has on the bus.
    case refused(name: String)
    case malformed
}

/// What a message of D-Bus is made of, little-endian and each value at a multiple of its size, as its specification has it.
struct DBusWriter {
    private(set) var bytes: [UInt8] = []

    mutating func align(_ size: Int) {
        while bytes.count % size != 0 { bytes.append(0) }
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func uint32(_ value: Int) {
        align(4)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func boolean(_ value: Bool) { uint32(value ? 1 : 0) }

    /// A string, or the path of an object.
    mutating func string(_ value: String) {
        uint32(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
        byte(0)
    }

    mutating func signature(_ value: String) {
        byte(UInt8(truncatingIfNeeded: value.utf8.count))
        bytes.append(contentsOf: value.utf8)
        byte(0)
    }

    mutating func variant(_ type: String, _ value: (inout DBusWriter) -> Void) {
        signature(type)
        value(&self)
    }

    /// - Parameter size: what each element is aligned to: 8 for structs and the entries of a dictionary.
    mutating func array(alignedTo size: Int, _ elements: (inout DBusWriter) -> Void) {
        uint32(0)
        let afterLength = bytes.count
        align(size)
        let start = bytes.count
        elements(&self)
        var length = DBusWriter()
        length.uint32(bytes.count - start)
        bytes.replaceSubrange(afterLength - 4..<afterLength, with: length.bytes)
    }

    mutating func data(_ value: some Sequence<UInt8>) {
        array(alignedTo: 1) { $0.bytes.append(contentsOf: value) }
    }

    /// A dictionary from strings to strings.
    mutating func strings(_ values: [(String, String)]) {
        array(alignedTo: 8) { writer in
            for (key, value) in values {
                writer.align(8)
                writer.string(key)
                writer.string(value)
            }
        }
    }
}

/// Reads what `DBusWriter` writes. What is shorter than it says is malformed; nothing is trusted.
struct DBusReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func align(_ size: Int) { position = (position + size - 1) / size * size }

    mutating func byte() throws(DBusError) -> UInt8 { try read(1)[0] }

    mutating func uint32() throws(DBusError) -> Int {
        align(4)
        return try read(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func boolean() throws(DBusError) -> Bool { try uint32() != 0 }

    mutating func string() throws(DBusError) -> String { try text(of: uint32()) }

    mutating func signature() throws(DBusError) -> String { try text(of: Int(byte())) }

    mutating func data() throws(DBusError) -> [UInt8] { try read(uint32()) }

    mutating func strings() throws(DBusError) -> [String] {
        var inner = DBusReader(try data())
        var found: [String] = []
        while !inner.isAtEnd { found.append(try inner.string()) }
        return found
    }

    private mutating func text(of count: Int) throws(DBusError) -> String {
        let text = String(decoding: try read(count), as: UTF8.self)
        guard try byte() == 0 else { throw .malformed }
        return text
    }

    private mutating func read(_ count: Int) throws(DBusError) -> [UInt8] {
        guard position <= bytes.count, count <= bytes.count - position else { throw .malformed }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }
}

/// The head of what comes over the bus.
struct DBusHeader {
    enum Kind: UInt8 {
        case methodCall = 1
        case methodReturn, error, signal
    }

    let kind: Kind?
    let bodyLength: Int
    /// Of the fields behind the fixed part, with what fills them up to a multiple of 8.
    let fieldsLength: Int
    private let unpadded: Int
    private(set) var replySerial: Int?
    private(set) var errorName = ""
    private(set) var signature = ""

    static let fixedLength = 16

    init(fixed: [UInt8]) throws(DBusError) {
        var reader = DBusReader(fixed)
        guard try reader.byte() == UInt8(ascii: "l") else { throw .malformed }
        kind = Kind(rawValue: try reader.byte())
        _ = try (reader.byte(), reader.byte())
        bodyLength = try reader.uint32()
        _ = try reader.uint32()
        unpadded = try reader.uint32()
        // No answer that is asked for here comes near that.
        guard bodyLength <= 1 << 20, unpadded <= 1 << 16 else { throw .malformed }
        fieldsLength = (unpadded + 7) / 8 * 8
    }

    mutating func read(fields: [UInt8]) throws(DBusError) {
        var reader = DBusReader(Array(fields.prefix(unpadded)))
        while !reader.isAtEnd {
            reader.align(8)
            let field = try reader.byte()
            switch (field, try reader.signature()) {
            case (5, "u"): replySerial = try reader.uint32()
            case (4, "s"): errorName = try reader.string()
            case (8, "g"): signature = try reader.signature()
            case (_, "s"), (_, "o"): _ = try reader.string()
            case (_, "u"): _ = try reader.uint32()
            case (_, "g"): _ = try reader.signature()
            default: throw .malformed
            }
        }
    }
}
