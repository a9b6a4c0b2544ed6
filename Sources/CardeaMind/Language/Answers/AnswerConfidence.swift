import CardeaModel
import Foundation

/// One reason why an answer is less than sure: its evidence is old, has gaps, or is gone.
enum UncertaintyReason: Hashable, Sendable {
    /// A device said nothing for longer than it usually does.
    case silent(thing: String, since: Date, usual: TimeInterval)
    /// A device was out of reach in the time that was asked about.
    case disconnected(thing: String, [DeviceOutage])
    /// A device never reports how it stands.
    case assumed(things: [String])
    /// Somebody asked for it, and nobody knows what came of that.
    case unclear(words: String)
    /// A device never reports: of what was done to it only what was asked for is on record.
    case askedOnly(things: [String])
    /// Nobody is known to have done so many of them.
    case nobodyKnown(count: Int)
    /// The record no longer says who it was.
    case erased
    /// The house doubts its clock.
    case clock
    /// The record begins on this day, within the time that was asked about.
    case recordStart(day: String)
    /// The asker may not be told what others asked for.
    case hidden

    /// How sure an answer can be at most; 0.9 and more is "sure", 0.5 and more "likely".
    var confidence: Double {
        switch self {
        case .silent, .disconnected, .unclear, .askedOnly, .nobodyKnown: 0.6
        case .assumed: 0.7
        case .erased, .clock, .recordStart, .hidden: 0.8
        }
    }

    func text(_ telling: AnswerFormatter) -> String {
        let lexicon = telling.lexicon
        switch self {
        case .silent(let thing, let since, let usual):
            return lexicon.answerText(.wasSilent, [.thing: thing, .when: telling.moment(since), .value: telling.duration(usual)])
        case .disconnected(let thing, let gaps):
            guard let last = gaps.last else { return "" }
            var values: [Placeholder: String] = [.thing: thing, .from: telling.moment(last.from), .count: telling.times(gaps.count)]
            guard let to = last.to else { return lexicon.answerText(.isAwaySince, values) }
            let isSameDay = telling.calendar.day(of: last.from) == telling.calendar.day(of: to)
            values[.to] = isSameDay ? AnswerFormatter.clockTime(telling.calendar.minutes(of: to)) : telling.moment(to)
            return lexicon.answerText(gaps.count == 1 ? .wasAwayOnce : .wasAwayOften, values)
        case .assumed(let things): return lexicon.answerText(.onlyAssumed, [.list: telling.list(things, atMost: 5)])
        case .unclear(let words): return words
        case .askedOnly(let things): return lexicon.answerText(.askedOnly, [.list: telling.list(things, atMost: 5)])
        case .nobodyKnown(let count): return lexicon.answerText(.doneByNobodyKnown, [.count: telling.times(count)])
        case .erased: return lexicon.answerText(.recordErased)
        case .clock: return lexicon.answerText(.clockDoubted)
        case .recordStart(let day): return lexicon.answerText(.partlyThatFar, [.day: day])
        case .hidden: return lexicon.answerText(.onlyChanges)
        }
    }
}

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
