import CardeaHub
import CardeaSecurity

// A test call without an origin comes from home.

extension Sessions {
    public func authenticate(_ token: Secret) async throws -> Principal { try await authenticate(token, origin: .house) }
}

extension ActivityLog {
    public func entries(_ filter: Filter, seenBy principal: Principal) async throws -> [Entry] {
        try await entries(filter, seenBy: principal, origin: .house)
    }
}

extension AuditProofs {
    public func inclusion(of seq: Int64, seenBy principal: Principal) async throws -> InclusionProof {
        try await inclusion(of: seq, seenBy: principal, origin: .house)
    }
}

extension Guests {
    public func one(_ id: String, seenBy principal: Principal) async throws -> (guest: Guest, history: [ActivityLog.Entry]) {
        try await one(id, seenBy: principal, origin: .house)
    }
}
