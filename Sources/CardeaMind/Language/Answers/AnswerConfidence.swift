import CardeaModel
import Foundation

/// How sure an answer is, by its evidence: as sure as the gravest doubt allows, and each doubt is put into words.
struct AnswerConfidence: Hashable, Sendable {
    var reasons: [UncertaintyReason] = []

    var confidence: Double { reasons.map(\.confidence).min() ?? 1 }

    /// True where something may have happened that the record does not have.
    var hasOutages: Bool {
        reasons.contains { doubt in
            switch doubt {
            case .disconnected, .unclear, .askedOnly, .nobodyKnown: true
            case .silent, .assumed, .erased, .clock, .recordStart, .hidden: false
            }
        }
    }

    /// True where so many devices were all out of reach from the beginning of a time to its end, so that nothing of it is on record.
    func hasNoRecord(of devices: Int, from: Date?, to: Date) -> Bool {
        guard let from, devices > 0 else { return false }
        return reasons.count { if case .disconnected(_, let gaps) = $0 { DeviceOutage.cover(gaps, from: from, to: to) } else { false } }
            == devices
    }

    func texts(_ telling: AnswerFormatter) -> [String] { reasons.map { AnswerFormatter.capitalized($0.text(telling)) } }
}

extension Reply {
    /// The same, no surer than its evidence allows.
    func limited(by sureness: AnswerConfidence, _ telling: AnswerFormatter) -> Reply {
        guard confidence > 0, !sureness.reasons.isEmpty else { return self }
        var reply = self
        reply.confidence = min(confidence, sureness.confidence)
        reply.response = ([response] + sureness.texts(telling)).joined(separator: " ")
        return reply
    }
}

/// A time in which a device was out of reach: nobody knows what was done to it.
struct DeviceOutage: Hashable, Sendable {
    let from: Date
    /// Nil while it still is.
    var to: Date?

    /// Seconds below which a device is not taken to have been away.
    static let minimumDuration: TimeInterval = 60
    /// Seconds after its return within which a device tells how it stands.
    static let settlingTime: TimeInterval = 60

    /// True where no moment of a time lies outside these gaps.
    static func cover(_ gaps: [DeviceOutage], from: Date, to: Date) -> Bool {
        var reached = from
        for gap in gaps.sorted(by: { $0.from < $1.from }) where gap.from <= reached { reached = max(reached, gap.to ?? to) }
        return reached >= to
    }
}

/// How often a device tells something, by the hours in which it did.
struct ReportInterval: Hashable, Sendable {
    /// The beginning of the last hour in which it told something.
    let last: Date
    /// Seconds between two such hours, at most.
    let longest: TimeInterval

    /// Hours below which nothing is usual.
    static let minimumSamples = 12
    /// Seconds of silence that are never doubted.
    static let minimumSilence: TimeInterval = 3 * 3600

    /// - Parameter hours: oldest first. Nil where there are too few.
    init?(_ hours: [Date]) {
        guard hours.count >= Self.minimumSamples, let last = hours.last else { return nil }
        self.last = last
        longest = zip(hours, hours.dropFirst()).map { $1.timeIntervalSince($0) }.max() ?? 0
    }

    /// Since when it has been silent for longer than is usual; nil where it has not.
    ///
    /// - Parameter seen: when the house last heard from the device in any way.
    func silence(at now: Date, seen: Date?) -> Date? {
        let since = max(last.addingTimeInterval(3600), seen ?? .distantPast)
        return now.timeIntervalSince(since) > max(2 * longest, Self.minimumSilence) ? since : nil
    }
}
