/// Parses sentences about several kinds of things.
extension SentenceParser {
    /// "Are the lamps and fans in the study on?": the question is asked for each kind. Nil if the sentence names one kind.
    func parseSeveralCategories(_ marks: [SentenceToken], _ words: [Word]) -> ParseResult? {
        guard let each = Self.expandCategories(marks) else { return nil }
        // Deeper nesting does not occur in real sentences.
        guard expansionDepth < 2, each.count <= 6 else { return .notAQuestion }
        var reading = self
        reading.expansionDepth += 1
        var parts: [ParseResult] = []
        for marks in each {
            switch reading.parse(marks, words) {
            case .several(let several): parts += several.filter { !parts.contains($0) }
            case .question(let question): parts.append(.question(question))
            case .commands(let wishes): parts.append(.commands(wishes))
            case let other: return other
            }
        }
        let wishes = parts.compactMap { if case .commands(let wishes) = $0 { wishes } else { nil } }
        return wishes.count == parts.count ? .commands(wishes.flatMap(\.self)) : .several(parts)
    }

    /// "Lamps in the study?": lists those that exist.
    func parseListing(_ clause: Clause) -> ParseResult? {
        guard clause.isPlural, clause.hasAny(.room, .floor), clause.subject.named.isEmpty,
            clause.tags.isSubset(of: [.kind, .device, .room, .floor, .functionWord(.all), .functionWord(.any)])
        else { return nil }
        return .question(Question(intent: .list, subject: clause.subject))
    }

    /// One sentence for each of the kinds that are listed side by side; nil if there are none.
    private static func expandCategories(_ marks: [SentenceToken]) -> [[SentenceToken]]? {
        var place = 0
        while let start = marks[place...].firstIndex(where: { $0.category != nil }) {
            // Kinds after "except" are left out together.
            if marks[..<start].contains(where: { $0.meaning == .sense(.functionWord(.except)) }) { return nil }
            let (kinds, end) = categorySequence(marks, from: start)
            place = end
            guard Set(kinds.map { $0.compactMap(\.category) }).count > 1 else { continue }
            let (before, after) = (marks[..<start], marks[end...])
            // "Close the blinds and lights off": each has a verb of its own.
            let own = (
                before.split { $0.isAnd }.last.map { Clause(Array($0)) },
                after.isEmpty ? nil : after.split(omittingEmptySubsequences: false) { $0.isAnd }.first.map { Clause(Array($0)) }
            )
            if own.0?.statesActionOrState(withTurning: false) == true, own.1?.statesActionOrState(withTurning: true) == true { continue }
            return kinds.map { Array(before) + $0 + Array(after) }
        }
        return nil
    }

    /// The kinds from `start` on, separated only by "and" and small words, and the end of the list. "Window sensor" is one kind, "lamps,
    /// fans" are two.
    private static func categorySequence(_ marks: [SentenceToken], from start: Int) -> (kinds: [[SentenceToken]], end: Int) {
        var (groups, end): ([[SentenceToken]], Int) = ([[]], start)
        for place in start..<marks.count {
            let mark = marks[place]
            if mark.category != nil {
                groups[groups.count - 1].append(mark)
                end = place + 1
            } else if mark.isAnd {
                groups.append([])
            } else if !mark.isFiller {
                break
            }
        }
        let kinds = groups.filter { !$0.isEmpty }
        guard kinds.count > 1 else { return (kinds, end) }
        return (kinds.flatMap { group in group.allSatisfy(\.isPlural) ? group.map { [$0] } : [group] }, end)
    }
}

extension SentenceToken {
    fileprivate var category: DeviceCategory? {
        switch meaning {
        case .sense(.singular(let kind)), .sense(.plural(let kind)): kind
        default: nil
        }
    }

    fileprivate var isPlural: Bool { if case .sense(.plural) = meaning { true } else { false } }
    fileprivate var isAnd: Bool { meaning == .sense(.functionWord(.and)) }

    /// "The", "a", "all".
    fileprivate var isFiller: Bool {
        [.sense(.filler), .sense(.functionWord(.one)), .sense(.functionWord(.all)), .sense(.functionWord(.any))].contains(meaning)
    }
}

extension Clause {
    /// Returns whether the clause names an action or a state. "Turn" alone does not: its "off" is still to come.
    fileprivate func statesActionOrState(withTurning isWhole: Bool) -> Bool {
        has(.power) || !participleVerbs.isEmpty || imperativeVerbs.contains { isWhole || $0 != .turn }
    }
}
