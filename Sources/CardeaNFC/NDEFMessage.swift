/// The content of a tag: one or more records, and nothing after them.
public struct NDEFMessage: Hashable, Sendable {
    public let records: [NDEFRecord]

    /// - Parameter records: at least one.
    public init(_ records: [NDEFRecord]) throws(NDEFError) {
        guard !records.isEmpty else { throw .malformed }
        self.records = records
    }

    /// One link and nothing else.
    public init(link: String) {
        records = [.link(link)]
    }

    private enum HeaderFlag {
        static let messageBegin: UInt8 = 0x80
        static let messageEnd: UInt8 = 0x40
        static let chunk: UInt8 = 0x20
        static let shortRecord: UInt8 = 0x10
        static let idLengthPresent: UInt8 = 0x08
        /// The type name of a chunk that continues the one before.
        static let unchangedTypeName: UInt8 = 6
    }

    /// The bytes to write on a tag. A record is never split into chunks.
    public var octets: [UInt8] {
        var octets: [UInt8] = []
        for (place, record) in records.enumerated() {
            var head = record.typeName.rawValue
            if place == 0 { head |= HeaderFlag.messageBegin }
            if place == records.count - 1 { head |= HeaderFlag.messageEnd }
            let isShort = record.payload.count <= 255
            if isShort { head |= HeaderFlag.shortRecord }
            if !record.id.isEmpty { head |= HeaderFlag.idLengthPresent }
            octets += [head, UInt8(truncatingIfNeeded: record.type.count)]
            octets += (isShort ? [0] : [24, 16, 8, 0]).map { UInt8(truncatingIfNeeded: record.payload.count >> $0) }
            if !record.id.isEmpty { octets.append(UInt8(truncatingIfNeeded: record.id.count)) }
            octets += record.type + record.id + record.payload
        }
        return octets
    }

    /// Reads untrusted octets. A chunked record is joined.
    public init(_ octets: some Sequence<UInt8>) throws(NDEFError) {
        var reader = OctetReader(octets)
        var records: [NDEFRecord] = []
        var begun: Chunk?
        var isFirst = true
        var isLast = false
        while !isLast {
            let piece = try Chunk(&reader)
            guard piece.has(HeaderFlag.messageBegin) == isFirst else { throw .malformed }
            isFirst = false
            isLast = piece.has(HeaderFlag.messageEnd)
            guard !(isLast && piece.has(HeaderFlag.chunk)) else { throw .malformed }
            let whole: Chunk
            if let before = begun {
                guard piece.typeName == HeaderFlag.unchangedTypeName, piece.type.isEmpty, !piece.has(HeaderFlag.idLengthPresent) else {
                    throw .malformed
                }
                whole = before.appending(by: piece)
            } else {
                guard piece.typeName != HeaderFlag.unchangedTypeName else { throw .malformed }
                whole = piece
            }
            if piece.has(HeaderFlag.chunk) {
                begun = whole
            } else {
                guard let typeName = NDEFRecord.TypeName(rawValue: whole.typeName) else { throw .malformed }
                records.append(try NDEFRecord(typeName, type: whole.type, id: whole.id, payload: whole.payload))
                begun = nil
            }
        }
        guard reader.isAtEnd else { throw .malformed }
        self.records = records
    }

    /// A record, or a chunk of one, in its encoded form.
    private struct Chunk {
        let header: UInt8
        let type: [UInt8]
        let id: [UInt8]
        var payload: [UInt8]

        var typeName: UInt8 { header & 0x07 }
        func has(_ mark: UInt8) -> Bool { header & mark != 0 }

        init(_ reader: inout OctetReader) throws(NDEFError) {
            header = try reader.octet()
            let typeLength = Int(try reader.octet())
            let payloadLength = header & HeaderFlag.shortRecord != 0 ? Int(try reader.octet()) : Int(try reader.number(octets: 4))
            let idLength = header & HeaderFlag.idLengthPresent != 0 ? Int(try reader.octet()) : 0
            type = try reader.read(typeLength)
            id = try reader.read(idLength)
            payload = try reader.read(payloadLength)
        }

        func appending(by next: Chunk) -> Chunk {
            var whole = self
            whole.payload += next.payload
            return whole
        }
    }
}

/// Reads octets from the front, and refuses if there are too few.
struct OctetReader {
    private let octets: [UInt8]
    private(set) var position = 0

    init(_ octets: some Sequence<UInt8>) {
        self.octets = Array(octets)
    }

    var isAtEnd: Bool { position == octets.count }

    mutating func octet() throws(NDEFError) -> UInt8 {
        guard position < octets.count else { throw .malformed }
        defer { position += 1 }
        return octets[position]
    }

    /// Most significant first.
    ///
    /// - Parameter octets: up to four.
    mutating func number(octets count: Int) throws(NDEFError) -> UInt32 {
        try read(count).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func read(_ count: Int) throws(NDEFError) -> [UInt8] {
        guard count >= 0, count <= octets.count - position else { throw .malformed }
        defer { position += count }
        return Array(octets[position..<position + count])
    }
}
