import CardeaModel
import Foundation

/// What the sensors report that watch over smoke, fire, gas and water.
extension Turn {
    func alarms(_ alarm: Ask.Alarm, _ ask: Ask.AlarmAsk, _ question: Question) async throws -> Reply {
        let things = sensors(for: alarm.dangers, question.subject)
        let name = lexicon.word(.danger(alarm.word))
        guard !things.isEmpty else { return dontKnow(.noAlarm, [.name: name, .rest: place(question.subject)]) }
        guard ask != .now else { return try await reporting(name, things, question) }
        if let forgotten = try await forgotten(question.period) { return forgotten }
        return try await reported(name, things, ask, question)
    }

    private func sensors(for dangers: Set<Danger>, _ subject: Subject) -> [Thing] {
        let named = Set(subject.named.joined().compactMap { if case .entity(_, let id) = $0 { id } else { nil } })
        return scope.devices(subject).flatMap { device in
            device.entities.filter { named.isEmpty || named.contains($0.id) }.filter { Danger($0).map(dangers.contains) ?? false }.map {
                Thing(device: device, entity: $0)
            }
        }
    }

    /// How it stands now. What went out of reach while it reported something is still taken at its word.
    private func reporting(_ name: String, _ things: [Thing], _ question: Question) async throws -> Reply {
        let holding = things.filter { $0.entity.state.value == "on" }
        let unsure = things.filter { $0.entity.state.value != "on" && ($0.entity.state.value != "off" || $0.device.status == .offline) }
        var reply: Reply
        if holding.isEmpty, unsure.count == things.count {
            reply = Reply(try await unknown(unsure), confidence: 0)
        } else {
            let lines = holding.map { lexicon.say(.alarmIs, [.thing: self.name($0), .words: word(of: $0)]) }
            let none = lexicon.say(.noAlarmIs, [.name: name, .rest: place(question.subject)])
            reply = Reply(
                holding.isEmpty ? say(unsure.isEmpty ? .no : .asFar, [.rest: none]) : say(.yes, [.rest: sentences(lines)]))
            if !unsure.isEmpty {
                reply.response += " " + (try await unknown(unsure))
                if holding.isEmpty { reply.confidence = 0.6 }
            }
            reply.findings = (holding.isEmpty && !unsure.isEmpty ? [] : [.truth(!holding.isEmpty)]) + holding.map { .device($0.device.id) }
        }
        reply.devices = unique((holding.isEmpty ? things : holding).map(\.device.id))
        try await cite(wordsOf: holding.isEmpty ? things : holding, in: &reply)
        return reply
    }

    /// One time that a sensor reported something.
    private struct Report {
        let thing: Thing
        let at: Date
        var until: Date?
        var events: [String]
        /// Whether it began before the time that is asked about, and lasted into it.
        var isOlder = false
    }

    private func reported(_ name: String, _ things: [Thing], _ ask: Ask.AlarmAsk, _ question: Question) async throws -> Reply {
        let period =
            question.period
            ?? (ask == .when
                ? Period(from: nil, to: now, words: "")
                : Period(from: clock.moment(clock.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true))
        var reports: [Report] = []
        for thing in things { reports += try await self.reports(of: thing, in: period) }
        // What stands since before went off before: it is no time of those that are counted.
        if ask == .howOften { reports.removeAll(where: \.isOlder) }
        reports.sort { $0.at < $1.at }
        let (older, later) = (reports.filter(\.isOlder), reports.filter { !$0.isOlder })
        // What stands since before is told besides: by how often something began nobody would miss it.
        let told = ask == .when ? reports.suffix(1) : older.suffix(Self.mostTold) + later.suffix(Self.mostTold)
        var reply: Reply
        if told.isEmpty {
            let sentence = lexicon.say(.noAlarmWas, [.name: name, .rest: place(question.subject), .when: period.words])
            reply = Reply(ask == .whether ? say(.no, [.rest: sentence]) : sentence)
            try await cite(wordsOf: things, in: &reply)
            reply.devices = things.count <= 8 ? unique(things.map(\.device.id)) : []
        } else {
            var lines = told.map { line($0, $0.isOlder || question.period == nil && ask == .when ? nil : period) }
            if ask != .when, older.count > Self.mostTold {
                lines.append(lexicon.say(.moreNotTold, [.count: String(older.count - Self.mostTold)]))
            }
            let joined = ([lines.first ?? ""] + lines.dropFirst().map(Telling.capital)).joined(separator: " ")
            let isCounted = ask == .howOften || later.count > Self.mostTold && ask != .when
            let count = isCounted ? say(.alarmTimes, [.count: times(later.count), .when: period.words, .name: name]) + " " : ""
            reply = Reply(ask == .whether && !isCounted ? say(.yes, [.rest: joined]) : count + Telling.capital(joined))
            reply.events = told.flatMap(\.events)
            if ask != .when { reply.moreEvents = reports.flatMap(\.events).count - reply.events.count }
            reply.devices = unique(told.map(\.thing.device.id))
        }
        reply.findings = [.truth(!reports.isEmpty), .count(later.count)] + told.map { .moment($0.at) }
        return reply
    }

    /// How many times are told one by one.
    private static let mostTold = 4

    private func reports(of thing: Thing, in period: Period) async throws -> [Report] {
        var found: [Report] = []
        var isOn = false
        if let from = period.from {
            let before = HappeningFilter(devices: [thing.device.id], entities: [thing.entity.id], kinds: [.state], to: from, limit: 1)
            if let beginning = try await recollection.happenings(before, seenBy: sight).first, case .state("on") = beginning.fact {
                isOn = true
                found.append(Report(thing: thing, at: beginning.at, events: [beginning.id], isOlder: true))
            }
        }
        let wanted = HappeningFilter(
            devices: [thing.device.id], entities: [thing.entity.id], kinds: [.state], from: period.from, to: period.to)
        for happening in try await doings.all(wanted).happenings {
            guard case .state(let value) = happening.fact else { continue }
            if value == "on", !isOn {
                found.append(Report(thing: thing, at: happening.at, events: [happening.id]))
            } else if value != "on", isOn, let last = found.indices.last, found[last].until == nil {
                found[last].until = happening.at
                found[last].events.append(happening.id)
            }
            isOn = value == "on"
        }
        return found
    }

    private func line(_ report: Report, _ period: Period?) -> String {
        let rest: String
        if let until = report.until {
            let isSameDay = clock.day(of: until) == clock.day(of: report.at)
            let end = isSameDay ? Telling.clock(clock.minutes(of: until)) : telling.moment(until)
            rest = lexicon.say(.alarmUntil, [.time: end])
        } else {
            rest = report.thing.entity.state.value == "on" ? lexicon.say(.andStillDoes) : ""
        }
        return lexicon.say(
            .alarmWas,
            [.thing: name(report.thing), .words: word(of: report.thing), .when: telling.moment(report.at, in: period), .rest: rest])
    }

    /// "Smoke", of a smoke alarm.
    func word(of thing: Thing) -> String { Danger(thing.entity).map { lexicon.word(.danger(.init($0))) } ?? "" }
}
