import CardeaAPI
import Foundation

/// Events reported by cameras, doorbells and scripts.
public struct Events: Sendable {
    let caller: AuthenticatedClient

    /// A filter of events; the newest come first.
    public struct Filter: Hashable, Sendable {
        /// A camera, or a source of events without one.
        public var cameraID: String?
        public var type: String?
        public var incidentID: String?
        public var from: Date?
        /// Up to and including this moment.
        public var to: Date?
        /// One to eight words that the event must contain.
        public var words: String?

        public init(
            cameraID: String? = nil, type: String? = nil, incidentID: String? = nil, from: Date? = nil, to: Date? = nil,
            words: String? = nil
        ) {
            self.cameraID = cameraID
            self.type = type
            self.incidentID = incidentID
            self.from = from
            self.to = to
            self.words = words
        }
    }

    /// - Parameters:
    ///   - limit: 1 to 100.
    ///   - cursor: `nextCursor` of the page before.
    public func list(_ filter: Filter = Filter(), limit: Int = 20, cursor: String? = nil) async throws(ClientError) -> EventsAnswer {
        let query = [
            ("camera_id", filter.cameraID), ("smart_detection_type", filter.type), ("incident_id", filter.incidentID),
            ("start_time", filter.from.map(Timestamp.text)), ("end_time", filter.to.map(Timestamp.text)), ("q", filter.words),
            ("limit", String(limit)), ("cursor", cursor),
        ]
        return try await caller.read(.get("api", "v1", "mobile", "events", query: query))
    }

    /// All events that match the filter, requested page by page while they are read.
    public func all(_ filter: Filter = Filter()) -> Pages<EventSummary> {
        Pages { place throws(ClientError) in
            let page = try await list(filter, limit: 100, cursor: place.map { String($0, radix: 36) })
            return (page.events, page.nextCursor.flatMap { Int($0, radix: 36) })
        }
    }

    /// - Parameter limit: 1 to 10.
    public func recent(limit: Int = 5) async throws(ClientError) -> RecentEventsAnswer {
        try await caller.read(.get("api", "v1", "mobile", "events", "recent", query: [("limit", String(limit))]))
    }

    public func get(_ id: String) async throws(ClientError) -> EventAnswer {
        try await caller.read(.get("api", "v1", "mobile", "events", .id(id)))
    }

    /// Its picture for a list, JPEG of at most 50 KB.
    public func thumbnail(of id: String) async throws(ClientError) -> Data {
        try await caller.response(.get("api", "v1", "mobile", "events", .id(id), "thumbnail")).body
    }

    /// The same for a caller that may have the picture already; nil if it is unchanged.
    ///
    /// - Parameter tag: `TaggedPicture.tag` of the one they have.
    public func thumbnail(of id: String, unlessStill tag: String?) async throws(ClientError) -> TaggedPicture? {
        try await caller.response(.get("api", "v1", "mobile", "events", .id(id), "thumbnail"), unlessStill: tag).map { answer in
            TaggedPicture(jpeg: answer.body, tag: answer[header: "etag"])
        }
    }

    /// The whole picture, JPEG.
    public func picture(of id: String) async throws(ClientError) -> Data {
        try await caller.response(.get("api", "v1", "events", .id(id), "picture")).body
    }

    /// Records an event. Retries of the same call record it once.
    public func record(_ body: RecordEventBody) async throws(ClientError) -> EventAnswer {
        try await caller.read(.write(.post, ["api", "v1", "events"], body, key: caller.newIdempotencyKey))
    }

    /// Deletes it with its pictures, for good.
    public func remove(_ id: String, key: String? = nil) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "events", .id(id)], key: key ?? caller.newIdempotencyKey))
    }

    /// Incidents, which group related events, newest first.
    public func incidents(before: Date? = nil, limit: Int = 20) async throws(ClientError) -> IncidentsAnswer {
        try await caller.read(
            .get("api", "v1", "incidents", query: [("before", before.map(Timestamp.text)), ("limit", String(limit))]))
    }
}
