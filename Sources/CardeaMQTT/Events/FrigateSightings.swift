import CardeaHub
import CardeaModel
import Foundation

/// What Frigate tells of becomes sightings, each once. A value: it is told and asked, and waits for nothing.
///
/// Something new is kept for a moment, because its picture comes behind it, and a better one behind that.
struct FrigateSightings: Sendable {
    private struct Waiting: Sendable {
        var event: FrigateEvent
        var picture: [UInt8]?
        var problem: PictureProblem?
    }

    /// What should happen to a sighting that waits.
    enum Step: Hashable, Sendable {
        /// It has just begun to wait.
        case began(String)
        /// Its first picture has come.
        case pictured(String)
        /// Nothing more will come.
        case ended(String)
    }

    static let source = "frigate"
    static let mostWaiting = 64
    /// More than this in a minute is a street, or somebody who means no good.
    static let mostInAMinute = 120

    private var waiting: [String: Waiting] = [:]
    private var told = RecentNames()
    private var alerts = RecentNames()
    private var minute = (began: Date.distantPast, count: 0)
    /// How many there were too many.
    private(set) var passedOver = 0

    var waitingCount: Int { waiting.count }

    mutating func hear(_ event: FrigateEvent, at now: Date) -> Step? {
        guard !told.contains(event.id) else { return nil }
        guard !event.isFalse else {
            waiting[event.id] = nil
            return nil
        }
        if waiting[event.id] != nil {
            waiting[event.id]?.event = event
        } else {
            guard admits(at: now) else {
                // Of one that was passed over every further message would be counted again.
                told.insert(event.id)
                passedOver += 1
                return nil
            }
            waiting[event.id] = Waiting(event: event)
            if event.phase != .end { return .began(event.id) }
        }
        return event.phase == .end ? .ended(event.id) : nil
    }

    mutating func hear(_ review: FrigateReview, at now: Date) -> Step? {
        if review.isAlert { for id in review.events + [review.id] { alerts.insert(id) } }
        return FrigateEvent(heard: review).flatMap { hear($0, at: now) }
    }

    /// Takes in a picture of whatever is followed there just now. Frigate sends another one only where it is better.
    mutating func show(_ picture: [UInt8], of label: String, on camera: String) -> [Step] {
        var steps: [Step] = []
        for (id, one) in waiting where one.event.camera == camera && one.event.label == label {
            if one.picture == nil { steps.append(.pictured(id)) }
            waiting[id]?.picture = picture
        }
        return steps
    }

    /// Notes why a picture of whatever is followed there just now is not here.
    mutating func refuse(_ problem: PictureProblem, of label: String, on camera: String) {
        for (id, one) in waiting where one.event.camera == camera && one.event.label == label { waiting[id]?.problem = problem }
    }

    /// What waits under this id, to be told; nil where it has been.
    mutating func take(_ id: String) -> SourceSighting? {
        guard let one = waiting.removeValue(forKey: id) else { return nil }
        told.insert(id)
        let event = one.event
        guard let type = FrigateWords.type(of: event.label) else { return nil }
        var sighting = SourceSighting(source: Self.source, id: id, type: type, at: event.startedAt, place: event.camera)
        sighting.camera = SourceCamera(kind: .frigate, name: event.camera)
        sighting.description = Self.words(event, isAlert: alerts.contains(id))
        sighting.confidence = event.confidence
        sighting.picture = one.picture.map { Data($0) }
        if one.picture == nil { sighting.pictureProblem = one.problem }
        return sighting
    }

    /// The house could not keep it: whatever Frigate says of it next brings it again.
    mutating func takeBack(_ id: String) { told.remove(id) }

    private mutating func admits(at now: Date) -> Bool {
        if abs(now.timeIntervalSince(minute.began)) >= 60 { minute = (now, 0) }
        guard minute.count < Self.mostInAMinute, waiting.count < Self.mostWaiting else { return false }
        minute.count += 1
        return true
    }

    /// `Alert: car (DHL) in driveway, yard`
    private static func words(_ event: FrigateEvent, isAlert: Bool) -> String {
        var words = (isAlert ? "Alert: " : "") + event.label.replacing("_", with: " ")
        if let recognised = event.recognised { words += " (\(recognised))" }
        if !event.zones.isEmpty { words += " in " + event.zones.map { $0.replacing("_", with: " ") }.joined(separator: ", ") }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

/// The last few thousand names, in two halves, of which the older one is forgotten at once.
struct RecentNames: Sendable {
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
