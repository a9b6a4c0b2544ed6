import CardeaModel
import Foundation

/// One notification to a person.
public struct NoticeAnswer: Codable, Sendable {
    public let noticeID: String
    /// A value of `NoticeKind`; a newer house may have others.
    public let kind: String
    /// The camera, or the source if there is none; for a request for approval, the device.
    public let place: String
    public let placeName: String
    /// The text, if kind and place do not already say it.
    @Nullable public private(set) var words: String?
    @Nullable public private(set) var eventID: String?
    /// For a request: the command that waits for approval.
    @Nullable public private(set) var commandID: String?
    public let happenedAt: Date
    public let createdAt: Date
    /// Stored and not sent.
    public let quiet: Bool
    /// Sent because another person did not answer.
    public let escalated: Bool
    @Nullable public private(set) var acknowledgedAt: Date?
    public let deliveries: [Delivery]

    /// The delivery to one browser or phone.
    public struct Delivery: Codable, Sendable {
        public let service: String
        public let state: String
        public let tries: Int
        @Nullable public private(set) var settledAt: Date?

        enum CodingKeys: String, CodingKey {
            case service, state, tries
            case settledAt = "settled_at"
        }

        public init(service: String, state: String, tries: Int, settledAt: Date?) {
            self.service = service
            self.state = state
            self.tries = tries
            self.settledAt = settledAt
        }
    }

    enum CodingKeys: String, CodingKey {
        case kind, place, words, quiet, escalated, deliveries
        case noticeID = "notice_id"
        case placeName = "place_name"
        case eventID = "event_id"
        case commandID = "command_id"
        case happenedAt = "happened_at"
        case createdAt = "created_at"
        case acknowledgedAt = "acknowledged_at"
    }

    public init(
        noticeID: String, kind: NoticeKind, place: String, placeName: String, eventID: String?, commandID: String?, happenedAt: Date,
        createdAt: Date, quiet: Bool, escalated: Bool, acknowledgedAt: Date?, deliveries: [Delivery], words: String? = nil
    ) {
        self.words = words
        self.noticeID = noticeID
        self.kind = kind.rawValue
        self.place = place
        self.placeName = placeName
        self.happenedAt = happenedAt
        self.createdAt = createdAt
        self.quiet = quiet
        self.escalated = escalated
        self.deliveries = deliveries
        self.eventID = eventID
        self.commandID = commandID
        self.acknowledgedAt = acknowledgedAt
    }
}

/// `GET /api/v1/notices`
public struct NoticesAnswer: Codable, Sendable {
    public let notices: [NoticeAnswer]
    public let hasMore: Bool
    /// The number of notifications not marked as seen.
    public let unseen: Int

    enum CodingKeys: String, CodingKey {
        case notices, unseen
        case hasMore = "has_more"
    }

    public init(notices: [NoticeAnswer], hasMore: Bool, unseen: Int) {
        self.notices = notices
        self.hasMore = hasMore
        self.unseen = unseen
    }
}

/// `POST /api/v1/notices/acknowledge`
public struct AcknowledgedNoticesAnswer: Codable, Sendable {
    public let acknowledged: Int

    public init(acknowledged: Int) {
        self.acknowledged = acknowledged
    }
}

// MARK: Notification settings

/// Hours in which a person wants no notifications, by the clock of one time zone.
public struct QuietHoursBody: Codable, Hashable, Sendable {
    public var from: TimeOfDay
    public var to: TimeOfDay
    /// An identifier of the IANA database.
    public var timeZone: String
    /// True if requests that wait for an answer are delivered in these hours too.
    public var criticalOverride: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case from, to
        case timeZone = "time_zone"
        case criticalOverride = "critical_override"
    }

    public init(from: TimeOfDay, to: TimeOfDay, timeZone: String, criticalOverride: Bool = true) {
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.criticalOverride = criticalOverride
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.closedContainer(keyedBy: CodingKeys.self)
        from = try fields.decode(TimeOfDay.self, forKey: .from)
        to = try fields.decodeEnd(forKey: .to)
        timeZone = try fields.decode(String.self, forKey: .timeZone)
        criticalOverride = try fields.decodeIfPresent(Bool.self, forKey: .criticalOverride) ?? true
    }
}

/// The person who is notified next if there is no answer.
public struct EscalationBody: Codable, Hashable, Sendable {
    public var afterSeconds: Int
    public var personID: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case afterSeconds = "after_seconds"
        case personID = "person_id"
    }

    public init(afterSeconds: Int, personID: String) {
        self.afterSeconds = afterSeconds
        self.personID = personID
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.closedContainer(keyedBy: CodingKeys.self)
        afterSeconds = try fields.decode(Int.self, forKey: .afterSeconds)
        personID = try fields.decode(String.self, forKey: .personID)
    }
}

/// `PUT /api/v1/people/{id}/notifications`. A field that is left out gets its default.
public struct NotificationsBody: WireFormat.Body, Encodable, Sendable {
    public var enabled: Bool?
    public var kinds: [NoticeKind]?
    public var muted: [String]?
    public var quietHours: QuietHoursBody?
    public var cooldownSeconds: Int?
    public var escalation: EscalationBody?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case enabled, kinds, muted, escalation
        case quietHours = "quiet_hours"
        case cooldownSeconds = "cooldown_seconds"
    }

    public init() {}

    /// As the house stores it. An unknown zone is named in the error.
    public var preferences: NoticePreferences {
        get throws(WireFormat.BodyError) {
            var preferences = NoticePreferences()
            preferences.isOn = enabled ?? preferences.isOn
            preferences.kinds = kinds.map(Set.init) ?? preferences.kinds
            preferences.mutedPlaces = Set(muted ?? [])
            if let quietHours {
                guard let zone = TimeZoneName.zone(quietHours.timeZone) else {
                    throw .field("quiet_hours.time_zone", "must be an IANA time zone such as Europe/Berlin")
                }
                preferences.quietHours = PersonalQuietHours(
                    hours: QuietHours(from: quietHours.from, to: quietHours.to), zone: zone,
                    letsCriticalThrough: quietHours.criticalOverride)
            }
            preferences.cooldown = cooldownSeconds ?? preferences.cooldown
            preferences.escalation = escalation.map { Escalation(after: $0.afterSeconds, personID: $0.personID) }
            return preferences
        }
    }
}

/// A person's notification settings.
public struct NotificationsAnswer: Codable, Sendable {
    public let enabled: Bool
    public let kinds: [String]
    public let muted: [String]
    @Nullable public private(set) var quietHours: QuietHoursBody?
    public let cooldownSeconds: Int
    @Nullable public private(set) var escalation: EscalationBody?
    public let version: Int

    enum CodingKeys: String, CodingKey {
        case enabled, kinds, muted, escalation, version
        case quietHours = "quiet_hours"
        case cooldownSeconds = "cooldown_seconds"
    }

    public init(_ preferences: NoticePreferences) {
        enabled = preferences.isOn
        kinds = NoticeKind.allCases.filter(preferences.kinds.contains).map(\.rawValue)
        muted = preferences.mutedPlaces.sorted()
        cooldownSeconds = preferences.cooldown
        version = preferences.version
        quietHours = preferences.quietHours.map {
            QuietHoursBody(from: $0.hours.from, to: $0.hours.to, timeZone: $0.zone.identifier, criticalOverride: $0.letsCriticalThrough)
        }
        escalation = preferences.escalation.map { EscalationBody(afterSeconds: $0.after, personID: $0.personID) }
    }
}
