import CardeaModel
import Foundation

/// A reason why an answer is less than certain: its evidence is old, has gaps, or was deleted.
enum UncertaintyReason: Hashable, Sendable {
    /// A device has been silent for longer than usual.
    case silent(thing: String, since: Date, usual: TimeInterval)
    /// A device was out of reach in the period asked about.
    case disconnected(thing: String, [DeviceOutage])
    /// A device never reports its state.
    case assumed(things: [String])
    /// The outcome of a command is unknown.
    case unclear(words: String)
    /// A device never reports, so only the commands to it are on record.
    case askedOnly(things: [String])
    /// So many of the actions have no known actor.
    case nobodyKnown(count: Int)
    /// The actor was erased from the record.
    case erased
    /// The house's clock may be wrong.
    case clock
    /// The record begins on this day, within the period asked about.
    case recordStart(day: String)
    /// The asker may not see other people's commands.
    case hidden

    /// The highest confidence that an answer can have; 0.9 and more is "sure", 0.5 and more "likely".
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
