import CardeaModel
import Foundation

/// How things stood within a time: from when to when, and for how long.
extension Turn {
    /// "Was the back door open last night?": from when to when it was.
    func stood(_ condition: Condition, _ things: [Thing], _ period: Period, _ question: Question) async throws -> Reply {
        if let forgotten = try await forgotten(period) { return forgotten }
        if case .isIt(_, isAll: true) = question.ask { return try await allStood(condition, things, period, question) }
        var lines: [String] = []
        var unsure: [Thing] = []
        var reply = Reply("")
        var isAny = false
        for thing in things {
            let stood = try await doings.stretches(condition, of: thing, from: period.from ?? .distantPast, to: period.to)
            guard stood.isKnown else {
                unsure.append(thing)
                continue
            }
            guard !stood.stretches.isEmpty || things.count == 1 else { continue }
            isAny = isAny || !stood.stretches.isEmpty
            lines.append(line(thing, condition, stood, period))
            reply.events += stood.events
            if !stood.stretches.isEmpty { reply.devices.append(thing.device.id) }
            reply.findings.append(.seconds(stood.stretches.reduce(0) { $0 + $1.1.timeIntervalSince($1.0) }))
        }
        let sureness = try await sureness(of: things, from: period.from, to: period.to)
        guard unsure.count < things.count else {
            if !sureness.doubts.isEmpty { return Reply(sureness.words(telling).joined(separator: " "), confidence: 0) }
            let lost = unsure.filter { $0.entity.lastReport != nil }
            return lost.isEmpty ? dontKnow(.rememberNothing) : Reply(try await unknown(lost), confidence: 0)
        }
        if lines.isEmpty {
            let name = name(question.subject, things)
            lines = [
                name.isEmpty
                    ? lexicon.say(.nothingWas, [.condition: word(condition), .rest: place(question.subject), .when: period.words])
                    : lexicon.say(.noneWas, [.thing: name, .condition: word(condition), .when: period.words])
            ]
        }
        let told = sentences(lines)
        // That it is not known to have stood so is no "no" where something is missing.
        let isCertain = isAny || !sureness.hasGaps
        reply.response = question.ask.isYesNo ? say(isAny ? .yes : isCertain ? .no : .asFar, [.rest: told]) : told
        admit(unsure, in: &reply)
        if isCertain { reply.findings.insert(.truth(isAny), at: 0) }
        if reply.devices.isEmpty, things.count == 1 { reply.devices = things.map(\.device.id) }
        return reply.weighed(by: sureness, telling)
    }

    /// The doubts how these stood within a time: their devices were out of reach.
    func sureness(of things: [Thing], from: Date?, to: Date) async throws -> Sureness {
        let devices = unique(things.map(\.device.id))
        let gaps = try await doings.gaps(of: Set(devices), from: from, to: now)
        let doubts = devices.prefix(3).compactMap { device -> Doubt? in
            let own = (gaps[device] ?? []).filter { $0.from < to }
            guard !own.isEmpty, let name = scope.device(device)?.name else { return nil }
            return .away(thing: telling.thing(name), own)
        }
        return Sureness(doubts: doubts)
    }

    /// "Were all the doors locked last night?": only where each of them was, from beginning to end. One that was not is named, with when.
    private func allStood(_ condition: Condition, _ things: [Thing], _ period: Period, _ question: Question) async throws -> Reply {
        let from = period.from ?? .distantPast
        var (others, unsure, lines): ([Thing], [Thing], [String]) = ([], [], [])
        var (held, broke): ([String], [String]) = ([], [])
        for thing in things {
            let asked = asked(condition, of: thing)
            let stood = try await doings.stretches(asked, of: thing, from: from, to: period.to)
            if stood.isBroken {
                others.append(thing)
                if let opposite = asked.opposite {
                    let otherwise = try await doings.stretches(opposite, of: thing, from: from, to: period.to)
                    lines.append(line(thing, opposite, otherwise, period))
                    broke += otherwise.events
                } else {
                    lines.append(line(thing, asked, stood, period))
                    broke += stood.events
                }
            } else if stood.isWhole {
                held += stood.events
            } else {
                unsure.append(thing)
            }
        }
        guard unsure.count < things.count else {
            let reply = dontKnow(.notSureOf, [.list: telling.list(unsure.map(name), atMost: 5)])
            let why = try await sureness(of: unsure, from: period.from, to: period.to).words(telling)
            return Reply(([reply.response] + why).joined(separator: " "), confidence: 0)
        }
        var reply: Reply
        if !others.isEmpty {
            reply = Reply(say(.no, [.rest: sentences(lines)]))
            admit(unsure, in: &reply)
            // One that was not is enough for a no, whatever the others did.
            reply.confidence = 1
        } else if !unsure.isEmpty {
            reply = Reply(say(.notSureOf, [.list: telling.list(unsure.map(name), atMost: 5)]), confidence: 0.4)
            reply = reply.weighed(by: try await sureness(of: unsure, from: period.from, to: period.to), telling)
        } else {
            let name = name(question.subject, things)
            let isOne = name.isEmpty || things.count == 1 && !things.contains(where: isMany)
            let sentence = lexicon.say(
                isOne ? .wasAllTime : .wereAllTime,
                [.thing: name.isEmpty ? lexicon.say(.everything) : name, .condition: word(condition), .when: period.words])
            reply = Reply(say(.yes, [.rest: sentence]))
        }
        reply.findings = [.truth(others.isEmpty && unsure.isEmpty)] + others.map { .device($0.device.id) }
        reply.events = others.isEmpty ? held : broke
        reply.devices = others.isEmpty ? (things.count <= 8 ? unique(things.map(\.device.id)) : []) : unique(others.map(\.device.id))
        return reply
    }

    /// How one thing stood, in a sentence.
    private func line(_ thing: Thing, _ condition: Condition, _ stood: Doings.Stood, _ period: Period) -> String {
        let (from, stretches) = (period.from ?? .distantPast, stood.stretches)
        let values: [Place: String] = [.thing: name(thing), .condition: word(condition), .when: period.words]
        guard let first = stretches.first else { return lexicon.say(.wasNever, values) }
        if stretches.count == 1, first.0 <= from, first.1 >= period.to { return lexicon.say(.wasAllTime, values) }
        let parts = stretches.prefix(4).map { lexicon.say(.fromTo, [.from: moment($0.0, period), .to: moment($0.1, period)]) }
        let told: [Place: String] = [.list: telling.list(Array(parts)), .count: times(stretches.count)]
        return lexicon.say(stretches.count > 4 ? .wasOften : .wasFrom, values.merging(told) { $1 })
    }

    /// The first of them, and how many are not told.
    func sentences(_ lines: [String]) -> String {
        let told = lines.prefix(1) + lines.dropFirst().prefix(5).map(Telling.capital)
        let more = lines.count > 6 ? [lexicon.say(.moreNotTold, [.count: String(lines.count - 6)])] : []
        return (told + more).joined(separator: " ")
    }

    private func admit(_ unsure: [Thing], in reply: inout Reply) {
        guard !unsure.isEmpty else { return }
        reply.response += " " + say(.notSureOf, [.list: telling.list(unsure.map(name), atMost: 5)])
        reply.confidence = 0.8
    }

    func howLong(_ condition: Condition, _ question: Question) async throws -> Reply {
        let found = scope.find(question.subject, isSet: question.subject.isAny) { condition.rank($0, isNamed: $1) }
        if let problem = problem(found, question, .cannotStand) { return problem }
        guard case .things(let things) = found, things.count <= 12 else { return dontKnow(.noSense) }
        if let forgotten = try await forgotten(question.period) { return forgotten }
        var reply = Reply("")
        var lines: [String] = []
        for thing in things {
            let isNow = question.period == nil && condition.holds(thing.entity.state.value, thing.entity) == true
            let period =
                question.period
                ?? Period(
                    from: isNow ? now - 30 * 86_400 : clock.moment(clock.day(of: now)), to: now, words: lexicon.word(.time(.today)),
                    isWithinDay: true)
            let stood = try await doings.stretches(condition, of: thing, from: period.from ?? .distantPast, to: period.to)
            guard stood.isKnown else { continue }
            let (stretches, events) = (stood.stretches, stood.events)
            if isNow, let last = stretches.last {
                let seconds = now.timeIntervalSince(last.0)
                lines.append(
                    lexicon.say(
                        .hasBeenSince,
                        [.thing: name(thing), .condition: word(condition), .when: telling.moment(last.0), .value: telling.length(seconds)]))
                reply.findings.append(.seconds(seconds))
                reply.events += events.suffix(1)
            } else {
                let seconds = stretches.reduce(0) { $0 + $1.1.timeIntervalSince($1.0) }
                lines.append(
                    stretches.isEmpty
                        ? lexicon.say(.wasNever, [.thing: name(thing), .condition: word(condition), .when: period.words])
                        : lexicon.say(
                            .wasFor,
                            [.thing: name(thing), .condition: word(condition), .value: telling.length(seconds), .when: period.words]))
                reply.findings.append(.seconds(seconds))
                reply.events += events
            }
            reply.devices.append(thing.device.id)
        }
        guard !lines.isEmpty else { return dontKnow(.rememberNothing) }
        reply.response = lines.map(Telling.capital).joined(separator: " ")
        let period = question.period ?? Period(from: clock.moment(clock.day(of: now)), to: now, words: "")
        return reply.weighed(by: try await sureness(of: things, from: period.from, to: period.to), telling)
    }

    private func moment(_ date: Date, _ period: Period) -> String {
        telling.moment(date, in: period).replacingPrefix(lexicon.say(.atTime, [.time: ""]))
    }
}

extension String {
    /// "From 19:04", not "from at 19:04".
    fileprivate func replacingPrefix(_ prefix: String) -> String {
        let prefix = prefix.trimmingCharacters(in: .whitespaces)
        return hasPrefix(prefix + " ") ? String(dropFirst(prefix.count + 1)) : self
    }
}
