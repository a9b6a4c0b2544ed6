/// Parses sentences whose two halves depend on each other.
extension SentenceParser {
    private func halves(_ marks: [SentenceToken], at joint: LexicalCategory.FunctionWord) -> (Clause, Clause)? {
        guard let place = marks.firstIndex(where: { $0.meaning == .sense(.functionWord(joint)) }) else { return nil }
        let halves = (Clause(Array(marks[..<place])), Clause(Array(marks[(place + 1)...])))
        let isKnown = [halves.0, halves.1].allSatisfy { $0.unknown.isEmpty && $0.unclear.isEmpty }
        return isKnown ? halves : nil
    }

    /// "Is the kitchen warmer than the bedroom?"
    func parseComparison(_ marks: [SentenceToken]) -> ParseResult? {
        guard let (one, other) = halves(marks, at: .than) else { return nil }
        let places: Set<Clause.Tag> = [.room, .floor, .thing, .functionWord(.it), .functionWord(.there), .topic(.home)]
        guard one.extremes.count == 1, let extreme = one.extremes.first,
            one.tags.isSubset(of: places.union([.extreme, .questionWord(.is), .time])), other.tags.isSubset(of: places.union([.time])),
            (one.timeExpressions + other.timeExpressions).allSatisfy({ $0 == .now }), !one.subject.isEmpty || !other.subject.isEmpty
        else { return nil }
        let (measure, isHighest): (QueryIntent.Measure, Bool) =
            switch extreme {
            case .warmest: (.temperature, true)
            case .coldest: (.temperature, false)
            case .dampest: (.humidity, true)
            case .driest: (.humidity, false)
            }
        return .question(Question(intent: .compare(measure, isHighest: isHighest, with: other.subject), subject: one.subject))
    }

    /// "Who opened the front door while I was away?"
    func parseDuring(_ marks: [SentenceToken]) -> ParseResult? {
        guard let (asked, stay) = halves(marks, at: .while) else { return nil }
        let allowed: Set<Clause.Tag> = [
            .person, .functionWord(.me), .questionWord(.is), .topic(.home), .topic(.away), .functionWord(.not), .functionWord(.it),
        ]
        guard stay.has(.questionWord(.is)), stay.tags.isSubset(of: allowed), stay.people.count <= 1, !stay.has(.functionWord(.not)) else {
            return nil
        }
        guard case .question(var question) = parseClause(asked).0, question.period == nil else { return nil }
        question.during = PresenceReference(personKey: stay.people.first ?? requester, isHome: stay.has(.topic(.home)))
        return .question(question)
    }
}
