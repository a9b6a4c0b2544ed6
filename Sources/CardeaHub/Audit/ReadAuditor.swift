import CardeaModel
import CardeaStore
import Foundation

/// What somebody looks at. Looking changes nothing, and a look that is refused is on record like a write that is. A guest whose pass is not
/// good now tries nothing by looking: their looks are counted by `GuestReadAuditor`.
public struct ReadAuditor: Sendable {
    let store: Store
    let guestLooks: GuestReadAuditor
    let environment: HubEnvironment

    /// What is looked at, where it is one thing.
    public enum Subject: Sendable {
        case house
        case guest(String)
        case device(String)
    }

    /// Lets `principal` look by `body`, and puts on record that they may not where it refuses.
    ///
    /// - Parameter what: in the words of the route, such as `guests.qr`; the entry's action is `look.guests.qr`.
    public func read<Value: Sendable>(
        at what: String, _ subject: Subject = .house, by principal: Principal, origin: RequestOrigin, _ body: () async throws -> Value
    ) async throws -> Value {
        let about: Store.AuditSubject =
            switch subject {
            case .house: .house
            case .guest(let id): .guest(id)
            case .device(let id): .device(id)
            }
        let (action, now) = ("look.\(what)", environment.now())
        guard case .guest(let id) = principal else {
            return try await store.audited(action, on: about, by: principal, origin: origin, at: now, body)
        }
        let seen: Result<Value, any Error> = try await store.audited(action, on: about, by: principal, origin: origin, at: now) {
            do {
                return .success(try await body())
            } catch let problem as any RefusalError {
                guard let reason = problem.refusalReason, reason.isPassStatus else { throw problem }
                try await guestLooks.record(action, with: id, reason: reason, origin: origin)
                return .failure(problem)
            }
        }
        return try seen.get()
    }
}
