import CardeaAPI
import CardeaModel
import Foundation

/// One event of the journal. A name that a newer hub adds is carried like any other.
public struct ChangeEvent: Decodable, Sendable {
    public let seq: Int64
    /// As in `RealtimeEvent`.
    public let name: String
    public let content: Content

    public enum Content: Sendable {
        /// A device as it stands; and what one of its entities said, where that was it.
        case device(DeviceAnswer, said: SaidData?)
        case command(CommandAnswer)
        /// The id of what changed, and the like.
        case other(JSONValue)
    }

    enum CodingKeys: String, CodingKey {
        case seq, data, change
        case name = "type"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        seq = try container.decode(Int64.self, forKey: .seq)
        name = try container.decode(String.self, forKey: .name)
        // What a newer hub says in words that are not known here is carried as it is.
        if let known = try? Self.known(RealtimeEvent(rawValue: name), container) {
            content = known
        } else {
            content = .other(try container.decode(JSONValue.self, forKey: .data))
        }
    }

    private static func known(_ event: RealtimeEvent?, _ container: KeyedDecodingContainer<CodingKeys>) throws -> Content? {
        switch event {
        case .deviceUpdate:
            .device(
                try container.decode(DeviceAnswer.self, forKey: .data), said: try container.decodeIfPresent(SaidData.self, forKey: .change))
        case .commandUpdate: .command(try container.decode(CommandAnswer.self, forKey: .data))
        default: nil
        }
    }

    /// The event where this side knows it.
    public var event: RealtimeEvent? { RealtimeEvent(rawValue: name) }

    /// A member of what is told beside devices and commands.
    public func text(_ member: String) -> String? {
        if case .other(let data) = content { data[member]?.string } else { nil }
    }
}
