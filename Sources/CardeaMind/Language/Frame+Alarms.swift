// MARK: Smoke, fire, gas and water

extension Frame {
    /// "Is there smoke?", "did the smoke alarm go off today?", "is anything leaking?"
    static let alarms: [Frame] = [
        Frame(
            [[.danger, .topic(.sounded)]],
            allows: place, times, asks,
            [
                .danger, .topic(.sounded), .ask(.when), .ask(.howOften), .ask(.howMany), .joint(.nothing), .joint(.not), .joint(.somebody),
                .joint(.me), .topic(.happened), .topic(.seen), .topic(.home), .base(.run), .done(.run), .base(.ring), .done(.ring),
            ]
        ) { clause in
            // Two of them are "anything of the kind".
            let words = Set(clause.dangers)
            let word = words.count == 1 ? words.first ?? .any : .any
            // What an alarm is meant for does not matter where the alarm itself was named.
            return .danger(.init(word: word), alarmAsk(clause))
        }
    ]

    private static func alarmAsk(_ clause: Clause) -> Ask.AlarmAsk {
        if clause.hasAny(.ask(.howOften), .ask(.howMany)) { return .howOften }
        if clause.hasAny(.ask(.when), .joint(.last), .joint(.first)) { return .when }
        let isPast = clause.hasAny(
            .topic(.sounded), .ask(.did), .base(.run), .done(.run), .base(.ring), .done(.ring), .topic(.seen), .topic(.happened))
        return isPast || !clause.pieces.allSatisfy { $0 == .now } ? .whether : .now
    }
}
