import CardeaModel
import Foundation

/// The conclusions: the results for doors, the recommended savings, and the basis of the answer.
extension WhatIfComputation {
    mutating func computeAccess() -> (AccessReplay.Comparison?, [String: WatchRule.Comparison]) {
        let changes = question.changes.compactMap { change -> AccessReplay.RuleChange? in
            if case .access(let rule) = change { rule } else { nil }
        }
        let notices = watchComparisons()
        guard !changes.isEmpty else {
            let watches = question.changes.contains { if case .watch = $0 { true } else { false } }
            if notices.isEmpty { errors[.access] = watches ? .noWatchedStates : .noAccessChange }
            return (nil, notices)
        }
        guard let replay = history.replay else {
            errors[.access] = .noAttempts
            return (nil, notices)
        }
        let comparison = replay.compared(with: changes.reduce(replay.rules) { $0.changed(by: $1) })
        let doors = comparison.rows.filter { $0.isDoor && !$0.attempt.failedOutsideGate }
        func count(_ verdict: (AccessReplay.AttemptComparison) -> AccessReplay.Verdict) -> Estimate {
            let open = doors.count { verdict($0).isAllowed }
            let unknown = doors.count { if case .unknown = verdict($0) { true } else { false } }
            return Estimate(Double(open), low: Double(open), high: Double(open + unknown))
        }
        let (before, after) = (count(\.before), count(\.after))
        // Unknown attempts on both sides may be decided either way.
        let difference = Estimate(after.value - before.value, low: after.low - before.high, high: after.high - before.low)
        answers[.access] = .init(
            baseline: before, predicted: after, difference: difference, unit: "door openings let through",
            words: self.text.accessSummary(comparison, days: question.lookbackDays, whole: replay.since.map { now.timeIntervalSince($0) }),
            series: [])
        return (comparison, notices)
    }

    private func watchComparisons() -> [String: WatchRule.Comparison] {
        guard !history.events.isEmpty else { return [:] }
        // The state before the period is among the events; notifications before it do not count.
        let from = now.addingTimeInterval(-Double(question.lookbackDays) * 86_400)
        var notices: [String: WatchRule.Comparison] = [:]
        for case .watch(let entityID, let rule) in question.changes {
            notices[entityID] = WatchRule.compare(
                history.watchRules[entityID] ?? .nothing, with: rule, in: history.events, from: from, to: now,
                zone: history.house.zone)
        }
        return notices
    }

    // MARK: Recommendations

    /// Recommends only changes whose saving is positive with 95 % confidence.
    mutating func computeRecommendations() {
        guard let kind = (rooms.map(\.kind) + meters.map(\.kind)).first, answers[.energy] != nil || answers[.cost] != nil else { return }
        if let asked = answers[.energy]?.difference ?? answers[.cost].map({ unpriced($0.difference, kind) }), asked.high < 0 {
            let saving = asked.scaled(by: -1)
            addRecommendation(text.savingByChange(saves: text.amount(saving, unit: kind.unit)), saving, kind)
        }
        for room in rooms where room.setPoints.allSatisfy({ $0 - 1 >= WhatIfChange.temperatures.lowerBound }) {
            let cooler = resimulate(room, cooler: 1, constants: room.simulator.twin.constants)
            guard cooler.count == room.outcomes.count else { continue }
            let (_, asked) = amounts(room, room.outcomes)
            let (_, less) = amounts(room, cooler)
            let savings = zip(asked, less).map { $0.reduce(0, +) - $1.reduce(0, +) }
            func saving(_ constants: ThermalTwin.Constants, heatsUnseen: Bool = true) -> Double {
                let warm = resimulate(room, constants: constants, heatsUnseen: heatsUnseen)
                let cool = resimulate(room, cooler: 1, constants: constants, heatsUnseen: heatsUnseen)
                let sums = zip(warm, cool).map { amount($0.heatingAfter, less: $1.heatingAfter, of: room) }
                return sums.reduce(0, +) / Double(max(sums.count, 1))
            }
            let estimate = room.simulator.twin.estimate { saving($0) }
            let unseen = estimate.value - saving(room.simulator.twin.constants, heatsUnseen: false)
            let off = pow((estimate.high - estimate.low) / 2, 2) + pow(thresholdUncertainty(room), 2) + pow(unseen, 2)
            let likely = PredictionInterval.estimate(savings, more: off.squareRoot())
            addRecommendation(text.savingByLowering(room.setPoints, saves: text.amount(likely, unit: kind.unit)), likely, kind)
        }
    }

    private func unpriced(_ cost: Estimate, _ kind: EnergyKind) -> Estimate {
        let rate = kind.cost(of: 1, by: history.preferences) ?? 0
        return rate > 0 ? cost.scaled(by: 1 / rate) : cost
    }

    private mutating func addRecommendation(_ said: String, _ saving: Estimate, _ kind: EnergyKind) {
        guard saving.low > 0 else { return }
        let rate = kind.cost(of: 1, by: history.preferences) ?? 0
        let money = rate > 0 ? text.amount(saving.scaled(by: rate), unit: "") : nil
        recommendations.append(.init(words: text.saving(said, worth: money), saving: saving, unit: kind.unit))
    }

    // MARK: Subject and basis

    var subject: String {
        question.changes.map { text.change($0, in: history.house) }.joined(separator: ", ")
    }

    /// "0.15 per kWh", if the cost was asked for and is known.
    private var rate: String? {
        guard answers[.cost] != nil, let kind = (rooms.map(\.kind) + meters.map(\.kind)).first else { return nil }
        return kind.cost(of: 1, by: history.preferences).map { text.rate($0, per: kind.unit) }
    }

    var basis: WhatIfResult.Basis {
        let used = rooms.flatMap(\.windows) + meters.flatMap(\.windows)
        let intervals = Array(Set(used.map(\.interval))).sorted { $0.start > $1.start }
        let twins = Dictionary(rooms.map { ($0.roomID, $0.simulator.twin) }, uniquingKeysWith: { first, _ in first })
        let readings =
            rooms.reduce(0) { $0 + $1.windows.count * windows.slots.count + $1.simulator.twin.readings }
            + meters.reduce(0) { $0 + $1.windows.count * windows.slots.count }
        return .init(
            windows: intervals, entities: Array(Set(rooms.flatMap(\.entities) + meters.map(\.entityID))).sorted(), readings: readings,
            twins: twins,
            words: text.basis(
                nights: rooms.first?.windows.count, weeks: meters.map(\.windows.count).min(), readings: readings,
                twins: twins.values.map(\.self), rate: rate))
    }
}
