import CardeaModel
import CardeaStore
import Foundation

/// Records refused reads in the audit log, as refused writes are. Reading itself changes nothing. Reads by a guest whose pass is not valid
/// now are not attempts: `GuestReadAuditor` counts them.
public struct ReadAuditor: Sendable {
    let store: Store
    let guestLooks: GuestReadAuditor
    let environment: HubEnvironment

    /// The object of a read, if it is a single one.
    public enum Subject: Sendable {
        case house
        case guest(String)
        case device(String)
    }

    /// Runs `body` for `principal`, and records the refusal if it throws one.
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
