import CardeaAPI
import CardeaSecurity
import Foundation

/// The audit log of the house and its proofs.
public struct Audit: Sendable {
    let caller: AuthenticatedClient

    /// A filter of entries.
    public struct Filter: Hashable, Sendable {
        /// The person who acted, or whom the entry concerns.
        public var personID: String?
        public var guestID: String?
        public var deviceID: String?
        public var result: String?
        /// Such as `door.open`.
        public var action: String?
        public var from: Date?
        /// Up to and including this moment.
        public var to: Date?

        public init(
            personID: String? = nil, guestID: String? = nil, deviceID: String? = nil, result: String? = nil, action: String? = nil,
            from: Date? = nil, to: Date? = nil
        ) {
            self.personID = personID
            self.guestID = guestID
            self.deviceID = deviceID
            self.result = result
            self.action = action
            self.from = from
            self.to = to
        }
    }

    /// - Parameters:
    ///   - limit: 1 to 500.
    ///   - before: only entries before this one.
    public func entries(_ filter: Filter = Filter(), limit: Int = 50, before: Int? = nil) async throws(ClientError) -> AuditAnswer {
        let query: [(String, String?)] = [
            ("person_id", filter.personID), ("guest_id", filter.guestID), ("device_id", filter.deviceID), ("result", filter.result),
            ("action", filter.action), ("from", filter.from.map { Timestamp.text($0) }), ("to", filter.to.map { Timestamp.text($0) }),
            ("limit", String(limit)), ("before", before.map { String($0) }),
        ]
        return try await caller.read(.get("api", "v1", "audit", query: query))
    }

    /// All entries that match the filter, newest first, requested page by page while they are read.
    public func all(_ filter: Filter = Filter()) -> Pages<ActivityEntry> {
        Pages { place throws(ClientError) in
            let page = try await entries(filter, limit: 500, before: place)
            return (page.entries, page.nextBefore)
        }
    }

    /// The last signed checkpoint of the audit log.
    ///
    /// - Parameter size: an earlier size; the answer then proves that the log only grew since.
    public func checkpoint(from size: Int64? = nil) async throws(ClientError) -> AuditCheckpointAnswer {
        try await caller.read(.get("api", "v1", "audit", "checkpoint", query: [("from_size", size.map { String($0) })]))
    }

    /// The proof that an entry is in the audit log; `AuditProofAnswer.isProven` verifies it.
    public func proof(of entry: Int) async throws(ClientError) -> AuditProofAnswer {
        try await caller.read(.get("api", "v1", "audit", .id(String(entry)), "proof"))
    }

    /// Exports the audit log to a file, which appears only when it is complete. The export is itself logged, and requires a step-up.
    ///
    /// - Parameter limit: the maximum size in bytes.
    public func export(
        _ body: AuditExportBody = AuditExportBody(), to file: URL, limit: Int64 = 1 << 32,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(ClientError) {
        // A repeated call exports twice and adds two audit entries; nothing else changes.
        var call = try APICall.write(.post, ["api", "v1", "audit", "export"], body)
        call.isIdempotent = true
        try await UntypedRequests(caller: caller).download(call, to: file, limit: limit, isOpen: false, progress: progress)
    }
}

extension AuditCheckpointAnswer {
    /// In the form that an `AuditWitness` reads.
    public var witnessInput: AuditWitness.PresentedCheckpoint {
        AuditWitness.PresentedCheckpoint(key: key, note: note, path: path, whole: whole.map { ($0.note, $0.path) })
    }
}

extension AuditProofAnswer {
    /// Returns whether the entry is included in the tree whose root the house signed, and its text matches the signed entry.
    ///
    /// - Parameter key: the house's key, as known from another source; nil uses the key in the answer.
    public func isProven(by key: Data? = nil) -> Bool {
        AuditBundleVerifier.isIncluded(
            line: line, told: told, signature: signature, at: Int64(entry.id), path: path, note: checkpoint.note,
            key: key ?? checkpoint.key)
    }
}
