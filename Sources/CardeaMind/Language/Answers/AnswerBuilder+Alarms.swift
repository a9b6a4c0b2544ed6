import CardeaModel
import Foundation

/// Answers questions about smoke, fire, gas and water sensors.
extension AnswerBuilder {
    func answerAlarms(_ alarm: QueryIntent.AlarmSelector, _ ask: QueryIntent.AlarmQuery, _ question: Question) async throws -> Reply {
        let targets = sensors(for: alarm.dangers, question.subject)
        let name = lexicon.word(.danger(alarm.word))
        guard !targets.isEmpty else { return unknownReply(.noAlarm, [.name: name, .rest: location(question.subject)]) }
        guard ask != .now else { return try await answerCurrentAlarms(name, targets, question) }
        if let forgotten = try await retentionReply(question.period) { return forgotten }
        return try await answerPastAlarms(name, targets, ask, question)
    }

    private func sensors(for dangers: Set<Danger>, _ subject: DeviceReference) -> [DeviceEntity] {
        let named = Set(subject.named.joined().compactMap { if case .entity(_, let id) = $0 { id } else { nil } })
        return resolver.devices(subject).flatMap { device in
            device.entities.filter { named.isEmpty || named.contains($0.id) }.filter { Danger($0).map(dangers.contains) ?? false }.map {
                DeviceEntity(device: device, entity: $0)
            }
        }
    }

    /// Answers for the present. A device that went out of reach while it reported an alarm still counts as reporting it.
    private func answerCurrentAlarms(_ name: String, _ targets: [DeviceEntity], _ question: Question) async throws -> Reply {
        let holding = targets.filter { $0.entity.state.value == "on" }
        let unsure = targets.filter { $0.entity.state.value != "on" && ($0.entity.state.value != "off" || $0.device.status == .offline) }
        var reply: Reply
        if holding.isEmpty, unsure.count == targets.count {
            reply = Reply(try await unknownStateText(unsure), confidence: 0)
        } else {
            let lines = holding.map { lexicon.answerText(.alarmIs, [.thing: self.name($0), .words: dangerName(of: $0)]) }
            let none = lexicon.answerText(.noAlarmIs, [.name: name, .rest: location(question.subject)])
            reply = Reply(
                holding.isEmpty ? answerText(unsure.isEmpty ? .no : .asFar, [.rest: none]) : answerText(.yes, [.rest: joined(lines)]))
            if !unsure.isEmpty {
                reply.response += " " + (try await unknownStateText(unsure))
                if holding.isEmpty { reply.confidence = 0.6 }
            }
            reply.facts = (holding.isEmpty && !unsure.isEmpty ? [] : [.truth(!holding.isEmpty)]) + holding.map { .device($0.device.id) }
        }
        reply.devices = unique((holding.isEmpty ? targets : holding).map(\.device.id))
        try await cite(wordsOf: holding.isEmpty ? targets : holding, in: &reply)
        return reply
    }

    /// One period in which a sensor reported an alarm.
    private struct AlarmPeriod {
        let target: DeviceEntity
        let at: Date
        var until: Date?
        var events: [String]
        /// True if the alarm began before the period that is asked about, and lasted into it.
        var beganEarlier = false
    }

    private func answerPastAlarms(_ name: String, _ targets: [DeviceEntity], _ ask: QueryIntent.AlarmQuery, _ question: Question)
        async throws -> Reply
    {
        let period =
            question.period
            ?? (ask == .when
                ? Period(from: nil, to: now, words: "")
                : Period(from: calendar.moment(calendar.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true))
        var reports: [AlarmPeriod] = []
        for target in targets { reports += try await self.alarmPeriods(of: target, in: period) }
        // An alarm that began before the period is not counted as one of its alarms.
        if ask == .howOften { reports.removeAll(where: \.beganEarlier) }
        reports.sort { $0.at < $1.at }
        let (older, later) = (reports.filter(\.beganEarlier), reports.filter { !$0.beganEarlier })
        // Alarms that began before the period are listed as well, so that they are not missed.
        let told = ask == .when ? reports.suffix(1) : older.suffix(Self.detailLimit) + later.suffix(Self.detailLimit)
        var reply: Reply
        if told.isEmpty {
            let sentence = lexicon.answerText(.noAlarmWas, [.name: name, .rest: location(question.subject), .when: period.words])
            reply = Reply(ask == .whether ? answerText(.no, [.rest: sentence]) : sentence)
            try await cite(wordsOf: targets, in: &reply)
            reply.devices = targets.count <= 8 ? unique(targets.map(\.device.id)) : []
        } else {
            var lines = told.map { sentence($0, $0.beganEarlier || question.period == nil && ask == .when ? nil : period) }
            if ask != .when, older.count > Self.detailLimit {
                lines.append(lexicon.answerText(.moreNotTold, [.count: String(older.count - Self.detailLimit)]))
            }
            let joined = ([lines.first ?? ""] + lines.dropFirst().map(AnswerFormatter.capitalized)).joined(separator: " ")
            let isCounted = ask == .howOften || later.count > Self.detailLimit && ask != .when
            let count =
                isCounted ? answerText(.alarmTimes, [.count: countPhrase(later.count), .when: period.words, .name: name]) + " " : ""
            reply = Reply(ask == .whether && !isCounted ? answerText(.yes, [.rest: joined]) : count + AnswerFormatter.capitalized(joined))
            reply.events = told.flatMap(\.events)
            if ask != .when { reply.moreEvents = reports.flatMap(\.events).count - reply.events.count }
            reply.devices = unique(told.map(\.target.device.id))
        }
        reply.facts = [.truth(!reports.isEmpty), .count(later.count)] + told.map { .moment($0.at) }
        return reply
    }

    /// The most alarms that are listed one by one.
    private static let detailLimit = 4

    private func alarmPeriods(of target: DeviceEntity, in period: Period) async throws -> [AlarmPeriod] {
        var found: [AlarmPeriod] = []
        var isOn = false
        if let from = period.from {
            let before = HouseEventFilter(devices: [target.device.id], entities: [target.entity.id], kinds: [.state], to: from, limit: 1)
            if let beginning = try await houseHistory.events(before, seenBy: visibility).first, case .state("on") = beginning.fact {
                isOn = true
                found.append(AlarmPeriod(target: target, at: beginning.at, events: [beginning.id], beganEarlier: true))
            }
        }
        let wanted = HouseEventFilter(
            devices: [target.device.id], entities: [target.entity.id], kinds: [.state], from: period.from, to: period.to)
        for event in try await actionHistory.all(wanted).events {
            guard case .state(let value) = event.fact else { continue }
            if value == "on", !isOn {
                found.append(AlarmPeriod(target: target, at: event.at, events: [event.id]))
            } else if value != "on", isOn, let last = found.indices.last, found[last].until == nil {
                found[last].until = event.at
                found[last].events.append(event.id)
            }
            isOn = value == "on"
        }
        return found
    }

    private func sentence(_ report: AlarmPeriod, _ period: Period?) -> String {
        let rest: String
        if let until = report.until {
            let isSameDay = calendar.day(of: until) == calendar.day(of: report.at)
            let end = isSameDay ? AnswerFormatter.clockTime(calendar.minutes(of: until)) : formatter.moment(until)
            rest = lexicon.answerText(.alarmUntil, [.time: end])
        } else {
            rest = report.target.entity.state.value == "on" ? lexicon.answerText(.andStillDoes) : ""
        }
        return lexicon.answerText(
            .alarmWas,
            [
                .thing: name(report.target), .words: dangerName(of: report.target), .when: formatter.moment(report.at, in: period),
                .rest: rest,
            ])
    }

    /// The danger that an alarm reports: "smoke".
    func dangerName(of target: DeviceEntity) -> String { Danger(target.entity).map { lexicon.word(.danger(.init($0))) } ?? "" }
}
