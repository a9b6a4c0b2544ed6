import CardeaModel
import Foundation

/// One reason why an answer is less than sure: its evidence is old, has gaps, or is gone.
enum Doubt: Hashable, Sendable {
    /// A device said nothing for longer than it usually does.
    case silent(thing: String, since: Date, usual: TimeInterval)
    /// A device was out of reach in the time that was asked about.
    case away(thing: String, [Gap])
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
    case beginning(day: String)
    /// The asker may not be told what others asked for.
    case hidden

    /// How sure an answer can be at most; 0.9 and more is "sure", 0.5 and more "likely".
    var confidence: Double {
        switch self {
        case .silent, .away, .unclear, .askedOnly, .nobodyKnown: 0.6
        case .assumed: 0.7
        case .erased, .clock, .beginning, .hidden: 0.8
        }
    }

    func words(_ telling: Telling) -> String {
        let lexicon = telling.lexicon
        switch self {
        case .silent(let thing, let since, let usual):
            return lexicon.say(.wasSilent, [.thing: thing, .when: telling.moment(since), .value: telling.length(usual)])
        case .away(let thing, let gaps):
            guard let last = gaps.last else { return "" }
            var values: [Place: String] = [.thing: thing, .from: telling.moment(last.from), .count: telling.times(gaps.count)]
            guard let to = last.to else { return lexicon.say(.isAwaySince, values) }
            let isSameDay = telling.clock.day(of: last.from) == telling.clock.day(of: to)
            values[.to] = isSameDay ? Telling.clock(telling.clock.minutes(of: to)) : telling.moment(to)
            return lexicon.say(gaps.count == 1 ? .wasAwayOnce : .wasAwayOften, values)
        case .assumed(let things): return lexicon.say(.onlyAssumed, [.list: telling.list(things, atMost: 5)])
        case .unclear(let words): return words
        case .askedOnly(let things): return lexicon.say(.askedOnly, [.list: telling.list(things, atMost: 5)])
        case .nobodyKnown(let count): return lexicon.say(.doneByNobodyKnown, [.count: telling.times(count)])
        case .erased: return lexicon.say(.recordErased)
        case .clock: return lexicon.say(.clockDoubted)
        case .beginning(let day): return lexicon.say(.partlyThatFar, [.day: day])
        case .hidden: return lexicon.say(.onlyChanges)
        }
    }
}

/// How sure an answer is, by its evidence: as sure as the gravest doubt allows, and each doubt is put into words.
struct Sureness: Hashable, Sendable {
    var doubts: [Doubt] = []

    var confidence: Double { doubts.map(\.confidence).min() ?? 1 }

    /// True where something may have happened that the record does not have.
    var hasGaps: Bool {
        doubts.contains { doubt in
            switch doubt {
            case .away, .unclear, .askedOnly, .nobodyKnown: true
            case .silent, .assumed, .erased, .clock, .beginning, .hidden: false
            }
        }
    }

    /// True where so many devices were all out of reach from the beginning of a time to its end, so that nothing of it is on record.
    func isBlank(of devices: Int, from: Date?, to: Date) -> Bool {
        guard let from, devices > 0 else { return false }
        return doubts.count { if case .away(_, let gaps) = $0 { Gap.cover(gaps, from: from, to: to) } else { false } } == devices
    }

    func words(_ telling: Telling) -> [String] { doubts.map { Telling.capital($0.words(telling)) } }
}

extension Reply {
    /// The same, no surer than its evidence allows.
    func weighed(by sureness: Sureness, _ telling: Telling) -> Reply {
        guard confidence > 0, !sureness.doubts.isEmpty else { return self }
        var reply = self
        reply.confidence = min(confidence, sureness.confidence)
        reply.response = ([response] + sureness.words(telling)).joined(separator: " ")
        return reply
    }
}

/// A time in which a device was out of reach: nobody knows what was done to it.
struct Gap: Hashable, Sendable {
    let from: Date
    /// Nil while it still is.
    var to: Date?

    /// Seconds below which a device is not taken to have been away.
    static let shortest: TimeInterval = 60
    /// Seconds after its return within which a device tells how it stands.
    static let settling: TimeInterval = 60

    /// True where no moment of a time lies outside these gaps.
    static func cover(_ gaps: [Gap], from: Date, to: Date) -> Bool {
        var reached = from
        for gap in gaps.sorted(by: { $0.from < $1.from }) where gap.from <= reached { reached = max(reached, gap.to ?? to) }
        return reached >= to
    }
}

/// How often a device tells something, by the hours in which it did.
struct ReportRhythm: Hashable, Sendable {
    /// The beginning of the last hour in which it told something.
    let last: Date
    /// Seconds between two such hours, at most.
    let longest: TimeInterval

    /// Hours below which nothing is usual.
    static let fewest = 12
    /// Seconds of silence that are never doubted.
    static let patience: TimeInterval = 3 * 3600

    /// - Parameter hours: oldest first. Nil where there are too few.
    init?(_ hours: [Date]) {
        guard hours.count >= Self.fewest, let last = hours.last else { return nil }
        self.last = last
        longest = zip(hours, hours.dropFirst()).map { $1.timeIntervalSince($0) }.max() ?? 0
    }

    /// Since when it has been silent for longer than is usual; nil where it has not.
    ///
    /// - Parameter seen: when the house last heard from the device in any way.
    func silence(at now: Date, seen: Date?) -> Date? {
        let since = max(last.addingTimeInterval(3600), seen ?? .distantPast)
        return now.timeIntervalSince(since) > max(2 * longest, Self.patience) ? since : nil
    }
}
