import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Clients that keep a copy of the house: where somebody is erased they are told, and owe to say that nothing of them is left there.
public struct Replicas: Sendable {
    let store: Store
    let environment: HubEnvironment

    init(store: Store, environment: HubEnvironment) {
        self.store = store
        self.environment = environment
    }

    /// How an erasure stands with the copies.
    public struct Status: Hashable, Sendable {
        /// Clients that were told.
        public let notified: Int
        /// Those of them that have confirmed.
        public let confirmed: Int
        /// Those that are still to confirm. The rest signed out before they did.
        public let pending: Int
        /// Devices of the erased person that kept a copy. They are signed out, and can confirm nothing.
        public let ownReplicas: Int
    }

    /// Notes that whoever asks keeps a copy of the house, and that nothing of these people is left in it.
    ///
    /// - Returns: everybody who was erased. It is the same for every client, whatever it owes, so that nothing is learnt from it.
    public func confirm(without people: [String], by principal: Principal, origin: RequestOrigin) async throws -> [String] {
        let now = environment.now()
        // A browser asks with each page that is opened: of a copy that is known, nothing is written.
        if people.isEmpty, case .person(_, let sessionID) = principal {
            let erased = try await store.read { db -> [String]? in
                try ReplicaRecords.isRegistered(sessionID, db) ? ReplicaRecords.erasedPersonIDs(db) : nil
            }
            if let erased { return erased }
        }
        return try await store.auditedWrite("replica.keep", by: principal, origin: origin, at: now) { db in
            let (_, sessionID) = try principal.asPerson()
            try ReplicaRecords.register(sessionID, at: now, in: db)
            try ReplicaRecords.confirm(Set(people), by: sessionID, in: db)
            return try ReplicaRecords.erasedPersonIDs(db)
        }
    }
}
