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
public struct QuestionAnswerer: Sendable {
    let lexicon: Lexicon
    let houseHistory: any HouseHistory
    let capabilities: MindCapabilities

    public init(lexicon: Lexicon, recollection: any HouseHistory, faculties: MindCapabilities = MindCapabilities()) {
        self.lexicon = lexicon
        self.houseHistory = recollection
        self.capabilities = faculties
    }

    /// - Parameters:
    ///   - house: as the asker sees it.
    ///   - preferences: by whose rates a cost is told, and in whose degrees a temperature is said and meant.
    ///   - last: what was said before, for "and the day before?".
    public func answer(
        _ sentence: String, in house: HouseSnapshot, seenBy sight: AskerVisibility, at now: Date, preferences: Preferences = Preferences(),
        after last: ConversationContext? = nil
    ) async throws -> Reply {
        let house = house.seen(by: sight)
        let reading = SentenceParser(
            lexicon: lexicon, names: NameIndex(house, lexicon: lexicon), clock: LocalCalendar(house.zone), now: now, asker: sight.key,
            context: last,
            temperatureUnit: preferences.temperatureUnit)
        let turn = answerBuilder(in: house, seenBy: sight, at: now, preferences)
        return try await reply(to: reading.parse(sentence), turn)
    }

    private func reply(to understanding: ParseResult, _ turn: AnswerBuilder) async throws -> Reply {
        switch understanding {
        case .several(let parts):
            var replies: [Reply] = []
            for part in parts { replies.append(try await reply(to: part, turn)) }
            return Reply(replies)
        case .question(let question):
            var reply = try await turn.answer(question)
            reply.response = AnswerFormatter.capitalized(reply.response)
            reply.context = ConversationContext(question: question, commands: [], devices: reply.devices, people: reply.people)
            return reply
        case .commands(let wishes):
            var reply = turn.suggest(wishes)
            reply.context = ConversationContext(question: nil, commands: wishes, devices: reply.devices, people: [])
            return reply
        case .unknown(let words): return turn.unreadReply(.unknownWords, [.words: turn.quoted(words)])
        case .unclear(let words):
            var reply = turn.unknownReply(.unclearWord, [.words: turn.quoted(words)])
            reply.choices = words
            return reply
        case .notAQuestion: return turn.unreadReply(.noSense)
        case .unclearTime: return turn.unreadReply(.unclearTime)
        case .future: return turn.unknownReply(.stillToCome)
        case .unresolvedPronoun: return turn.unknownReply(.pointless)
        case .empty: return turn.unknownReply(.emptySentence)
        }
    }
}

extension QuestionAnswerer {
    /// A sensor's hours as a sentence; nil where whoever asks does not see the sensor, or there are none.
    func describeReadings(
        of evidence: ReadingEvidence, _ hours: [HourlyReading], in house: HouseSnapshot, seenBy sight: AskerVisibility, at now: Date,
        degrees: TemperatureUnit = .celsius
    ) -> (told: String, device: Device)? {
        answerBuilder(in: house.seen(by: sight), seenBy: sight, at: now, Preferences(reading: degrees)).describeReadings(evidence, hours)
    }

    /// Whose doings are told with one of these words, as `sight` hears of them.
    func actors(among actors: Set<String>, saying stems: Set<String>, in house: HouseSnapshot, seenBy sight: AskerVisibility, at now: Date)
        -> Set<
            String
        >
    {
        let turn = answerBuilder(in: house.seen(by: sight), seenBy: sight, at: now, Preferences())
        return actors.filter { !stems.isDisjoint(with: MemorySearch.stems(turn.name(ofActor: $0) ?? "")) }
    }

    /// Happenings as sentences, for whoever may be told of them.
    func describeEvents(
        of happenings: [HouseEvent], in house: HouseSnapshot, seenBy sight: AskerVisibility, at now: Date,
        degrees: TemperatureUnit = .celsius
    ) -> [String] {
        let turn = answerBuilder(in: house.seen(by: sight), seenBy: sight, at: now, Preferences(reading: degrees))
        return happenings.map { AnswerFormatter.capitalized(turn.sentence($0, nil)) }
    }

    private func answerBuilder(in house: HouseSnapshot, seenBy sight: AskerVisibility, at now: Date, _ preferences: Preferences)
        -> AnswerBuilder
    {
        let clock = LocalCalendar(house.zone)
        return AnswerBuilder(
            lexicon: lexicon, house: house, resolver: ReferenceResolver(house: house), visibility: sight, now: now, calendar: clock,
            formatter: AnswerFormatter(lexicon: lexicon, calendar: clock, now: now, temperatureUnit: preferences.temperatureUnit),
            actionHistory: ActionHistory(houseHistory: houseHistory, visibility: sight), houseHistory: houseHistory,
            capabilities: capabilities,
            preferences: preferences)
    }
}

/// One answer being made.
struct AnswerBuilder: Sendable {
    let lexicon: Lexicon
    let house: HouseSnapshot
    let resolver: ReferenceResolver
    let visibility: AskerVisibility
    let now: Date
    let calendar: LocalCalendar
    let formatter: AnswerFormatter
    let actionHistory: ActionHistory
    let houseHistory: any HouseHistory
    let capabilities: MindCapabilities
    let preferences: Preferences

    func answer(_ question: Question) async throws -> Reply {
        if let stay = question.during {
            if let refusal = refusal(of: .actors([stay.personKey])) { return refusal }
            var question = question
            (question.period, question.during) = (try await period(of: stay), nil)
            guard question.period != nil else { return unknownReply(.noSuchTime, [.when: phrase(for: stay)]) }
            return try await answer(question)
        }
        return try await addingCaveats(try await answer(byKind: question), of: question)
    }

    private func answer(byKind question: Question) async throws -> Reply {
        switch question.intent {
        case .whoDid, .did, .when, .howOften:
            if let refusal = refusal(of: question.actors) { return refusal }
            return try await answerActions(question)
        case .howLong(let condition): return try await answerDuration(condition, question)
        case .isIt, .which, .howMany: return try await answerStates(question)
        case .state: return try await answerState(question)
        case .measure(let measure, let statistic): return try await answerMeasurement(measure, statistic, question)
        case .lowBatteries: return try await answerLowBatteries(question)
        case .extremeRoom(let measure, let isHighest): return try await answerExtremeRoom(measure, isHighest, question)
        case .compare(let measure, let isHighest, let other): return try await answerComparison(measure, isHighest, question.subject, other)
        case .list: return answerList(question)
        case .rooms: return answerRooms(question)
        case .connectivity(let isOnline): return try await answerConnectivity(isOnline, question)
        case .connectivityTimes(let isOnline): return try await answerConnectivityTimes(isOnline, question)
        case .whereIs: return try await answerPresence(true, question)
        case .presence(let isHome): return try await answerPresence(isHome, question)
        case .arrivals(let isHome, let isFirst): return try await answerArrivals(isHome, isFirst, question)
        case .events: return try await answerEvents(question)
        case .sightings(let type, let isCount, let isLast): return try await answerSightings(type, isCount, isLast, question)
        case .refusals: return try await answerRefusals(question)
        case .danger(let alarm, let ask): return try await answerAlarms(alarm, ask, question)
        case .energyUsed, .energyCost, .energyPeak, .energyMost: return try await answerEnergy(question)
        case .mood(let feeling):
            guard let mood = capabilities.mood else { return unknownReply(.noMood) }
            return try await mood(feeling, visibility)
        case .whatIf(var supposition):
            guard let whatIf = capabilities.whatIf else { return unknownReply(.noWhatIf) }
            if supposition.hasNoUnit {
                supposition.temperature = supposition.temperature.map(formatter.temperatureUnit.toCelsius)
                supposition.hasNoUnit = false
            }
            return try await whatIf(supposition, house, visibility)
        case .remember, .recall:
            guard let memory = capabilities.memory else { return unknownReply(.noMemory) }
            return try await memory(question.intent, visibility)
        case .help: return Reply(answerText(.help))
        case .hello: return Reply(answerText(.hello))
        case .thanks: return Reply(answerText(.thanks))
        }
    }

    // MARK: Saying

    func answerText(_ phrase: AnswerSentence, _ values: [Placeholder: String] = [:]) -> String { lexicon.answerText(phrase, values) }

    func unknownReply(_ phrase: AnswerSentence, _ values: [Placeholder: String] = [:]) -> Reply {
        Reply(AnswerFormatter.capitalized(answerText(phrase, values)), confidence: 0)
    }

    func unreadReply(_ phrase: AnswerSentence, _ values: [Placeholder: String] = [:]) -> Reply {
        var reply = unknownReply(phrase, values)
        reply.isUnread = true
        return reply
    }

    func quoted(_ words: [String]) -> String {
        formatter.list(words.map { lexicon.answerText(.quoted, [.name: String($0.prefix(60))]) }, atMost: 5)
    }

    func clarification(back devices: [Device]) -> Reply {
        var seen: Set<String> = []
        let names = devices.map(\.name).filter { seen.insert($0).inserted }
        var told = names.prefix(8).map(formatter.deviceName)
        if names.count > 8 { told.append(answerText(.andMore, [.count: String(names.count - 8)])) }
        var reply = unknownReply(.whichOne, [.list: lexicon.answerText(.orList, alternatives(told))])
        reply.choices = names
        reply.devices = devices.map(\.id)
        return reply
    }

    private func alternatives(_ names: [String]) -> [Placeholder: String] {
        guard let last = names.last, names.count > 1 else { return [.rest: names.first ?? ""] }
        return [.list: names.dropLast().joined(separator: ", "), .rest: last]
    }

    /// "In the kitchen", "upstairs"; empty for the whole house.
    func location(_ subject: DeviceReference) -> String {
        if !subject.rooms.isEmpty {
            return lexicon.answerText(
                .inRoom, [.room: formatter.list(subject.rooms.compactMap { resolver.room($0).map { formatter.deviceName($0.name) } })])
        }
        return subject.floor.map { lexicon.word(.floor($0)) } ?? ""
    }

    /// "The back door", "the lights upstairs", "anything".
    func name(_ subject: DeviceReference, _ things: [DeviceEntity]) -> String {
        if !subject.named.isEmpty || things.count == 1 {
            var seen: Set<String> = []
            return formatter.list(things.filter { seen.insert($0.device.id).inserted }.map(name))
        }
        guard let kind = subject.kind, kind != .device else { return "" }
        return lexicon.answerText(.theKind, [.name: lexicon.word(.plural(kind)), .rest: location(subject)])
    }

    func name(_ thing: DeviceEntity) -> String { formatter.deviceName(thing.device.name) }

    /// What stands in the way of looking the question's things up; nil where nothing does.
    func resolutionProblem(_ found: ReferenceResolver.Resolution, _ question: Question, _ unable: AnswerSentence) -> Reply? {
        switch found {
        case .things(let things): return things.isEmpty ? unknownReply(.noSuchThing, [.rest: location(question.subject)]) : nil
        case .ambiguous(let devices): return clarification(back: devices)
        case .unsupported(let device):
            var reply = unknownReply(unable, [.thing: formatter.deviceName(device.name)])
            reply.devices = [device.id]
            return reply
        case .none:
            let kind = question.subject.kind.flatMap { $0 == .device ? nil : lexicon.word(.singular($0)) }
            return unknownReply(kind == nil ? .noSuchThing : .noSuchKind, [.name: kind ?? "", .rest: location(question.subject)])
        }
    }

    // MARK: Who

    /// The refusal to speak of somebody else's doing, said before anything is looked up.
    func refusal(of who: ActorFilter?) -> Reply? {
        switch who {
        case nil, .anybody: return nil
        case .guests: return visibility.seesEverybody || visibility.seesGuests ? nil : unknownReply(.othersHidden)
        case .actors(let keys):
            let isAllowed = keys.allSatisfy {
                $0 == visibility.key || visibility.seesEverybody || (visibility.seesGuests && $0.hasPrefix("guest:"))
            }
            return isAllowed ? nil : unknownReply(.othersHidden)
        }
    }

    func matches(_ who: ActorFilter?, _ actor: String?) -> Bool {
        switch who {
        case nil, .anybody: true
        case .guests: actor?.hasPrefix("guest:") == true
        case .actors(let keys): actor.map { actor in keys.contains { actor == $0 || isToken(actor, of: $0) } } ?? false
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
        if actor == visibility.key { return lexicon.answerText(.you) }
        if let known = (house.people + house.guests).first(where: { $0.key == actor }) { return known.name }
        if actor.hasPrefix("guest:") { return lexicon.answerText(.aGuest) }
        if actor.hasPrefix("token:") {
            let person = house.people.first { isToken(actor, of: $0.key) }
            return person.map { lexicon.answerText(.tokenOf, [.name: $0.key == visibility.key ? lexicon.answerText(.you) : $0.name]) }
                ?? lexicon.answerText(.aToken)
        }
        if AutomationEngine.automationID(actor) != nil {
            let person = house.people.first { actor.hasSuffix(":\($0.key.dropFirst("person:".count))") }
            let name = person.map { $0.key == visibility.key ? lexicon.answerText(.you) : $0.name }
            return name.map { lexicon.answerText(.automationOf, [.name: $0]) } ?? lexicon.answerText(.anAutomation)
        }
        if let name = actor.split(separator: ":", maxSplits: 1).last, actor.hasPrefix("integration:") {
            return lexicon.answerText(.anIntegration, [.name: String(name)])
        }
        return lexicon.answerText(.somebody)
    }

    /// "By Ada"; without a name, that it was by hand, or that it may not be told.
    func actorPhrase(_ actor: String?) -> String {
        name(ofActor: actor).map { lexicon.answerText(.byName, [.name: $0]) }
            ?? lexicon.answerText(visibility.seesEverybody ? .byHand : .byHidden)
    }

    // MARK: Memory

    /// Where the time asked about lies before everything that is remembered.
    func retentionReply(_ period: Period?) async throws -> Reply? {
        guard let period else { return nil }
        guard let beginning = try await recordStart() else { return unknownReply(.rememberNothing) }
        guard period.to <= beginning else { return nil }
        return unknownReply(.notThatFar, [.day: formatter.day(calendar.day(of: beginning))])
    }

    /// Since when all that happened is remembered; nil where nothing is. How a thing stood is known from before as well, and tells nothing of what
    /// happened then.
    private func recordStart() async throws -> Date? {
        let oldest = try await houseHistory.events(HouseEventFilter(newestFirst: false, limit: 1), seenBy: visibility).first?.at
        guard let oldest, let border = try await houseHistory.retentionStart() else { return oldest }
        return max(oldest, border)
    }

    /// Says so where only the end of the time asked about is remembered, and where the times may be wrong.
    private func addingCaveats(_ reply: Reply, of question: Question) async throws -> Reply {
        guard reply.confidence > 0, question.intent.needsEventRecord else { return reply }
        var sureness = AnswerConfidence()
        if let from = question.period?.from, let border = try await houseHistory.retentionStart(), from < border,
            let beginning = try await recordStart()
        {
            sureness.reasons.append(.recordStart(day: formatter.day(calendar.day(of: beginning))))
        }
        if question.period != nil || question.intent.action != nil, try await !houseHistory.isClockReliable() {
            sureness.reasons.append(.clock)
        }
        return reply.limited(by: sureness, formatter)
    }
}

extension QueryIntent {
    /// Whether it is answered by what happened. What sensors measured is kept for longer, and says itself from when it is.
    fileprivate var needsEventRecord: Bool {
        switch self {
        case .whoDid, .did, .when, .howOften, .howLong, .isIt, .which, .howMany, .connectivityTimes, .presence, .arrivals, .events,
            .sightings,
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
        facts = replies.flatMap(\.facts)
        let exchanges = replies.compactMap(\.context)
        context = exchanges.last.map { last in
            ConversationContext(
                question: last.question, commands: exchanges.flatMap(\.commands), devices: last.devices, people: exchanges.flatMap(\.people)
            )
        }
    }

    /// Whom it speaks of, for "when did she leave?".
    var people: [String] {
        facts.compactMap { finding in
            switch finding {
            case .person(let key): key
            case .action(let doing): doing.actor
            default: nil
            }
        }
    }
}
