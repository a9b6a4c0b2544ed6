import CardeaModel
import Foundation

/// Answers questions about measurements: temperature, humidity, brightness, battery charge.
extension AnswerBuilder {
    /// The present number of a sensor.
    private struct EntityReading {
        let target: DeviceEntity
        let value: Double
        let unit: String?
    }

    func answerMeasurement(_ measure: QueryIntent.Measure, _ statistic: QueryIntent.Statistic?, _ question: Question) async throws -> Reply
    {
        if measure == .power, !visibility.seesEnergy { return unknownReply(.energyHidden) }
        let targets = sensors(measure, question.subject)
        guard !targets.isEmpty else { return noSensorReply(measure, question) }
        if let period = question.period
            ?? (statistic == nil
                ? nil
                : Period(from: calendar.moment(calendar.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true))
        {
            return try await answerPastMeasurement(measure, statistic, targets, period, question)
        }
        let told = targets.compactMap { target in
            value(measure, target).map { EntityReading(target: target, value: $0, unit: unit(measure, target)) }
        }
        let silent = targets.filter { target in !told.contains { $0.target == target } }
        guard !told.isEmpty else {
            guard silent.contains(where: { $0.entity.lastReport != nil }) else {
                return unknownReply(.saidNothing, [.thing: formatter.list(silent.map(name), atMost: 5)])
            }
            return Reply(try await unknownStateText(silent), confidence: 0)
        }
        var reply: Reply
        if told.count == 1, let one = told.first {
            reply = Reply(
                answerText(
                    .measureIs,
                    [
                        .name: measureName(measure), .value: formatter.amount(one.value, one.unit),
                        .rest: locationPhrase(one.target, question.subject),
                    ]))
        } else {
            let parts = told.map {
                lexicon.answerText(.measureOf, [.thing: label($0.target, told.map(\.target)), .value: formatter.amount($0.value, $0.unit)])
            }
            reply = Reply(answerText(.measuresAre, [.name: measureName(measure), .list: formatter.list(parts, atMost: 12)]))
        }
        let unreachable = told.filter { $0.target.device.status == .offline }.map(\.target) + silent
        if !unreachable.isEmpty {
            reply.response += " " + (try await unknownStateText(unreachable))
            reply.confidence = 0.7
        }
        reply.facts = told.map { .number($0.value, unit: $0.unit, of: $0.target.device.id) }
        reply.devices = told.map(\.target.device.id)
        try await cite(numbersOf: told.map(\.target), in: &reply)
        return reply.limited(by: try await answerConfidence(of: told.map(\.target)), formatter)
    }

    private func answerPastMeasurement(
        _ measure: QueryIntent.Measure, _ statistic: QueryIntent.Statistic?, _ targets: [DeviceEntity], _ period: Period,
        _ question: Question
    )
        async throws -> Reply
    {
        var parts: [String] = []
        var reply = Reply("")
        let sensors = targets.filter { $0.entity.kind == .sensor }
        for target in sensors.prefix(Self.citationLimit) {
            let hours = try await hours(of: target.entity, period)
            guard let low = hours.map(\.low).min(), let high = hours.map(\.high).max(), let mean = hours.meanOverTime() else { continue }
            let unit = unit(measure, target)
            let number: Double
            switch statistic {
            case .highest: number = high
            case .lowest: number = low
            case .mean, nil: number = mean
            }
            reply.facts.append(.number(number, unit: unit, of: target.device.id))
            let text =
                statistic == nil && AnswerFormatter.number(low) != AnswerFormatter.number(high)
                ? lexicon.answerText(
                    .betweenValues,
                    [.from: formatter.number(low, in: unit), .to: formatter.amount(high, unit), .value: formatter.amount(mean, unit)])
                : formatter.amount(number, unit)
            parts.append(targets.count == 1 ? text : lexicon.answerText(.measureOf, [.thing: label(target, targets), .value: text]))
            // The hour of the extreme comes before all the other hours.
            let extreme =
                statistic == nil || statistic == .mean ? [] : hours.filter { (statistic == .highest ? $0.high : $0.low) == number }
            reply.events += readingIDs(of: target, extreme.first.map { [$0] } ?? []) + readingIDs(of: target, hours)
            reply.devices.append(target.device.id)
        }
        guard !parts.isEmpty else { return unknownReply(.noReadings, [.name: measureName(measure), .when: period.words]) }
        reply.events = unique(reply.events)
        // Sensors beyond the limit are not cited, only counted.
        reply.moreEvents = max(sensors.count - Self.citationLimit, 0)
        if reply.moreEvents > 0 { parts.append(lexicon.answerText(.andMore, [.count: String(reply.moreEvents)])) }
        let name = statistic.map { lexicon.word(.statistic($0 == .highest ? .highest : $0 == .lowest ? .lowest : .mean)) + " " } ?? ""
        reply.response = answerText(
            .measureWas,
            [
                .name: name + measureName(measure), .list: formatter.list(parts), .when: period.words,
                .rest: targets.count == 1 ? targets.first.map { locationPhrase($0, question.subject) } ?? "" : "",
            ])
        return reply
    }

    func answerExtremeRoom(_ measure: QueryIntent.Measure, _ isHighest: Bool, _ question: Question) async throws -> Reply {
        var values: [(room: Room, value: Double, unit: String?, target: DeviceEntity)] = []
        var events: [String] = []
        for room in resolver.rooms(question.subject) {
            var subject = DeviceReference()
            subject.rooms = [room.id]
            for target in sensors(measure, subject) where target.device.status != .offline {
                if let period = question.period {
                    let hours = try await hours(of: target.entity, period)
                    guard let mean = hours.meanOverTime() else { continue }
                    values.append((room, mean, unit(measure, target), target))
                    events += readingIDs(of: target, hours)
                } else if let value = value(measure, target) {
                    values.append((room, value, unit(measure, target), target))
                }
            }
        }
        guard let best = values.max(by: { isHighest ? $0.value < $1.value : $0.value > $1.value }) else {
            return noSensorReply(measure, question)
        }
        let extreme: LexicalCategory.ExtremeWord =
            measure == .temperature ? (isHighest ? .warmest : .coldest) : isHighest ? .dampest : .driest
        var reply = Reply(
            answerText(
                question.period == nil ? .extremeIs : .extremeWas,
                [
                    .room: formatter.deviceName(best.room.name), .name: lexicon.word(.extreme(extreme)),
                    .value: formatter.amount(best.value, best.unit), .when: question.period?.words ?? "", .rest: location(question.subject),
                ]))
        reply.facts = [.room(best.room.id), .number(best.value, unit: best.unit, of: best.target.device.id)]
        reply.devices = [best.target.device.id]
        // The warmest one rests on the readings of the others as well.
        if question.period == nil { try await cite(numbersOf: values.map(\.target), in: &reply) } else { reply.events = unique(events) }
        if values.count == 1 { reply.confidence = 0.6 }
        return reply
    }

    /// "Is it warmer in the kitchen than outside?" If no place was named, the inside of the house is meant.
    func answerComparison(_ measure: QueryIntent.Measure, _ isHighest: Bool, _ one: DeviceReference, _ other: DeviceReference) async throws
        -> Reply
    {
        let sides = [one, other].map { subject in
            sensors(measure, subject).filter { target in
                guard target.device.status != .offline else { return false }
                let room = target.device.roomID.flatMap(resolver.room)
                let isOutside = ThermalSensors.isOutside(target.device) || room.map { ThermalSensors.isOutside($0) } == true
                return !subject.hasNoTarget || !isOutside
            }
        }
        let told = sides.map { targets in
            targets.compactMap { target in
                value(measure, target).map { EntityReading(target: target, value: $0, unit: unit(measure, target)) }
            }
        }
        guard let here = told.first, let there = told.last, !here.isEmpty, !there.isEmpty else {
            return noSensorReply(measure, Question(intent: .state, subject: told.first?.isEmpty == true ? one : other))
        }
        func mean(_ told: [EntityReading]) -> Double { told.reduce(0) { $0 + $1.value } / Double(max(told.count, 1)) }
        func place(_ subject: DeviceReference, _ told: [EntityReading]) -> String {
            if subject.hasNoTarget { return lexicon.answerText(.indoors) }
            let place = self.location(subject)
            return place.isEmpty ? lexicon.answerText(.ofThing, [.thing: formatter.list(told.map { name($0.target) }, atMost: 3)]) : place
        }
        let (own, rival) = (mean(here), mean(there))
        let isSo = isHighest ? own > rival : own < rival
        let sentence = lexicon.answerText(
            .compared,
            [
                .from: formatter.amount(own, here.first?.unit), .rest: place(one, here), .to: formatter.amount(rival, there.first?.unit),
                .words: place(other, there),
            ])
        var reply = Reply(answerText(isSo ? .yes : .no, [.rest: sentence]))
        reply.facts = [
            .truth(isSo), .number(own, unit: here.first?.unit, of: here.first?.target.device.id),
            .number(rival, unit: there.first?.unit, of: there.first?.target.device.id),
        ]
        reply.devices = unique((here + there).map(\.target.device.id))
        try await cite(numbersOf: (here + there).map(\.target), in: &reply)
        return reply
    }

    func answerLowBatteries(_ question: Question) async throws -> Reply {
        let targets = sensors(.battery, question.subject)
        let told = targets.compactMap { target in value(.battery, target).map { EntityReading(target: target, value: $0, unit: "%") } }
        guard !told.isEmpty else {
            let gone = targets.filter { $0.entity.lastReport != nil }
            return gone.isEmpty ? noSensorReply(.battery, question) : Reply(try await unknownStateText(gone), confidence: 0)
        }
        let low = told.filter { $0.value < Self.lowBattery }
        var reply =
            low.isEmpty
            ? Reply(answerText(.noLowBattery, [.rest: location(question.subject)]))
            : Reply(
                answerText(
                    .lowBatteries,
                    [
                        .list: formatter.list(
                            low.map {
                                lexicon.answerText(.measureOf, [.thing: name($0.target), .value: AnswerFormatter.amount($0.value, "%")])
                            })
                    ]))
        reply.facts = [.truth(!low.isEmpty)] + low.map { .number($0.value, unit: "%", of: $0.target.device.id) }
        let shown = low.isEmpty ? told : low
        reply.devices = shown.map(\.target.device.id)
        try await cite(numbersOf: shown.map(\.target), in: &reply)
        // A battery that reported once, and reports no more.
        let gone = targets.filter { target in target.entity.lastReport != nil && !told.contains { $0.target == target } }
        if !gone.isEmpty {
            reply.response += " " + (try await unknownStateText(gone))
            reply.confidence = 0.6
        }
        return reply
    }

    /// Percent below which a battery needs replacing soon.
    static let lowBattery = 20.0

    /// Cites the events that reported the present numbers. If such an event is no longer recorded, cites the hour in which it was read.
    func cite(numbersOf targets: [DeviceEntity], in reply: inout Reply) async throws {
        reply.events = try await evidenceIDs(of: targets)
        reply.moreEvents = max(targets.count - Self.citationLimit, 0)
    }

    private func evidenceIDs(of targets: [DeviceEntity]) async throws -> [String] {
        var events: [String] = []
        for target in targets.prefix(Self.citationLimit) {
            let wanted = HouseEventFilter(devices: [target.device.id], entities: [target.entity.id], kinds: [.state], limit: 1)
            let said = try await houseHistory.events(wanted, seenBy: visibility).first
            let (state, isSensor) = (target.entity.state.value, target.entity.kind == .sensor)
            if let said, !isSensor || said.fact == .state(state) {
                events.append(said.id)
            } else if isSensor, let number = Double(state) {
                let hour = try await houseHistory.hours(of: target.entity.id, from: now - 86_400, to: now, seenBy: visibility).last
                if let hour, hour.last == number { events += readingIDs(of: target, [hour]) }
            }
        }
        return unique(events)
    }

    /// The evidence ids of a sensor's hours; empty for none.
    func readingIDs(of target: DeviceEntity, _ hours: [HourlyReading]) -> [String] {
        ReadingEvidence(of: target.entity.id, hours).map { [$0.id] } ?? []
    }

    func hours(of entity: Entity, _ period: Period) async throws -> [HourlyReading] {
        let from = period.from ?? now - 730 * 86_400
        // An hour counts if it overlaps the period, since readings are not stored more finely.
        let found = try await houseHistory.hours(of: entity.id, from: from - 3599, to: period.to, seenBy: visibility)
        return found.filter { $0.hour + 3600 > from && $0.hour < period.to }
    }

    // MARK: Choice of the sensor

    private func sensors(_ measure: QueryIntent.Measure, _ subject: DeviceReference) -> [DeviceEntity] {
        let found = resolver.resolve(narrow(subject, measure), isSet: true) { entity, isNamed in
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
        guard case .targets(let targets) = found else { return [] }
        // The consumption of the house is the reading of its meter; metering plugs are part of it.
        if measure == .power, subject.named.isEmpty, subject.rooms.isEmpty, subject.floor == nil {
            let meters = targets.filter { isMeter($0.device) }
            return meters.isEmpty ? targets : meters
        }
        // For a whole room or house, a thermostat counts only if there is no sensor.
        guard measure == .temperature, subject.named.isEmpty else { return targets }
        let told = Set(targets.filter { $0.entity.kind == .sensor }.compactMap(\.device.roomID))
        return targets.filter { target in target.entity.kind == .sensor || target.device.roomID.map { !told.contains($0) } ?? true }
    }

    /// "The power of the meter" and "the battery of the sensor": the noun names the kind of device, and not the entity that measures.
    private func narrow(_ subject: DeviceReference, _ measure: QueryIntent.Measure) -> DeviceReference {
        var subject = subject
        if [.sensor, .meter, .device].contains(subject.kind) || (measure == .battery && subject.kind != nil) { subject.kind = nil }
        subject.isOne = false
        return subject
    }

    private func value(_ measure: QueryIntent.Measure, _ target: DeviceEntity) -> Double? {
        let state = target.entity.state
        let number: Double? =
            switch (measure, target.entity.kind) {
            case (.temperature, .climate): state.attributes["current_temperature"]?.number
            case (.target, .climate): state.attributes["target_temperature"]?.number
            case (.brightness, .light): state.value == "off" ? 0 : state.attributes["brightness"]?.number
            default: Double(state.value)
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    private func unit(_ measure: QueryIntent.Measure, _ target: DeviceEntity) -> String? {
        switch measure {
        case .temperature, .target: "°C"
        case .battery, .humidity: "%"
        case .brightness: target.entity.kind == .light ? "%" : target.entity.unit
        case .power, .co2: target.entity.unit
        }
    }

    func measureName(_ measure: QueryIntent.Measure) -> String {
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

    private func noSensorReply(_ measure: QueryIntent.Measure, _ question: Question) -> Reply {
        let devices = question.subject.named.isEmpty ? [] : resolver.devices(question.subject).map { formatter.deviceName($0.name) }
        return unknownReply(
            devices.isEmpty ? .noSensor : .noSensorOf,
            [.name: measureName(measure), .rest: location(question.subject), .thing: formatter.list(devices, atMost: 3)])
    }

    /// "In the kitchen", if it was asked or is known; otherwise "at the meter".
    private func locationPhrase(_ target: DeviceEntity, _ subject: DeviceReference) -> String {
        if subject.named.isEmpty, let room = target.device.roomID.flatMap(resolver.room) {
            return lexicon.answerText(.inRoom, [.room: formatter.deviceName(room.name)])
        }
        return lexicon.answerText(.ofThing, [.thing: name(target)])
    }

    private func label(_ target: DeviceEntity, _ all: [DeviceEntity]) -> String {
        guard let room = target.device.roomID.flatMap(resolver.room), all.count(where: { $0.device.roomID == room.id }) == 1 else {
            return name(target)
        }
        return lexicon.answerText(.inRoom, [.room: formatter.deviceName(room.name)])
    }
}

extension DeviceReference {
    /// True if neither a thing nor a place was named.
    fileprivate var hasNoTarget: Bool { named.isEmpty && rooms.isEmpty && floor == nil }
}
