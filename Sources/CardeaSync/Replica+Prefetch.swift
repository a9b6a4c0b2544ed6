import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

extension Replica {
    /// Things of one kind that are read ahead at once; the rest is read on demand.
    static let itemLimit = 12

    /// Memories that are read ahead: as many as a list shows by default, so that it is the same query.
    static let memoryLimit = 20

    /// Reads ahead the answers that `screen` needs, one after the other, and only those that this person may see and that are not stored
    /// yet.
    ///
    /// It ends quietly if the house cannot be reached. Returns the number of stored answers.
    @discardableResult
    public func prefetch(for screen: PrefetchedScreen) async throws -> Int {
        var count = 0
        do {
            let me = try await answer(.me).value
            for question in try await prefetchQueries(for: screen, Set(me.permissions), answersAsks: me.canAnswerAsks == true) {
                try Task.checkCancellation()
                guard try await question.prefetch(into: self) else { return count }
                count += 1
            }
        } catch ClientError.storage(let what) {
            throw ClientError.storage(what)
        } catch is ClientError {
            // No caller waits for it; one that asks later gets the error.
        }
        return count
    }

    private func prefetchQueries(for screen: PrefetchedScreen, _ rights: Set<Right>, answersAsks: Bool) async throws -> [any Prefetchable] {
        switch screen {
        case .devices:
            guard rights.contains(.viewEnergy) else { return [] }
            let day: TimeInterval = 86_400
            return [CacheableQuery.energy(last: day), CacheableQuery.environment(last: day)]
                + (try await singleSensorDevices()).map { CacheableQuery.history(of: $0, last: day) }
        case .guests:
            guard rights.contains(.inviteGuests) else { return answersAsks ? [CacheableQuery.asks] : [] }
            return [CacheableQuery.asks] + (try await openGuests()).map(CacheableQuery.guest)
        case .settings:
            let own: [any Prefetchable] = [CacheableQuery.sessions, CacheableQuery.apiTokens]
            let people: [any Prefetchable] = rights.contains(.controlDevices) ? [CacheableQuery.people] : []
            return own + people + (rights.contains(.modifySettings) ? [CacheableQuery.integrations] : [])
        case .events:
            let cameras: [any Prefetchable] = [CacheableQuery.cameras]
            return cameras + (try await recentEventsWithPictures()).map { ThumbnailPrefetch(of: $0) }
        case .mind:
            var latest = Memories.Filter()
            latest.limit = Self.memoryLimit
            return [CacheableQuery.mood, CacheableQuery.memories(latest)]
        }
    }

    /// Devices with one sensor, whose history needs no entity id.
    private func singleSensorDevices() async throws -> [String] {
        let devices = try await devices().value.filter { device in
            device.entities.count { $0.isEnabled && $0.kind == .sensor } == 1
        }
        return devices.prefix(Self.itemLimit).map(\.deviceID)
    }

    /// The latest events that have a picture.
    private func recentEventsWithPictures() async throws -> [String] {
        try await events().value.filter(\.hasThumbnail).prefix(Self.itemLimit).map(\.id)
    }

    private func openGuests() async throws -> [String] {
        let over: Set<GuestStatus> = [.expired, .revoked, .usedUp, .rejected]
        return try await guests().value.filter { !over.contains($0.status) }.prefix(Self.itemLimit).map(\.guestID)
    }
}

/// A query of any answer type, or a picture.
private protocol Prefetchable: Sendable {
    /// False if the house cannot be reached.
    func prefetch(into replica: Replica) async throws -> Bool
}

extension CacheableQuery: Prefetchable {
    fileprivate func prefetch(into replica: Replica) async throws -> Bool {
        try await didReachHub { try await replica.answer(self).problem }
    }
}

private struct ThumbnailPrefetch: Prefetchable {
    let eventID: String

    init(of eventID: String) { self.eventID = eventID }

    func prefetch(into replica: Replica) async throws -> Bool {
        try await didReachHub { try await replica.thumbnail(of: eventID).problem }
    }
}

/// Returns whether the house was reached. Content that does not exist, is not permitted for this person or cannot be decoded is skipped.
private func didReachHub(_ read: () async throws -> ClientError?) async throws -> Bool {
    do {
        return try await read() == nil
    } catch let error as ClientError {
        switch error {
        case .api(let answer) where !answer.isRetryable: return true
        case .invalidResponse: return true
        default: throw error
        }
    }
}
