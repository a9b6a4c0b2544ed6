import CardeaModel
import Foundation

/// How things stand: on, open, locked, out of reach.
extension Turn {
    func answerStanding(_ question: Question) async throws -> Reply {
        let condition: Condition
        switch question.ask {
        case .isIt(let asked, _), .which(let asked): condition = asked
        case .howMany(let asked):
            guard let asked else { return count(question) }
            condition = asked
        default: return dontKnow(.noSense)
        }
        let found = scope.find(question.subject, isSet: true) { condition.rank($0, isNamed: $1) }
        if let problem = problem(found, question, .cannotStand) { return problem }
        guard case .things(var things) = found else { return dontKnow(.noSense) }
        if condition == .locked, case .isIt(_, isAll: true) = question.ask { things += garages(question.subject, beside: things) }
        if let period = question.period { return try await stood(condition, things, period, question) }
        let holding = things.filter { holds(condition, $0) == true && $0.device.status != .offline }
        let unsure = things.filter { holds(condition, $0) == nil || $0.device.status == .offline }
        var reply: Reply
        if things.count == 1, let thing = things.first {
            reply = one(thing, condition, isAsked: question.ask.isYesNo)
        } else if case .isIt(_, isAll: true) = question.ask {
            reply = allOf(things, holding, unsure, condition, question)
        } else {
            reply = some(things, holding, unsure, condition, question)
        }
        if case .howMany = question.ask { reply.findings.insert(.count(holding.count), at: 0) }
        let others = things.filter { !holding.contains($0) && !unsure.contains($0) }
        let isAllOf = if case .isIt(_, isAll: true) = question.ask { true } else { false }
        try await cite(wordsOf: isAllOf && !others.isEmpty ? others : holding.isEmpty ? things : holding, in: &reply)
        reply.suggestions = remedies(holding, condition)
        return reply
    }

    /// A house is locked up when its garage is shut as well, though nothing tells of a bolt there.
    private func garages(_ subject: Subject, beside things: [Thing]) -> [Thing] {
        guard subject.named.isEmpty, subject.kind == nil || subject.kind == .device || subject.kind == .door else { return [] }
        let found = scope.find(subject, isSet: true) { entity, _ in entity.kind == .cover && entity.isWayIn ? 0 : nil }
        guard case .things(let ways) = found else { return [] }
        let known = Set(things.map(\.device.id))
        return ways.filter { !known.contains($0.device.id) && !$0.device.isPlanned }
    }

    private func holds(_ condition: Condition, _ thing: Thing) -> Bool? {
        asked(condition, of: thing).holds(thing.entity.state.value, thing.entity)
    }

    /// What "locked" means of a garage that has no bolt.
    private func asked(_ condition: Condition, of thing: Thing) -> Condition {
        condition == .locked && thing.entity.kind == .cover ? .closed : condition
    }

    private func one(_ thing: Thing, _ condition: Condition, isAsked: Bool) -> Reply {
        var reply: Reply
        let stands = condition.holds(thing.entity.state.value, thing.entity)
        let name = name(thing)
        if thing.device.status == .offline {
            let words = stands == nil ? "" : lexicon.say(.itLastSaid, [.condition: word(thing)])
            reply = Reply(say(.outOfReach, [.thing: name, .rest: words]), confidence: stands == nil ? 0 : 0.4)
        } else if let stands {
            let sentence = lexicon.say(isMany(thing) ? .thingsAre : .thingIs, [.thing: name, .condition: word(thing)])
            reply = Reply(isAsked ? say(stands ? .yes : .no, [.rest: sentence]) : sentence)
            reply.findings = [.truth(stands)] + (stands ? [.device(thing.device.id)] : [])
        } else {
            reply = dontKnow(.saidNothing, [.thing: name])
        }
        reply.devices = [thing.device.id]
        return reply
    }

    private func some(_ things: [Thing], _ holding: [Thing], _ unsure: [Thing], _ condition: Condition, _ question: Question) -> Reply {
        let isYesNo = question.ask.isYesNo
        var reply: Reply
        if holding.isEmpty {
            let name = name(question.subject, things)
            let sentence =
                name.isEmpty || !question.subject.named.isEmpty && name.isEmpty
                ? lexicon.say(.nothingIs, [.condition: word(condition), .rest: place(question.subject)])
                : lexicon.say(.noneIs, [.thing: name, .condition: word(condition)])
            reply = Reply(isYesNo ? say(.no, [.rest: sentence]) : sentence)
        } else {
            let names = telling.list(holding.map(name), atMost: 12)
            let sentence = lexicon.say(
                holding.count == 1 && !holding.contains(where: isMany) ? .thingIs : .thingsAre,
                [.thing: names, .condition: word(condition), .count: String(holding.count)])
            reply = Reply(isYesNo ? say(.yes, [.rest: sentence]) : sentence)
            if case .howMany = question.ask { reply.response = say(.countIs, [.count: String(holding.count), .rest: sentence]) }
        }
        if !unsure.isEmpty {
            reply.response += " " + say(.notSureOf, [.list: telling.list(unsure.map(name), atMost: 5)])
            reply.confidence = 0.8
        }
        reply.findings = [.truth(!holding.isEmpty)] + holding.map { .device($0.device.id) }
        reply.devices = holding.map(\.device.id)
        return reply
    }

    private func allOf(_ things: [Thing], _ holding: [Thing], _ unsure: [Thing], _ condition: Condition, _ question: Question) -> Reply {
        let others = things.filter { !holding.contains($0) && !unsure.contains($0) }
        let name = name(question.subject, things)
        var reply: Reply
        if others.isEmpty, unsure.isEmpty {
            let sentence = lexicon.say(
                name.isEmpty ? .thingIs : .allAre,
                [.thing: name.isEmpty ? lexicon.say(.everything) : name, .condition: word(condition)])
            reply = Reply(say(.yes, [.rest: sentence]))
        } else if others.isEmpty {
            reply = Reply(say(.notSureOf, [.list: telling.list(unsure.map(self.name), atMost: 5)]), confidence: 0.4)
        } else {
            let open = condition == .locked ? others.filter { $0.entity.kind == .cover } : []
            let loose = others.filter { !open.contains($0) }
            let sentences = [
                loose.isEmpty
                    ? nil
                    : lexicon.say(
                        loose.count == 1 ? .thingIsNot : .thingsAreNot,
                        [.thing: telling.list(loose.map(self.name), atMost: 12), .condition: word(condition)]),
                open.isEmpty
                    ? nil
                    : lexicon.say(
                        open.count == 1 ? .thingIs : .thingsAre,
                        [.thing: telling.list(open.map(self.name), atMost: 12), .condition: word(.open)]),
            ].compactMap(\.self)
            reply = Reply(say(.no, [.rest: ([sentences.first ?? ""] + sentences.dropFirst().map(Telling.capital)).joined(separator: " ")]))
            if !unsure.isEmpty { reply.response += " " + say(.notSureOf, [.list: telling.list(unsure.map(self.name), atMost: 5)]) }
        }
        reply.findings = [.truth(others.isEmpty && unsure.isEmpty)] + others.map { .device($0.device.id) }
        reply.devices = others.map(\.device.id)
        return reply
    }

    /// "Was the back door open last night?": from when to when it was.
    private func stood(_ condition: Condition, _ things: [Thing], _ period: Period, _ question: Question) async throws -> Reply {
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
        guard unsure.count < things.count else { return dontKnow(.rememberNothing) }
        if lines.isEmpty {
            let name = name(question.subject, things)
            lines = [
                name.isEmpty
                    ? lexicon.say(.nothingWas, [.condition: word(condition), .rest: place(question.subject), .when: period.words])
                    : lexicon.say(.noneWas, [.thing: name, .condition: word(condition), .when: period.words])
            ]
        }
        let told = sentences(lines)
        reply.response = question.ask.isYesNo ? say(isAny ? .yes : .no, [.rest: told]) : told
        admit(unsure, in: &reply)
        reply.findings.insert(.truth(isAny), at: 0)
        if reply.devices.isEmpty, things.count == 1 { reply.devices = things.map(\.device.id) }
        return reply
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
        guard unsure.count < things.count else { return dontKnow(.notSureOf, [.list: telling.list(unsure.map(name), atMost: 5)]) }
        var reply: Reply
        if !others.isEmpty {
            reply = Reply(say(.no, [.rest: sentences(lines)]))
            admit(unsure, in: &reply)
            // One that was not is enough for a no, whatever the others did.
            reply.confidence = 1
        } else if !unsure.isEmpty {
            reply = Reply(say(.notSureOf, [.list: telling.list(unsure.map(name), atMost: 5)]), confidence: 0.4)
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
        return reply
    }

    // MARK: Words

    /// Whether a thing has a name of several: "the blinds".
    func isMany(_ thing: Thing) -> Bool {
        if case .many? = Word.split(thing.device.name).last.flatMap({ lexicon.senses[[$0.folded]] }) { true } else { false }
    }

    func word(_ condition: Condition) -> String {
        switch condition {
        case .on: lexicon.word(.power(.on))
        case .off: lexicon.word(.power(.off))
        case .open: lexicon.word(.base(.open))
        case .closed: lexicon.word(.done(.close))
        case .locked: lexicon.word(.done(.lock))
        case .unlocked: lexicon.word(.done(.unlock))
        case .jammed: lexicon.word(.topic(.jammed))
        }
    }

    /// How a thing says it stands, in a word.
    func word(_ thing: Thing) -> String {
        let value = thing.entity.state.value
        switch thing.entity.kind {
        case .lock: return word(value == "jammed" ? .jammed : value == "locked" ? .locked : .unlocked)
        case .cover: return word(value == "closed" ? .closed : .open)
        case .binarySensor where Condition.openings.contains(thing.entity.deviceClass ?? ""): return word(value == "on" ? .open : .closed)
        default: return word(Condition.on.holds(value, thing.entity) == true ? .on : .off)
        }
    }

    private func moment(_ date: Date, _ period: Period) -> String {
        telling.moment(date, in: period).replacingPrefix(lexicon.say(.atTime, [.time: ""]))
    }

    /// Things whose happenings an answer names, at most.
    static let cited = 12

    /// An answer rests on the happenings that last said how things stand.
    func cite(wordsOf things: [Thing], in reply: inout Reply) async throws {
        reply.events = try await lastWords(of: things)
        reply.moreEvents = max(things.count - Self.cited, 0)
    }

    private func lastWords(of things: [Thing]) async throws -> [String] {
        var events: [String] = []
        for thing in things.prefix(Self.cited) {
            let wanted = HappeningFilter(devices: [thing.device.id], entities: [thing.entity.id], kinds: [.state], limit: 1)
            events += try await recollection.happenings(wanted, seenBy: sight).map(\.id)
        }
        return events
    }

    /// What is on can be turned off, what is open closed. Nothing is ever suggested the other way round.
    private func remedies(_ things: [Thing], _ condition: Condition) -> [Suggestion] {
        let verb: Verb? =
            switch condition {
            case .on: .off
            case .open: .close
            case .unlocked: .lock
            case .off, .closed, .locked, .jammed: nil
            }
        guard let verb else { return [] }
        return things.prefix(12).compactMap { thing in
            let fitting = thing.entity.kind == .lock ? Verb.lock : verb
            return thing.entity.resolve(fitting) == fitting ? suggestion(thing, fitting, nil) : nil
        }
    }

    private func count(_ question: Question) -> Reply {
        let devices = scope.devices(question.subject)
        var reply = Reply(
            say(
                .countThere,
                [
                    .count: String(devices.count), .name: lexicon.word(.many(question.subject.kind ?? .device)),
                    .rest: place(question.subject),
                ]))
        if devices.count == 1 {
            reply.response = say(.countOne, [.name: lexicon.word(.one(question.subject.kind ?? .device)), .rest: place(question.subject)])
        }
        reply.findings = [.count(devices.count)]
        reply.devices = devices.count <= 20 ? devices.map(\.id) : []
        return reply
    }
}

extension Ask {
    fileprivate var isYesNo: Bool {
        if case .isIt = self { true } else { false }
    }
}

extension String {
    /// "From 19:04", not "from at 19:04".
    fileprivate func replacingPrefix(_ prefix: String) -> String {
        let prefix = prefix.trimmingCharacters(in: .whitespaces)
        return hasPrefix(prefix + " ") ? String(dropFirst(prefix.count + 1)) : self
    }
}
