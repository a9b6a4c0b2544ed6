import CardeaStore
import Foundation

/// What somebody looks at. Looking changes nothing, and a look that is refused is on record like a write that is.
public struct Looks: Sendable {
    let store: Store
    let surroundings: Surroundings

    /// What is looked at, where it is one thing.
    public enum Subject: Sendable {
        case house
        case guest(String)
        case device(String)
    }

    /// Lets `principal` look by `body`, and puts on record that they may not where it refuses.
    ///
    /// - Parameter what: in the words of the route, such as `guests.qr`; the entry's action is `look.guests.qr`.
    public func look<Value: Sendable>(
        at what: String, _ subject: Subject = .house, by principal: Principal, origin: Origin, _ body: () async throws -> Value
    ) async throws -> Value {
        let about: Store.Subject =
            switch subject {
            case .house: .house
            case .guest(let id): .guest(id)
            case .device(let id): .device(id)
            }
        return try await store.onRecord("look.\(what)", on: about, by: principal, origin: origin, at: surroundings.now(), body)
    }
}
