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
