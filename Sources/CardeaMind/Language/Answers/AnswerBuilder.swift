import CardeaModel
import Foundation

/// Builds one answer.
struct AnswerBuilder: Sendable {
    let lexicon: Lexicon
    let house: HouseSnapshot
    let resolver: ReferenceResolver
    let visibility: RequesterVisibility
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

    // MARK: Replies

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
    func name(_ subject: DeviceReference, _ targets: [DeviceEntity]) -> String {
        if !subject.named.isEmpty || targets.count == 1 {
            var seen: Set<String> = []
            return formatter.list(targets.filter { seen.insert($0.device.id).inserted }.map(name))
        }
        guard let kind = subject.kind, kind != .device else { return "" }
        return lexicon.answerText(.theKind, [.name: lexicon.word(.plural(kind)), .rest: location(subject)])
    }

    func name(_ target: DeviceEntity) -> String { formatter.deviceName(target.device.name) }

    /// The reply to give if the devices of the question could not be resolved; nil if they could.
    func resolutionProblem(_ found: ReferenceResolver.Resolution, _ question: Question, _ unable: AnswerSentence) -> Reply? {
        switch found {
        case .targets(let targets): return targets.isEmpty ? unknownReply(.noSuchThing, [.rest: location(question.subject)]) : nil
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

    // MARK: Actors

    /// The refusal to answer about another person's actions, given before anything is looked up.
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

    /// Returns whether a token belongs to a person. `token:{id}:{person}` acts for its person, whose key may be given with or without
    /// "person:".
    private func isToken(_ actor: String, of key: String) -> Bool {
        guard actor.hasPrefix("token:"), let id = key.split(separator: ":", maxSplits: 1).last else { return false }
        return actor.split(separator: ":").last == id
    }

    /// "Ada", "you", "a guest"; nil if the actor is unknown.
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
        if Automation.id(ofActor: actor) != nil {
            let person = house.people.first { actor.hasSuffix(":\($0.key.dropFirst("person:".count))") }
            let name = person.map { $0.key == visibility.key ? lexicon.answerText(.you) : $0.name }
            return name.map { lexicon.answerText(.automationOf, [.name: $0]) } ?? lexicon.answerText(.anAutomation)
        }
        if let name = actor.split(separator: ":", maxSplits: 1).last, actor.hasPrefix("integration:") {
            return lexicon.answerText(.anIntegration, [.name: String(name)])
        }
        return lexicon.answerText(.somebody)
    }

    /// "By Ada"; without a name, that it was by hand or may not be told.
    func actorPhrase(_ actor: String?) -> String {
        name(ofActor: actor).map { lexicon.answerText(.byName, [.name: $0]) }
            ?? lexicon.answerText(visibility.seesEverybody ? .byHand : .byHidden)
    }

    // MARK: Limits of the record

    /// The reply to a question about a period that ends before the oldest record; nil if the record reaches the period.
    func retentionReply(_ period: Period?) async throws -> Reply? {
        guard let period else { return nil }
        guard let beginning = try await recordStart() else { return unknownReply(.rememberNothing) }
        guard period.to <= beginning else { return nil }
        return unknownReply(.notThatFar, [.day: formatter.day(calendar.day(of: beginning))])
    }

    /// The time since which all events are recorded; nil if there are none. States may be known from before that, but not the events that
    /// led to them.
    private func recordStart() async throws -> Date? {
        let oldest = try await houseHistory.events(HouseEventFilter(newestFirst: false, limit: 1), seenBy: visibility).first?.at
        guard let oldest, let border = try await houseHistory.retentionStart() else { return oldest }
        return max(oldest, border)
    }

    /// Adds a note if only the end of the period is on record, or if the recorded times may be wrong.
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
