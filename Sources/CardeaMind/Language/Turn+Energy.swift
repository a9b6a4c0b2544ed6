import CardeaModel
import Foundation

/// What was used, what it cost, and when most of it.
extension Turn {
    func energy(_ question: Question) async throws -> Reply {
        guard sight.seesEnergy else { return dontKnow(.energyHidden) }
        let period =
            question.period
            ?? Period(from: clock.moment(clock.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true)
        switch question.ask {
        case .energyPeak: return try await peak(question, period)
        case .energyMost: return try await most(question, period)
        default: return try await used(question, period, isCost: question.ask == .energyCost)
        }
    }

    private func used(_ question: Question, _ period: Period, isCost: Bool) async throws -> Reply {
        let counted = meters(question.subject)
        guard case .things(let things) = counted else {
            if case .several(let devices) = counted { return ask(back: devices) }
            return dontKnow(
                question.subject.named.isEmpty ? .noMeter : .noMeterOf,
                [
                    .thing: telling.list(scope.devices(question.subject).map { telling.thing($0.name) }, atMost: 3),
                    .rest: place(question.subject),
                ])
        }
        var sum = 0.0
        var events: [String] = []
        for thing in things {
            let (used, hours) = try await used(thing, period)
            sum += used
            events += readings(of: thing, hours)
        }
        guard !events.isEmpty else { return dontKnow(.noReadings, [.name: lexicon.word(.topic(.energy)), .when: period.words]) }
        let name =
            question.subject.named.isEmpty && question.subject.rooms.isEmpty && question.subject.floor == nil
            ? lexicon.say(.theHouse) : telling.list(things.map(name))
        var reply: Reply
        if isCost {
            let cost = sum * preferences.energyCostRate
            reply = Reply(
                say(
                    .costWas,
                    [
                        .thing: name, .value: Telling.number(cost, places: 2), .number: Telling.amount(sum, "kWh"), .when: period.words,
                        .rest: Telling.number(preferences.energyCostRate, places: 2),
                    ]))
            reply.findings = [.number(cost, unit: nil, of: nil), .number(sum, unit: "kWh", of: nil)]
        } else {
            reply = Reply(say(.energyWas, [.thing: name, .value: Telling.amount(sum, "kWh"), .when: period.words]))
            reply.findings = [.number(sum, unit: "kWh", of: things.count == 1 ? things.first?.device.id : nil)]
        }
        reply.events = events
        reply.devices = things.map(\.device.id)
        return reply
    }

    private func peak(_ question: Question, _ period: Period) async throws -> Reply {
        let things = powers(question.subject)
        var best: (thing: Thing, hour: HourlyReading)?
        for thing in things {
            for hour in try await hours(of: thing.entity, period) where hour.high > best?.hour.high ?? -.infinity { best = (thing, hour) }
        }
        guard let best else { return dontKnow(things.isEmpty ? .noMeter : .noReadings, [.name: word(.power), .when: period.words]) }
        let start = period.isWithinDay ? Telling.clock(clock.minutes(of: best.hour.hour)) : telling.moment(best.hour.hour)
        let end = Telling.clock(clock.minutes(of: best.hour.hour + 3600))
        var reply = Reply(
            say(.peakWas, [.value: Telling.amount(best.hour.high, best.thing.entity.unit), .when: period.words, .from: start, .to: end]))
        reply.findings = [.number(best.hour.high, unit: best.thing.entity.unit, of: best.thing.device.id), .moment(best.hour.hour)]
        reply.events = readings(of: best.thing, [best.hour])
        reply.devices = [best.thing.device.id]
        return reply
    }

    private func most(_ question: Question, _ period: Period) async throws -> Reply {
        var amounts: [(thing: Thing, used: Double)] = []
        var events: [String] = []
        for thing in energies(question.subject) where !isMeter(thing.device) {
            let (used, hours) = try await used(thing, period)
            if !hours.isEmpty { amounts.append((thing, used)) }
            events += readings(of: thing, hours)
        }
        guard let best = amounts.max(by: { $0.used < $1.used }) else { return dontKnow(.noMeter, [.rest: place(question.subject)]) }
        var reply = Reply(say(.mostUsed, [.thing: name(best.thing), .value: Telling.amount(best.used, "kWh"), .when: period.words]))
        reply.findings = [.device(best.thing.device.id), .number(best.used, unit: "kWh", of: best.thing.device.id)]
        // That it is the most rests on what the others used, too.
        reply.events = events
        reply.devices = [best.thing.device.id]
        return reply
    }

    private func used(_ thing: Thing, _ period: Period) async throws -> (Double, [HourlyReading]) {
        let factor = Metering(thing.entity, of: thing.device)?.factor ?? 1
        let hours = try await hours(of: thing.entity, period)
        guard let first = hours.first else { return (0, []) }
        // A meter that seldom says something counts between its words, too, over the end of an hour and of a day.
        let before = try await recollection.hours(of: thing.entity.id, from: first.hour - 86_400, to: first.hour, seenBy: sight).last
        var (used, last) = (0.0, before?.last ?? first.first)
        for hour in hours {
            used += Meter.step(from: last, to: hour.first) + hour.used
            last = hour.last
        }
        return (used * factor, hours)
    }

    // MARK: Which meter counts

    /// The meter of the house, or what is counted at the things that were named.
    private func meters(_ subject: Subject) -> Scope.Found {
        let things = energies(subject)
        guard !things.isEmpty else { return .none }
        guard subject.named.isEmpty, subject.rooms.isEmpty, subject.floor == nil else { return .things(things) }
        // Plugs that count, too, are part of what the meter counts.
        let whole = things.filter { isMeter($0.device) }
        return whole.count > 1 ? .several(whole.map(\.device)) : .things(whole.isEmpty ? things : whole)
    }

    private func energies(_ subject: Subject) -> [Thing] {
        find(subject) { entity, device in Metering(entity, of: device).map { $0.energy == .electricity && $0.quantity == .total } ?? false }
    }

    private func powers(_ subject: Subject) -> [Thing] {
        let things = find(subject) { entity, device in
            Metering(entity, of: device).map { $0.energy == .electricity && $0.quantity == .power } ?? false
        }
        let whole = things.filter { isMeter($0.device) }
        return subject.named.isEmpty && !whole.isEmpty ? whole : things
    }

    private func find(_ subject: Subject, _ isWanted: (Entity, Device) -> Bool) -> [Thing] {
        var subject = subject
        if [.meter, .device, .sensor].contains(subject.kind) { subject.kind = nil }
        return scope.devices(subject).flatMap { device in
            device.entities.filter { $0.isEnabled && isWanted($0, device) }.prefix(1).map { Thing(device: device, entity: $0) }
        }
    }

    /// A device that only measures.
    func isMeter(_ device: Device) -> Bool { device.entities.allSatisfy { $0.kind == .sensor } }
}
