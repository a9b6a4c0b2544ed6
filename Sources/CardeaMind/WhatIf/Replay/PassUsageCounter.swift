import CardeaModel
import Foundation

/// How often a pass has been used, as far as that is known: at least so often, at most so often.
struct PassUsageCounter: Hashable {
    private var low: Int
    private var high: Int
    /// Uses that are held while a command lives, and may be given back.
    private var reservations: [Reservation] = []

    private struct Reservation: Hashable {
        let until: Date
        /// While it lives, and when it is over: at least, at most.
        let pendingUses: ClosedRange<Int>
        let finalUses: ClosedRange<Int>
    }

    /// More often than anybody opens a door, and far from where adding ends.
    private static let maximum = 1_000_000_000

    static func range(before: Int?) -> ClosedRange<Int> {
        before.map { min(max($0, 0), maximum)...min(max($0, 0), maximum) } ?? 0...maximum
    }

    init(before: Int?) {
        let range = Self.range(before: before)
        (low, high) = (range.lowerBound, range.upperBound)
    }

    mutating func range(at moment: Date) -> ClosedRange<Int> {
        for use in reservations where use.until <= moment { add(use.finalUses) }
        reservations.removeAll { $0.until <= moment }
        return reservations.reduce(low...high) { $0.lowerBound + $1.pendingUses.lowerBound...$0.upperBound + $1.pendingUses.upperBound }
    }

    /// - Parameter before: what was decided by the rules as they were, where `verdict` is by others; nil where it is by them. Then the
    ///   record counts, whatever they say.
    mutating func record(_ attempt: AccessReplay.Attempt, _ verdict: AccessReplay.Verdict, before: AccessReplay.Verdict?) {
        guard !attempt.failedOutsideGate else { return }
        let recorded = recordedUse(attempt)
        guard let before, before != verdict else {
            if let recorded { reserve(attempt, recorded) }
            return
        }
        switch verdict {
        case .deny: return
        case .unknown: reserve(attempt, 0...(recorded?.upperBound ?? 1), isSure: false)
        // Whether somebody would have said yes is nobody's to know.
        case .ask: reserve(attempt, 0...1, isSure: false)
        case .allow:
            if before == .ask, let recorded, attempt.status != .expired {
                reserve(attempt, recorded)
            } else if case .unknown = before {
                reserve(attempt, recorded ?? 0...1, isSure: false)
            } else {
                // What only these rules let through is taken to have been done.
                add(1...1)
            }
        }
    }

    /// What is left of the use when it was over; nil for an attempt that was refused.
    private func recordedUse(_ attempt: AccessReplay.Attempt) -> ClosedRange<Int>? {
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
    private mutating func reserve(_ attempt: AccessReplay.Attempt, _ then: ClosedRange<Int>, isSure: Bool = true) {
        guard then != 1...1 else { return add(then) }
        let until = attempt.endedAt ?? attempt.at.addingTimeInterval(Twin.reportTimeout)
        reservations.append(Reservation(until: until, pendingUses: isSure && attempt.endedAt != nil ? 1...1 : 0...1, finalUses: then))
    }

    private mutating func add(_ use: ClosedRange<Int>) {
        low = min(low + use.lowerBound, Self.maximum)
        high = min(high + use.upperBound, Self.maximum)
    }
}
