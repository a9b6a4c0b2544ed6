import CardeaModel
import Foundation

/// Parses a sentence: words, then tokens, then a clause, then the first sentence pattern that fits.
struct SentenceParser: Sendable {
    let lexicon: Lexicon
    let names: NameIndex
    let clock: LocalCalendar
    let now: Date
    /// The key of the person who asks.
    let requester: String
    let context: ConversationContext?
    /// The unit that the requester means by "degrees".
    var temperatureUnit = TemperatureUnit.celsius
    /// The depth of expansion into one sentence for each of several kinds.
    var expansionDepth = 0

    func parse(_ sentence: String) -> ParseResult {
        let words = Word.tokenize(sentence)
        guard !words.isEmpty else { return .empty }
        let marks = Tagger(lexicon: lexicon, names: names, temperatureUnit: temperatureUnit).tokens(words)
        let understanding = parse(marks, words)
        guard understanding == .notAQuestion, marks.contains(where: \.isDanger) else { return understanding }
        // "The battery of the smoke alarm": a thing named after its danger is a thing like any other.
        return parse(Tagger(lexicon: lexicon, names: names, readsDangers: false, temperatureUnit: temperatureUnit).tokens(words), words)
    }

    func parse(_ marks: [SentenceToken], _ words: [Word]) -> ParseResult {
        if let memory = parseMemory(marks, words) { return memory }
        let pointed = markingPronouns(marks, words)
        if let usual = parseHabitQuestion(pointed, words) { return usual }
        if let bound = parseComparison(pointed) ?? parseDuring(pointed) { return bound }
        let marks = correctingOff(markingAlarmVerbs(pointed), words)
        if let each = parseSeveralCategories(marks, words) { return each }
        if let wishes = parseSeveralCommands(marks) { return .commands(wishes) }
        if let several = parseSeveralQuestions(marks) { return several }
        let clause = Clause(marks)
        guard clause.unknown.isEmpty else { return .unknown(clause.unknown.map { words[$0].spelled }) }
        if let unclear = clause.unclear.first { return .unclear(unclear) }
        let (understanding, whole) = parseClause(clause)
        return understanding == .notAQuestion ? parseFollowUp(whole) ?? parseListing(whole) ?? .notAQuestion : understanding
    }

    /// Parses one clause by itself. Also returns the clause with its pronouns resolved.
    func parseClause(_ read: Clause) -> (ParseResult, Clause) {
        var clause = read
        var isPointless = false
        if clause.hasAny(.functionWord(.it), .functionWord(.them), .functionWord(.there), .functionWord(.they)) {
            let subject = context.map(antecedent) ?? DeviceReference()
            let people = context?.isInterrupted == false ? context?.people ?? [] : []
            let isNamed = !clause.subject.named.isEmpty || !clause.subject.rooms.isEmpty
            if !isNamed || clause.has(.functionWord(.they)) { clause.resolvePronouns(to: subject, people) }
            isPointless = clause.has(.functionWord(.they)) ? clause.people.isEmpty : !isNamed && subject.isEmpty
        }
        // A repeated command is still only suggested.
        if clause.tags == [.topic(.yes)], let context, !context.isInterrupted, !context.commands.isEmpty {
            return (.commands(context.commands), clause)
        }
        if !clause.isAsking, let wish = CommandIntentParser(lexicon: lexicon).parse(clause) {
            // "It" is the house in "make it warmer", whatever was mentioned before.
            if case .warmer = wish.change { return (.commands([wish]), clause) }
            return (isPointless ? .unresolvedPronoun : .commands([wish]), clause)
        }
        for frame in SentencePattern.all {
            guard let ask = frame.match(clause) else { continue }
            if isPointless, ask.needsAntecedent { return (.unresolvedPronoun, clause) }
            return (question(ask, clause), clause)
        }
        return (.notAQuestion, clause)
    }

    /// "When is the garage usually closed?": asks about a habit.
    private func parseHabitQuestion(_ marks: [SentenceToken], _ words: [Word]) -> ParseResult? {
        guard marks.contains(where: { $0.meaning == .sense(.topic(.usual)) }) else { return nil }
        let unknown = marks.filter { $0.meaning == .unknown }.flatMap { words[$0.range].map(\.spelled) }
        guard unknown.isEmpty else { return .unknown(unknown) }
        let named = marks.filter { mark in
            switch mark.meaning {
            case .named, .sense(.singular), .sense(.plural): true
            default: false
            }
        }
        // The habits of people are the times at which they are home.
        let isOfHome = marks.contains {
            [.sense(.topic(.come)), .sense(.topic(.leave)), .sense(.topic(.home)), .sense(.topic(.away))].contains($0.meaning)
        }
        let text = (named.flatMap { words[$0.range].map(\.spelled) } + (isOfHome ? [lexicon.word(.topic(.home))] : [])).joined(
            separator: " ")
        return text.isEmpty ? .notAQuestion : .question(Question(intent: .recall(text)))
    }

    /// "Turn of the light": "off" lacks a letter.
    private func correctingOff(_ marks: [SentenceToken], _ words: [Word]) -> [SentenceToken] {
        guard !marks.contains(where: { if case .sense(.power) = $0.meaning { true } else { false } }) else { return marks }
        let of = lexicon.leads[.of] ?? []
        return marks.indices.map { place in
            let mark = marks[place]
            guard place > 0, mark.meaning == .sense(.filler), mark.range.count == 1, of.contains(words[mark.range.lowerBound].folded),
                [.sense(.imperative(.turn)), .sense(.participle(.turn))].contains(marks[place - 1].meaning)
            else { return mark }
            return SentenceToken(range: mark.range, meaning: .sense(.power(.off)), isGuessed: true)
        }
    }

    /// "Was it" mostly begins a question about the weather. If the sentence has an action and names nothing else, "it" is the thing
    /// mentioned before.
    private func markingPronouns(_ marks: [SentenceToken], _ words: [Word]) -> [SentenceToken] {
        var isDone = false
        for mark in marks {
            switch mark.meaning {
            case .sense(.filler), .sense(.questionWord), .sense(.functionWord(.last)), .sense(.functionWord(.first)),
                .sense(.functionWord(.and)), .sense(.functionWord(.not)),
                .time:
                break
            case .sense(.imperative), .sense(.participle), .sense(.power), .sense(.topic(.jammed)): isDone = true
            case .sense(.functionWord(.me)), .sense(.functionWord(.they)), .sense(.functionWord(.somebody)), .sense(.functionWord(.guests)):
                break
            case .named(let referents, _):
                for referent in referents {
                    switch referent {
                    case .person, .guest: break
                    default: return marks
                    }
                }
            default: return marks
            }
        }
        guard isDone else { return marks }
        return marks.flatMap { mark -> [SentenceToken] in
            let spelled = words[mark.range].map(\.folded)
            guard mark.meaning == .sense(.filler), spelled.count == 2, lexicon.categories[[spelled[1]]] == .functionWord(.it),
                let verb = lexicon.categories[[spelled[0]]]
            else { return [mark] }
            let middle = mark.range.lowerBound + 1
            return [
                SentenceToken(range: mark.range.lowerBound..<middle, meaning: .sense(verb), isGuessed: mark.isGuessed),
                SentenceToken(range: middle..<mark.range.upperBound, meaning: .sense(.functionWord(.it)), isGuessed: mark.isGuessed),
            ]
        }
    }

    /// "Go off" means that an alarm sounds, and that any other thing is switched off.
    private func markingAlarmVerbs(_ marks: [SentenceToken]) -> [SentenceToken] {
        let isOfAlarm = marks.contains { mark in
            switch mark.meaning {
            case .sense(.danger), .sense(.singular(.sensor)), .sense(.plural(.sensor)): true
            case .named(let referents, _): referents.contains(where: names.isAlarm)
            default: false
            }
        }
        guard !isOfAlarm else { return marks }
        return marks.map { mark in
            mark.meaning == .sense(.topic(.sounded))
                ? SentenceToken(range: mark.range, meaning: .sense(.power(.off)), isGuessed: mark.isGuessed) : mark
        }
    }

    private func question(_ ask: QueryIntent, _ clause: Clause) -> ParseResult {
        var period: Period?
        if !ask.isAboutFuture {
            switch PeriodResolver(calendar: clock, lexicon: lexicon, now: now).resolve(
                clause.timeExpressions, after: context?.question?.period)
            {
            case .none: period = nil
            case .period(let found): period = found
            case .future: return .future
            case .unclear: return .unclearTime
            }
        }
        return .question(Question(intent: ask, subject: clause.subject, actors: actorFilter(clause), period: period))
    }

    private func actorFilter(_ clause: Clause) -> ActorFilter? {
        if !clause.people.isEmpty { return .actors(clause.people) }
        if clause.has(.functionWord(.me)) { return .actors([requester]) }
        if clause.has(.functionWord(.guests)) { return .guests }
        return clause.has(.functionWord(.somebody)) ? .anybody : nil
    }

    /// "And the day before?", "and in the kitchen?", "and Ben?": the last question, about something else.
    private func parseFollowUp(_ clause: Clause) -> ParseResult? {
        let changes: Set<Clause.Tag> = [
            .time, .thing, .room, .floor, .kind, .device, .person, .guest, .functionWord(.and), .functionWord(.whatAbout),
            .functionWord(.me), .functionWord(.all),
            .functionWord(.any),
            .functionWord(.it), .functionWord(.there), .functionWord(.except), .questionWord(.is), .questionWord(.what),
            .functionWord(.guests),
        ]
        guard let context, clause.tags.isSubset(of: changes),
            clause.hasAny(.time, .thing, .room, .floor, .kind, .person, .guest, .functionWord(.me), .functionWord(.guests))
        else { return nil }
        if var question = context.question {
            if clause.hasAny(.thing) {
                question.subject = clause.subject
            } else if clause.hasAny(.room, .floor) {
                question.subject.rooms = clause.subject.rooms
                question.subject.floor = clause.subject.floor
                question.subject.named = []
                // "Is the hall light on? And in the kitchen?": the kind is kept, the name is not.
                question.subject.kind = clause.subject.kind ?? question.subject.kind
            } else if clause.has(.kind) {
                question.subject.kind = clause.subject.kind
                question.subject.named = []
            }
            if let who = actorFilter(clause) { question.actors = who }
            if clause.has(.time) {
                question.during = nil
                switch PeriodResolver(calendar: clock, lexicon: lexicon, now: now).resolve(clause.timeExpressions, after: question.period) {
                case .period(let period): question.period = period
                case .future: return .future
                case .none: question.period = nil
                case .unclear: return .unclearTime
                }
            }
            return .question(question)
        }
        // "Turn off the hall light." "And the study." The same command elsewhere.
        guard var wish = context.commands.first, context.commands.count == 1, !clause.has(.time),
            clause.hasAny(.thing, .room, .floor, .kind)
        else {
            return nil
        }
        // A door is never opened by half a sentence.
        if case .verb(let verb) = wish.change, [.open, .unlock].contains(verb) { return nil }
        if clause.has(.thing) {
            wish.subject = clause.subject
        } else {
            wish.subject.named = []
            wish.subject.rooms = clause.subject.rooms
            wish.subject.floor = clause.subject.floor
            wish.subject.kind = clause.subject.kind ?? wish.subject.kind
            wish.subject.isOne = false
        }
        return .commands([wish])
    }

    /// The things that "it" refers to after the last exchange.
    private func antecedent(_ last: ConversationContext) -> DeviceReference {
        guard !last.isInterrupted else { return DeviceReference() }
        var subject = last.question?.subject ?? last.commands.first?.subject ?? DeviceReference()
        if !last.devices.isEmpty, last.devices.count <= 20 {
            subject = DeviceReference()
            subject.named = last.devices.map { [.device($0)] }
        }
        return subject
    }

    /// "Remember that the boiler was serviced", "what do you remember about the boiler": the rest is free text.
    private func parseMemory(_ marks: [SentenceToken], _ words: [Word]) -> ParseResult? {
        guard let place = marks.firstIndex(where: { [.sense(.topic(.remember)), .sense(.topic(.recall))].contains($0.meaning) }),
            marks[..<place].allSatisfy({
                $0.meaning == .sense(.filler) || $0.meaning == .sense(.functionWord(.you)) || $0.meaning == .sense(.questionWord(.did))
            })
        else { return nil }
        let text = words[marks[place].range.upperBound...].map(\.spelled).joined(separator: " ")
        let isRecall =
            marks[place].meaning == .sense(.topic(.recall)) || marks[..<place].contains { $0.meaning == .sense(.questionWord(.did)) }
        guard !text.isEmpty || isRecall else { return .notAQuestion }
        return .question(Question(intent: isRecall ? .recall(text) : .remember(text)))
    }
}

extension Clause {
    var isAsking: Bool {
        hasAny(
            .questionWord(.who), .questionWord(.when), .questionWord(.what), .questionWord(.which), .questionWord(.how),
            .questionWord(.where), .questionWord(.why), .questionWord(.is), .questionWord(.did), .questionWord(.list),
            .questionWord(.howOften),
            .questionWord(.howLong), .questionWord(.howMany), .questionWord(.howMuch), .functionWord(.any), .functionWord(.nothing),
            .functionWord(.somebody), .functionWord(.last), .time)
            || !participleVerbs.isEmpty
    }

    var hasVerb: Bool { !imperativeVerbs.isEmpty || has(.power) || has(.scene) }
}

extension QueryIntent {
    /// True if "it" must refer to something. It does not in "how warm is it".
    fileprivate var needsAntecedent: Bool {
        switch self {
        case .measure, .extremeRoom, .events, .mood, .sightings, .presence, .hello, .whatIf, .energyMost, .energyUsed, .energyCost,
            .energyPeak,
            .rooms, .list, .thanks, .help:
            false
        default: true
        }
    }

    /// True if its times do not lie in the past.
    fileprivate var isAboutFuture: Bool {
        switch self {
        case .whatIf, .mood, .help, .hello, .thanks: true
        default: false
        }
    }
}
