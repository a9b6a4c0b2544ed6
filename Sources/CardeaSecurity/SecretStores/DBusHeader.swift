/// The header of a message on the bus.
struct DBusHeader {
    enum Kind: UInt8 {
        case methodCall = 1
        case methodReturn, error, signal
    }

    let kind: Kind?
    let bodyLength: Int
    /// The length of the fields behind the fixed part, including the padding to a multiple of 8.
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
        // No answer requested here is nearly as long.
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
