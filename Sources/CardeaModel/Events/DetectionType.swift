/// The type of a detection, in its source's word. The words of Seed 003 are known; other words are kept as they are.
public struct DetectionType: RawRepresentable, Hashable, Codable, Sendable {
    public let rawValue: String

    /// - Returns: nil for an invalid word: not 1 to 64 of `a` to `z`, digits, `_`, `-` and `.`, beginning with a letter or a digit.
    public init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        guard (1...64).contains(bytes.count), let first = bytes.first, Self.isLetterOrDigit(first),
            bytes.allSatisfy({ Self.isLetterOrDigit($0) || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0) })
        else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) { rawValue = known }

    public init(from decoder: any Decoder) throws {
        // Any value is accepted: a newer hub may send one that is unknown here.
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    public static let person = DetectionType(known: "person")
    public static let vehicle = DetectionType(known: "vehicle")
    public static let package = DetectionType(known: "package")
    public static let animal = DetectionType(known: "animal")
    public static let motion = DetectionType(known: "motion")
    public static let ring = DetectionType(known: "ring")

    /// Those of Seed 003.
    public static let smart: [DetectionType] = [.person, .vehicle, .package, .animal, .motion]

    /// True if a person pressed the bell, under any of the names that sources use for it.
    public var isDoorbellRing: Bool { ["ring", "doorbell", "doorbell_ring"].contains(rawValue) }
}
