import CardeaModel
import Foundation

/// Whoever asks.
public enum Principal: Hashable, Sendable {
    case person(id: String, sessionID: String)
    case guest(id: String)
    /// A program with a token that somebody of the house made: it may do with devices what both of them may, and nothing else.
    case apiToken(id: String, personID: String)
    /// Another system of the house, such as Home Assistant behind the broker: it may do what the owner grants it.
    case integration(String)
    /// What the house does by itself, for whoever answers for it: it may do what they may, and nobody is present with it.
    case automation(id: String, personID: String)

    /// The one name under which keys are kept and commands are filed.
    public var key: String {
        switch self {
        case .person(let id, _): "person:\(id)"
        case .guest(let id): "guest:\(id)"
        case .apiToken(let id, let personID): "token:\(id):\(personID)"
        case .integration(let name): "integration:\(name)"
        case .automation(let id, let personID): "automation:\(id):\(personID)"
        }
    }

    /// Whoever is filed under `key`. A session is not part of it.
    init(key: String) {
        let parts = key.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.dropFirst().first, parts.dropFirst(2).first) {
        case ("guest", let id?, _): self = .guest(id: id)
        case ("token", let id?, let personID?): self = .apiToken(id: id, personID: personID)
        case ("integration", let name?, _): self = .integration(name)
        case ("automation", let id?, let personID?): self = .automation(id: id, personID: personID)
        default: self = .person(id: String(key.dropFirst("person:".count)), sessionID: "")
        }
    }
}
