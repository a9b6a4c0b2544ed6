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

extension QueryIntent {
    /// Whether it is answered by what happened. What sensors measured is kept for longer, and says itself from when it is.
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
