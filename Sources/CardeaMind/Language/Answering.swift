import CardeaModel
import Foundation

/// Answers what somebody asks the house in plain words.
///
/// **What may be told.** An answer is made only of what came through the asker's `Sight`: the house as they see it, and what the recollection
/// shows them. Where their sight is narrower than the question, the answer says so in words that depend on the question and on the sight
/// alone, never on what there was to find: "as far as I can tell you, nobody" is said whether nothing happened or something is hidden,
/// and a question about somebody else's doing is refused before anything is looked up. A device, a guest or a meter they may not see is
/// answered like one that does not exist.
///
/// **Nothing is done.** Wishes become suggestions. What lets somebody in is suggested only where a verb of opening was written out; a
/// misspelt one is asked back. Names are looked up and shown, and never read as anything else.
public struct Answering: Sendable {
    let lexicon: Lexicon
    let recollection: any Recollection
    let faculties: Faculties

    public init(lexicon: Lexicon, recollection: any Recollection, faculties: Faculties = Faculties()) {
        self.lexicon = lexicon
        self.recollection = recollection
        self.faculties = faculties
    }

    /// - Parameters:
    ///   - house: as the asker sees it.
    ///   - preferences: by whose rates a cost is told, and in whose degrees a temperature is said and meant.
    ///   - last: what was said before, for "and the day before?".
    public func answer(
        _ sentence: String, in house: HousePicture, seenBy sight: Sight, at now: Date, preferences: Preferences = Preferences(),
        after last: Exchange? = nil
    ) async throws -> Reply {
        let house = house.seen(by: sight)
        let reading = SentenceReading(
            lexicon: lexicon, names: Names(house, lexicon: lexicon), clock: WallClock(house.zone), now: now, asker: sight.key, last: last,
            degrees: preferences.temperatureUnit)
        let turn = turn(in: house, seenBy: sight, at: now, preferences)
        return try await reply(to: reading.read(sentence), turn)
    }

    private func reply(to understanding: Understanding, _ turn: Turn) async throws -> Reply {
        switch understanding {
        case .several(let parts):
            var replies: [Reply] = []
            for part in parts { replies.append(try await reply(to: part, turn)) }
            return Reply(replies)
        case .question(let question):
            var reply = try await turn.answer(question)
            reply.response = Telling.capital(reply.response)
            reply.exchange = Exchange(question: question, wishes: [], devices: reply.devices, people: reply.people)
            return reply
        case .wishes(let wishes):
            var reply = turn.suggest(wishes)
            reply.exchange = Exchange(question: nil, wishes: wishes, devices: reply.devices, people: [])
            return reply
        case .unknown(let words): return turn.unread(.unknownWords, [.words: turn.quoted(words)])
        case .unclear(let words):
            var reply = turn.dontKnow(.unclearWord, [.words: turn.quoted(words)])
            reply.choices = words
            return reply
        case .noSense: return turn.unread(.noSense)
        case .unclearTime: return turn.unread(.unclearTime)
        case .future: return turn.dontKnow(.stillToCome)
        case .pointless: return turn.dontKnow(.pointless)
        case .empty: return turn.dontKnow(.emptySentence)
        }
    }
}

extension Answering {
    /// A sensor's hours as a sentence; nil where whoever asks does not see the sensor, or there are none.
    func line(
        of evidence: ReadingEvidence, _ hours: [HourlyReading], in house: HousePicture, seenBy sight: Sight, at now: Date,
        degrees: TemperatureUnit = .celsius
    ) -> (told: String, device: Device)? {
        turn(in: house.seen(by: sight), seenBy: sight, at: now, Preferences(reading: degrees)).line(evidence, hours)
    }

    /// Whose doings are told with one of these words, as `sight` hears of them.
    func actors(among actors: Set<String>, saying stems: Set<String>, in house: HousePicture, seenBy sight: Sight, at now: Date) -> Set<
        String
    > {
        let turn = turn(in: house.seen(by: sight), seenBy: sight, at: now, Preferences())
        return actors.filter { !stems.isDisjoint(with: MemorySearch.stems(turn.name(ofActor: $0) ?? "")) }
    }

    /// Happenings as sentences, for whoever may be told of them.
    func lines(
        of happenings: [Happening], in house: HousePicture, seenBy sight: Sight, at now: Date, degrees: TemperatureUnit = .celsius
    ) -> [String] {
        let turn = turn(in: house.seen(by: sight), seenBy: sight, at: now, Preferences(reading: degrees))
        return happenings.map { Telling.capital(turn.line($0, nil)) }
    }

    private func turn(in house: HousePicture, seenBy sight: Sight, at now: Date, _ preferences: Preferences) -> Turn {
        let clock = WallClock(house.zone)
        return Turn(
            lexicon: lexicon, house: house, scope: Scope(house: house), sight: sight, now: now, clock: clock,
            telling: Telling(lexicon: lexicon, clock: clock, now: now, degrees: preferences.temperatureUnit),
            doings: Doings(recollection: recollection, sight: sight), recollection: recollection, faculties: faculties,
            preferences: preferences)
    }
}

/// One answer being made.
struct Turn: Sendable {
    let lexicon: Lexicon
    let house: HousePicture
    let scope: Scope
    let sight: Sight
    let now: Date
    let clock: WallClock
    let telling: Telling
    let doings: Doings
    let recollection: any Recollection
    let faculties: Faculties
    let preferences: Preferences

    func answer(_ question: Question) async throws -> Reply {
        if let stay = question.during {
            if let refusal = refusal(of: .these([stay.who])) { return refusal }
            var question = question
            (question.period, question.during) = (try await period(of: stay), nil)
            guard question.period != nil else { return dontKnow(.noSuchTime, [.when: words(for: stay)]) }
            return try await answer(question)
        }
        return try await admitting(try await answer(byKind: question), of: question)
    }

    private func answer(byKind question: Question) async throws -> Reply {
        switch question.ask {
        case .whoDid, .did, .when, .howOften:
            if let refusal = refusal(of: question.who) { return refusal }
            return try await answerDoing(question)
        case .howLong(let condition): return try await howLong(condition, question)
        case .isIt, .which, .howMany: return try await answerStanding(question)
        case .state: return try await state(question)
        case .measure(let measure, let statistic): return try await measured(measure, statistic, question)
        case .lowBatteries: return try await lowBatteries(question)
        case .extremeRoom(let measure, let isHighest): return try await extremeRoom(measure, isHighest, question)
        case .compare(let measure, let isHighest, let other): return try await compared(measure, isHighest, question.subject, other)
        case .list: return list(question)
        case .rooms: return rooms(question)
        case .standing(let isOnline): return try await standing(isOnline, question)
        case .whenStanding(let isOnline): return try await whenStanding(isOnline, question)
        case .whereIs: return try await presence(true, question)
        case .presence(let isHome): return try await presence(isHome, question)
        case .cameOrLeft(let isHome, let isFirst): return try await cameOrLeft(isHome, isFirst, question)
        case .happened: return try await happened(question)
        case .seen(let type, let isCount, let isLast): return try await seen(type, isCount, isLast, question)
        case .refusals: return try await refusals(question)
        case .danger(let alarm, let ask): return try await alarms(alarm, ask, question)
        case .energyUsed, .energyCost, .energyPeak, .energyMost: return try await energy(question)
        case .mood(let feeling):
            guard let mood = faculties.mood else { return dontKnow(.noMood) }
            return try await mood(feeling, sight)
        case .whatIf(var supposition):
            guard let whatIf = faculties.whatIf else { return dontKnow(.noWhatIf) }
            if supposition.isBare {
                supposition.temperature = supposition.temperature.map(telling.degrees.toHouse)
                supposition.isBare = false
            }
            return try await whatIf(supposition, house, sight)
        case .remember, .recall:
            guard let memory = faculties.memory else { return dontKnow(.noMemory) }
            return try await memory(question.ask, sight)
        case .help: return Reply(say(.help))
        case .hello: return Reply(say(.hello))
        case .thanks: return Reply(say(.thanks))
        }
    }

    // MARK: Saying

    func say(_ phrase: Phrase, _ values: [Place: String] = [:]) -> String { lexicon.say(phrase, values) }

    func dontKnow(_ phrase: Phrase, _ values: [Place: String] = [:]) -> Reply { Reply(Telling.capital(say(phrase, values)), confidence: 0) }

    func unread(_ phrase: Phrase, _ values: [Place: String] = [:]) -> Reply {
        var reply = dontKnow(phrase, values)
        reply.isUnread = true
        return reply
    }

    func quoted(_ words: [String]) -> String {
        telling.list(words.map { lexicon.say(.quoted, [.name: String($0.prefix(60))]) }, atMost: 5)
    }

    func ask(back devices: [Device]) -> Reply {
        var seen: Set<String> = []
        let names = devices.map(\.name).filter { seen.insert($0).inserted }
        var told = names.prefix(8).map(telling.thing)
        if names.count > 8 { told.append(say(.andMore, [.count: String(names.count - 8)])) }
        var reply = dontKnow(.whichOne, [.list: lexicon.say(.orList, orList(told))])
        reply.choices = names
        reply.devices = devices.map(\.id)
        return reply
    }

    private func orList(_ names: [String]) -> [Place: String] {
        guard let last = names.last, names.count > 1 else { return [.rest: names.first ?? ""] }
        return [.list: names.dropLast().joined(separator: ", "), .rest: last]
    }

    /// "In the kitchen", "upstairs"; empty for the whole house.
    func place(_ subject: Subject) -> String {
        if !subject.rooms.isEmpty {
            return lexicon.say(.inRoom, [.room: telling.list(subject.rooms.compactMap { scope.room($0).map { telling.thing($0.name) } })])
        }
        return subject.floor.map { lexicon.word(.floor($0)) } ?? ""
    }

    /// "The back door", "the lights upstairs", "anything".
    func name(_ subject: Subject, _ things: [Thing]) -> String {
        if !subject.named.isEmpty || things.count == 1 {
            var seen: Set<String> = []
            return telling.list(things.filter { seen.insert($0.device.id).inserted }.map(name))
        }
        guard let kind = subject.kind, kind != .device else { return "" }
        return lexicon.say(.theKind, [.name: lexicon.word(.many(kind)), .rest: place(subject)])
    }

    func name(_ thing: Thing) -> String { telling.thing(thing.device.name) }

    /// What stands in the way of looking the question's things up; nil where nothing does.
    func problem(_ found: Scope.Found, _ question: Question, _ unable: Phrase) -> Reply? {
        switch found {
        case .things(let things): return things.isEmpty ? dontKnow(.noSuchThing, [.rest: place(question.subject)]) : nil
        case .several(let devices): return ask(back: devices)
        case .unable(let device):
            var reply = dontKnow(unable, [.thing: telling.thing(device.name)])
            reply.devices = [device.id]
            return reply
        case .none:
            let kind = question.subject.kind.flatMap { $0 == .device ? nil : lexicon.word(.one($0)) }
            return dontKnow(kind == nil ? .noSuchThing : .noSuchKind, [.name: kind ?? "", .rest: place(question.subject)])
        }
    }

    // MARK: Who

    /// The refusal to speak of somebody else's doing, said before anything is looked up.
    func refusal(of who: Who?) -> Reply? {
        switch who {
        case nil, .anybody: return nil
        case .guests: return sight.seesEverybody || sight.seesGuests ? nil : dontKnow(.othersHidden)
        case .these(let keys):
            let isAllowed = keys.allSatisfy { $0 == sight.key || sight.seesEverybody || (sight.seesGuests && $0.hasPrefix("guest:")) }
            return isAllowed ? nil : dontKnow(.othersHidden)
        }
    }

    func isBy(_ who: Who?, _ actor: String?) -> Bool {
        switch who {
        case nil, .anybody: true
        case .guests: actor?.hasPrefix("guest:") == true
        case .these(let keys): actor.map { actor in keys.contains { actor == $0 || isToken(actor, of: $0) } } ?? false
        }
    }

    /// `token:{id}:{person}` acts for its person, whose key it may name with or without "person:".
    private func isToken(_ actor: String, of key: String) -> Bool {
        guard actor.hasPrefix("token:"), let id = key.split(separator: ":", maxSplits: 1).last else { return false }
        return actor.split(separator: ":").last == id
    }

    /// "Ada", "you", "a guest"; nil where nobody is known to have.
    func name(ofActor actor: String?) -> String? {
        guard let actor else { return nil }
        if actor == sight.key { return lexicon.say(.you) }
        if let known = (house.people + house.guests).first(where: { $0.key == actor }) { return known.name }
        if actor.hasPrefix("guest:") { return lexicon.say(.aGuest) }
        if actor.hasPrefix("token:") {
            let person = house.people.first { isToken(actor, of: $0.key) }
            return person.map { lexicon.say(.tokenOf, [.name: $0.key == sight.key ? lexicon.say(.you) : $0.name]) } ?? lexicon.say(.aToken)
        }
        if AutomationEngine.automation(actor) != nil {
            let person = house.people.first { actor.hasSuffix(":\($0.key.dropFirst("person:".count))") }
            let name = person.map { $0.key == sight.key ? lexicon.say(.you) : $0.name }
            return name.map { lexicon.say(.automationOf, [.name: $0]) } ?? lexicon.say(.anAutomation)
        }
        if let name = actor.split(separator: ":", maxSplits: 1).last, actor.hasPrefix("integration:") {
            return lexicon.say(.anIntegration, [.name: String(name)])
        }
        return lexicon.say(.somebody)
    }

    /// "By Ada"; without a name, that it was by hand, or that it may not be told.
    func by(_ actor: String?) -> String {
        name(ofActor: actor).map { lexicon.say(.byName, [.name: $0]) } ?? lexicon.say(sight.seesEverybody ? .byHand : .byHidden)
    }

    // MARK: Memory

    /// Where the time asked about lies before everything that is remembered.
    func forgotten(_ period: Period?) async throws -> Reply? {
        guard let period else { return nil }
        guard let beginning = try await beginning() else { return dontKnow(.rememberNothing) }
        guard period.to <= beginning else { return nil }
        return dontKnow(.notThatFar, [.day: telling.day(clock.day(of: beginning))])
    }

    /// Since when all that happened is remembered; nil where nothing is. How a thing stood is known from before as well, and tells nothing of what
    /// happened then.
    private func beginning() async throws -> Date? {
        let oldest = try await recollection.happenings(HappeningFilter(newestFirst: false, limit: 1), seenBy: sight).first?.at
        guard let oldest, let border = try await recollection.border() else { return oldest }
        return max(oldest, border)
    }

    /// Says so where only the end of the time asked about is remembered, and where the times may be wrong.
    private func admitting(_ reply: Reply, of question: Question) async throws -> Reply {
        guard reply.confidence > 0, question.ask.isOfThePast else { return reply }
        var sureness = Sureness()
        if let from = question.period?.from, let border = try await recollection.border(), from < border,
            let beginning = try await beginning()
        {
            sureness.doubts.append(.beginning(day: telling.day(clock.day(of: beginning))))
        }
        if question.period != nil || question.ask.deed != nil, try await !recollection.isClockSure() { sureness.doubts.append(.clock) }
        return reply.weighed(by: sureness, telling)
    }
}

extension Ask {
    /// Whether it is answered by what happened. What sensors measured is kept for longer, and says itself from when it is.
    fileprivate var isOfThePast: Bool {
        switch self {
        case .whoDid, .did, .when, .howOften, .howLong, .isIt, .which, .howMany, .whenStanding, .presence, .cameOrLeft, .happened, .seen,
            .refusals, .danger:
            true
        default: false
        }
    }
}

extension Reply {
    /// Several answers as one, each as it is; as sure as the least sure of them.
    init(_ replies: [Reply]) {
        self.init(replies.map(\.response).joined(separator: " "), confidence: replies.map(\.confidence).min() ?? 0)
        var seen: (events: Set<String>, devices: Set<String>) = ([], [])
        events = replies.flatMap(\.events).filter { seen.events.insert($0).inserted }
        moreEvents = replies.reduce(0) { $0 + $1.moreEvents }
        devices = replies.flatMap(\.devices).filter { seen.devices.insert($0).inserted }
        suggestions = replies.flatMap(\.suggestions)
        choices = replies.flatMap(\.choices)
        findings = replies.flatMap(\.findings)
        let exchanges = replies.compactMap(\.exchange)
        exchange = exchanges.last.map { last in
            Exchange(
                question: last.question, wishes: exchanges.flatMap(\.wishes), devices: last.devices, people: exchanges.flatMap(\.people))
        }
    }

    /// Whom it speaks of, for "when did she leave?".
    var people: [String] {
        findings.compactMap { finding in
            switch finding {
            case .person(let key): key
            case .doing(let doing): doing.actor
            default: nil
            }
        }
    }
}
