import CardeaModel
import Foundation

/// Handles things with an unknown state, and the doubts that limit an answer about the others.
extension AnswerBuilder {
    /// "The back door is not known; it last reported locked at 23:34." For a thing that never reported, says that the house is not sure of
    /// it.
    func unknownStateText(_ targets: [DeviceEntity]) async throws -> String {
        var sentences: [String] = []
        var silent: [DeviceEntity] = []
        for target in targets {
            if let sentence = try await unknownStateText(target) {
                sentences.append(AnswerFormatter.capitalized(sentence))
            } else {
                silent.append(target)
            }
        }
        if sentences.count > 5 {
            sentences = Array(sentences.prefix(5)) + [answerText(.moreNotTold, [.count: String(sentences.count - 5)])]
        }
        if !silent.isEmpty { sentences.append(answerText(.notSureOf, [.list: formatter.list(silent.map(name), atMost: 5)])) }
        return sentences.joined(separator: " ")
    }

    /// Nil for a thing without any report or command.
    private func unknownStateText(_ target: DeviceEntity) async throws -> String? {
        if target.entity.isAssumed { return try await assumedStateText(target) }
        guard let report = target.entity.lastReport else { return nil }
        let isDanger = Danger(target.entity) != nil && report.state.value == "on"
        let condition = isDanger ? dangerName(of: target) : stateText(target, saying: report.state)
        return answerText(
            hasPluralName(target) ? .notKnownLastMany : .notKnownLast,
            [.thing: name(target), .condition: condition, .when: formatter.reportTime(report.at)])
    }

    /// For a thing that never reports, the last command to it.
    private func assumedStateText(_ target: DeviceEntity) async throws -> String {
        let wanted = HouseEventFilter(devices: [target.device.id], entities: [target.entity.id], kinds: [.asked])
        // If visibility is limited, the last visible command need not be the last one.
        let asked =
            visibility.seesEverybody
            ? try await houseHistory.events(wanted, seenBy: visibility).first { event in
                if case .command(_, let status, refusal: nil) = event.fact { status != .failed && status != .expired } else { false }
            } : nil
        guard let asked, case .command(let verb, _, _) = asked.fact else { return answerText(.assumedNever, [.thing: name(target)]) }
        return answerText(.assumedAsked, [.thing: name(target), .verb: verbPhrase(verb), .when: formatter.reportTime(asked.at)])
    }

    /// The state that a thing reports, in words: "locked", "21.3 °C", or its own word.
    func stateText(_ target: DeviceEntity, saying state: EntityState) -> String {
        var entity = target.entity
        entity.state = state
        if let number = Double(state.value), number.isFinite { return formatter.amount(number, entity.unit) }
        guard DeviceCondition.on.holds(state.value, entity) != nil || DeviceCondition.open.holds(state.value, entity) != nil else {
            return lexicon.answerText(.quoted, [.name: String(state.value.prefix(40))])
        }
        return stateName(DeviceEntity(device: target.device, entity: entity))
    }

    /// True for a device that reports itself as away, and for one whose connection was lost after a report.
    func isOutOfReach(_ device: Device) -> Bool {
        switch device.status {
        case .offline, .error: true
        case .unknown: device.entities.contains { $0.lastReport != nil }
        case .online: false
        }
    }

    /// The confidence of an answer about present states: lower if some are only assumed, or have not been reported for an unusually long
    /// time.
    func answerConfidence(of targets: [DeviceEntity]) async throws -> AnswerConfidence {
        var doubts: [UncertaintyReason] = []
        let assumed = targets.filter(\.entity.isAssumed)
        if !assumed.isEmpty { doubts.append(.assumed(targets: assumed.map(name))) }
        var known: Set<String> = []
        for target in targets.prefix(Self.citationLimit) where known.insert(target.device.id).inserted {
            if let doubt = try await silenceReason(of: target.device) { doubts.append(doubt) }
        }
        return AnswerConfidence(reasons: doubts)
    }

    /// Seconds to look back for the usual reporting interval of a device.
    private static let intervalLookback: TimeInterval = 14 * 86_400

    private func silenceReason(of device: Device) async throws -> UncertaintyReason? {
        if let seen = device.lastSeenAt, now.timeIntervalSince(seen) < ReportInterval.minimumSilence { return nil }
        var hours: Set<Date> = []
        for sensor in device.entities.filter({ $0.isEnabled && $0.kind == .sensor }).prefix(4) {
            let told = try await houseHistory.hours(of: sensor.id, from: now - Self.intervalLookback, to: now, seenBy: visibility)
            hours.formUnion(told.map(\.hour))
        }
        guard let rhythm = ReportInterval(hours.sorted()), let since = rhythm.silence(at: now, seen: device.lastSeenAt) else { return nil }
        return .silent(target: formatter.deviceName(device.name), since: since, usual: rhythm.longest)
    }
}
