/// Several wishes or questions in one sentence.
extension SentenceReading {
    /// The stretches of a sentence between its "and"s; nil where it has none, or too many.
    private func halves(_ marks: [Mark]) -> [[Mark]]? {
        let halves = marks.split { $0.meaning == .sense(.joint(.and)) }.map(Array.init)
        return (2...4).contains(halves.count) ? halves : nil
    }

    /// "Turn off the light and lock the door", "open the back door and the garage": what is only named is wished what was wished before it.
    func severalWishes(_ marks: [Mark]) -> [Wish]? {
        guard let halves = halves(marks) else { return nil }
        var wishes: [Wish] = []
        for half in halves {
            let clause = Clause(half)
            guard clause.unknown.isEmpty, clause.unclear.isEmpty, !clause.isAsking, !clause.hasAny(.joint(.it), .joint(.them)) else {
                return nil
            }
            if clause.hasVerb {
                guard let wish = WishReading(lexicon: lexicon).read(clause) else { return nil }
                wishes.append(wish)
            } else {
                // What is left out may go on over an "and".
                guard var wish = wishes.last, clause.isPlace, !clause.has(.joint(.except)),
                    !wishes.contains(where: \.subject.isExcepting)
                else { return nil }
                let kind = wish.subject.kind
                wish.subject = clause.subject
                // "The lights in the kitchen and the hall": the kind goes along.
                if clause.subject.named.isEmpty, clause.subject.kind == nil { wish.subject.kind = kind }
                wishes.append(wish)
            }
        }
        return wishes
    }

    /// "Is the front door locked and is the garage closed?": each half is read by itself, where each begins like one.
    func several(_ marks: [Mark]) -> Understanding? {
        guard let halves = halves(marks), let opening = halves.first?.first(where: \.isTelling) else { return nil }
        var parts: [Understanding] = []
        var before = last
        for half in halves {
            guard let first = half.first(where: \.isTelling) else { return nil }
            var half = half
            // "Was there", "are there": small words that begin a question.
            let begins = first.beginsSentence || half.first.map { $0.meaning == .sense(.noise) && $0.range.count == 2 } == true
            if !begins {
                // "Is the front door locked and the garage closed?"
                let clause = Clause(half)
                guard case .question? = parts.last, opening.meaning == .sense(.ask(.is)), !first.isVerb, !clause.subject.isEmpty,
                    !clause.dones.isEmpty || !clause.bases.isEmpty || clause.has(.power)
                else { return nil }
                half = [opening] + half
            }
            let clause = Clause(half)
            guard clause.unknown.isEmpty, clause.unclear.isEmpty else { return nil }
            let reading = SentenceReading(lexicon: lexicon, names: names, clock: clock, now: now, asker: asker, last: before)
            let part = reading.whole(clause).0
            switch part {
            case .question(let question): before = Exchange(question: question, wishes: [], devices: [], people: clause.people)
            case .wishes(let wishes): before = Exchange(question: nil, wishes: wishes, devices: [], people: [])
            default: return nil
            }
            parts.append(part)
        }
        let wishes = parts.compactMap { if case .wishes(let wishes) = $0 { wishes } else { nil } }
        return wishes.count == parts.count ? .wishes(wishes.flatMap(\.self)) : .several(parts)
    }
}

extension Clause {
    /// Nothing but what and where.
    fileprivate var isPlace: Bool { !subject.isEmpty && people.isEmpty && tags.isSubset(of: Frame.place) }
}

extension Subject {
    fileprivate var isExcepting: Bool { !exceptNamed.isEmpty || !exceptRooms.isEmpty || !exceptKinds.isEmpty }
}

extension Mark {
    /// Whether it says anything.
    fileprivate var isTelling: Bool {
        switch meaning {
        case .sense(.noise), .sense(.joint(.one)), .sense(.joint(.you)): false
        default: true
        }
    }

    fileprivate var isVerb: Bool { if case .sense(.base) = meaning { true } else { false } }

    /// Whether a question or a wish begins so.
    fileprivate var beginsSentence: Bool {
        switch meaning {
        case .sense(.ask), .sense(.base), .sense(.danger), .sense(.joint(.any)), .sense(.joint(.somebody)): true
        default: false
        }
    }
}
