/// The author of an event's description, if that is not the source of the event.
public struct DescriptionSource: RawRepresentable, Hashable, Codable, Sendable {
    public let rawValue: String

    // Any value is accepted: a newer hub may send one that is unknown here.
    public init(rawValue: String) { self.rawValue = rawValue }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// A machine that looked at the picture and may be wrong.
    public static let describer = DescriptionSource(rawValue: "describer")
}
