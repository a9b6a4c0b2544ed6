/// The author of an event's description, where that is not the source of the event.
public struct DescriptionSource: RawRepresentable, Hashable, Codable, Sendable {
    public let rawValue: String

    // Whoever reads an event reads any: a newer house may name what this side has no word for.
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
