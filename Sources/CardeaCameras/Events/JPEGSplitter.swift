/// Finds whole JPEGs (ITU-T T.81) in bytes that arrive in pieces, with anything between them: one after the other as ffmpeg writes them, in
/// the parts of a multipart response, or a single one. It reads from marker to marker, so an embedded picture does not end it.
struct JPEGSplitter: Sendable {
    /// A larger picture is invalid.
    let limit: Int
    private var bytes: [UInt8] = []
    /// The position up to which the picture is parsed.
    private var place = 0
    private var isInScan = false
    /// The picture itself has begun.
    private var hasScan = false
    private var isInside = false

    init(limit: Int = 8 << 20) {
        self.limit = limit
    }

    /// Takes what came, and gives every picture that is whole now.
    mutating func append(_ more: some Sequence<UInt8>) -> [[UInt8]] {
        bytes.append(contentsOf: more)
        var found: [[UInt8]] = []
        while true {
            guard isInside || seekStart() else { return found }
            switch scanSegment() {
            case .more:
                if bytes.count > limit { drop(bytes.count) }
                return found
            case .whole:
                found.append(Array(bytes[..<place]))
                drop(place)
            case .broken:
                // These bytes did not begin a picture; another one may begin after them.
                drop(2)
            }
        }
    }

    /// The picture that the bytes end in, if they end without its end marker; nil if none has begun.
    mutating func finish() -> [UInt8]? {
        defer { drop(bytes.count) }
        return hasScan ? bytes : nil
    }

    private enum Progress { case more, whole, broken }

    private mutating func drop(_ count: Int) {
        bytes.removeFirst(min(count, bytes.count))
        (place, isInScan, hasScan, isInside) = (0, false, false, false)
    }

    private mutating func seekStart() -> Bool {
        var at = 0
        while at + 1 < bytes.count {
            if bytes[at] == 0xFF, bytes[at + 1] == 0xD8 {
                drop(at)
                (place, isInside) = (2, true)
                return true
            }
            at += 1
        }
        // The last byte may be half of a beginning.
        drop(bytes.last == 0xFF ? bytes.count - 1 : bytes.count)
        return false
    }

    private mutating func scanSegment() -> Progress {
        while true {
            if isInScan {
                while place + 1 < bytes.count, !(bytes[place] == 0xFF && Self.ends(bytes[place + 1])) { place += 1 }
                guard place + 1 < bytes.count else { return .more }
                isInScan = false
            }
            guard place + 1 < bytes.count else { return .more }
            guard bytes[place] == 0xFF else { return .broken }
            let marker = bytes[place + 1]
            switch marker {
            case 0xFF: place += 1  // a fill byte
            case 0xD9:
                place += 2
                return .whole
            case 0x01, 0xD0...0xD7: place += 2
            // The next picture begins: this one has no end marker.
            case 0xD8 where hasScan: return .whole
            case 0x00, 0xD8: return .broken
            default:
                guard place + 3 < bytes.count else { return .more }
                let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
                guard length >= 2 else { return .broken }
                guard place + 2 + length <= bytes.count else { return .more }
                place += 2 + length
                isInScan = marker == 0xDA
                hasScan = hasScan || isInScan
            }
        }
    }

    /// Returns whether the byte after 0xFF ends the scan: every byte except a stuffed zero, a restart marker and a fill byte.
    private static func ends(_ byte: UInt8) -> Bool {
        byte != 0 && byte != 0xFF && !(0xD0...0xD7).contains(byte)
    }
}
