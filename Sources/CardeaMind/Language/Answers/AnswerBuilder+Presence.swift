import CardeaModel
import Foundation

/// Answers who is home, and who came and went.
extension AnswerBuilder {
    func answerPresence(_ isHome: Bool, _ question: Question) async throws -> Reply {
        if let refusal = refusal(of: question.actors) { return refusal }
        let asked = people(question.actors)
        if let period = question.period { return try await answerPresence(isHome, asked, at: period, question) }
        if case .actors = question.actors {
            guard let person = asked.first, asked.count == 1 else { return unknownReply(.noSense) }
            let name = name(ofActor: person.key) ?? person.name
            guard let home = person.isHome else { return unknownReply(.whereaboutsUnknown, [.who: name]) }
            let sentence = lexicon.answerText(
                person.key == visibility.key ? (home ? .youAreHome : .youAreAway) : home ? .isHome : .isAway, [.who: name])
            var reply = Reply(question.intent == .whereIs ? sentence : answerText(home == isHome ? .yes : .no, [.rest: sentence]))
            reply.facts = [.truth(home == isHome), .person(person.key)]
            reply.events = try await lastPresenceEvents(person.key)
            return reply
        }
        let these = asked.filter { $0.isHome == isHome }
        let names = these.map { name(ofActor: $0.key) ?? $0.name }
        let sentence: String
        if these.isEmpty {
            sentence = answerText(isHome ? .nobodyHome : .nobodyAway)
        } else if these.count == 1, these.first?.key == visibility.key {
            sentence = answerText(isHome ? .youAreHome : .youAreAway)
        } else {
            sentence = answerText(
                these.count == 1 ? (isHome ? .isHome : .isAway) : isHome ? .areHome : .areAway, [.who: formatter.list(names)])
        }
        var reply = Reply(sentence)
        let unknown = asked.filter { $0.isHome == nil }
        if !unknown.isEmpty, visibility.seesEverybody {
            let unsaid = answerText(.whereaboutsUnknown, [.who: formatter.list(unknown.map(\.name))])
            // An unknown presence is not an absence.
            let known = asked.filter { $0.isHome != nil && $0.isHome != isHome }
            let others = known.map { name(ofActor: $0.key) ?? $0.name }
            if these.isEmpty, !known.isEmpty {
                let phrase: AnswerSentence =
                    known.count == 1 && known.first?.key != visibility.key ? (isHome ? .isAway : .isHome) : isHome ? .areAway : .areHome
                reply.response =
                    AnswerFormatter.capitalized(answerText(phrase, [.who: formatter.list(others)])) + " "
                    + AnswerFormatter.capitalized(unsaid)
            } else {
                reply.response = these.isEmpty ? unsaid : "\(reply.response) \(unsaid)"
            }
            reply.confidence = these.isEmpty && known.isEmpty ? 0 : 0.8
        }
        // Added whenever the requester's visibility is limited, whether or not people are home.
        if !visibility.seesEverybody {
            reply = Reply(ownPresence(isHome, asked.first { $0.key == visibility.key }) + " " + answerText(.othersHidden), confidence: 0.5)
        }
        reply.facts = [.truth(!these.isEmpty)] + these.map { .person($0.key) }
        let known = these.isEmpty ? asked.filter { $0.isHome != nil } : these
        for person in known.prefix(Self.citationLimit) { reply.events += try await lastPresenceEvents(person.key) }
        reply.moreEvents = max(known.count - Self.citationLimit, 0)
        return reply
    }

    private func ownPresence(_ isHome: Bool, _ person: Inhabitant?) -> String {
        guard let home = person?.isHome else { return answerText(.whereaboutsUnknown, [.who: lexicon.answerText(.you)]) }
        return answerText(home ? .youAreHome : .youAreAway)
    }

    private func answerPresence(_ isHome: Bool, _ asked: [Inhabitant], at period: Period, _ question: Question) async throws -> Reply {
        if let forgotten = try await retentionReply(period) { return forgotten }
        var home: [String] = []
        var (events, others): ([String], [String]) = ([], [])
        for person in asked {
            let within = try await actionHistory.all(
                HouseEventFilter(actors: [person.key], kinds: [.presence], from: period.from, to: period.to)
            )
            .events
            let before = try await houseHistory.events(
                HouseEventFilter(actors: [person.key], kinds: [.presence], to: period.from ?? period.to, limit: 1), seenBy: visibility)
            guard (before.prefix(1) + within).contains(where: { $0.fact == .presence(isHome: isHome) }) else {
                others += (before.prefix(1) + within).map(\.id)
                continue
            }
            home.append(person.key)
            events += (before.prefix(1) + within).map(\.id)
        }
        let names = home.map { name(ofActor: $0) ?? "" }
        if case .actors = question.actors, home.isEmpty {
            // The people who were named were elsewhere, or their presence is not recorded.
            let who = asked.map { name(ofActor: $0.key) ?? $0.name }
            let isOne = asked.count == 1 && asked.first?.key != visibility.key
            var reply = Reply(
                answerText(
                    isOne ? (isHome ? .wasAway : .wasHome) : isHome ? .wereAway : .wereHome,
                    [.who: formatter.list(who), .when: period.words])
            )
            reply.facts = [.truth(false)]
            reply.events = others
            return reply
        }
        var reply =
            home.isEmpty
            ? Reply(
                answerText(visibility.seesEverybody ? (isHome ? .nobodyWasHome : .nobodyWasAway) : .nobodyKnownHome, [.when: period.words]))
            : Reply(
                answerText(
                    home.count == 1 && home.first != visibility.key ? (isHome ? .wasHome : .wasAway) : isHome ? .wereHome : .wereAway,
                    [.who: formatter.list(names), .when: period.words]))
        if !visibility.seesEverybody { reply.response += " " + answerText(.othersHidden); reply.confidence = 0.5 }
        reply.facts = [.truth(!home.isEmpty)] + home.map { .person($0) }
        reply.events = home.isEmpty ? others : events
        return reply
    }

    func answerArrivals(_ isHome: Bool, _ isFirst: Bool, _ question: Question) async throws -> Reply {
        if let refusal = refusal(of: question.actors) { return refusal }
        // Guests do not come home: their visits are recorded at the doors.
        if isHome, case .actors(let keys) = question.actors, !keys.isEmpty, keys.allSatisfy({ $0.hasPrefix("guest:") }) {
            return try await answerActions(
                Question(intent: .did(.open), subject: question.subject, actors: question.actors, period: question.period))
        }
        if let forgotten = try await retentionReply(question.period) { return forgotten }
        let keys = people(question.actors).map(\.key)
        var wanted = HouseEventFilter(
            actors: Set(keys), kinds: [.presence], from: question.period?.from, to: question.period?.to, newestFirst: false, limit: 1000)
        if question.period == nil { wanted.newestFirst = true }
        let found = try await houseHistory.events(wanted, seenBy: visibility).filter { $0.fact == .presence(isHome: isHome) }
        let all = question.period == nil ? (isFirst ? found.suffix(1) : found.prefix(1)) : isFirst ? found.prefix(1) : found[...]
        guard !all.isEmpty else {
            let when = question.period?.words ?? ""
            var reply: Reply
            if case .actors(let keys) = question.actors {
                reply = Reply(
                    answerText(
                        isHome ? .didNotCome : .didNotLeave, [.who: formatter.list(keys.map { name(ofActor: $0) ?? "" }), .when: when]),
                    confidence: question.period == nil ? 0.5 : 1)
            } else {
                reply = Reply(answerText(visibility.seesEverybody ? (isHome ? .nobodyCame : .nobodyLeft) : .nobodyKnownCame, [.when: when]))
            }
            reply.facts = [.truth(false), .count(0)]
            return reply
        }
        let parts = all.suffix(8).map { event in
            lexicon.answerText(
                isHome ? .cameHome : .left,
                [
                    .who: name(ofActor: event.actor) ?? lexicon.answerText(.somebody),
                    .when: formatter.moment(event.at, in: question.period),
                ])
        }
        var reply = Reply(AnswerFormatter.capitalized(formatter.list(parts)) + ".")
        if all.count > 8 { reply.response = answerText(.inAll, [.count: countPhrase(all.count)]) + " " + reply.response }
        if !visibility.seesEverybody, question.actors == nil || question.actors == .anybody {
            reply.response += " " + answerText(.othersHidden)
        }
        reply.facts = all.flatMap { event in [.moment(event.at)] + (event.actor.map { [.person($0)] } ?? []) }
        reply.events = all.map(\.id)
        return reply
    }

    /// The period in which the person was last home or away; nil if unknown.
    func period(of reference: PresenceReference) async throws -> Period? {
        let wanted = HouseEventFilter(actors: [reference.personKey], kinds: [.presence], limit: 200)
        var end = now
        for event in try await houseHistory.events(wanted, seenBy: visibility) {
            if event.fact == .presence(isHome: reference.isHome) { return Period(from: event.at, to: end, words: phrase(for: reference)) }
            end = event.at
        }
        return nil
    }

    /// "While you were away."
    func phrase(for reference: PresenceReference) -> String {
        guard reference.personKey != visibility.key else { return lexicon.answerText(reference.isHome ? .whenYouHome : .whenYouAway) }
        return lexicon.answerText(reference.isHome ? .whenHome : .whenAway, [.who: name(ofActor: reference.personKey) ?? ""])
    }

    /// The people a question is about, of those the requester may see.
    private func people(_ who: ActorFilter?) -> [Inhabitant] {
        let all = house.people + house.guests
        switch who {
        case .actors(let keys): return keys.map { key in all.first { $0.key == key } ?? Inhabitant(key: key, name: "") }
        case .guests: return house.guests
        case nil, .anybody:
            let known = all.filter { refusal(of: .actors([$0.key])) == nil }
            return who == nil || who == .anybody ? known.filter { $0.isHome != nil || $0.key.hasPrefix("person:") } : known
        }
    }

    private func lastPresenceEvents(_ key: String) async throws -> [String] {
        try await houseHistory.events(HouseEventFilter(actors: [key], kinds: [.presence], limit: 1), seenBy: visibility).map(\.id)
    }
}
