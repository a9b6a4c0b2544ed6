import Foundation

/// Events that belong together: one visit at the door, however many pictures were taken of it.
public struct Incident: Hashable, Sendable {
    public let id: String
    /// The camera or the source of its first event.
    public let place: String
    public private(set) var startedAt: Date
    public private(set) var endedAt: Date
    public private(set) var hasPerson: Bool
    public private(set) var hasRing: Bool

    public init(id: String, place: String, startedAt: Date, endedAt: Date, hasPerson: Bool, hasRing: Bool) {
        self.id = id
        self.place = place
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.hasPerson = hasPerson
        self.hasRing = hasRing
    }

    /// The properties of an event that decide which incident it belongs to.
    public struct Sighting: Hashable, Sendable {
        public let place: String
        public let at: Date
        public let type: DetectionType

        public init(place: String, at: Date, type: DetectionType) {
            self.place = place
            self.at = at
            self.type = type
        }
    }

    /// A new one.
    public init(id: String, of sighting: Sighting) {
        self.init(
            id: id, place: sighting.place, startedAt: sighting.at, endedAt: sighting.at, hasPerson: sighting.type == .person,
            hasRing: sighting.type.isDoorbellRing)
    }

    // MARK: The rule

    /// Seconds without anything after which a visit is over.
    public static let gap: TimeInterval = 90
    /// Seconds between a person at one camera and a bell, or the other way round, in which they are the same visitor.
    public static let ringGap: TimeInterval = 60
    /// Seconds after which a new one begins even if the camera never rests: a street is no single visit.
    public static let maximumDuration: TimeInterval = 30 * 60

    /// Returns whether an event belongs to this incident.
    public func accepts(_ sighting: Sighting) -> Bool {
        let span = max(endedAt, sighting.at).timeIntervalSince(min(startedAt, sighting.at))
        guard span <= Self.maximumDuration else { return false }
        if sighting.place == place, distance(to: sighting) <= Self.gap { return true }
        // A visitor who rings stands in front of a camera, and the bell may be another device.
        let meets = (sighting.type.isDoorbellRing && hasPerson) || (sighting.type == .person && hasRing)
        return meets && distance(to: sighting) <= Self.ringGap
    }

    /// Takes an event in that `takes` lets in. Events may come late: what came before the first one moves the beginning.
    public mutating func add(_ sighting: Sighting) {
        startedAt = min(startedAt, sighting.at)
        endedAt = max(endedAt, sighting.at)
        hasPerson = hasPerson || sighting.type == .person
        hasRing = hasRing || sighting.type.isDoorbellRing
    }

    /// The one of several that an event belongs to: its own place's before another's, then the nearest, then the oldest. nil for none.
    public static func match(for sighting: Sighting, among incidents: [Incident]) -> Incident? {
        incidents.filter { $0.accepts(sighting) }.min { one, other in
            let (here, there) = (one.place == sighting.place, other.place == sighting.place)
            if here != there { return here }
            let (near, far) = (one.distance(to: sighting), other.distance(to: sighting))
            return near == far ? (one.startedAt, one.id) < (other.startedAt, other.id) : near < far
        }
    }

    /// Seconds between the event and the nearest moment of this; 0 within it.
    private func distance(to sighting: Sighting) -> TimeInterval {
        max(0, startedAt.timeIntervalSince(sighting.at), sighting.at.timeIntervalSince(endedAt))
    }
}
