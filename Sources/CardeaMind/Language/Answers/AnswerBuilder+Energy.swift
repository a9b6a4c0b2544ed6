import CardeaModel
import Foundation

/// Answers questions about energy: the amount used, its cost and the peak.
extension AnswerBuilder {
    func answerEnergy(_ question: Question) async throws -> Reply {
        guard visibility.seesEnergy else { return unknownReply(.energyHidden) }
        let period =
            question.period
            ?? Period(from: calendar.moment(calendar.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true)
        switch question.intent {
        case .energyPeak: return try await answerPeak(question, period)
        case .energyMost: return try await answerLargestConsumer(question, period)
        default: return try await answerUse(question, period, isCost: question.intent == .energyCost)
        }
    }

    private func answerUse(_ question: Question, _ period: Period, isCost: Bool) async throws -> Reply {
        let counted = meters(question.subject)
        guard case .targets(let targets) = counted else {
            if case .ambiguous(let devices) = counted { return clarification(back: devices) }
            return unknownReply(
                question.subject.named.isEmpty ? .noMeter : .noMeterOf,
                [
                    .thing: formatter.list(resolver.devices(question.subject).map { formatter.deviceName($0.name) }, atMost: 3),
                    .rest: location(question.subject),
                ])
        }
        var sum = 0.0
        var events: [String] = []
        for target in targets {
            let (used, hours) = try await energyUse(target, period)
            sum += used
            events += readingIDs(of: target, hours)
        }
        guard !events.isEmpty else { return unknownReply(.noReadings, [.name: lexicon.word(.topic(.energy)), .when: period.words]) }
        let name =
            question.subject.named.isEmpty && question.subject.rooms.isEmpty && question.subject.floor == nil
            ? lexicon.answerText(.theHouse) : formatter.list(targets.map(name))
        var reply: Reply
        if isCost {
            let cost = sum * preferences.energyCostRate
            reply = Reply(
                answerText(
                    .costWas,
                    [
                        .thing: name, .value: AnswerFormatter.number(cost, places: 2), .number: AnswerFormatter.amount(sum, "kWh"),
                        .when: period.words,
                        .rest: AnswerFormatter.number(preferences.energyCostRate, places: 2),
                    ]))
            reply.facts = [.number(cost, unit: nil, of: nil), .number(sum, unit: "kWh", of: nil)]
        } else {
            reply = Reply(answerText(.energyWas, [.thing: name, .value: AnswerFormatter.amount(sum, "kWh"), .when: period.words]))
            reply.facts = [.number(sum, unit: "kWh", of: targets.count == 1 ? targets.first?.device.id : nil)]
        }
        reply.events = events
        reply.devices = targets.map(\.device.id)
        return reply
    }

    private func answerPeak(_ question: Question, _ period: Period) async throws -> Reply {
        let targets = powerSensors(question.subject)
        var best: (target: DeviceEntity, hour: HourlyReading)?
        for target in targets {
            for hour in try await hours(of: target.entity, period) where hour.high > best?.hour.high ?? -.infinity { best = (target, hour) }
        }
        guard let best else {
            return unknownReply(targets.isEmpty ? .noMeter : .noReadings, [.name: measureName(.power), .when: period.words])
        }
        let start = period.isWithinDay ? AnswerFormatter.clockTime(calendar.minutes(of: best.hour.hour)) : formatter.moment(best.hour.hour)
        let end = AnswerFormatter.clockTime(calendar.minutes(of: best.hour.hour + 3600))
        var reply = Reply(
            answerText(
                .peakWas,
                [.value: AnswerFormatter.amount(best.hour.high, best.target.entity.unit), .when: period.words, .from: start, .to: end]))
        reply.facts = [.number(best.hour.high, unit: best.target.entity.unit, of: best.target.device.id), .moment(best.hour.hour)]
        reply.events = readingIDs(of: best.target, [best.hour])
        reply.devices = [best.target.device.id]
        return reply
    }

    private func answerLargestConsumer(_ question: Question, _ period: Period) async throws -> Reply {
        var amounts: [(target: DeviceEntity, used: Double)] = []
        var events: [String] = []
        for target in energySensors(question.subject) where !isMeter(target.device) {
            let (used, hours) = try await energyUse(target, period)
            if !hours.isEmpty { amounts.append((target, used)) }
            events += readingIDs(of: target, hours)
        }
        guard let best = amounts.max(by: { $0.used < $1.used }) else { return unknownReply(.noMeter, [.rest: location(question.subject)]) }
        var reply = Reply(
            answerText(.mostUsed, [.thing: name(best.target), .value: AnswerFormatter.amount(best.used, "kWh"), .when: period.words]))
        reply.facts = [.device(best.target.device.id), .number(best.used, unit: "kWh", of: best.target.device.id)]
        // The highest one rests on the readings of the others as well.
        reply.events = events
        reply.devices = [best.target.device.id]
        return reply
    }

    private func energyUse(_ target: DeviceEntity, _ period: Period) async throws -> (Double, [HourlyReading]) {
        let factor = EnergyMetering(target.entity, of: target.device)?.factor ?? 1
        let hours = try await hours(of: target.entity, period)
        guard let first = hours.first else { return (0, []) }
        // A meter that reports seldom counts across the ends of hours and days.
        let before = try await houseHistory.hours(of: target.entity.id, from: first.hour - 86_400, to: first.hour, seenBy: visibility).last
        var (used, last) = (0.0, before?.last ?? first.first)
        for hour in hours {
            used += CumulativeMeter.consumption(from: last, to: hour.first) + hour.used
            last = hour.last
        }
        return (used * factor, hours)
    }

    // MARK: Choice of the meter

    /// The meter of the house, or the meters of the things that were named.
    private func meters(_ subject: DeviceReference) -> ReferenceResolver.Resolution {
        let targets = energySensors(subject)
        guard !targets.isEmpty else { return .none }
        guard subject.named.isEmpty, subject.rooms.isEmpty, subject.floor == nil else { return .targets(targets) }
        // Metering plugs are part of what the meter of the house counts.
        let whole = targets.filter { isMeter($0.device) }
        return whole.count > 1 ? .ambiguous(whole.map(\.device)) : .targets(whole.isEmpty ? targets : whole)
    }

    private func energySensors(_ subject: DeviceReference) -> [DeviceEntity] {
        find(subject) { entity, device in
            EnergyMetering(entity, of: device).map { $0.energy == .electricity && $0.quantity == .total } ?? false
        }
    }

    private func powerSensors(_ subject: DeviceReference) -> [DeviceEntity] {
        let targets = find(subject) { entity, device in
            EnergyMetering(entity, of: device).map { $0.energy == .electricity && $0.quantity == .power } ?? false
        }
        let whole = targets.filter { isMeter($0.device) }
        return subject.named.isEmpty && !whole.isEmpty ? whole : targets
    }

    private func find(_ subject: DeviceReference, _ isWanted: (Entity, Device) -> Bool) -> [DeviceEntity] {
        var subject = subject
        if [.meter, .device, .sensor].contains(subject.kind) { subject.kind = nil }
        return resolver.devices(subject).flatMap { device in
            device.entities.filter { $0.isEnabled && isWanted($0, device) }.prefix(1).map { DeviceEntity(device: device, entity: $0) }
        }
    }

    /// A device that only measures.
    func isMeter(_ device: Device) -> Bool { device.entities.allSatisfy { $0.kind == .sensor } }
}
