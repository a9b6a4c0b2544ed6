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
            reply = try await one(thing, condition, isAsked: question.ask.isYesNo)
        } else if case .isIt(_, isAll: true) = question.ask {
            reply = try await allOf(things, holding, unsure, condition, question)
        } else {
            reply = try await some(things, holding, unsure, condition, question)
        }
        if case .howMany = question.ask, reply.confidence > 0 { reply.findings.insert(.count(holding.count), at: 0) }
        let others = things.filter { !holding.contains($0) && !unsure.contains($0) }
        let isAllOf = if case .isIt(_, isAll: true) = question.ask { true } else { false }
        try await cite(wordsOf: isAllOf && !others.isEmpty ? others : holding.isEmpty ? things : holding, in: &reply)
        reply.suggestions = remedies(holding, condition)
        // One thing that is known says of itself that it is assumed.
        let known = (holding + others).filter { things.count > 1 || !$0.entity.isAssumed }
        return reply.weighed(by: try await sureness(of: known), telling)
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
    func asked(_ condition: Condition, of thing: Thing) -> Condition {
        condition == .locked && thing.entity.kind == .cover ? .closed : condition
    }

    private func one(_ thing: Thing, _ condition: Condition, isAsked: Bool) async throws -> Reply {
        var reply: Reply
        let stands = condition.holds(thing.entity.state.value, thing.entity)
        let name = name(thing)
        if stands == nil, thing.entity.lastReport != nil || thing.entity.isAssumed {
            reply = Reply(try await unknown([thing]), confidence: 0)
        } else if thing.device.status == .offline {
            let words = stands == nil ? "" : lexicon.say(.itLastSaid, [.condition: word(thing)])
            reply = Reply(say(.outOfReach, [.thing: name, .rest: words]), confidence: stands == nil ? 0 : 0.4)
        } else if let stands {
            let sentence = lexicon.say(isMany(thing) ? .thingsAre : .thingIs, [.thing: name, .condition: word(thing)])
            if thing.entity.isAssumed {
                reply = Reply(say(.assumedIs, [.rest: sentence]), confidence: 0.7)
            } else {
                reply = Reply(isAsked ? say(stands ? .yes : .no, [.rest: sentence]) : sentence)
                reply.findings = [.truth(stands)] + (stands ? [.device(thing.device.id)] : [])
            }
        } else {
            reply = dontKnow(.saidNothing, [.thing: name])
        }
        reply.devices = [thing.device.id]
        return reply
    }

    private func some(
        _ things: [Thing], _ holding: [Thing], _ unsure: [Thing], _ condition: Condition, _ question: Question
    ) async throws -> Reply {
        let isYesNo = question.ask.isYesNo
        var reply: Reply
        if holding.isEmpty {
            if unsure.count == things.count {
                reply = Reply(try await unknown(unsure), confidence: 0)
                reply.devices = things.count <= 8 ? unique(unsure.map(\.device.id)) : []
                return reply
            }
            let name = name(question.subject, things)
            let sentence =
                name.isEmpty || !question.subject.named.isEmpty && name.isEmpty
                ? lexicon.say(.nothingIs, [.condition: word(condition), .rest: place(question.subject)])
                : lexicon.say(.noneIs, [.thing: name, .condition: word(condition)])
            // That none is known to be so is no "no".
            reply = Reply(!unsure.isEmpty ? say(.asFar, [.rest: sentence]) : isYesNo ? say(.no, [.rest: sentence]) : sentence)
        } else {
            let names = telling.list(holding.map(name), atMost: 12)
            let sentence = lexicon.say(
                holding.count == 1 && !holding.contains(where: isMany) ? .thingIs : .thingsAre,
                [.thing: names, .condition: word(condition), .count: String(holding.count)])
            reply = Reply(isYesNo ? say(.yes, [.rest: sentence]) : sentence)
            if case .howMany = question.ask { reply.response = say(.countIs, [.count: String(holding.count), .rest: sentence]) }
        }
        if !unsure.isEmpty {
            reply.response += " " + (try await unknown(unsure))
            reply.confidence = holding.isEmpty ? 0.6 : 0.8
        }
        reply.findings = (holding.isEmpty && !unsure.isEmpty ? [] : [.truth(!holding.isEmpty)]) + holding.map { .device($0.device.id) }
        reply.devices = holding.map(\.device.id)
        return reply
    }

    private func allOf(
        _ things: [Thing], _ holding: [Thing], _ unsure: [Thing], _ condition: Condition, _ question: Question
    ) async throws -> Reply {
        let others = things.filter { !holding.contains($0) && !unsure.contains($0) }
        let name = name(question.subject, things)
        var reply: Reply
        if others.isEmpty, unsure.isEmpty {
            let sentence = lexicon.say(
                name.isEmpty ? .thingIs : .allAre,
                [.thing: name.isEmpty ? lexicon.say(.everything) : name, .condition: word(condition)])
            reply = Reply(say(.yes, [.rest: sentence]))
        } else if others.isEmpty {
            reply = Reply(try await unknown(unsure), confidence: holding.isEmpty ? 0 : 0.4)
            if !holding.isEmpty { reply.response += " " + Telling.capital(say(.othersAre, [.condition: word(condition)])) }
            reply.devices = unique(unsure.map(\.device.id))
            return reply
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
            if !unsure.isEmpty { reply.response += " " + (try await unknown(unsure)) }
        }
        reply.findings = [.truth(others.isEmpty)] + others.map { .device($0.device.id) }
        reply.devices = others.map(\.device.id)
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
    var isYesNo: Bool {
        if case .isIt = self { true } else { false }
    }
}
