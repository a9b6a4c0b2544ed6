import CardeaModel
import Foundation

/// Warm, damp, bright, empty: what sensors tell.
extension Turn {
    /// A number that something tells now.
    private struct Told {
        let thing: Thing
        let value: Double
        let unit: String?
    }

    func measured(_ measure: Ask.Measure, _ statistic: Ask.Statistic?, _ question: Question) async throws -> Reply {
        if measure == .power, !sight.seesEnergy { return dontKnow(.energyHidden) }
        let things = sensors(measure, question.subject)
        guard !things.isEmpty else { return noSensor(measure, question) }
        if let period = question.period
            ?? (statistic == nil
                ? nil : Period(from: clock.moment(clock.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true))
        {
            return try await past(measure, statistic, things, period, question)
        }
        let told = things.compactMap { thing in value(measure, thing).map { Told(thing: thing, value: $0, unit: unit(measure, thing)) } }
        let silent = things.filter { thing in !told.contains { $0.thing == thing } }
        guard !told.isEmpty else {
            guard silent.contains(where: { $0.entity.lastReport != nil }) else {
                return dontKnow(.saidNothing, [.thing: telling.list(silent.map(name), atMost: 5)])
            }
            return Reply(try await unknown(silent), confidence: 0)
        }
        var reply: Reply
        if told.count == 1, let one = told.first {
            reply = Reply(
                say(
                    .measureIs,
                    [.name: word(measure), .value: telling.amount(one.value, one.unit), .rest: whereabouts(one.thing, question.subject)]))
        } else {
            let parts = told.map {
                lexicon.say(.measureOf, [.thing: label($0.thing, told.map(\.thing)), .value: telling.amount($0.value, $0.unit)])
            }
            reply = Reply(say(.measuresAre, [.name: word(measure), .list: telling.list(parts, atMost: 12)]))
        }
        let unreachable = told.filter { $0.thing.device.status == .offline }.map(\.thing) + silent
        if !unreachable.isEmpty {
            reply.response += " " + (try await unknown(unreachable))
            reply.confidence = 0.7
        }
        reply.findings = told.map { .number($0.value, unit: $0.unit, of: $0.thing.device.id) }
        reply.devices = told.map(\.thing.device.id)
        try await cite(numbersOf: told.map(\.thing), in: &reply)
        return reply.weighed(by: try await sureness(of: told.map(\.thing)), telling)
    }

    private func past(_ measure: Ask.Measure, _ statistic: Ask.Statistic?, _ things: [Thing], _ period: Period, _ question: Question)
        async throws -> Reply
    {
        var parts: [String] = []
        var reply = Reply("")
        let sensors = things.filter { $0.entity.kind == .sensor }
        for thing in sensors.prefix(Self.cited) {
            let hours = try await hours(of: thing.entity, period)
            guard let low = hours.map(\.low).min(), let high = hours.map(\.high).max(), let mean = hours.meanOverTime() else { continue }
            let unit = unit(measure, thing)
            let number: Double
            switch statistic {
            case .highest: number = high
            case .lowest: number = low
            case .mean, nil: number = mean
            }
            reply.findings.append(.number(number, unit: unit, of: thing.device.id))
            let text =
                statistic == nil && Telling.number(low) != Telling.number(high)
                ? lexicon.say(
                    .betweenValues,
                    [.from: telling.number(low, in: unit), .to: telling.amount(high, unit), .value: telling.amount(mean, unit)])
                : telling.amount(number, unit)
            parts.append(things.count == 1 ? text : lexicon.say(.measureOf, [.thing: label(thing, things), .value: text]))
            // The hour in which it was so, before all those in which it was not.
            let extreme =
                statistic == nil || statistic == .mean ? [] : hours.filter { (statistic == .highest ? $0.high : $0.low) == number }
            reply.events += readings(of: thing, extreme.first.map { [$0] } ?? []) + readings(of: thing, hours)
            reply.devices.append(thing.device.id)
        }
        guard !parts.isEmpty else { return dontKnow(.noReadings, [.name: word(measure), .when: period.words]) }
        reply.events = unique(reply.events)
        // What is not looked at is not told either, and said to be so.
        reply.moreEvents = max(sensors.count - Self.cited, 0)
        if reply.moreEvents > 0 { parts.append(lexicon.say(.andMore, [.count: String(reply.moreEvents)])) }
        let name = statistic.map { lexicon.word(.statistic($0 == .highest ? .highest : $0 == .lowest ? .lowest : .mean)) + " " } ?? ""
        reply.response = say(
            .measureWas,
            [
                .name: name + word(measure), .list: telling.list(parts), .when: period.words,
                .rest: things.count == 1 ? things.first.map { whereabouts($0, question.subject) } ?? "" : "",
            ])
        return reply
    }

    func extremeRoom(_ measure: Ask.Measure, _ isHighest: Bool, _ question: Question) async throws -> Reply {
        var values: [(room: Room, value: Double, unit: String?, thing: Thing)] = []
        var events: [String] = []
        for room in scope.rooms(question.subject) {
            var subject = Subject()
            subject.rooms = [room.id]
            for thing in sensors(measure, subject) where thing.device.status != .offline {
                if let period = question.period {
                    let hours = try await hours(of: thing.entity, period)
                    guard let mean = hours.meanOverTime() else { continue }
                    values.append((room, mean, unit(measure, thing), thing))
                    events += readings(of: thing, hours)
                } else if let value = value(measure, thing) {
                    values.append((room, value, unit(measure, thing), thing))
                }
            }
        }
        guard let best = values.max(by: { isHighest ? $0.value < $1.value : $0.value > $1.value }) else {
            return noSensor(measure, question)
        }
        let extreme: Sense.Extreme = measure == .temperature ? (isHighest ? .warmest : .coldest) : isHighest ? .dampest : .driest
        var reply = Reply(
            say(
                question.period == nil ? .extremeIs : .extremeWas,
                [
                    .room: telling.thing(best.room.name), .name: lexicon.word(.extreme(extreme)),
                    .value: telling.amount(best.value, best.unit), .when: question.period?.words ?? "", .rest: place(question.subject),
                ]))
        reply.findings = [.room(best.room.id), .number(best.value, unit: best.unit, of: best.thing.device.id)]
        reply.devices = [best.thing.device.id]
        // That it is the warmest rests on how warm the others are, too.
        if question.period == nil { try await cite(numbersOf: values.map(\.thing), in: &reply) } else { reply.events = unique(events) }
        if values.count == 1 { reply.confidence = 0.6 }
        return reply
    }

    /// "Is it warmer in the kitchen than outside?" A place that was not named is the house within.
    func compared(_ measure: Ask.Measure, _ isHighest: Bool, _ one: Subject, _ other: Subject) async throws -> Reply {
        let sides = [one, other].map { subject in
            sensors(measure, subject).filter { thing in
                guard thing.device.status != .offline else { return false }
                let room = thing.device.roomID.flatMap(scope.room)
                let isOutside = ThermalSources.isOutside(thing.device) || room.map { ThermalSources.isOutside($0) } == true
                return !subject.isPlaceless || !isOutside
            }
        }
        let told = sides.map { things in
            things.compactMap { thing in value(measure, thing).map { Told(thing: thing, value: $0, unit: unit(measure, thing)) } }
        }
        guard let here = told.first, let there = told.last, !here.isEmpty, !there.isEmpty else {
            return noSensor(measure, Question(ask: .state, subject: told.first?.isEmpty == true ? one : other))
        }
        func mean(_ told: [Told]) -> Double { told.reduce(0) { $0 + $1.value } / Double(max(told.count, 1)) }
        func place(_ subject: Subject, _ told: [Told]) -> String {
            if subject.isPlaceless { return lexicon.say(.indoors) }
            let place = self.place(subject)
            return place.isEmpty ? lexicon.say(.ofThing, [.thing: telling.list(told.map { name($0.thing) }, atMost: 3)]) : place
        }
        let (own, rival) = (mean(here), mean(there))
        let isSo = isHighest ? own > rival : own < rival
        let sentence = lexicon.say(
            .compared,
            [
                .from: telling.amount(own, here.first?.unit), .rest: place(one, here), .to: telling.amount(rival, there.first?.unit),
                .words: place(other, there),
            ])
        var reply = Reply(say(isSo ? .yes : .no, [.rest: sentence]))
        reply.findings = [
            .truth(isSo), .number(own, unit: here.first?.unit, of: here.first?.thing.device.id),
            .number(rival, unit: there.first?.unit, of: there.first?.thing.device.id),
        ]
        reply.devices = unique((here + there).map(\.thing.device.id))
        try await cite(numbersOf: (here + there).map(\.thing), in: &reply)
        return reply
    }

    func lowBatteries(_ question: Question) async throws -> Reply {
        let things = sensors(.battery, question.subject)
        let told = things.compactMap { thing in value(.battery, thing).map { Told(thing: thing, value: $0, unit: "%") } }
        guard !told.isEmpty else {
            let gone = things.filter { $0.entity.lastReport != nil }
            return gone.isEmpty ? noSensor(.battery, question) : Reply(try await unknown(gone), confidence: 0)
        }
        let low = told.filter { $0.value < Self.lowBattery }
        var reply =
            low.isEmpty
            ? Reply(say(.noLowBattery, [.rest: place(question.subject)]))
            : Reply(
                say(
                    .lowBatteries,
                    [
                        .list: telling.list(
                            low.map { lexicon.say(.measureOf, [.thing: name($0.thing), .value: Telling.amount($0.value, "%")]) })
                    ]))
        reply.findings = [.truth(!low.isEmpty)] + low.map { .number($0.value, unit: "%", of: $0.thing.device.id) }
        let shown = low.isEmpty ? told : low
        reply.devices = shown.map(\.thing.device.id)
        try await cite(numbersOf: shown.map(\.thing), in: &reply)
        // A battery of which the house once heard, and hears no more.
        let gone = things.filter { thing in thing.entity.lastReport != nil && !told.contains { $0.thing == thing } }
        if !gone.isEmpty {
            reply.response += " " + (try await unknown(gone))
            reply.confidence = 0.6
        }
        return reply
    }

    /// Percent below which a battery is soon to be changed.
    static let lowBattery = 20.0

    /// An answer rests on the numbers of now: on what each said last, or where nothing of that is remembered, the hour in which it was read.
    func cite(numbersOf things: [Thing], in reply: inout Reply) async throws {
        reply.events = try await evidence(of: things)
        reply.moreEvents = max(things.count - Self.cited, 0)
    }

    private func evidence(of things: [Thing]) async throws -> [String] {
        var events: [String] = []
        for thing in things.prefix(Self.cited) {
            let wanted = HappeningFilter(devices: [thing.device.id], entities: [thing.entity.id], kinds: [.state], limit: 1)
            let said = try await recollection.happenings(wanted, seenBy: sight).first
            let (state, isSensor) = (thing.entity.state.value, thing.entity.kind == .sensor)
            if let said, !isSensor || said.fact == .state(state) {
                events.append(said.id)
            } else if isSensor, let number = Double(state) {
                let hour = try await recollection.hours(of: thing.entity.id, from: now - 86_400, to: now, seenBy: sight).last
                if let hour, hour.last == number { events += readings(of: thing, [hour]) }
            }
        }
        return unique(events)
    }

    /// By what a sensor's hours are opened; nothing for none.
    func readings(of thing: Thing, _ hours: [HourlyReading]) -> [String] {
        ReadingEvidence(of: thing.entity.id, hours).map { [$0.id] } ?? []
    }

    func hours(of entity: Entity, _ period: Period) async throws -> [HourlyReading] {
        let from = period.from ?? now - 730 * 86_400
        // An hour is asked about where it touches the time; readings are not kept more finely.
        let found = try await recollection.hours(of: entity.id, from: from - 3599, to: period.to, seenBy: sight)
        return found.filter { $0.hour + 3600 > from && $0.hour < period.to }
    }

    // MARK: Which sensor tells it

    private func sensors(_ measure: Ask.Measure, _ subject: Subject) -> [Thing] {
        let found = scope.find(narrowed(subject, measure), isSet: true) { entity, isNamed in
            switch (measure, entity.kind) {
            case (.temperature, .sensor): entity.deviceClass == "temperature" ? 0 : nil
            case (.temperature, .climate): entity.state.attributes["current_temperature"]?.number != nil ? 1 : nil
            case (.humidity, .sensor): entity.deviceClass == "humidity" ? 0 : nil
            case (.brightness, .light): entity.verbs.contains(.setBrightness) && (isNamed || subject.kind == .light) ? 0 : nil
            case (.brightness, .sensor): entity.deviceClass == "illuminance" ? 0 : nil
            case (.battery, .sensor): entity.deviceClass == "battery" ? 0 : nil
            case (.power, .sensor): entity.deviceClass == "power" ? 0 : nil
            case (.co2, .sensor): entity.deviceClass == "carbon_dioxide" ? 0 : nil
            case (.target, .climate): 0
            default: nil
            }
        }
        guard case .things(let things) = found else { return [] }
        // What the house draws is what its meter says; plugs that measure are a part of that.
        if measure == .power, subject.named.isEmpty, subject.rooms.isEmpty, subject.floor == nil {
            let meters = things.filter { isMeter($0.device) }
            return meters.isEmpty ? things : meters
        }
        // Of a whole room or house, a thermostat only tells where no sensor does.
        guard measure == .temperature, subject.named.isEmpty else { return things }
        let told = Set(things.filter { $0.entity.kind == .sensor }.compactMap(\.device.roomID))
        return things.filter { thing in thing.entity.kind == .sensor || thing.device.roomID.map { !told.contains($0) } ?? true }
    }

    /// "The power of the meter" and "the battery of the sensor": what kind of thing it is was said, and is not what tells it.
    private func narrowed(_ subject: Subject, _ measure: Ask.Measure) -> Subject {
        var subject = subject
        if [.sensor, .meter, .device].contains(subject.kind) || (measure == .battery && subject.kind != nil) { subject.kind = nil }
        subject.isOne = false
        return subject
    }

    private func value(_ measure: Ask.Measure, _ thing: Thing) -> Double? {
        let state = thing.entity.state
        let number: Double? =
            switch (measure, thing.entity.kind) {
            case (.temperature, .climate): state.attributes["current_temperature"]?.number
            case (.target, .climate): state.attributes["target_temperature"]?.number
            case (.brightness, .light): state.value == "off" ? 0 : state.attributes["brightness"]?.number
            default: Double(state.value)
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    private func unit(_ measure: Ask.Measure, _ thing: Thing) -> String? {
        switch measure {
        case .temperature, .target: "°C"
        case .battery, .humidity: "%"
        case .brightness: thing.entity.kind == .light ? "%" : thing.entity.unit
        case .power, .co2: thing.entity.unit
        }
    }

    func word(_ measure: Ask.Measure) -> String {
        switch measure {
        case .temperature: lexicon.word(.measure(.temperature))
        case .humidity: lexicon.word(.measure(.humidity))
        case .brightness: lexicon.word(.measure(.brightness))
        case .battery: lexicon.word(.measure(.battery))
        case .power: lexicon.word(.measure(.power))
        case .co2: lexicon.word(.measure(.co2))
        case .target: lexicon.phrases(.measure(.target)).dropFirst().first ?? ""
        }
    }

    private func noSensor(_ measure: Ask.Measure, _ question: Question) -> Reply {
        let devices = question.subject.named.isEmpty ? [] : scope.devices(question.subject).map { telling.thing($0.name) }
        return dontKnow(
            devices.isEmpty ? .noSensor : .noSensorOf,
            [.name: word(measure), .rest: place(question.subject), .thing: telling.list(devices, atMost: 3)])
    }

    /// "In the kitchen", where it was asked or is known; else "at the meter".
    private func whereabouts(_ thing: Thing, _ subject: Subject) -> String {
        if subject.named.isEmpty, let room = thing.device.roomID.flatMap(scope.room) {
            return lexicon.say(.inRoom, [.room: telling.thing(room.name)])
        }
        return lexicon.say(.ofThing, [.thing: name(thing)])
    }

    private func label(_ thing: Thing, _ all: [Thing]) -> String {
        guard let room = thing.device.roomID.flatMap(scope.room), all.count(where: { $0.device.roomID == room.id }) == 1 else {
            return name(thing)
        }
        return lexicon.say(.inRoom, [.room: telling.thing(room.name)])
    }
}

extension Subject {
    /// Neither a thing nor a place was named.
    fileprivate var isPlaceless: Bool { named.isEmpty && rooms.isEmpty && floor == nil }
}
