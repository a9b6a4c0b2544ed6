import CardeaModel
import Foundation

/// How often a pass has been used, as far as that is known: at least so often, at most so often.
struct ReplayUses: Hashable {
    private var low: Int
    private var high: Int
    /// Uses that are held while a command lives, and may be given back.
    private var held: [Held] = []

    private struct Held: Hashable {
        let until: Date
        /// While it lives, and when it is over: at least, at most.
        let meanwhile: ClosedRange<Int>
        let then: ClosedRange<Int>
    }

    /// More often than anybody opens a door, and far from where adding ends.
    private static let most = 1_000_000_000

    static func range(before: Int?) -> ClosedRange<Int> {
        before.map { min(max($0, 0), most)...min(max($0, 0), most) } ?? 0...most
    }

    init(before: Int?) {
        let range = Self.range(before: before)
        (low, high) = (range.lowerBound, range.upperBound)
    }

    mutating func range(at moment: Date) -> ClosedRange<Int> {
        for use in held where use.until <= moment { add(use.then) }
        held.removeAll { $0.until <= moment }
        return held.reduce(low...high) { $0.lowerBound + $1.meanwhile.lowerBound...$0.upperBound + $1.meanwhile.upperBound }
    }

    /// - Parameter before: what was decided by the rules as they were, where `verdict` is by others; nil where it is by them. Then the
    ///   record counts, whatever they say.
    mutating func note(_ attempt: Replay.Attempt, _ verdict: Replay.Verdict, before: Replay.Verdict?) {
        guard !attempt.wasStoppedElsewhere else { return }
        let recorded = likely(attempt)
        guard let before, before != verdict else {
            if let recorded { hold(attempt, recorded) }
            return
        }
        switch verdict {
        case .deny: return
        case .unknown: hold(attempt, 0...(recorded?.upperBound ?? 1), isSure: false)
        // Whether somebody would have said yes is nobody's to know.
        case .ask: hold(attempt, 0...1, isSure: false)
        case .allow:
            if before == .ask, let recorded, attempt.status != .expired {
                hold(attempt, recorded)
            } else if case .unknown = before {
                hold(attempt, recorded ?? 0...1, isSure: false)
            } else {
                // What only these rules let through is taken to have been done.
                add(1...1)
            }
        }
    }

    /// What is left of the use when it was over; nil for an attempt that was refused.
    private func likely(_ attempt: Replay.Attempt) -> ClosedRange<Int>? {
        guard attempt.refusal == nil else { return nil }
        if let wasReturned = attempt.wasReturned { return wasReturned ? 0...0 : 1...1 }
        switch attempt.status {
        case .accepted, .dispatching, .confirmed, .unknown: return 1...1
        case .expired: return 0...0
        // Given back where nothing had moved: that is not written down.
        case .failed: return 0...1
        }
    }

    /// - Parameter isSure: whether it was reserved at all.
    private mutating func hold(_ attempt: Replay.Attempt, _ then: ClosedRange<Int>, isSure: Bool = true) {
        guard then != 1...1 else { return add(then) }
        let until = attempt.endedAt ?? attempt.at.addingTimeInterval(Twin.patience)
        held.append(Held(until: until, meanwhile: isSure && attempt.endedAt != nil ? 1...1 : 0...1, then: then))
    }

    private mutating func add(_ use: ClosedRange<Int>) {
        low = min(low + use.lowerBound, Self.most)
        high = min(high + use.upperBound, Self.most)
    }
}
