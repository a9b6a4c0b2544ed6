import CardeaModel
import Foundation

/// Answers questions in plain words.
///
/// **What may be told.** An answer is made only from data that passed the requester's `RequesterVisibility`: the house and its history as they see
/// it. If their visibility does not cover the question, the answer says so in words that depend on the question and the visibility alone,
/// never on the data: "as far as I can tell you, nobody" is said whether nothing happened or something is hidden, and a question about
/// another person's actions is refused before anything is looked up. A device, a guest or a meter that they may not see is answered like
/// one that does not exist.
///
/// **Nothing is done.** Commands become suggestions. A command that lets people in is suggested only if a verb of opening was written
/// correctly; a misspelt one is asked back. Names are looked up and shown, and never interpreted.
public struct QuestionAnswerer: Sendable {
    let lexicon: Lexicon
    let houseHistory: any HouseHistory
    let capabilities: MindCapabilities

    public init(lexicon: Lexicon, houseHistory: any HouseHistory, capabilities: MindCapabilities = MindCapabilities()) {
        self.lexicon = lexicon
        self.houseHistory = houseHistory
        self.capabilities = capabilities
    }

    /// - Parameters:
    ///   - house: the house as the requester sees it.
    ///   - preferences: the requester's rates and temperature unit.
    ///   - last: the context of the last exchange, for "and the day before?".
    public func answer(
        _ sentence: String, in house: HouseSnapshot, seenBy visibility: RequesterVisibility, at now: Date,
        preferences: Preferences = Preferences(),
        after last: ConversationContext? = nil
    ) async throws -> Reply {
        let house = house.seen(by: visibility)
        let reading = SentenceParser(
            lexicon: lexicon, names: NameIndex(house, lexicon: lexicon), clock: LocalCalendar(house.zone), now: now,
            requester: visibility.key,
            context: last,
            temperatureUnit: preferences.temperatureUnit)
        let turn = answerBuilder(in: house, seenBy: visibility, at: now, preferences)
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
    /// The hours of a sensor as a sentence; nil if the requester may not see the sensor, or if there are none.
    func describeReadings(
        of evidence: ReadingEvidence, _ hours: [HourlyReading], in house: HouseSnapshot, seenBy visibility: RequesterVisibility,
        at now: Date,
        degrees: TemperatureUnit = .celsius
    ) -> (text: String, device: Device)? {
        answerBuilder(in: house.seen(by: visibility), seenBy: visibility, at: now, Preferences(reading: degrees)).describeReadings(
            evidence, hours)
    }

    /// The actors whose names, as `sight` shows them, contain one of these words.
    func actors(
        among actors: Set<String>, saying stems: Set<String>, in house: HouseSnapshot, seenBy visibility: RequesterVisibility, at now: Date
    )
        -> Set<
            String
        >
    {
        let turn = answerBuilder(in: house.seen(by: visibility), seenBy: visibility, at: now, Preferences())
        return actors.filter { !stems.isDisjoint(with: MemorySearch.stems(turn.name(ofActor: $0) ?? "")) }
    }

    /// Events as sentences, for an requester who may see them.
    func describeEvents(
        of events: [HouseEvent], in house: HouseSnapshot, seenBy visibility: RequesterVisibility, at now: Date,
        degrees: TemperatureUnit = .celsius
    ) -> [String] {
        let turn = answerBuilder(in: house.seen(by: visibility), seenBy: visibility, at: now, Preferences(reading: degrees))
        return events.map { AnswerFormatter.capitalized(turn.sentence($0, nil)) }
    }

    private func answerBuilder(in house: HouseSnapshot, seenBy visibility: RequesterVisibility, at now: Date, _ preferences: Preferences)
        -> AnswerBuilder
    {
        let clock = LocalCalendar(house.zone)
        return AnswerBuilder(
            lexicon: lexicon, house: house, resolver: ReferenceResolver(house: house), visibility: visibility, now: now, calendar: clock,
            formatter: AnswerFormatter(lexicon: lexicon, calendar: clock, now: now, temperatureUnit: preferences.temperatureUnit),
            actionHistory: ActionHistory(houseHistory: houseHistory, visibility: visibility), houseHistory: houseHistory,
            capabilities: capabilities,
            preferences: preferences)
    }
}

extension QueryIntent {
    /// True if the answer comes from recorded events. Sensor readings are kept for longer, and their answers name the time they begin.
    var needsEventRecord: Bool {
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
    /// Several answers as one. Its confidence is the lowest of theirs.
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

    /// The people in the answer, for "when did she leave?".
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
