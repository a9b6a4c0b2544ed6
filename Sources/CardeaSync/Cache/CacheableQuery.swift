import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A query whose answer is cached: a span of readings, the people, the person's sessions.
///
/// Devices, rooms, scenes, guests, the latest activity and the latest events need no question: all of them are in the `Replica`.
public struct CacheableQuery<Answer: Codable & Sendable>: Sendable {
    /// The query with everything on which the answer depends, such as `energy/86400`.
    public let name: String
    public let priority: CachePriority
    /// Seconds for which a cached answer is used without asking again.
    public let ttl: TimeInterval
    /// Seconds for which an answer is shown, with its age, while the house cannot be reached. At least `ttl`.
    public let staleLifetime: TimeInterval
    /// The kind of things that the answer lists. When one of them is deleted, the cached list is removed.
    public let lists: ReplicaDocumentKind?
    let fetch: @Sendable (_ client: CardeaClient, _ now: Date) async throws -> Answer

    public init(
        _ name: String, priority: CachePriority = .high, ttl: TimeInterval = 30, keeps: TimeInterval = 30 * 86_400,
        lists: ReplicaDocumentKind? = nil, ask: @escaping @Sendable (_ client: CardeaClient, _ now: Date) async throws -> Answer
    ) {
        self.name = name
        self.priority = priority
        self.ttl = ttl
        self.staleLifetime = max(ttl, keeps)
        self.lists = lists
        self.fetch = ask
    }

    /// Asks the house, without the cache.
    public func fetch(_ client: CardeaClient, at now: Date = Date()) async throws -> Answer { try await fetch(client, now) }
}

// MARK: People

extension CacheableQuery<PersonAnswer> {
    /// The signed-in person.
    public static var me: Self { Self("me", priority: .critical, ttl: 300) { client, _ in try await client.people.me() } }
}

extension CacheableQuery<PeopleAnswer> {
    public static var people: Self { Self("people", ttl: 300) { client, _ in try await client.people.list() } }
}

extension CacheableQuery<OpenSessionsAnswer> {
    /// The open sessions of the signed-in person.
    public static var sessions: Self {
        Self("sessions") { client, _ in OpenSessionsAnswer(sessions: try await client.sessions.open()) }
    }
}

extension CacheableQuery<APITokensAnswer> {
    public static var apiTokens: Self { Self("tokens") { client, _ in try await client.apiTokens.list() } }
}

extension CacheableQuery<WebhooksAnswer> {
    public static var webhooks: Self { Self("webhooks") { client, _ in try await client.webhooks.list() } }
}

extension CacheableQuery<PhonesAnswer> {
    /// The signed-in person's phones.
    public static var phones: Self {
        Self("phones") { client, _ in PhonesAnswer(devices: try await client.phones.list()) }
    }
}

extension CacheableQuery<AccessChangesAnswer> {
    /// Things that can open or listen and that were set up lately.
    ///
    /// - Parameter personID: the person who set them up; nil for the signed-in person.
    public static func accessChanges(of personID: String? = nil) -> Self {
        Self("access-changes/\(personID ?? "")") { client, _ in try await client.access.changes(of: personID) }
    }
}

// MARK: Own data

extension CacheableQuery<PrivacyAnswer> {
    public static var privacy: Self { Self("privacy") { client, _ in try await client.privacy.ownData() } }
}

extension CacheableQuery<RetentionAnswer> {
    public static var retention: Self { Self("retention") { client, _ in try await client.privacy.retention() } }
}

extension CacheableQuery<JobsAnswer> {
    public static var jobs: Self { Self("jobs", ttl: 0) { client, _ in try await client.privacy.jobs() } }
}

// MARK: Maintenance

extension CacheableQuery<MaintenanceListAnswer> {
    /// Maintenance tasks by due date.
    public static func maintenance(_ filter: MaintenanceTasks.Filter = MaintenanceTasks.Filter()) -> Self {
        let parts = [
            filter.dueBefore?.description ?? "", filter.isOverdue ? "overdue" : "", filter.roomID ?? "", filter.deviceID ?? "",
            filter.withDone ? "done" : "",
        ]
        return Self("maintenance/" + parts.joined(separator: "/"), ttl: 10) { client, _ in try await client.maintenance.list(filter) }
    }
}

extension CacheableQuery<MaintenanceHistoryAnswer> {
    /// Times the maintenance task was done, newest first.
    public static func maintenanceHistory(of id: String, before: String? = nil, limit: Int = 50) -> Self {
        Self("maintenance/\(id)/history/\(limit)/\(before ?? "")", ttl: 10) { client, _ in
            try await client.maintenance.history(id, before: before, limit: limit)
        }
    }
}

// MARK: Audit log

extension CacheableQuery<AuditAnswer> {
    /// Audit entries, newest first.
    public static func audit(_ filter: Audit.Filter = Audit.Filter(), limit: Int = 30, before: Int? = nil) -> Self {
        let (from, to) = (filter.from.map { Timestamp.text($0) }, filter.to.map { Timestamp.text($0) })
        let place: String? = before.map { String($0) }
        let parts: [String?] = [
            filter.personID, filter.guestID, filter.deviceID, filter.result, filter.action, from, to, place,
        ]
        return Self("audit/\(limit)/" + parts.map { $0 ?? "" }.joined(separator: "/"), ttl: 10) { client, _ in
            try await client.audit.entries(filter, limit: limit, before: before)
        }
    }
}

// MARK: Events

extension CacheableQuery<EventsAnswer> {
    /// Events, newest first.
    public static func events(_ filter: Events.Filter = Events.Filter(), limit: Int = 30, cursor: String? = nil) -> Self {
        let parts = [
            filter.cameraID, filter.type, filter.incidentID, filter.from.map(Timestamp.text), filter.to.map(Timestamp.text), filter.words,
            cursor,
        ]
        return Self("events/\(limit)/" + parts.map { $0 ?? "" }.joined(separator: "/"), ttl: 10, lists: .event) { client, _ in
            try await client.events.list(filter, limit: limit, cursor: cursor)
        }
    }
}

extension CacheableQuery<EventAnswer> {
    public static func event(_ id: String) -> Self { Self("event/\(id)", ttl: 300) { client, _ in try await client.events.get(id) } }
}

extension CacheableQuery<CamerasAnswer> {
    /// The cameras and whether they are online.
    public static var cameras: Self { Self("cameras", ttl: 10) { client, _ in try await client.cameras.list() } }
}

// MARK: Tags

extension CacheableQuery<ButtonsAnswer> {
    public static var buttons: Self { Self("buttons", ttl: 10) { client, _ in try await client.buttons.list() } }
}

extension CacheableQuery<TagsAnswer> {
    /// The tags, and when each was used last.
    public static var tags: Self { Self("tags", ttl: 10) { client, _ in try await client.tags.list() } }
}

// MARK: Notifications

extension CacheableQuery<NoticesAnswer> {
    /// Notifications received, newest first.
    public static func notices(before: String? = nil, limit: Int = 30) -> Self {
        Self("notices/\(limit)/\(before ?? "")", ttl: 10) { client, _ in try await client.notices.list(before: before, limit: limit) }
    }
}

extension CacheableQuery<NotificationsAnswer> {
    /// The signed-in person's notification settings: which kinds are sent, and at which times none.
    public static var notifications: Self { Self("notifications", ttl: 300) { client, _ in try await client.notices.preferences() } }
}

extension CacheableQuery<PushAnswer> {
    /// The registered push subscriptions.
    public static var push: Self { Self("push") { client, _ in try await client.notices.push() } }
}

// MARK: Guests

extension CacheableQuery<GuestAnswer> {
    /// One guest, with every try.
    public static func guest(_ id: String) -> Self { Self("guest/\(id)") { client, _ in try await client.guests.get(id) } }
}

extension CacheableQuery<AsksAnswer> {
    /// Pending approvals. They last only a short time.
    public static var asks: Self { Self("asks", ttl: 0, keeps: 600) { client, _ in try await client.access.pendingApprovals() } }
}

extension CacheableQuery<ExplainAnswer> {
    /// The reasons for allowing or refusing access.
    public static func why(_ body: ExplainBody) throws -> Self {
        Self("why/" + String(decoding: try WireFormat.encode(body), as: UTF8.self)) { client, _ in try await client.access.explain(body) }
    }
}

// MARK: Devices

extension CacheableQuery<IntegrationsAnswer> {
    public static var integrations: Self { Self("integrations") { client, _ in try await client.integrations.list() } }
}

extension CacheableQuery<MQTTIntegrationAnswer> {
    /// The devices that announced themselves over MQTT, and the parts that are not understood.
    public static var mqtt: Self { Self("integrations/mqtt") { client, _ in try await client.integrations.mqtt() } }
}

extension CacheableQuery<NearbyAnswer> {
    /// Devices and services nearby that the house could be connected to. They change as the network does.
    public static var nearby: Self { Self("integrations/nearby", ttl: 10) { client, _ in try await client.integrations.nearby() } }
}

extension CacheableQuery<ActivityAnswer> {
    /// Recent activity of one device, with its results.
    public static func activity(of deviceID: String, limit: Int = 100) -> Self {
        Self("activity/\(limit)/\(deviceID)") { client, _ in
            try await client.access.activity(Access.Filter(limit: limit, deviceID: deviceID))
        }
    }
}

extension CacheableQuery<HistoryAnswer> {
    /// The history of a sensor over the last `length` seconds.
    public static func history(
        of deviceID: String, entityID: String? = nil, last length: TimeInterval, resolution: Readings.Resolution? = nil
    ) -> Self {
        Self("history/\(wholeSeconds(length))/\(resolution?.rawValue ?? "")/\(deviceID)/\(entityID ?? "")", ttl: 60) { client, now in
            try await client.readings.history(
                of: deviceID, entityID: entityID, from: now.addingTimeInterval(-length), to: now, resolution: resolution)
        }
    }
}

extension CacheableQuery<EnergyAnswer> {
    /// Present power, and the energy used over the last `length` seconds.
    public static func energy(last length: TimeInterval) -> Self {
        Self("energy/\(wholeSeconds(length))", ttl: 60) { client, now in
            try await client.readings.energy(from: now.addingTimeInterval(-length), to: now)
        }
    }
}

extension CacheableQuery<ConsciousnessAnswer> {
    /// The house's mood and its causes.
    public static var mood: Self {
        Self("mood", ttl: 60) { client, _ in try await client.mind.status() }
    }
}

extension CacheableQuery<MemoriesAnswer> {
    /// Memories of the house, the most relevant first.
    public static func memories(_ search: Memories.Filter = Memories.Filter()) -> Self {
        let parts = [
            search.words, search.type?.rawValue, search.category, search.deviceID, search.last.map { "\(wholeSeconds($0))" },
            "\(search.limit)",
        ]
        return Self("memories/" + parts.map { $0 ?? "" }.joined(separator: "/"), ttl: 30) { client, _ in
            try await client.mind.memories.list(search)
        }
    }
}

extension CacheableQuery<MemoryAnswer> {
    public static func memory(_ id: String) -> Self {
        Self("memory/\(id)", ttl: 30) { client, _ in try await client.mind.memories.get(id) }
    }
}

extension CacheableQuery<InterviewsAnswer> {
    /// The person's conversations about devices, the latest first.
    public static var interviews: Self {
        Self("interviews", ttl: 10) { client, _ in try await client.interviews.list() }
    }
}

extension CacheableQuery<InterviewStatusAnswer> {
    /// The progress and the topics of a conversation.
    public static func interview(_ id: String) -> Self {
        Self("interview/\(id)", ttl: 10) { client, _ in try await client.interviews.status(id) }
    }
}

extension CacheableQuery<TwinsAnswer> {
    /// The last reported and the requested state of each device.
    public static var twins: Self {
        Self("twins", ttl: 60) { client, _ in try await client.twins.list() }
    }
}

extension CacheableQuery<TwinDetailAnswer> {
    /// One twin with all it carries.
    public static func twin(_ id: String) -> Self {
        Self("twin/\(id)", ttl: 60) { client, _ in try await client.twins.get(id) }
    }
}

extension CacheableQuery<WhatIfAnswer> {
    /// A prediction. Without the house, the same query returns its last answer.
    public static func whatIf(_ body: WhatIfBody) throws -> Self {
        Self("what-if/" + String(decoding: try WireFormat.encode(body), as: UTF8.self), ttl: 0) { client, _ in
            try await client.twins.whatIf(body)
        }
    }
}

extension CacheableQuery<AutomationsAnswer> {
    /// The automations of the house.
    public static var automations: Self { Self("automations", ttl: 10) { client, _ in try await client.automations.list() } }
}

extension CacheableQuery<AutomationHistoryAnswer> {
    /// Runs of one automation, newest first.
    public static func automationHistory(of id: String) -> Self {
        Self("automations/\(id)/history", ttl: 10) { client, _ in try await client.automations.history(id) }
    }
}

extension CacheableQuery<EnvironmentAnswer> {
    /// The air in the rooms, or in one, now and in the `length` seconds until now.
    public static func environment(last length: TimeInterval, roomID: String? = nil) -> Self {
        Self("environment/\(wholeSeconds(length))/\(roomID ?? "")", ttl: 60) { client, now in
            try await client.readings.environment(from: now.addingTimeInterval(-length), to: now, roomID: roomID)
        }
    }
}

/// Seconds as they are written in a question's name, however they came about.
private func wholeSeconds(_ length: TimeInterval) -> Int {
    length.isFinite ? Int(exactly: min(max(0, length), 1e9).rounded()) ?? 0 : 0
}
