// MARK: Smoke, fire, gas and water

extension SentencePattern {
    /// "Is there smoke?", "did the smoke alarm go off today?", "is anything leaking?"
    static let alarms: [SentencePattern] = [
        SentencePattern(
            [[.danger, .topic(.sounded)]],
            allows: placeTags, timeTags, questionTags,
            [
                .danger, .topic(.sounded), .questionWord(.when), .questionWord(.howOften), .questionWord(.howMany), .functionWord(.nothing),
                .functionWord(.not), .functionWord(.somebody),
                .functionWord(.me), .topic(.happened), .topic(.seen), .topic(.home), .imperative(.run), .participle(.run),
                .imperative(.ring), .participle(.ring),
            ]
        ) { clause in
            // Two dangers count as any danger.
            let words = Set(clause.dangers)
            let word = words.count == 1 ? words.first ?? .any : .any
            // If the alarm itself was named, its danger does not matter.
            return .danger(.init(word: word), alarmQuery(clause))
        }
    ]

    private static func alarmQuery(_ clause: Clause) -> QueryIntent.AlarmQuery {
        if clause.hasAny(.questionWord(.howOften), .questionWord(.howMany)) { return .howOften }
        if clause.hasAny(.questionWord(.when), .functionWord(.last), .functionWord(.first)) { return .when }
        let isPast = clause.hasAny(
            .topic(.sounded), .questionWord(.did), .imperative(.run), .participle(.run), .imperative(.ring), .participle(.ring),
            .topic(.seen), .topic(.happened))
        return isPast || !clause.timeExpressions.allSatisfy { $0 == .now } ? .whether : .now
    }
}
