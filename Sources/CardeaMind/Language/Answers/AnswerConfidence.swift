import CardeaModel
import Foundation

/// The confidence of an answer by its evidence: as high as the gravest doubt allows. Each doubt is put into words.
struct AnswerConfidence: Hashable, Sendable {
    var reasons: [UncertaintyReason] = []

    var confidence: Double { reasons.map(\.confidence).min() ?? 1 }

    /// True if something may have happened that the record does not have.
    var hasOutages: Bool {
        reasons.contains { doubt in
            switch doubt {
            case .disconnected, .unclear, .askedOnly, .nobodyKnown: true
            case .silent, .assumed, .erased, .clock, .recordStart, .hidden: false
            }
        }
    }

    /// True if this many devices were out of reach for the whole period, so that nothing of it is on record.
    func hasNoRecord(of devices: Int, from: Date?, to: Date) -> Bool {
        guard let from, devices > 0 else { return false }
        return reasons.count { if case .disconnected(_, let gaps) = $0 { DeviceOutage.cover(gaps, from: from, to: to) } else { false } }
            == devices
    }

    func texts(_ telling: AnswerFormatter) -> [String] { reasons.map { AnswerFormatter.capitalized($0.text(telling)) } }
}

extension Reply {
    /// The same reply, with its confidence limited by the evidence.
    func limited(by sureness: AnswerConfidence, _ telling: AnswerFormatter) -> Reply {
        guard confidence > 0, !sureness.reasons.isEmpty else { return self }
        var reply = self
        reply.confidence = min(confidence, sureness.confidence)
        reply.response = ([response] + sureness.texts(telling)).joined(separator: " ")
        return reply
    }
}

/// A period in which a device was out of reach, so that actions on it are unknown.
struct DeviceOutage: Hashable, Sendable {
    let from: Date
    /// Nil while it lasts.
    var to: Date?

    /// Seconds; shorter outages do not count.
    static let minimumDuration: TimeInterval = 60
    /// Seconds after its return within which a device reports its state.
    static let settlingTime: TimeInterval = 60

    /// True if these outages cover the whole period.
    static func cover(_ gaps: [DeviceOutage], from: Date, to: Date) -> Bool {
        var reached = from
        for gap in gaps.sorted(by: { $0.from < $1.from }) where gap.from <= reached { reached = max(reached, gap.to ?? to) }
        return reached >= to
    }
}

/// The usual interval between a device's reports, by the hours in which it reported.
struct ReportInterval: Hashable, Sendable {
    /// The beginning of the last hour with a report.
    let last: Date
    /// Seconds between two such hours, at most.
    let longest: TimeInterval

    /// The fewest hours from which an interval is calculated.
    static let minimumSamples = 12
    /// Seconds of silence that never cause doubt.
    static let minimumSilence: TimeInterval = 3 * 3600

    /// - Parameter hours: oldest first. The result is nil if there are too few.
    init?(_ hours: [Date]) {
        guard hours.count >= Self.minimumSamples, let last = hours.last else { return nil }
        self.last = last
        longest = zip(hours, hours.dropFirst()).map { $1.timeIntervalSince($0) }.max() ?? 0
    }

    /// The time since which it has been silent for unusually long; nil if it has not.
    ///
    /// - Parameter seen: the last time the device was heard from in any way.
    func silence(at now: Date, seen: Date?) -> Date? {
        let since = max(last.addingTimeInterval(3600), seen ?? .distantPast)
        return now.timeIntervalSince(since) > max(2 * longest, Self.minimumSilence) ? since : nil
    }
}
