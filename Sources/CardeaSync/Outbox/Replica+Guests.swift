import CardeaAPI
import CardeaClient

extension Replica {
    public enum WithdrawalResult: Sendable {
        /// The house has done it.
        case done(GuestAnswer)
        /// It waits here, before all others. Until the house has received it, the pass stays valid.
        case queued(OutboxEntry)
    }

    /// Pauses a pass or takes it back; if the house cannot be reached, as soon as it can.
    ///
    /// Asked again it changes nothing, so it waits also if its answer was lost.
    public func withdraw(_ kind: OutboxOperation.Withdrawal.Kind, guestID: String) async throws -> WithdrawalResult {
        let key = environment.makeIdempotencyKey()
        do {
            return .done(try await client.guests.decide(kind.decision, about: guestID, key: key))
        } catch {
            guard error.isHubUnreachable else { throw error }
            guard let guest = try await guests().value.first(where: { $0.guestID == guestID }) else {
                throw OfflineQueueError.unknownGuest(guestID)
            }
            let withdrawal = OutboxOperation.Withdrawal(kind: kind, guestID: guestID, name: guest.name)
            return .queued(try await add(key, .withdrawal(withdrawal), lasts: nil, isNext: true))
        }
    }
}

extension Replica {
    /// Passes that were prepared here and wait for the house, in order. They open nothing.
    public func preparedPasses() async throws -> [OutboxEntry] {
        try await outboxEntries().filter { entry in
            if case .ended = entry.status { return false }
            if case .request(.invite) = entry.operation { return true } else { return false }
        }
    }
}

extension OutboxOperation.Withdrawal.Kind {
    /// The same for the house's API.
    public var decision: Guests.Decision {
        switch self {
        case .suspend: .suspend
        case .revoke: .revoke
        }
    }
}
