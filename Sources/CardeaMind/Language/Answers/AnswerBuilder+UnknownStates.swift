import CardeaModel
import Foundation

/// Handles things with an unknown state, and the doubts that limit an answer about the others.
extension AnswerBuilder {
    /// "The back door is not known; it last reported locked at 23:34." For a thing that never reported, says that the house is not sure of
    /// it.
    func unknownStateText(_ things: [DeviceEntity]) async throws -> String {
        var sentences: [String] = []
        var silent: [DeviceEntity] = []
        for thing in things {
            if let sentence = try await unknownStateText(thing) {
                sentences.append(AnswerFormatter.capitalized(sentence))
            } else {
                silent.append(thing)
            }
        }
        if sentences.count > 5 {
            sentences = Array(sentences.prefix(5)) + [answerText(.moreNotTold, [.count: String(sentences.count - 5)])]
        }
        if !silent.isEmpty { sentences.append(answerText(.notSureOf, [.list: formatter.list(silent.map(name), atMost: 5)])) }
        return sentences.joined(separator: " ")
    }

    /// Nil for a thing without any report or command.
    private func unknownStateText(_ thing: DeviceEntity) async throws -> String? {
        if thing.entity.isAssumed { return try await assumedStateText(thing) }
        guard let report = thing.entity.lastReport else { return nil }
        let isDanger = Danger(thing.entity) != nil && report.state.value == "on"
        let condition = isDanger ? dangerName(of: thing) : stateText(thing, saying: report.state)
        return answerText(
            hasPluralName(thing) ? .notKnownLastMany : .notKnownLast,
            [.thing: name(thing), .condition: condition, .when: formatter.reportTime(report.at)])
    }

    /// For a thing that never reports, the last command to it.
    private func assumedStateText(_ thing: DeviceEntity) async throws -> String {
        let wanted = HouseEventFilter(devices: [thing.device.id], entities: [thing.entity.id], kinds: [.asked])
        // If visibility is limited, the last visible command need not be the last one.
        let asked =
            visibility.seesEverybody
            ? try await houseHistory.events(wanted, seenBy: visibility).first { happening in
                if case .command(_, let status, refusal: nil) = happening.fact { status != .failed && status != .expired } else { false }
            } : nil
        guard let asked, case .command(let verb, _, _) = asked.fact else { return answerText(.assumedNever, [.thing: name(thing)]) }
        return answerText(.assumedAsked, [.thing: name(thing), .verb: verbPhrase(verb), .when: formatter.reportTime(asked.at)])
    }

    /// The state that a thing reports, in words: "locked", "21.3 °C", or its own word.
    func stateText(_ thing: DeviceEntity, saying state: EntityState) -> String {
        var entity = thing.entity
        entity.state = state
        if let number = Double(state.value), number.isFinite { return formatter.amount(number, entity.unit) }
        guard DeviceCondition.on.holds(state.value, entity) != nil || DeviceCondition.open.holds(state.value, entity) != nil else {
            return lexicon.answerText(.quoted, [.name: String(state.value.prefix(40))])
        }
        return stateName(DeviceEntity(device: thing.device, entity: entity))
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
    func answerConfidence(of things: [DeviceEntity]) async throws -> AnswerConfidence {
        var doubts: [UncertaintyReason] = []
        let assumed = things.filter(\.entity.isAssumed)
        if !assumed.isEmpty { doubts.append(.assumed(things: assumed.map(name))) }
        var known: Set<String> = []
        for thing in things.prefix(Self.citationLimit) where known.insert(thing.device.id).inserted {
            if let doubt = try await silenceReason(of: thing.device) { doubts.append(doubt) }
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
        return .silent(thing: formatter.deviceName(device.name), since: since, usual: rhythm.longest)
    }
}
