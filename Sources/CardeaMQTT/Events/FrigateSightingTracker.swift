import CardeaHub
import CardeaModel
import Foundation

/// Turns Frigate's messages into sightings, each reported once. A value type without waiting or timers.
///
/// A new sighting is held for a moment, because its picture arrives after it, and a better one after that.
struct FrigateSightingTracker: Sendable {
    private struct PendingSighting: Sendable {
        var event: FrigateEvent
        var picture: [UInt8]?
        var problem: PictureError?
    }

    /// The next step for a pending sighting.
    enum Step: Hashable, Sendable {
        /// It has just begun to wait.
        case began(String)
        /// Its first picture has come.
        case pictured(String)
        /// Nothing more will come.
        case ended(String)
    }

    static let source = "frigate"
    static let maximumPending = 64
    /// More than this in a minute is a street, or an attack.
    static let maximumPerMinute = 120

    private var pending: [String: PendingSighting] = [:]
    private var reportedIDs = RecentIDs()
    private var alerts = RecentIDs()
    private var minute = (began: Date.distantPast, count: 0)
    /// The number of messages beyond the limit.
    private(set) var passedOver = 0

    var pendingCount: Int { pending.count }

    mutating func receive(_ event: FrigateEvent, at now: Date) -> Step? {
        guard !reportedIDs.contains(event.id) else { return nil }
        guard !event.isFalse else {
            pending[event.id] = nil
            return nil
        }
        if pending[event.id] != nil {
            pending[event.id]?.event = event
        } else {
            guard admits(at: now) else {
                // Otherwise every further message of a skipped event would count again.
                reportedIDs.insert(event.id)
                passedOver += 1
                return nil
            }
            pending[event.id] = PendingSighting(event: event)
            if event.phase != .end { return .began(event.id) }
        }
        return event.phase == .end ? .ended(event.id) : nil
    }

    mutating func receive(_ review: FrigateReview, at now: Date) -> Step? {
        if review.isAlert { for id in review.events + [review.id] { alerts.insert(id) } }
        return FrigateEvent(message: review).flatMap { receive($0, at: now) }
    }

    /// Attaches a picture to the sightings followed there at present. Frigate sends another one only if it is better.
    mutating func attachPicture(_ picture: [UInt8], of label: String, on camera: String) -> [Step] {
        var steps: [Step] = []
        for (id, one) in pending where one.event.camera == camera && one.event.label == label {
            if one.picture == nil { steps.append(.pictured(id)) }
            pending[id]?.picture = picture
        }
        return steps
    }

    /// Notes why a picture of whatever is followed there just now is not here.
    mutating func recordPictureError(_ problem: PictureError, of label: String, on camera: String) {
        for (id, one) in pending where one.event.camera == camera && one.event.label == label { pending[id]?.problem = problem }
    }

    /// Removes the pending sighting with this id and returns the event to report; nil if it was already reported or its label has no type.
    mutating func finish(_ id: String) -> IntegrationEvent? {
        guard let one = pending.removeValue(forKey: id) else { return nil }
        reportedIDs.insert(id)
        let event = one.event
        guard let type = FrigateVocabulary.type(of: event.label) else { return nil }
        var sighting = IntegrationEvent(source: Self.source, id: id, type: type, at: event.startedAt, place: event.camera)
        sighting.camera = IntegrationCamera(kind: .frigate, name: event.camera)
        sighting.description = Self.text(event, isAlert: alerts.contains(id))
        sighting.confidence = event.confidence
        sighting.picture = one.picture.map { Data($0) }
        if one.picture == nil { sighting.pictureProblem = one.problem }
        return sighting
    }

    /// The house could not keep it: whatever Frigate says of it next brings it again.
    mutating func reopen(_ id: String) { reportedIDs.remove(id) }

    private mutating func admits(at now: Date) -> Bool {
        if abs(now.timeIntervalSince(minute.began)) >= 60 { minute = (now, 0) }
        guard minute.count < Self.maximumPerMinute, pending.count < Self.maximumPending else { return false }
        minute.count += 1
        return true
    }

    /// `Alert: car (DHL) in driveway, yard`
    private static func text(_ event: FrigateEvent, isAlert: Bool) -> String {
        var words = (isAlert ? "Alert: " : "") + event.label.replacing("_", with: " ")
        if let recognised = event.recognised { words += " (\(recognised))" }
        if !event.zones.isEmpty { words += " in " + event.zones.map { $0.replacing("_", with: " ") }.joined(separator: ", ") }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

/// The last few thousand ids, in two halves, of which the older one is dropped at once.
struct RecentIDs: Sendable {
    private var newer: Set<String> = []
    private var older: Set<String> = []
    static let half = 2048

    func contains(_ name: String) -> Bool { newer.contains(name) || older.contains(name) }

    mutating func insert(_ name: String) {
        if newer.count >= Self.half { (older, newer) = (newer, []) }
        newer.insert(name)
    }

    mutating func remove(_ name: String) {
        newer.remove(name)
        older.remove(name)
    }
}
