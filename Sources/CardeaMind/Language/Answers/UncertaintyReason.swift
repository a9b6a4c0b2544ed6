import CardeaModel
import Foundation

/// A reason why an answer is less than certain: its evidence is old, has gaps, or was deleted.
enum UncertaintyReason: Hashable, Sendable {
    /// A device has been silent for longer than usual.
    case silent(target: String, since: Date, usual: TimeInterval)
    /// A device was out of reach in the period asked about.
    case disconnected(target: String, [DeviceOutage])
    /// A device never reports its state.
    case assumed(targets: [String])
    /// The outcome of a command is unknown.
    case unclear(words: String)
    /// A device never reports, so only the commands to it are on record.
    case askedOnly(targets: [String])
    /// So many of the actions have no known actor.
    case nobodyKnown(count: Int)
    /// The actor was erased from the record.
    case erased
    /// The house's clock may be wrong.
    case clock
    /// The record begins on this day, within the period asked about.
    case recordStart(day: String)
    /// The requester may not see other people's commands.
    case hidden

    /// The highest confidence that an answer can have; 0.9 and more is "sure", 0.5 and more "likely".
    var confidence: Double {
        switch self {
        case .silent, .disconnected, .unclear, .askedOnly, .nobodyKnown: 0.6
        case .assumed: 0.7
        case .erased, .clock, .recordStart, .hidden: 0.8
        }
    }

    func text(_ formatter: AnswerFormatter) -> String {
        let lexicon = formatter.lexicon
        switch self {
        case .silent(let target, let since, let usual):
            return lexicon.answerText(.wasSilent, [.thing: target, .when: formatter.moment(since), .value: formatter.duration(usual)])
        case .disconnected(let target, let gaps):
            guard let last = gaps.last else { return "" }
            var values: [Placeholder: String] = [.thing: target, .from: formatter.moment(last.from), .count: formatter.times(gaps.count)]
            guard let to = last.to else { return lexicon.answerText(.isAwaySince, values) }
            let isSameDay = formatter.calendar.day(of: last.from) == formatter.calendar.day(of: to)
            values[.to] = isSameDay ? AnswerFormatter.clockTime(formatter.calendar.minutes(of: to)) : formatter.moment(to)
            return lexicon.answerText(gaps.count == 1 ? .wasAwayOnce : .wasAwayOften, values)
        case .assumed(let targets): return lexicon.answerText(.onlyAssumed, [.list: formatter.list(targets, atMost: 5)])
        case .unclear(let words): return words
        case .askedOnly(let targets): return lexicon.answerText(.askedOnly, [.list: formatter.list(targets, atMost: 5)])
        case .nobodyKnown(let count): return lexicon.answerText(.doneByNobodyKnown, [.count: formatter.times(count)])
        case .erased: return lexicon.answerText(.recordErased)
        case .clock: return lexicon.answerText(.clockDoubted)
        case .recordStart(let day): return lexicon.answerText(.partlyThatFar, [.day: day])
        case .hidden: return lexicon.answerText(.onlyChanges)
        }
    }
}
