import CardeaModel
import Foundation

/// A thing by which somebody asks for a command, by its id.
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

    /// As commands and the record keep it.
    public var rawValue: String {
        switch self {
        case .button(let id): "button:\(id)"
        case .tag(let id): "tag:\(id)"
        }
    }
}
