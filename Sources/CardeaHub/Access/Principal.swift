import CardeaModel
import Foundation

/// The authenticated caller of a request.
public enum Principal: Hashable, Sendable {
    case person(id: String, sessionID: String)
    case guest(id: String)
    /// A program with an API token: on devices it may do what both the token and the person who made it may do, and nothing else.
    case apiToken(id: String, personID: String)
    /// Another system of the house, such as Home Assistant behind the broker: it may do what the owner grants it.
    case integration(String)
    /// An automation, with the rights of the person responsible for it. No person is present when it runs.
    case automation(id: String, personID: String)

    /// The unique name under which idempotency keys and commands are stored.
    public var key: String {
        switch self {
        case .person(let id, _): "person:\(id)"
        case .guest(let id): "guest:\(id)"
        case .apiToken(let id, let personID): "token:\(id):\(personID)"
        case .integration(let name): "integration:\(name)"
        case .automation(let id, let personID): "automation:\(id):\(personID)"
        }
    }

    /// The principal with this `key`. The session is not part of the key, so a person's session ID is empty.
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
