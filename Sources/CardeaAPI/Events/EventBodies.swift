import CardeaModel
import Foundation

/// `POST /api/v1/events`
public struct RecordEventBody: WireFormat.FastDecodableBody, Encodable, Sendable {
    public var source: String
    public var cameraID: String?
    public var type: String
    public var description: String?
    /// Percent, 0 to 100.
    public var confidence: Int?
    public var occurredAt: Date
    /// A JPEG in Base64, in any of the forms that `Base64Picture` takes.
    public var imageBase64: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case source, type, description, confidence
        case cameraID = "camera_id"
        case occurredAt = "occurred_at"
        case imageBase64 = "image_base64"
    }

    public init(
        source: String, cameraID: String? = nil, type: String, description: String? = nil, confidence: Int? = nil, occurredAt: Date,
        imageBase64: String? = nil
    ) {
        self.source = source
        self.cameraID = cameraID
        self.type = type
        self.description = description
        self.confidence = confidence
        self.occurredAt = occurredAt
        self.imageBase64 = imageBase64
    }

    public init?(plain fields: [String: JSONValue]) {
        let known = Set(CodingKeys.allCases.map(\.rawValue))
        guard fields.keys.allSatisfy(known.contains), case .string(let source)? = fields["source"],
            case .string(let type)? = fields["type"], case .string(let moment)? = fields["occurred_at"],
            let occurredAt = Timestamp.date(moment)
        else { return nil }
        var texts: [String: String] = [:]
        for name in ["camera_id", "description", "image_base64"] {
            switch fields[name] {
            case nil, .null: break
            case .string(let text): texts[name] = text
            default: return nil
            }
        }
        guard fields["confidence"] == nil || fields["confidence"] == .null else { return nil }
        self.init(
            source: source, cameraID: texts["camera_id"], type: type, description: texts["description"], occurredAt: occurredAt,
            imageBase64: texts["image_base64"])
    }
}

/// An event in a list: Seed 003's `EventSummary`, with what belongs together.
public struct EventSummary: Codable, Hashable, Sendable {
    public let id: String
    /// The source, if no camera saw it.
    public let cameraID: String
    public let cameraName: String
    public let timestamp: Date
    public let description: String
    /// The author of the description; omitted if the reporter of the event wrote it.
    public let descriptionSource: DescriptionSource?
    public let smartDetectionType: DetectionType
    /// Percent, 0 to 100.
    public let confidence: Int?
    public let hasThumbnail: Bool
    /// The reason for which its picture was not kept; nil if it was, or if none was sent.
    public let pictureProblem: EventPictureProblem?
    public let incidentID: String

    enum CodingKeys: String, CodingKey {
        case id, timestamp, description, confidence
        case cameraID = "camera_id"
        case cameraName = "camera_name"
        case descriptionSource = "description_source"
        case smartDetectionType = "smart_detection_type"
        case hasThumbnail = "has_thumbnail"
        case pictureProblem = "picture_problem"
        case incidentID = "incident_id"
    }

    public init(_ event: Event) {
        id = event.id
        cameraID = event.place
        cameraName = event.cameraName
        timestamp = event.at
        description = event.description
        descriptionSource = event.describedBy
        smartDetectionType = event.type
        confidence = event.confidence
        hasThumbnail = event.hasPicture
        pictureProblem = event.pictureProblem.map { .init($0) }
        incidentID = event.incidentID
    }
}

/// The reason for which an event has no picture though one was sent, or was to be taken.
public struct EventPictureProblem: Codable, Hashable, Sendable {
    /// `PictureError`'s raw value, or one that a newer house has.
    public let code: String
    /// One sentence for people.
    public let detail: String

    public init(_ problem: PictureError) {
        code = problem.rawValue
        detail = problem.detail
    }
}

extension EventSummary {
    /// True if a machine described the picture: the description may be wrong, and no person of the house wrote it.
    public var isDescribedByMachine: Bool { descriptionSource == .describer }
}

extension EventAnswer {
    /// True if a machine described the picture: the description may be wrong, and no person of the house wrote it.
    public var isDescribedByMachine: Bool { descriptionSource == .describer }
}

/// One event: Seed 003's `EventResponse`.
public struct EventAnswer: Codable, Hashable, Sendable {
    public let id: String
    public let cameraID: String
    public let cameraName: String
    public let timestamp: Date
    public let description: String
    /// The author of the description; omitted if the reporter of the event wrote it.
    public let descriptionSource: DescriptionSource?
    public let smartDetectionType: DetectionType
    public let confidence: Int?
    public let hasThumbnail: Bool
    /// The reason for which its picture was not kept; nil if it was, or if none was sent.
    public let pictureProblem: EventPictureProblem?
    public let incidentID: String
    public let isDoorbellRing: Bool
    /// The reporter of the event.
    public let source: String
    /// The URLs of its pictures; nil if none is kept.
    public let thumbnailURL: String?
    public let pictureURL: String?
    public let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, timestamp, description, confidence, source
        case cameraID = "camera_id"
        case cameraName = "camera_name"
        case descriptionSource = "description_source"
        case smartDetectionType = "smart_detection_type"
        case hasThumbnail = "has_thumbnail"
        case pictureProblem = "picture_problem"
        case incidentID = "incident_id"
        case isDoorbellRing = "is_doorbell_ring"
        case thumbnailURL = "thumbnail_url"
        case pictureURL = "picture_url"
        case createdAt = "created_at"
    }

    public init(_ event: Event) {
        id = event.id
        cameraID = event.place
        cameraName = event.cameraName
        timestamp = event.at
        description = event.description
        descriptionSource = event.describedBy
        smartDetectionType = event.type
        confidence = event.confidence
        hasThumbnail = event.hasPicture
        pictureProblem = event.pictureProblem.map { .init($0) }
        incidentID = event.incidentID
        isDoorbellRing = event.isDoorbellRing
        source = event.source
        thumbnailURL = event.hasPicture ? "/api/v1/mobile/events/\(event.id)/thumbnail" : nil
        pictureURL = event.hasPicture ? "/api/v1/events/\(event.id)/picture" : nil
        createdAt = event.createdAt
    }
}

/// `GET /api/v1/mobile/events`
public struct EventsAnswer: Codable, Sendable {
    public let events: [EventSummary]
    /// All that fit; a search counts to 1 000.
    public let totalCount: Int
    public let hasMore: Bool
    public let nextOffset: Int?
    /// The cursor of the next page. It stays right when new events arrive.
    public let nextCursor: String?

    enum CodingKeys: String, CodingKey {
        case events
        case totalCount = "total_count"
        case hasMore = "has_more"
        case nextOffset = "next_offset"
        case nextCursor = "next_cursor"
    }

    public init(events: [EventSummary], totalCount: Int, hasMore: Bool, nextOffset: Int?, nextCursor: String?) {
        self.events = events
        self.totalCount = totalCount
        self.hasMore = hasMore
        self.nextOffset = nextOffset
        self.nextCursor = nextCursor
    }
}

/// `GET /api/v1/mobile/events/recent`
public struct RecentEventsAnswer: Codable, Sendable {
    public let events: [EventSummary]

    public init(events: [EventSummary]) { self.events = events }
}

/// `GET /api/v1/incidents`
public struct IncidentsAnswer: Codable, Sendable {
    public struct IncidentSummary: Codable, Hashable, Sendable {
        public let incidentID: String
        /// The camera or source of its first event.
        public let cameraID: String
        public let startedAt: Date
        public let endedAt: Date
        public let types: [String]
        public let eventCount: Int
        public let isDoorbellRing: Bool
        public let lastEventID: String?

        enum CodingKeys: String, CodingKey {
            case types
            case incidentID = "incident_id"
            case cameraID = "camera_id"
            case startedAt = "started_at"
            case endedAt = "ended_at"
            case eventCount = "event_count"
            case isDoorbellRing = "is_doorbell_ring"
            case lastEventID = "last_event_id"
        }

        public init(_ incident: Incident, types: [String], eventCount: Int, lastEventID: String?) {
            incidentID = incident.id
            cameraID = incident.place
            startedAt = incident.startedAt
            endedAt = incident.endedAt
            self.types = types
            self.eventCount = eventCount
            isDoorbellRing = incident.hasRing
            self.lastEventID = lastEventID
        }
    }

    public let incidents: [IncidentSummary]

    public init(incidents: [IncidentSummary]) { self.incidents = incidents }
}
