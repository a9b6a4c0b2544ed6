import CardeaModel
import Foundation

/// The number of uses of a pass, as far as it is known: a lower and an upper bound.
struct PassUsageCounter: Hashable {
    private var low: Int
    private var high: Int
    /// Uses that are reserved while a command is pending, and may be returned.
    private var reservations: [Reservation] = []

    private struct Reservation: Hashable {
        let until: Date
        /// The uses while it is pending, and when it is over: at least, at most.
        let pendingUses: ClosedRange<Int>
        let finalUses: ClosedRange<Int>
    }

    /// More uses than any pass has, and far from integer overflow.
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

    /// - Parameter before: the decision by the rules as they were, if `verdict` is by other rules; nil if `verdict` is by them. With nil
    ///   the record counts, whatever the rules say.
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
        // The answer to the approval request cannot be known.
        case .ask: reserve(attempt, 0...1, isSure: false)
        case .allow:
            if before == .ask, let recorded, attempt.status != .expired {
                reserve(attempt, recorded)
            } else if case .unknown = before {
                reserve(attempt, recorded ?? 0...1, isSure: false)
            } else {
                // A command that only these rules allow is assumed to have been carried out.
                add(1...1)
            }
        }
    }

    /// The uses that remain counted once the command is over, at least and at most; nil for an attempt that was refused.
    private func recordedUse(_ attempt: AccessReplay.Attempt) -> ClosedRange<Int>? {
        guard attempt.refusal == nil else { return nil }
        if let wasReturned = attempt.wasReturned { return wasReturned ? 0...0 : 1...1 }
        switch attempt.status {
        case .accepted, .dispatching, .confirmed, .unknown: return 1...1
        case .expired: return 0...0
        // The use is returned if nothing moved, and that is not recorded.
        case .failed: return 0...1
        }
    }

    /// - Parameter isSure: true if the use was certainly reserved.
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
