import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

extension CommandContext {
    /// The house's answer; if it cannot be reached, its last stored answer and the time of it.
    func query<Answer>(_ question: CacheableQuery<Answer>) async throws -> QueryResult<Answer> {
        try await query(question) { try await $0.answer(question, atMost: 0) }
    }

    /// Events; if the house cannot be reached, its last answer or the latest stored events.
    func events(_ filter: Events.Filter, limit: Int, cursor: String? = nil) async throws -> QueryResult<EventsAnswer> {
        try await query(.events(filter, limit: limit, cursor: cursor)) {
            try await $0.events(filter, limit: limit, cursor: cursor, atMost: 0)
        }
    }

    /// An event among the latest stored ones; nil if it is not among them.
    func storedEvent(_ id: String) async throws -> QueryResult<EventSummary>? {
        let client = try client()
        guard let stored = try await replicaIfAvailable(of: client)?.events(), let asOf = stored.asOf,
            let event = stored.value.first(where: { $0.id == id })
        else { return nil }
        return staleResult(event, asOf, client)
    }

    private func query<Answer>(
        _ question: CacheableQuery<Answer>, stored: (Replica) async throws -> LatestAnswer<Answer>
    ) async throws -> QueryResult<Answer> {
        let client = try client()
        guard let replica = try await replicaIfAvailable(of: client) else {
            return QueryResult(try await question.fetch(client), asOf: nil)
        }
        let answer = try await stored(replica)
        return answer.problem == nil ? QueryResult(answer.value, asOf: nil) : staleResult(answer.value, answer.asOf, client)
    }

    private func staleResult<Answer: Encodable & Sendable>(_ answer: Answer, _ asOf: Date, _ client: CardeaClient) -> QueryResult<Answer> {
        output.note("\(client.hub.host) cannot be reached. This is its last answer, \(Self.clock(credentials).spoken(asOf)).")
        return QueryResult(answer, asOf: asOf)
    }

    /// The house's clock; if the house cannot be reached, by its last known time zone.
    func clock() async throws -> HouseClock {
        do {
            return try await clock(client())
        } catch let problem as ClientError where problem.isHubUnreachable {
            return Self.clock(credentials)
        }
    }

    /// Objects of the house for a name lookup: from the house, or, if it cannot be reached, from the replica.
    private func fetchOrLoadStored<Thing: Sendable>(
        _ ask: (CardeaClient) async throws -> [Thing], stored: (Replica) async throws -> Dated<[Thing]>
    ) async throws -> [Thing] {
        let client = try client()
        do {
            return try await ask(client)
        } catch let problem as ClientError where problem.isHubUnreachable {
            guard let things = try await replicaIfAvailable(of: client).asyncMap(stored), things.asOf != nil else { throw problem }
            return things.value
        }
    }

    func devices() async throws -> [DeviceAnswer] {
        try await fetchOrLoadStored {
            try await $0.devices.list().devices
        } stored: {
            try await $0.devices()
        }
    }

    /// The device that a person calls `wanted`.
    func device(_ wanted: String) async throws -> DeviceAnswer { try NameResolver.device(wanted, among: await devices()) }

    /// Device names by device id.
    func deviceNames() async throws -> [String: String] {
        Dictionary(try await devices().map { ($0.deviceID, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    func room(_ wanted: String) async throws -> RoomDescriptionAnswer {
        let rooms = try await fetchOrLoadStored {
            try await $0.rooms.list().rooms
        } stored: {
            try await $0.rooms()
        }
        return try NameResolver.room(wanted, among: rooms)
    }

    func scene(_ wanted: String) async throws -> SceneAnswer {
        let scenes = try await fetchOrLoadStored {
            try await $0.scenes.list().scenes
        } stored: {
            try await $0.scenes()
        }
        return try NameResolver.resolve(wanted, among: scenes, what: "scene", ids: { [$0.sceneID] }, name: \.name)
    }

    /// - Parameter command: the command that asks, if it changes something: then the full name is required, or the id.
    func guest(_ wanted: String, exactly command: String? = nil) async throws -> GuestAnswer {
        let guests = try await fetchOrLoadStored {
            try await $0.guests.list().guests
        } stored: {
            try await $0.guests()
        }
        return try NameResolver.guest(wanted, among: guests, exactly: command)
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Other>(_ transform: (Wrapped) async throws -> Other) async rethrows -> Other? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
