/// What lies on a tag: one or more records, and nothing behind them.
public struct NDEFMessage: Hashable, Sendable {
    public let records: [NDEFRecord]

    /// - Parameter records: at least one.
    public init(_ records: [NDEFRecord]) throws(NDEFProblem) {
        guard !records.isEmpty else { throw .malformed }
        self.records = records
    }

    /// One link and nothing else.
    public init(link: String) {
        records = [.link(link)]
    }

    private enum Mark {
        static let first: UInt8 = 0x80
        static let last: UInt8 = 0x40
        static let chunk: UInt8 = 0x20
        static let short: UInt8 = 0x10
        static let named: UInt8 = 0x08
        /// The type name of a chunk that goes on with the one before.
        static let unchanged: UInt8 = 6
    }

    /// As it is written on a tag. A record is never broken into chunks.
    public var octets: [UInt8] {
        var octets: [UInt8] = []
        for (place, record) in records.enumerated() {
            var head = record.typeName.rawValue
            if place == 0 { head |= Mark.first }
            if place == records.count - 1 { head |= Mark.last }
            let isShort = record.payload.count <= 255
            if isShort { head |= Mark.short }
            if !record.id.isEmpty { head |= Mark.named }
            octets += [head, UInt8(truncatingIfNeeded: record.type.count)]
            octets += (isShort ? [0] : [24, 16, 8, 0]).map { UInt8(truncatingIfNeeded: record.payload.count >> $0) }
            if !record.id.isEmpty { octets.append(UInt8(truncatingIfNeeded: record.id.count)) }
            octets += record.type + record.id + record.payload
        }
        return octets
    }

    /// Reads what a stranger may have written. A record that came in chunks is whole afterwards.
    public init(_ octets: some Sequence<UInt8>) throws(NDEFProblem) {
        var reader = OctetReader(octets)
        var records: [NDEFRecord] = []
        var begun: Piece?
        var isFirst = true
        var isLast = false
        while !isLast {
            let piece = try Piece(&reader)
            guard piece.has(Mark.first) == isFirst else { throw .malformed }
            isFirst = false
            isLast = piece.has(Mark.last)
            guard !(isLast && piece.has(Mark.chunk)) else { throw .malformed }
            let whole: Piece
            if let before = begun {
                guard piece.typeName == Mark.unchanged, piece.type.isEmpty, !piece.has(Mark.named) else { throw .malformed }
                whole = before.followed(by: piece)
            } else {
                guard piece.typeName != Mark.unchanged else { throw .malformed }
                whole = piece
            }
            if piece.has(Mark.chunk) {
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

    /// A record, or a chunk of one, as it is written.
    private struct Piece {
        let head: UInt8
        let type: [UInt8]
        let id: [UInt8]
        var payload: [UInt8]

        var typeName: UInt8 { head & 0x07 }
        func has(_ mark: UInt8) -> Bool { head & mark != 0 }

        init(_ reader: inout OctetReader) throws(NDEFProblem) {
            head = try reader.octet()
            let typeLength = Int(try reader.octet())
            let payloadLength = head & Mark.short != 0 ? Int(try reader.octet()) : Int(try reader.number(octets: 4))
            let idLength = head & Mark.named != 0 ? Int(try reader.octet()) : 0
            type = try reader.take(typeLength)
            id = try reader.take(idLength)
            payload = try reader.take(payloadLength)
        }

        func followed(by next: Piece) -> Piece {
            var whole = self
            whole.payload += next.payload
            return whole
        }
    }
}

/// Reads octets from the front, and refuses where there are too few.
struct OctetReader {
    private let octets: [UInt8]
    private(set) var place = 0

    init(_ octets: some Sequence<UInt8>) {
        self.octets = Array(octets)
    }

    var isAtEnd: Bool { place == octets.count }

    mutating func octet() throws(NDEFProblem) -> UInt8 {
        guard place < octets.count else { throw .malformed }
        defer { place += 1 }
        return octets[place]
    }

    /// Most significant first.
    ///
    /// - Parameter octets: up to four.
    mutating func number(octets count: Int) throws(NDEFProblem) -> UInt32 {
        try take(count).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func take(_ count: Int) throws(NDEFProblem) -> [UInt8] {
        guard count >= 0, count <= octets.count - place else { throw .malformed }
        defer { place += count }
        return Array(octets[place..<place + count])
    }
}
