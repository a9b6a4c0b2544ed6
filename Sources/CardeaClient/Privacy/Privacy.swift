import CardeaAPI
import Foundation

/// What the house keeps of people, and what they have done with it.
public struct Privacy: Sendable {
    let caller: AuthenticatedClient

    /// What is kept of oneself, why, and until when.
    public func ownData() async throws(ClientError) -> PrivacyAnswer {
        try await caller.read(.get("api", "v1", "privacy"))
    }

    /// For how long each kind is kept.
    public func retention() async throws(ClientError) -> RetentionAnswer {
        try await caller.read(.get("api", "v1", "retention"))
    }

    /// How the house backs itself up, and what came of it. For those who may change its settings.
    public func backups() async throws(ClientError) -> BackupsAnswer {
        try await caller.read(.get("api", "v1", "backups"))
    }

    /// Has some kinds kept for fewer days. For an owner, shortly after they have shown who they are.
    public func setRetention(_ days: [String: Int]) async throws(ClientError) -> RetentionAnswer {
        try await caller.read(.write(.put, ["api", "v1", "retention"], RetentionBody(days: days), key: caller.newIdempotencyKey))
    }

    /// Has all that is kept of somebody packed. The job says when it can be fetched.
    public func export(_ personID: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.post, ["api", "v1", "people", .id(personID), "export"], key: caller.newIdempotencyKey))
    }

    /// Has all that is kept of a guest packed: one whom one let in, or as an owner anybody's. The job says when it can be fetched.
    public func export(guest id: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.post, ["api", "v1", "guests", .id(id), "export"], key: caller.newIdempotencyKey))
    }

    /// Has somebody erased, for good.
    public func erase(_ personID: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.post, ["api", "v1", "people", .id(personID), "erase"], key: caller.newIdempotencyKey))
    }

    /// Has a guest erased, for good: one whom one let in, or as an owner anybody's.
    public func erase(guest id: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.post, ["api", "v1", "guests", .id(id), "erase"], key: caller.newIdempotencyKey))
    }

    /// What was asked for, newest first.
    public func jobs() async throws(ClientError) -> JobsAnswer {
        try await caller.read(.get("api", "v1", "jobs"))
    }

    /// Stops an export that waits or is under way: one that one asked for, or as an owner anybody's. An erasure goes on to its end.
    public func stop(_ id: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.delete, ["api", "v1", "jobs", .id(id)], key: caller.newIdempotencyKey))
    }

    /// Says that a copy of the house is kept here, and that nothing of these people is left in it: `ReplicaBody.most` of them at once.
    ///
    /// - Returns: everybody who was erased, by id.
    public func reportReplica(without people: [String] = []) async throws(ClientError) -> [String] {
        var call = try APICall.write(.post, ["api", "v1", "erasures"], ReplicaBody(confirmed: people))
        call.isIdempotent = true
        return try await caller.read(call, as: ErasedAnswer.self).erased
    }

    /// Writes what an export packed into a file, which is there when all of it is. It takes a step-up.
    ///
    /// - Parameter limit: bytes that are taken at most.
    public func archive(
        of job: String, to file: URL, limit: Int64 = 1 << 36, progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(ClientError) {
        try await UntypedRequests(caller: caller).download(
            .get("api", "v1", "jobs", .id(job), "archive"), to: file, limit: limit, isOpen: false, progress: progress)
    }

    public func job(_ id: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.get("api", "v1", "jobs", .id(id)))
    }
}
