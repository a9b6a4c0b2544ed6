import CardeaModel
import Foundation

/// The button or the tag that submitted a command, by its id.
public enum CommandTrigger: Hashable, Sendable, RawRepresentable {
    case button(String)
    case tag(String)

    public init?(rawValue: String) {
        let parts = rawValue.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("button", 2): self = .button(parts[1])
        case ("tag", 2): self = .tag(parts[1])
        default: return nil
        }
    }

    /// The text in the tables of commands and in the audit log.
    public var rawValue: String {
        switch self {
        case .button(let id): "button:\(id)"
        case .tag(let id): "tag:\(id)"
        }
    }
}
