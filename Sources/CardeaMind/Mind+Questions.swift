import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// Answers questions.
extension Mind {
    /// The last exchange of each conversation, for questions such as "and the day before?".
    struct Conversations {
        var last: [String: (exchange: ConversationContext, at: Date)] = [:]

        static let contextLifetime: TimeInterval = 900
        static let limit = 500
    }

    /// Answers a question in plain words. It performs no action.
    ///
    /// - Parameters:
    ///   - conversation: tells several conversations of one person apart.
    ///   - preferences: the requester's energy rates and temperature unit.
    ///   - isLate: true if the question waited for the house. Then no action is suggested, and no conversation continues from it.
    public func answer(
        _ sentence: String, in conversation: String = "", seenBy visibility: RequesterVisibility, preferences: Preferences = Preferences(),
        isLate: Bool = false
    ) async throws -> Reply {
        do {
            recordProgress(isAtEnd: try await withTimeout { [eventStore] in try await eventStore.catchUp(pages: 10) })
        } catch {
            recordProgress(isAtEnd: false)
            // A full disk must not prevent answers from what is known.
            logger.warning("mind could not store a memory", metadata: ["error": "\(type(of: error))"])
        }
        let (now, key) = (time.now(), "\(visibility.key) \(conversation)")
        let talk = isLate ? nil : conversations.withLock { $0.last[key] }
        let last = talk.flatMap { now.timeIntervalSince($0.at) < Conversations.contextLifetime ? $0.exchange : nil }
        let house = try await withTimeout { [houseReader] in try await houseReader.house() }
        let answering = questionAnswerer(in: house, preferences)
        var reply = try await answering.answer(sentence, in: house, seenBy: visibility, at: now, preferences: preferences, after: last)
        let described = Interview.mentionedDevices(in: sentence, of: house.seen(by: visibility), at: now)
        if !described.isEmpty, reply.isUnread || reply.context?.question == nil {
            let list = described.map { lexicon.answerText(.quoted, [.name: String($0.prefix(100))]) }
            reply = Reply(lexicon.answerText(.takeIn, [.list: lexicon.list(list, atMost: 5)]), confidence: 0.5)
            reply.isForInterview = true
        } else if reply.isUnread || reply.context == nil && reply.confidence == 0,
            let told = try await answerFromMemories(of: sentence, in: house, seenBy: visibility, degrees: preferences.temperatureUnit)
        {
            reply = told
        } else if reply.isUnread, let other = await rewordedSentence(sentence, in: house, seenBy: visibility) {
            let second = try await answering.answer(
                other.sentence, in: house, seenBy: visibility, at: now, preferences: preferences, after: last)
            reply = other.reply(second, lexicon) ?? reply
        }
        reply = try await redactingHidden(isLate ? withdrawingSuggestions(reply) : reply, seenBy: visibility)
        await recordExchange(sentence, reply, by: visibility, at: now)
        if isLate { return reply }
        conversations.withLock { talks in
            guard let exchange = reply.context else {
                // After "And the back door?", if there is no such device, "it" no longer means the front door.
                talks.last[key]?.exchange.isInterrupted = true
                return
            }
            talks.last[key] = (exchange, now)
            // The conversation that has been silent longest is dropped.
            if talks.last.count > Conversations.limit, let oldest = talks.last.min(by: { $0.value.at < $1.value.at }) {
                talks.last[oldest.key] = nil
            }
        }
        return reply
    }

    /// Removes the suggested action from an answer to a question that waited for the house, since its moment has passed.
    func withdrawingSuggestions(_ reply: Reply) -> Reply {
        var reply = reply
        let isToRemember = reply.suggestions.contains { if case .memory = $0.action { true } else { false } }
        if isToRemember || reply.context?.commands.isEmpty == false {
            let answer = reply.question == nil || isToRemember ? [] : [reply.response]
            reply.response = (answer + [lexicon.answerText(.askedLate)]).joined(separator: " ")
            reply.choices = []
        }
        reply.suggestions = []
        reply.whatIfQuestion = nil
        reply.isForInterview = false
        return reply
    }

    /// Checks an answer before it is returned. Answers are made from data that the requester may see. If one is based on other data all the
    /// same, it is withheld, and the loop goes into safe mode.
    func redactingHidden(_ reply: Reply, seenBy visibility: RequesterVisibility) async throws -> Reply {
        var isHidden = !reply.devices.allSatisfy(visibility.seesDevice)
        if !isHidden, !visibility.isWhole {
            let numbers = reply.events.filter { $0.hasPrefix(HouseEvent.prefix) }.compactMap {
                Int64($0.dropFirst(HouseEvent.prefix.count))
            }
            isHidden = try await eventStore.containsHidden(numbers, from: visibility)
        }
        guard isHidden else { return reply }
        await reportViolation("an answer rested on what its asker may not be told")
        return Reply(lexicon.answerText(.rememberNothing), confidence: 0)
    }

    /// The sentence reworded by the `reworder`; nil if there is none.
    private func rewordedSentence(_ sentence: String, in house: HouseSnapshot, seenBy visibility: RequesterVisibility) async
        -> RewordedSentence?
    {
        let names = KnownNames(house.seen(by: visibility))
        return await reworder?.reword(sentence, knowing: names, forms: lexicon.forms).flatMap { RewordedSentence($0, of: sentence) }
    }

    /// The answerer with all the data it needs.
    func questionAnswerer(in house: HouseSnapshot, _ preferences: Preferences = Preferences()) -> QuestionAnswerer {
        QuestionAnswerer(
            lexicon: lexicon, houseHistory: eventStore,
            capabilities: MindCapabilities(
                mood: { [weak self] feeling, visibility in
                    self?.reply(feeling, visibility, degrees: preferences.temperatureUnit) ?? Reply("", confidence: 0)
                },
                whatIf: { [whatIf] supposed, house, visibility in
                    try await whatIf.reply(to: supposed, in: house, seenBy: visibility, preferences: preferences)
                },
                memory: { [weak self] ask, visibility in
                    try await self?.reply(ask, visibility, in: house, degrees: preferences.temperatureUnit) ?? Reply("", confidence: 0)
                }))
    }

    /// Publishes the exchange to the requester's other screens only.
    private func recordExchange(_ sentence: String, _ reply: Reply, by visibility: RequesterVisibility, at now: Date) async {
        guard visibility.key.hasPrefix("person:") else { return }
        let data: [String: JSONValue] = [
            "person_id": .string(String(visibility.key.dropFirst("person:".count))), "query": .string(sentence),
            "response": .string(String(reply.response.prefix(4000))), "confidence": .number(reply.confidence),
        ]
        do {
            _ = try await store.write { try Journal.append(.houseAsked, subject: nil, data: data, at: now, in: $0) }
        } catch {
            logger.warning("question could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func reply(_ feeling: QueryIntent.Feeling?, _ visibility: RequesterVisibility, degrees: TemperatureUnit) -> Reply {
        let mood = explainMood(feeling.flatMap { Emotion(rawValue: $0.rawValue) }, seenBy: visibility, degrees: degrees)
        var reply = Reply(mood.words)
        (reply.events, reply.devices) = (mood.events, mood.devices)
        return reply
    }

    /// The mood, as far as the requester may see its causes.
    ///
    /// - Parameter degrees: the requester's temperature unit.
    public func mood(seenBy visibility: RequesterVisibility, degrees: TemperatureUnit = .celsius) -> MoodAnswer {
        explainMood(nil, seenBy: visibility, degrees: degrees)
    }

    /// Answers "Why are you worried?"
    public func explainMood(_ emotion: Emotion?, seenBy visibility: RequesterVisibility, degrees: TemperatureUnit = .celsius) -> MoodAnswer
    {
        state.withLock { $0.mood }.explain(emotion, seenBy: visibility, in: lexicon, degrees: degrees)
    }

    /// The history of the mood, oldest first.
    public func moodHistory(from: Date, to: Date, seenBy visibility: RequesterVisibility) -> [EmotionHistory.Entry] {
        state.withLock { $0.mood.history }.entries(from: from, to: to, seenBy: visibility)
    }

    /// The time of the last poll of the house.
    public var polledAt: Date { state.withLock { $0.polledAt } }

    /// The status of its loops.
    public func loopsStatus() -> LoopsStatus { LoopsStatus([state.withLock { $0.loop }], at: time.now()) }

    /// Runs a loop now.
    ///
    /// - Parameter leavingSafeMode: true if a person allows it to answer and learn again.
    /// - Returns: false if there is no such loop.
    public func triggerLoop(_ loop: String, leavingSafeMode: Bool = false) async -> Bool {
        guard state.withLock({ $0.loop.id }) == loop else { return false }
        if leavingSafeMode {
            state.withLock { _ = $0.loop.handle(.leaveSafeMode, at: time.now()) }
            await saveSafeMode()
        }
        await poll(isAsked: true)
        return true
    }

    /// The present activity of the house, and how much of the house it perceives.
    public func awareness(seenBy visibility: RequesterVisibility) async -> (awareness: Awareness, devices: [Device]) {
        let now = time.now()
        let (answers, phaseDuration, behind) = state.withLock {
            ($0.houseReaderResponds, $0.loop.phaseDuration(at: now) ?? 0, $0.laggingSince)
        }
        do {
            let snapshot = try await houseReader.house().seen(by: visibility)
            let recent = try await eventStore.events(
                .init(from: now.addingTimeInterval(-2 * Awareness.inactivityLimit), limit: 1000), seenBy: visibility)
            let signals = Awareness.Signals(
                snapshot: snapshot, houseReaderResponds: answers, journalLag: behind.map { now.timeIntervalSince($0) } ?? 0, events: recent,
                quietHours: snapshot.quietHours, phaseDuration: phaseDuration)
            return (Awareness(signals, at: now, in: lexicon), snapshot.devices)
        } catch {
            logger.warning("house data is not available to the mind", metadata: ["error": "\(type(of: error))"])
            let nothing = HouseSnapshot(name: "", zone: .gmt)
            return (Awareness(.init(snapshot: nothing, houseReaderResponds: false), at: now, in: lexicon), [])
        }
    }
}
