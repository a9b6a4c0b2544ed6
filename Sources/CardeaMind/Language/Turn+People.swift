import CardeaModel
import Foundation

/// Who is home, who came and went.
extension Turn {
    func presence(_ isHome: Bool, _ question: Question) async throws -> Reply {
        if let refusal = refusal(of: question.who) { return refusal }
        let asked = people(question.who)
        if let period = question.period { return try await presence(isHome, asked, at: period, question) }
        if case .these = question.who {
            guard let person = asked.first, asked.count == 1 else { return dontKnow(.noSense) }
            let name = name(ofActor: person.key) ?? person.name
            guard let home = person.isHome else { return dontKnow(.whereaboutsUnknown, [.who: name]) }
            let sentence = lexicon.say(
                person.key == sight.key ? (home ? .youAreHome : .youAreAway) : home ? .isHome : .isAway, [.who: name])
            var reply = Reply(question.ask == .whereIs ? sentence : say(home == isHome ? .yes : .no, [.rest: sentence]))
            reply.findings = [.truth(home == isHome), .person(person.key)]
            reply.events = try await lastPresence(person.key)
            return reply
        }
        let these = asked.filter { $0.isHome == isHome }
        let names = these.map { name(ofActor: $0.key) ?? $0.name }
        let sentence: String
        if these.isEmpty {
            sentence = say(isHome ? .nobodyHome : .nobodyAway)
        } else if these.count == 1, these.first?.key == sight.key {
            sentence = say(isHome ? .youAreHome : .youAreAway)
        } else {
            sentence = say(these.count == 1 ? (isHome ? .isHome : .isAway) : isHome ? .areHome : .areAway, [.who: telling.list(names)])
        }
        var reply = Reply(sentence)
        let unknown = asked.filter { $0.isHome == nil }
        if !unknown.isEmpty, sight.seesEverybody {
            let unsaid = say(.whereaboutsUnknown, [.who: telling.list(unknown.map(\.name))])
            // That nobody is known to be home is not that nobody is.
            let known = asked.filter { $0.isHome != nil && $0.isHome != isHome }
            let others = known.map { name(ofActor: $0.key) ?? $0.name }
            if these.isEmpty, !known.isEmpty {
                let phrase: Phrase =
                    known.count == 1 && known.first?.key != sight.key ? (isHome ? .isAway : .isHome) : isHome ? .areAway : .areHome
                reply.response = Telling.capital(say(phrase, [.who: telling.list(others)])) + " " + Telling.capital(unsaid)
            } else {
                reply.response = these.isEmpty ? unsaid : "\(reply.response) \(unsaid)"
            }
            reply.confidence = these.isEmpty && known.isEmpty ? 0 : 0.8
        }
        // Said whenever their sight is narrow, whoever is there.
        if !sight.seesEverybody {
            reply = Reply(own(isHome, asked.first { $0.key == sight.key }) + " " + say(.othersHidden), confidence: 0.5)
        }
        reply.findings = [.truth(!these.isEmpty)] + these.map { .person($0.key) }
        let known = these.isEmpty ? asked.filter { $0.isHome != nil } : these
        for person in known.prefix(Self.cited) { reply.events += try await lastPresence(person.key) }
        reply.moreEvents = max(known.count - Self.cited, 0)
        return reply
    }

    private func own(_ isHome: Bool, _ person: Inhabitant?) -> String {
        guard let home = person?.isHome else { return say(.whereaboutsUnknown, [.who: lexicon.say(.you)]) }
        return say(home ? .youAreHome : .youAreAway)
    }

    private func presence(_ isHome: Bool, _ asked: [Inhabitant], at period: Period, _ question: Question) async throws -> Reply {
        if let forgotten = try await forgotten(period) { return forgotten }
        var home: [String] = []
        var (events, others): ([String], [String]) = ([], [])
        for person in asked {
            let within = try await doings.all(HappeningFilter(actors: [person.key], kinds: [.presence], from: period.from, to: period.to))
                .happenings
            let before = try await recollection.happenings(
                HappeningFilter(actors: [person.key], kinds: [.presence], to: period.from ?? period.to, limit: 1), seenBy: sight)
            guard (before.prefix(1) + within).contains(where: { $0.fact == .presence(isHome: isHome) }) else {
                others += (before.prefix(1) + within).map(\.id)
                continue
            }
            home.append(person.key)
            events += (before.prefix(1) + within).map(\.id)
        }
        let names = home.map { name(ofActor: $0) ?? "" }
        if case .these = question.who, home.isEmpty {
            // Whoever was named was elsewhere, or is not known to have been anywhere.
            let who = asked.map { name(ofActor: $0.key) ?? $0.name }
            let isOne = asked.count == 1 && asked.first?.key != sight.key
            var reply = Reply(
                say(
                    isOne ? (isHome ? .wasAway : .wasHome) : isHome ? .wereAway : .wereHome, [.who: telling.list(who), .when: period.words])
            )
            reply.findings = [.truth(false)]
            reply.events = others
            return reply
        }
        var reply =
            home.isEmpty
            ? Reply(say(sight.seesEverybody ? (isHome ? .nobodyWasHome : .nobodyWasAway) : .nobodyKnownHome, [.when: period.words]))
            : Reply(
                say(
                    home.count == 1 && home.first != sight.key ? (isHome ? .wasHome : .wasAway) : isHome ? .wereHome : .wereAway,
                    [.who: telling.list(names), .when: period.words]))
        if !sight.seesEverybody { reply.response += " " + say(.othersHidden); reply.confidence = 0.5 }
        reply.findings = [.truth(!home.isEmpty)] + home.map { .person($0) }
        reply.events = home.isEmpty ? others : events
        return reply
    }

    func cameOrLeft(_ isHome: Bool, _ isFirst: Bool, _ question: Question) async throws -> Reply {
        if let refusal = refusal(of: question.who) { return refusal }
        // Who is let in for a while does not come home: that they came is told by the doors.
        if isHome, case .these(let keys) = question.who, !keys.isEmpty, keys.allSatisfy({ $0.hasPrefix("guest:") }) {
            return try await answerDoing(Question(ask: .did(.open), subject: question.subject, who: question.who, period: question.period))
        }
        if let forgotten = try await forgotten(question.period) { return forgotten }
        let keys = people(question.who).map(\.key)
        var wanted = HappeningFilter(
            actors: Set(keys), kinds: [.presence], from: question.period?.from, to: question.period?.to, newestFirst: false, limit: 1000)
        if question.period == nil { wanted.newestFirst = true }
        let found = try await recollection.happenings(wanted, seenBy: sight).filter { $0.fact == .presence(isHome: isHome) }
        let all = question.period == nil ? (isFirst ? found.suffix(1) : found.prefix(1)) : isFirst ? found.prefix(1) : found[...]
        guard !all.isEmpty else {
            let when = question.period?.words ?? ""
            var reply: Reply
            if case .these(let keys) = question.who {
                reply = Reply(
                    say(isHome ? .didNotCome : .didNotLeave, [.who: telling.list(keys.map { name(ofActor: $0) ?? "" }), .when: when]),
                    confidence: question.period == nil ? 0.5 : 1)
            } else {
                reply = Reply(say(sight.seesEverybody ? (isHome ? .nobodyCame : .nobodyLeft) : .nobodyKnownCame, [.when: when]))
            }
            reply.findings = [.truth(false), .count(0)]
            return reply
        }
        let parts = all.suffix(8).map { happening in
            lexicon.say(
                isHome ? .cameHome : .left,
                [.who: name(ofActor: happening.actor) ?? lexicon.say(.somebody), .when: telling.moment(happening.at, in: question.period)])
        }
        var reply = Reply(Telling.capital(telling.list(parts)) + ".")
        if all.count > 8 { reply.response = say(.inAll, [.count: times(all.count)]) + " " + reply.response }
        if !sight.seesEverybody, question.who == nil || question.who == .anybody { reply.response += " " + say(.othersHidden) }
        reply.findings = all.flatMap { happening in [.moment(happening.at)] + (happening.actor.map { [.person($0)] } ?? []) }
        reply.events = all.map(\.id)
        return reply
    }

    /// When somebody was home or away last; nil where nothing tells.
    func period(of stay: Stay) async throws -> Period? {
        let wanted = HappeningFilter(actors: [stay.who], kinds: [.presence], limit: 200)
        var end = now
        for happening in try await recollection.happenings(wanted, seenBy: sight) {
            if happening.fact == .presence(isHome: stay.isHome) { return Period(from: happening.at, to: end, words: words(for: stay)) }
            end = happening.at
        }
        return nil
    }

    /// "While you were away."
    func words(for stay: Stay) -> String {
        guard stay.who != sight.key else { return lexicon.say(stay.isHome ? .whenYouHome : .whenYouAway) }
        return lexicon.say(stay.isHome ? .whenHome : .whenAway, [.who: name(ofActor: stay.who) ?? ""])
    }

    /// Whom a question is about, of those the asker may hear of.
    private func people(_ who: Who?) -> [Inhabitant] {
        let all = house.people + house.guests
        switch who {
        case .these(let keys): return keys.map { key in all.first { $0.key == key } ?? Inhabitant(key: key, name: "") }
        case .guests: return house.guests
        case nil, .anybody:
            let known = all.filter { refusal(of: .these([$0.key])) == nil }
            return who == nil || who == .anybody ? known.filter { $0.isHome != nil || $0.key.hasPrefix("person:") } : known
        }
    }

    private func lastPresence(_ key: String) async throws -> [String] {
        try await recollection.happenings(HappeningFilter(actors: [key], kinds: [.presence], limit: 1), seenBy: sight).map(\.id)
    }
}
