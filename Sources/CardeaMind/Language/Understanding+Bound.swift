/// Two halves of a sentence of which each says something of the other.
extension SentenceReading {
    private func halves(_ marks: [Mark], at joint: Sense.Joint) -> (Clause, Clause)? {
        guard let place = marks.firstIndex(where: { $0.meaning == .sense(.joint(joint)) }) else { return nil }
        let halves = (Clause(Array(marks[..<place])), Clause(Array(marks[(place + 1)...])))
        let isKnown = [halves.0, halves.1].allSatisfy { $0.unknown.isEmpty && $0.unclear.isEmpty }
        return isKnown ? halves : nil
    }

    /// "Is the kitchen warmer than the bedroom?"
    func compared(_ marks: [Mark]) -> Understanding? {
        guard let (one, other) = halves(marks, at: .than) else { return nil }
        let places: Set<Clause.Tag> = [.room, .floor, .thing, .joint(.it), .joint(.there), .topic(.home)]
        guard one.extremes.count == 1, let extreme = one.extremes.first,
            one.tags.isSubset(of: places.union([.extreme, .ask(.is), .time])), other.tags.isSubset(of: places.union([.time])),
            (one.pieces + other.pieces).allSatisfy({ $0 == .now }), !one.subject.isEmpty || !other.subject.isEmpty
        else { return nil }
        let (measure, isHighest): (Ask.Measure, Bool) =
            switch extreme {
            case .warmest: (.temperature, true)
            case .coldest: (.temperature, false)
            case .dampest: (.humidity, true)
            case .driest: (.humidity, false)
            }
        return .question(Question(ask: .compare(measure, isHighest: isHighest, with: other.subject), subject: one.subject))
    }

    /// "Who opened the front door while I was away?"
    func during(_ marks: [Mark]) -> Understanding? {
        guard let (asked, stay) = halves(marks, at: .while) else { return nil }
        let allowed: Set<Clause.Tag> = [
            .person, .joint(.me), .ask(.is), .topic(.home), .topic(.away), .joint(.not), .joint(.it),
        ]
        guard stay.has(.ask(.is)), stay.tags.isSubset(of: allowed), stay.people.count <= 1, !stay.has(.joint(.not)) else { return nil }
        guard case .question(var question) = whole(asked).0, question.period == nil else { return nil }
        question.during = Stay(who: stay.people.first ?? asker, isHome: stay.has(.topic(.home)))
        return .question(question)
    }
}
