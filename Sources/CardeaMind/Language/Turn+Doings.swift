import CardeaModel
import Foundation

/// Who did it, whether, when and how often.
extension Turn {
    func answerDoing(_ question: Question) async throws -> Reply {
        guard let deed = question.ask.deed else { return dontKnow(.noSense) }
        let found = scope.find(question.subject, isSet: question.subject.isAny) { deed.rank($0, isNamed: $1) }
        if let problem = problem(found, question, .cannotBeDone) { return problem }
        guard case .things(let things) = found else { return dontKnow(.noSense) }
        if let forgotten = try await forgotten(question.period) { return forgotten }
        var reply: Reply
        switch question.ask {
        case .whoDid where question.period == nil: reply = try await last(deed, things, question, isFirst: false)
        case .when(_, let isFirst): reply = try await last(deed, things, question, isFirst: isFirst)
        case .howOften: reply = try await howOften(deed, things, question)
        case .did where question.period == nil && question.who != nil && question.who != .anybody:
            reply = try await last(deed, things, question, isFirst: false)
        default: reply = try await during(deed, things, question)
        }
        if reply.devices.isEmpty { reply.devices = things.count <= 8 ? things.map(\.device.id) : [] }
        return reply
    }

    private func during(_ deed: Deed, _ things: [Thing], _ question: Question) async throws -> Reply {
        let period =
            question.period
            ?? Period(from: clock.moment(clock.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true)
        let done = try await doings.done(deed, to: things, in: period)
        let mine = done.doings.filter { isBy(question.who, $0.actor) }
        guard done.isWhole else { return dontKnow(.tooMuch) }
        let sureness = try await sureness(deed, things, done, question.who, from: period.from, to: period.to)
        guard let first = mine.first else { return nothing(deed, things, question, period, sureness) }
        var reply: Reply
        if mine.count == 1 {
            reply = Reply(one(first, things, period))
        } else if mine.count <= 4 {
            let parts = mine.map { doing in
                lexicon.say(
                    .doneAt, [.who: by(doing), .when: moment(doing, period), .thing: things.count > 1 ? device(doing) : ""])
            }
            reply = Reply(
                say(
                    .doneTimes,
                    [
                        .thing: doneName(question.subject, things), .did: did(deed, mine, things), .count: times(mine.count),
                        .when: period.words, .list: telling.list(parts),
                    ]))
        } else {
            let counts = Dictionary(grouping: mine) { by($0) }.map { ($0.key, $0.value.count) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
            let parts = counts.map { lexicon.say(.doneBy, [.who: $0.0, .count: times($0.1)]) }
            let last = mine.last ?? first
            reply = Reply(
                say(
                    .doneTimes,
                    [
                        .thing: doneName(question.subject, things), .did: did(deed, mine, things), .count: times(mine.count),
                        .when: period.words, .list: telling.list(parts, atMost: 5),
                    ])
                    + " " + say(.lastTime, [.when: moment(last, period), .who: by(last)]))
        }
        var isYes = false
        if case .did = question.ask {
            isYes = true
            reply.response = say(.yes, [.rest: reply.response])
            reply.findings.append(.truth(true))
        }
        reply.findings += mine.map { .doing($0) }
        reply.events = mine.flatMap(\.events)
        reply.devices = unique(mine.map(\.deviceID))
        // That it was done is sure, whatever else was done.
        return isYes ? reply : reply.weighed(by: sureness, telling)
    }

    /// The doubts of an answer about doings.
    ///
    /// - Parameter done: what anybody did within the time, and asked for.
    private func sureness(
        _ deed: Deed, _ things: [Thing], _ done: Doings.Done, _ who: Who?, from: Date?, to: Date
    ) async throws -> Sureness {
        let all = done.doings
        var doubts = try await sureness(of: things, from: from, to: to).doubts
        if let doubt = unclear(done.unclear, who) { doubts.append(doubt) }
        let silent = things.filter(\.entity.isAssumed)
        if !silent.isEmpty { doubts.append(.askedOnly(things: silent.map(name))) }
        if all.contains(where: \.isErased) { doubts.append(.erased) }
        switch who {
        case .guests, .these:
            // Those of which nobody is known may be theirs.
            let unknown = all.count { $0.actor == nil }
            if sight.seesEverybody, unknown > 0 { doubts.append(.nobodyKnown(count: unknown)) }
        case nil, .anybody:
            if !sight.seesEverybody, things.contains(where: { deed.countsEachAsking(of: $0.entity) }) { doubts.append(.hidden) }
        }
        return Sureness(doubts: doubts)
    }

    /// The doubt that askings leave of which nobody knows what came of them; those of others leave none about what somebody did.
    private func unclear(_ askings: [Happening], _ who: Who?) -> Doubt? {
        let own = askings.filter { $0.actor == nil || isBy(who, $0.actor) }
        guard let last = own.last, case .asked(let verb, _, _) = last.fact else { return nil }
        let device = last.deviceID.flatMap(scope.device).map { telling.thing($0.name) } ?? lexicon.say(.somethingThere)
        let values: [Place: String] = [
            .who: name(ofActor: last.actor) ?? lexicon.say(.somebody), .verb: said(verb), .thing: device, .when: telling.moment(last.at),
            .count: times(own.count),
        ]
        return .unclear(words: lexicon.say(own.count == 1 ? .askedUnclear : .askedUnclearOften, values))
    }

    /// The answer where nothing of the time is on record; else nil.
    private func blank(_ things: [Thing], _ period: Period, _ sureness: Sureness) -> Reply? {
        let devices = Set(things.map(\.device.id)).count
        guard sureness.isBlank(of: devices, from: period.from, to: min(period.to, now)) else { return nil }
        return Reply(sureness.words(telling).joined(separator: " "), confidence: 0)
    }

    /// The moment of a doing; of one while its device was out of reach, the two moments between which it was.
    private func moment(_ doing: DoneDeed, _ period: Period?) -> String {
        guard let earliest = doing.notBefore else { return telling.moment(doing.at, in: period) }
        return lexicon.say(.someTimeBetween, [.from: telling.moment(earliest), .to: telling.moment(doing.at)])
    }

    private func by(_ doing: DoneDeed) -> String { doing.isErased ? lexicon.say(.byErased) : by(doing.actor) }

    /// "Ada unlocked the back door at 19:04, and it was locked again at 19:06."
    private func one(_ doing: DoneDeed, _ things: [Thing], _ period: Period?) -> String {
        let again = doing.undoneAt.flatMap { undone -> String? in
            guard let word = did(undoing: doing.deed, of: doing, things) else { return nil }
            let isSameDay = clock.day(of: undone) == clock.day(of: doing.at)
            let moment = isSameDay ? lexicon.say(.atTime, [.time: Telling.clock(clock.minutes(of: undone))]) : telling.moment(undone)
            return lexicon.say(.andAgain, [.did: word, .when: moment])
        }
        let word = did(doing.deed, [doing], things)
        let when = moment(doing, period)
        if let name = name(ofActor: doing.actor) {
            return say(.didIt, [.who: name, .did: word, .thing: device(doing), .when: when, .rest: again ?? ""])
        }
        return say(.wasDone, [.thing: device(doing), .did: word, .when: when, .who: by(doing), .rest: again ?? ""])
    }

    private func nothing(
        _ deed: Deed, _ things: [Thing], _ question: Question, _ period: Period, _ sureness: Sureness
    ) -> Reply {
        if let blank = blank(things, period, sureness) { return blank }
        let thing = doneName(question.subject, things)
        var sentence: String
        if case .these(let keys) = question.who {
            let names = keys.map { name(ofActor: $0) ?? "" }
            let thing = question.subject.named.isEmpty && things.count > 1 && thing.isEmpty ? lexicon.word(.joint(.any)) : thing
            sentence = say(.didNot, [.who: telling.list(names), .verb: base(deed), .thing: thing, .when: period.words])
        } else if question.who == .guests {
            sentence = say(.noGuestDid, [.did: did(deed, [], things), .thing: anything(thing), .when: period.words])
        } else {
            sentence = say(
                sight.seesEverybody ? .nobodyDid : .nobodyKnown,
                [.did: did(deed, [], things), .thing: anything(thing), .when: period.words])
        }
        // That the record has none is no "no" where something is missing from it.
        if sureness.hasGaps {
            let isHedged = (question.who ?? .anybody) == .anybody && !sight.seesEverybody
            var reply = Reply(isHedged ? sentence : say(.asFar, [.rest: sentence]))
            reply.findings = [.count(0)]
            return reply.weighed(by: sureness, telling)
        }
        if case .did = question.ask { sentence = say(.no, [.rest: sentence]) }
        var reply = Reply(sentence)
        reply.findings = [.truth(false), .count(0)]
        return reply.weighed(by: sureness, telling)
    }

    private func last(_ deed: Deed, _ things: [Thing], _ question: Question, isFirst: Bool) async throws -> Reply {
        let found = try await doings.last(deed, to: things, in: question.period, now: now, isFirst: isFirst) {
            isBy(question.who, $0.actor)
        }
        guard let found else {
            if let period = question.period {
                let done = try await doings.done(deed, to: things, in: period)
                let sureness = try await sureness(deed, things, done, question.who, from: period.from, to: period.to)
                return nothing(deed, things, question, period, sureness)
            }
            var reply = Reply(
                say(.neverDone, [.thing: anything(doneName(question.subject, things)), .did: did(deed, [], things)]), confidence: 0.5)
            reply.findings = [.count(0)]
            var done = Doings.Done()
            if let asking = try await doings.lastUnclear(deed, to: things, before: now) { done.unclear = [asking] }
            return reply.weighed(by: try await sureness(deed, things, done, question.who, from: now, to: now), telling)
        }
        let again = found.undoneAt == nil && stands(found, things) ? lexicon.say(.andStill) : ""
        var reply = Reply(
            say(
                isFirst ? .firstDone : .lastDone,
                [
                    .thing: device(found), .did: did(deed, [found], things), .when: moment(found, nil), .who: by(found), .rest: again,
                ]))
        if case .did = question.ask { reply.response = say(.yes, [.rest: reply.response]) }
        reply.findings = [.doing(found), .moment(found.at)]
        reply.events = found.events
        reply.devices = [found.deviceID]
        // Before the first and after the last there may be another where something is missing.
        let (from, to): (Date?, Date) = isFirst ? (question.period?.from, found.at) : (found.at, question.period?.to ?? now)
        var done = try await doings.done(deed, to: things, in: Period(from: from, to: to, words: ""))
        if isFirst { done.doings.append(found) }
        return reply.weighed(by: try await sureness(deed, things, done, question.who, from: from, to: to), telling)
    }

    private func howOften(_ deed: Deed, _ things: [Thing], _ question: Question) async throws -> Reply {
        let period =
            question.period
            ?? Period(from: clock.moment(clock.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true)
        let done = try await doings.done(deed, to: things, in: period)
        guard done.isWhole else { return dontKnow(.tooMuch) }
        let mine = done.doings.filter { isBy(question.who, $0.actor) }
        let who: String? = if case .these(let keys) = question.who { telling.list(keys.compactMap { name(ofActor: $0) }) } else { nil }
        let thing = doneName(question.subject, things)
        var reply = Reply(
            say(
                who == nil ? .wasDoneTimes : .didTimes,
                [
                    .who: who ?? "", .thing: who == nil ? thing : anything(thing), .did: did(deed, mine, things),
                    .count: mine.isEmpty ? lexicon.say(.notOnce) : times(mine.count), .when: period.words,
                ]))
        reply.findings = [.count(mine.count)] + mine.map { .doing($0) }
        reply.events = mine.flatMap(\.events)
        let sureness = try await sureness(deed, things, done, question.who, from: period.from, to: period.to)
        if mine.isEmpty, let blank = blank(things, period, sureness) { return blank }
        return reply.weighed(by: sureness, telling)
    }

    // MARK: Words

    func times(_ count: Int) -> String { telling.times(count) }

    /// "Opened"; of a lock "unlocked", since that is what is known of it.
    private func did(_ deed: Deed, _ doings: [DoneDeed], _ things: [Thing]) -> String {
        let entities = doings.map(\.entityID)
        let areLocks = !doings.isEmpty && entities.allSatisfy { id in things.first { $0.entity.id == id }?.entity.kind == .lock }
        switch deed {
        case .open: return lexicon.word(.done(areLocks ? .unlock : .open))
        case .close: return lexicon.word(.done(areLocks ? .lock : .close))
        case .lock: return lexicon.word(.done(.lock))
        case .unlock: return lexicon.word(.done(.unlock))
        case .on: return lexicon.word(.done(.turn)) + " " + lexicon.word(.power(.on))
        case .off: return lexicon.word(.done(.turn)) + " " + lexicon.word(.power(.off))
        case .use: return lexicon.word(.done(.use))
        case .set: return lexicon.word(.done(.set))
        }
    }

    private func did(undoing deed: Deed, of doing: DoneDeed, _ things: [Thing]) -> String? {
        let opposite: Deed? =
            switch deed {
            case .open: .close
            case .close: .open
            case .lock: .unlock
            case .unlock: .lock
            case .on: .off
            case .off: .on
            case .use, .set: nil
            }
        return opposite.map { did($0, [doing], things) }
    }

    private func base(_ deed: Deed) -> String {
        switch deed {
        case .open: lexicon.word(.base(.open))
        case .close: lexicon.word(.base(.close))
        case .lock: lexicon.word(.base(.lock))
        case .unlock: lexicon.word(.base(.unlock))
        case .on: lexicon.word(.base(.turn)) + " " + lexicon.word(.power(.on))
        case .off: lexicon.word(.base(.turn)) + " " + lexicon.word(.power(.off))
        case .use: lexicon.word(.base(.use))
        case .set: lexicon.word(.base(.set))
        }
    }

    private func stands(_ doing: DoneDeed, _ things: [Thing]) -> Bool {
        guard let thing = things.first(where: { $0.entity.id == doing.entityID }) else { return false }
        return doing.deed.outcome.flatMap { $0.holds(thing.entity.state.value, thing.entity) } ?? false
    }

    private func doneName(_ subject: Subject, _ things: [Thing]) -> String {
        let name = name(subject, things)
        return name.isEmpty
            ? [lexicon.word(.joint(.any)), place(subject)].filter { !$0.isEmpty && !place(subject).isEmpty }.joined(separator: " ") : name
    }

    private func anything(_ name: String) -> String { name.isEmpty ? lexicon.phrases(.joint(.any)).dropFirst().first ?? "" : name }

    private func device(_ doing: DoneDeed) -> String { scope.device(doing.deviceID).map { telling.thing($0.name) } ?? "" }

    func unique(_ ids: [String]) -> [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

extension Ask {
    var deed: Deed? {
        switch self {
        case .whoDid(let deed), .did(let deed), .when(let deed, _), .howOften(let deed): deed
        default: nil
        }
    }
}
