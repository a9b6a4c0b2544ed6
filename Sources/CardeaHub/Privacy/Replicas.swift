import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Clients that keep a replica of the house: after an erasure they are told, and must confirm that nothing of the person is left there.
public struct Replicas: Sendable {
    let store: Store
    let environment: HubEnvironment

    init(store: Store, environment: HubEnvironment) {
        self.store = store
        self.environment = environment
    }

    /// The state of an erasure at the replicas.
    public struct Status: Hashable, Sendable {
        /// Clients that were asked to confirm.
        public let notified: Int
        /// Those of them that have confirmed.
        public let confirmed: Int
        /// Those that are still to confirm. The rest signed out before they did.
        public let pending: Int
        /// Devices of the erased person that kept a copy. They are signed out, and can confirm nothing.
        public let ownReplicas: Int
    }

    /// Records that the client keeps a replica, and that nothing of these people is left in it.
    ///
    /// - Returns: everyone who was erased. The list is the same for every client, so that it reveals nothing.
    public func confirm(without people: [String], by principal: Principal, origin: RequestOrigin) async throws -> [String] {
        let now = environment.now()
        // A browser asks on each page load: for a known replica, nothing is written.
        if people.isEmpty, case .person(_, let sessionID) = principal {
            let erased = try await store.read { db -> [String]? in
                try ReplicaRecords.isRegistered(sessionID, db) ? ReplicaRecords.erasedPersonIDs(db) : nil
            }
            if let erased { return erased }
        }
        return try await store.auditedWrite("replica.keep", by: principal, origin: origin, at: now) { context in
            let (_, sessionID) = try principal.asPerson()
            try ReplicaRecords.register(sessionID, at: now, in: context.db)
            try ReplicaRecords.confirm(Set(people), by: sessionID, in: context.db)
            return try ReplicaRecords.erasedPersonIDs(context.db)
        }
    }
}
