import CardeaAPI
import Foundation

/// Personal data in the house, its export and erasure.
public struct Privacy: Sendable {
    let caller: AuthenticatedClient

    /// The signed-in person's stored data, with purpose and retention.
    public func ownData() async throws(ClientError) -> PrivacyAnswer {
        try await caller.read(.get("api", "v1", "privacy"))
    }

    /// The retention period of each kind of data.
    public func retention() async throws(ClientError) -> RetentionAnswer {
        try await caller.read(.get("api", "v1", "retention"))
    }

    /// The backup settings and results. For people who may change settings.
    public func backups() async throws(ClientError) -> BackupsAnswer {
        try await caller.read(.get("api", "v1", "backups"))
    }

    /// Shortens the retention of some kinds, in days. For owners, after a step-up.
    public func setRetention(_ days: [String: Int]) async throws(ClientError) -> RetentionAnswer {
        try await caller.read(.write(.put, ["api", "v1", "retention"], RetentionBody(days: days), key: caller.newIdempotencyKey))
    }

    /// Exports all data of a person. The job shows when it can be downloaded.
    public func export(_ personID: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.post, ["api", "v1", "people", .id(personID), "export"], key: caller.newIdempotencyKey))
    }

    /// Exports all data of a guest: of the caller's own guests or, as an owner, of any guest. The job shows when it can be downloaded.
    public func export(guest id: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.post, ["api", "v1", "guests", .id(id), "export"], key: caller.newIdempotencyKey))
    }

    /// Erases a person for good.
    public func erase(_ personID: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.post, ["api", "v1", "people", .id(personID), "erase"], key: caller.newIdempotencyKey))
    }

    /// Erases a guest for good: of the caller's own guests or, as an owner, any guest.
    public func erase(guest id: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.post, ["api", "v1", "guests", .id(id), "erase"], key: caller.newIdempotencyKey))
    }

    /// Requested jobs, newest first.
    public func jobs() async throws(ClientError) -> JobsAnswer {
        try await caller.read(.get("api", "v1", "jobs"))
    }

    /// Stops an export that waits or runs: the caller's own or, as an owner, any. An erasure cannot be stopped.
    public func stop(_ id: String) async throws(ClientError) -> JobAnswer {
        try await caller.read(.write(.delete, ["api", "v1", "jobs", .id(id)], key: caller.newIdempotencyKey))
    }

    /// Reports that a replica of the house is kept here, and that nothing of these people is left in it: at most `ReplicaBody.most` of them
    /// at once.
    ///
    /// - Returns: the ids of all erased people.
    public func reportReplica(without people: [String] = []) async throws(ClientError) -> [String] {
        var call = try APICall.write(.post, ["api", "v1", "erasures"], ReplicaBody(confirmed: people))
        call.isIdempotent = true
        return try await caller.read(call, as: ErasedAnswer.self).erased
    }

    /// Downloads an export into a file, which appears only when it is complete. Requires a step-up.
    ///
    /// - Parameter limit: the maximum size in bytes.
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
