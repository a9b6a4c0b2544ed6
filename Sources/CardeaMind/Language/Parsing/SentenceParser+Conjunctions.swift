/// Parses several commands or questions in one sentence.
extension SentenceParser {
    /// The parts of a sentence between its "and"s; nil if it has none, or too many.
    private func halves(_ marks: [SentenceToken]) -> [[SentenceToken]]? {
        let halves = marks.split { $0.meaning == .sense(.functionWord(.and)) }.map(Array.init)
        return (2...4).contains(halves.count) ? halves : nil
    }

    /// "Turn off the light and lock the door", "open the back door and the garage": a thing without a verb takes the verb before it.
    func parseSeveralCommands(_ marks: [SentenceToken]) -> [CommandIntent]? {
        guard let halves = halves(marks) else { return nil }
        var wishes: [CommandIntent] = []
        for half in halves {
            let clause = Clause(half)
            guard clause.unknown.isEmpty, clause.unclear.isEmpty, !clause.isAsking, !clause.hasAny(.functionWord(.it), .functionWord(.them))
            else {
                return nil
            }
            if clause.hasVerb {
                guard let wish = CommandIntentParser(lexicon: lexicon).parse(clause) else { return nil }
                wishes.append(wish)
            } else {
                // An exception may go on after an "and".
                guard var wish = wishes.last, clause.isTargetOnly, !clause.has(.functionWord(.except)),
                    !wishes.contains(where: \.subject.hasExceptions)
                else { return nil }
                let kind = wish.subject.kind
                wish.subject = clause.subject
                // "The lights in the kitchen and the hall": the kind applies to both.
                if clause.subject.named.isEmpty, clause.subject.kind == nil { wish.subject.kind = kind }
                wishes.append(wish)
            }
        }
        return wishes
    }

    /// "Is the front door locked and is the garage closed?": each half is parsed by itself if each begins like a question.
    func parseSeveralQuestions(_ marks: [SentenceToken]) -> ParseResult? {
        guard let halves = halves(marks), let opening = halves.first?.first(where: \.isContentWord) else { return nil }
        var parts: [ParseResult] = []
        var before = context
        for half in halves {
            guard let first = half.first(where: \.isContentWord) else { return nil }
            var half = half
            // "Was there", "are there": small words that begin a question.
            let begins = first.beginsSentence || half.first.map { $0.meaning == .sense(.filler) && $0.range.count == 2 } == true
            if !begins {
                // "Is the front door locked and the garage closed?"
                let clause = Clause(half)
                guard case .question? = parts.last, opening.meaning == .sense(.questionWord(.is)), !first.isVerb, !clause.subject.isEmpty,
                    !clause.participleVerbs.isEmpty || !clause.imperativeVerbs.isEmpty || clause.has(.power)
                else { return nil }
                half = [opening] + half
            }
            let clause = Clause(half)
            guard clause.unknown.isEmpty, clause.unclear.isEmpty else { return nil }
            let reading = SentenceParser(lexicon: lexicon, names: names, clock: clock, now: now, requester: requester, context: before)
            let part = reading.parseClause(clause).0
            switch part {
            case .question(let question): before = ConversationContext(question: question, commands: [], devices: [], people: clause.people)
            case .commands(let wishes): before = ConversationContext(question: nil, commands: wishes, devices: [], people: [])
            default: return nil
            }
            parts.append(part)
        }
        let wishes = parts.compactMap { if case .commands(let wishes) = $0 { wishes } else { nil } }
        return wishes.count == parts.count ? .commands(wishes.flatMap(\.self)) : .several(parts)
    }
}

extension Clause {
    /// True if it names only a target and a place.
    fileprivate var isTargetOnly: Bool { !subject.isEmpty && people.isEmpty && tags.isSubset(of: SentencePattern.placeTags) }
}

extension DeviceReference {
    fileprivate var hasExceptions: Bool { !exceptNamed.isEmpty || !exceptRooms.isEmpty || !exceptKinds.isEmpty }
}

extension SentenceToken {
    /// True unless it is a filler, "one" or "you".
    fileprivate var isContentWord: Bool {
        switch meaning {
        case .sense(.filler), .sense(.functionWord(.one)), .sense(.functionWord(.you)): false
        default: true
        }
    }

    fileprivate var isVerb: Bool { if case .sense(.imperative) = meaning { true } else { false } }

    /// True if a question or a command can begin with it.
    fileprivate var beginsSentence: Bool {
        switch meaning {
        case .sense(.questionWord), .sense(.imperative), .sense(.danger), .sense(.functionWord(.any)), .sense(.functionWord(.somebody)):
            true
        default: false
        }
    }
}
