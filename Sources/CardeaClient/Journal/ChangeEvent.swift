import CardeaAPI
import CardeaModel
import Foundation

/// One event of the journal. Unknown names, from a newer hub, are kept.
public struct ChangeEvent: Decodable, Sendable {
    public let seq: Int64
    /// As in `RealtimeEvent`.
    public let name: String
    public let content: Content

    public enum Content: Sendable {
        /// The present device, and the state of the entity that caused the event, if one did.
        case device(DeviceAnswer, said: StateReportData?)
        case command(CommandAnswer)
        /// The id of the changed resource, and the like.
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
        // A newer hub's event of unknown form is passed on unchanged.
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
                try container.decode(DeviceAnswer.self, forKey: .data),
                said: try container.decodeIfPresent(StateReportData.self, forKey: .change))
        case .commandUpdate: .command(try container.decode(CommandAnswer.self, forKey: .data))
        default: nil
        }
    }

    /// The event; nil if this version does not know it.
    public var event: RealtimeEvent? { RealtimeEvent(rawValue: name) }

    /// A member of an event that is not about devices or commands.
    public func text(_ member: String) -> String? {
        if case .other(let data) = content { data[member]?.string } else { nil }
    }
}
