import CardeaModel
import Foundation

/// What became of a sentence.
enum Understanding: Hashable, Sendable {
    case question(Question)
    case wishes([Wish])
    /// Several in one sentence, each whole in itself.
    case several([Understanding])
    /// Words nobody knows here.
    case unknown([String])
    /// As near to one word as to another; what may have been meant.
    case unclear([String])
    /// Every word is known, and together they are no question the house can answer.
    case noSense
    case unclearTime
    case future
    /// "It", and nothing was spoken of before.
    case pointless
    case empty
}

/// What was understood last, for "and the day before?".
public struct Exchange: Hashable, Sendable {
    let question: Question?
    let wishes: [Wish]
    /// What the answer spoke of.
    let devices: [String]
    let people: [String]
    /// Something was said since that was not understood: what "it" is now, nobody knows.
    var isInterrupted = false
}

/// Reads a sentence: words, then marks, then a clause, then the first frame that fits.
struct SentenceReading: Sendable {
    let lexicon: Lexicon
    let names: Names
    let clock: WallClock
    let now: Date
    /// Who asks.
    let asker: String
    let last: Exchange?
    /// What somebody means who says "degrees".
    var degrees = TemperatureUnit.celsius
    /// How often a sentence has been read for each of several kinds already.
    var unfolded = 0

    func read(_ sentence: String) -> Understanding {
        let words = Word.split(sentence)
        guard !words.isEmpty else { return .empty }
        let marks = Marking(lexicon: lexicon, names: names, degrees: degrees).marks(words)
        let understanding = read(marks, words)
        guard understanding == .noSense, marks.contains(where: \.isDanger) else { return understanding }
        // "The battery of the smoke alarm": what is named after what it is for is a thing like any other.
        return read(Marking(lexicon: lexicon, names: names, readsDangers: false, degrees: degrees).marks(words), words)
    }

    func read(_ marks: [Mark], _ words: [Word]) -> Understanding {
        if let memory = memory(marks, words) { return memory }
        let pointed = pointing(marks, words)
        if let usual = usual(pointed, words) { return usual }
        if let bound = compared(pointed) ?? during(pointed) { return bound }
        let marks = switching(sounding(pointed), words)
        if let each = severalKinds(marks, words) { return each }
        if let wishes = severalWishes(marks) { return .wishes(wishes) }
        if let several = several(marks) { return several }
        let clause = Clause(marks)
        guard clause.unknown.isEmpty else { return .unknown(clause.unknown.map { words[$0].spelled }) }
        if let unclear = clause.unclear.first { return .unclear(unclear) }
        let (understanding, whole) = whole(clause)
        return understanding == .noSense ? followUp(whole) ?? listing(whole) ?? .noSense : understanding
    }

    /// What a clause says that is whole in itself, and the clause with what "it" stands for.
    func whole(_ read: Clause) -> (Understanding, Clause) {
        var clause = read
        var isPointless = false
        if clause.hasAny(.joint(.it), .joint(.them), .joint(.there), .joint(.they)) {
            let subject = last.map(pointed) ?? Subject()
            let people = last?.isInterrupted == false ? last?.people ?? [] : []
            let isNamed = !clause.subject.named.isEmpty || !clause.subject.rooms.isEmpty
            if !isNamed || clause.has(.joint(.they)) { clause.point(to: subject, people) }
            isPointless = clause.has(.joint(.they)) ? clause.people.isEmpty : !isNamed && subject.isEmpty
        }
        // Said again it is still only suggested: nothing is done by words.
        if clause.tags == [.topic(.yes)], let last, !last.isInterrupted, !last.wishes.isEmpty { return (.wishes(last.wishes), clause) }
        if !clause.isAsking, let wish = WishReading(lexicon: lexicon).read(clause) {
            // "It" is warm in a house, whatever was spoken of before.
            if case .warmer = wish.act { return (.wishes([wish]), clause) }
            return (isPointless ? .pointless : .wishes([wish]), clause)
        }
        for frame in Frame.all {
            guard let ask = frame.read(clause) else { continue }
            if isPointless, ask.needsPoint { return (.pointless, clause) }
            return (question(ask, clause), clause)
        }
        return (.noSense, clause)
    }

    /// "When is the garage usually closed?": what it has learned of it.
    private func usual(_ marks: [Mark], _ words: [Word]) -> Understanding? {
        guard marks.contains(where: { $0.meaning == .sense(.topic(.usual)) }) else { return nil }
        let unknown = marks.filter { $0.meaning == .unknown }.flatMap { words[$0.range].map(\.spelled) }
        guard unknown.isEmpty else { return .unknown(unknown) }
        let named = marks.filter { mark in
            switch mark.meaning {
            case .named, .sense(.one), .sense(.many): true
            default: false
            }
        }
        // What is learned of people is when they are at home.
        let isOfHome = marks.contains {
            [.sense(.topic(.come)), .sense(.topic(.leave)), .sense(.topic(.home)), .sense(.topic(.away))].contains($0.meaning)
        }
        let text = (named.flatMap { words[$0.range].map(\.spelled) } + (isOfHome ? [lexicon.word(.topic(.home))] : [])).joined(
            separator: " ")
        return text.isEmpty ? .noSense : .question(Question(ask: .recall(text)))
    }

    /// "Turn of the light": a letter is missing of "off".
    private func switching(_ marks: [Mark], _ words: [Word]) -> [Mark] {
        guard !marks.contains(where: { if case .sense(.power) = $0.meaning { true } else { false } }) else { return marks }
        let of = lexicon.leads[.of] ?? []
        return marks.indices.map { place in
            let mark = marks[place]
            guard place > 0, mark.meaning == .sense(.noise), mark.range.count == 1, of.contains(words[mark.range.lowerBound].folded),
                [.sense(.base(.turn)), .sense(.done(.turn))].contains(marks[place - 1].meaning)
            else { return mark }
            return Mark(range: mark.range, meaning: .sense(.power(.off)), isGuessed: true)
        }
    }

    /// "Was it" is only how a question about the weather goes on; where something is done and nothing else is named, "it" is what was spoken of.
    private func pointing(_ marks: [Mark], _ words: [Word]) -> [Mark] {
        var isDone = false
        for mark in marks {
            switch mark.meaning {
            case .sense(.noise), .sense(.ask), .sense(.joint(.last)), .sense(.joint(.first)), .sense(.joint(.and)), .sense(.joint(.not)),
                .time:
                break
            case .sense(.base), .sense(.done), .sense(.power), .sense(.topic(.jammed)): isDone = true
            case .sense(.joint(.me)), .sense(.joint(.they)), .sense(.joint(.somebody)), .sense(.joint(.guests)): break
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
        return marks.flatMap { mark -> [Mark] in
            let spelled = words[mark.range].map(\.folded)
            guard mark.meaning == .sense(.noise), spelled.count == 2, lexicon.senses[[spelled[1]]] == .joint(.it),
                let verb = lexicon.senses[[spelled[0]]]
            else { return [mark] }
            let middle = mark.range.lowerBound + 1
            return [
                Mark(range: mark.range.lowerBound..<middle, meaning: .sense(verb), isGuessed: mark.isGuessed),
                Mark(range: middle..<mark.range.upperBound, meaning: .sense(.joint(.it)), isGuessed: mark.isGuessed),
            ]
        }
    }

    /// "Go off" is what an alarm does when it sounds, and anything else when it is switched off.
    private func sounding(_ marks: [Mark]) -> [Mark] {
        let isOfAlarm = marks.contains { mark in
            switch mark.meaning {
            case .sense(.danger), .sense(.one(.sensor)), .sense(.many(.sensor)): true
            case .named(let referents, _): referents.contains(where: names.isAlarm)
            default: false
            }
        }
        guard !isOfAlarm else { return marks }
        return marks.map { mark in
            mark.meaning == .sense(.topic(.sounded))
                ? Mark(range: mark.range, meaning: .sense(.power(.off)), isGuessed: mark.isGuessed) : mark
        }
    }

    private func question(_ ask: Ask, _ clause: Clause) -> Understanding {
        var period: Period?
        if !ask.isAhead {
            switch PeriodReading(clock: clock, lexicon: lexicon, now: now).read(clause.pieces, after: last?.question?.period) {
            case .none: period = nil
            case .period(let found): period = found
            case .future: return .future
            case .unclear: return .unclearTime
            }
        }
        return .question(Question(ask: ask, subject: clause.subject, who: who(clause), period: period))
    }

    private func who(_ clause: Clause) -> Who? {
        if !clause.people.isEmpty { return .these(clause.people) }
        if clause.has(.joint(.me)) { return .these([asker]) }
        if clause.has(.joint(.guests)) { return .guests }
        return clause.has(.joint(.somebody)) ? .anybody : nil
    }

    /// "And the day before?", "and in the kitchen?", "and Ben?": what was asked last, about something else.
    private func followUp(_ clause: Clause) -> Understanding? {
        let changes: Set<Clause.Tag> = [
            .time, .thing, .room, .floor, .kind, .device, .person, .guest, .joint(.and), .joint(.whatAbout), .joint(.me), .joint(.all),
            .joint(.any),
            .joint(.it), .joint(.there), .joint(.except), .ask(.is), .ask(.what), .joint(.guests),
        ]
        guard let last, clause.tags.isSubset(of: changes),
            clause.hasAny(.time, .thing, .room, .floor, .kind, .person, .guest, .joint(.me), .joint(.guests))
        else { return nil }
        if var question = last.question {
            if clause.hasAny(.thing) {
                question.subject = clause.subject
            } else if clause.hasAny(.room, .floor) {
                question.subject.rooms = clause.subject.rooms
                question.subject.floor = clause.subject.floor
                question.subject.named = []
                // "Is the hall light on? And in the kitchen?": the kind goes along, the name does not.
                question.subject.kind = clause.subject.kind ?? question.subject.kind
            } else if clause.has(.kind) {
                question.subject.kind = clause.subject.kind
                question.subject.named = []
            }
            if let who = who(clause) { question.who = who }
            if clause.has(.time) {
                question.during = nil
                switch PeriodReading(clock: clock, lexicon: lexicon, now: now).read(clause.pieces, after: question.period) {
                case .period(let period): question.period = period
                case .future: return .future
                case .none: question.period = nil
                case .unclear: return .unclearTime
                }
            }
            return .question(question)
        }
        // "Turn off the hall light." "And the study." The same, elsewhere.
        guard var wish = last.wishes.first, last.wishes.count == 1, !clause.has(.time), clause.hasAny(.thing, .room, .floor, .kind) else {
            return nil
        }
        // A door is never opened by half a sentence.
        if case .deed(let verb) = wish.act, [.open, .unlock].contains(verb) { return nil }
        if clause.has(.thing) {
            wish.subject = clause.subject
        } else {
            wish.subject.named = []
            wish.subject.rooms = clause.subject.rooms
            wish.subject.floor = clause.subject.floor
            wish.subject.kind = clause.subject.kind ?? wish.subject.kind
            wish.subject.isOne = false
        }
        return .wishes([wish])
    }

    /// What "it" is after what was said last.
    private func pointed(_ last: Exchange) -> Subject {
        guard !last.isInterrupted else { return Subject() }
        var subject = last.question?.subject ?? last.wishes.first?.subject ?? Subject()
        if !last.devices.isEmpty, last.devices.count <= 20 {
            subject = Subject()
            subject.named = last.devices.map { [.device($0)] }
        }
        return subject
    }

    /// "Remember that the boiler was serviced", "what do you remember about the boiler": what follows is free text.
    private func memory(_ marks: [Mark], _ words: [Word]) -> Understanding? {
        guard let place = marks.firstIndex(where: { [.sense(.topic(.remember)), .sense(.topic(.recall))].contains($0.meaning) }),
            marks[..<place].allSatisfy({
                $0.meaning == .sense(.noise) || $0.meaning == .sense(.joint(.you)) || $0.meaning == .sense(.ask(.did))
            })
        else { return nil }
        let text = words[marks[place].range.upperBound...].map(\.spelled).joined(separator: " ")
        let isRecall = marks[place].meaning == .sense(.topic(.recall)) || marks[..<place].contains { $0.meaning == .sense(.ask(.did)) }
        guard !text.isEmpty || isRecall else { return .noSense }
        return .question(Question(ask: isRecall ? .recall(text) : .remember(text)))
    }
}

extension Clause {
    var isAsking: Bool {
        hasAny(
            .ask(.who), .ask(.when), .ask(.what), .ask(.which), .ask(.how), .ask(.where), .ask(.why), .ask(.is), .ask(.did), .ask(.list),
            .ask(.howOften),
            .ask(.howLong), .ask(.howMany), .ask(.howMuch), .joint(.any), .joint(.nothing), .joint(.somebody), .joint(.last), .time)
            || !dones.isEmpty
    }

    var hasVerb: Bool { !bases.isEmpty || has(.power) || has(.scene) }
}

extension Ask {
    /// Whether "it" must be something: "how warm is it" asks of no thing.
    fileprivate var needsPoint: Bool {
        switch self {
        case .measure, .extremeRoom, .happened, .mood, .seen, .presence, .hello, .whatIf, .energyMost, .energyUsed, .energyCost,
            .energyPeak,
            .rooms, .list, .thanks, .help:
            false
        default: true
        }
    }

    /// Whether its times are not of the past.
    fileprivate var isAhead: Bool {
        switch self {
        case .whatIf, .mood, .help, .hello, .thanks: true
        default: false
        }
    }
}
