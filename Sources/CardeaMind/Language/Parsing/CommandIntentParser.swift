import CardeaModel

/// Parses commands. They are only ever suggested.
struct CommandIntentParser: Sendable {
    let lexicon: Lexicon

    func parse(_ clause: Clause) -> CommandIntent? {
        let allowed: Set<Clause.Tag> = SentencePattern.placeTags.union(SentencePattern.switchingTags).union([
            .imperative(.open), .imperative(.close), .imperative(.lock), .imperative(.unlock), .imperative(.set), .imperative(.dim),
            .imperative(.run), .amount, .scene, .measure,
            .extreme,
            .functionWord(.me), .functionWord(.scene), .functionWord(.you), .functionWord(.and), .topic(.keep), .topic(.home),
        ])
        guard clause.tags.isSubset(of: allowed), let act = change(clause) else { return nil }
        guard clause.measures.allSatisfy({ [.temperature, .brightness, .target].contains($0) }) else { return nil }
        if case .scene = act { return CommandIntent(change: act) }
        if case .warmer = act { return CommandIntent(change: act, subject: clause.subject) }
        if clause.isLockingUp || clause.has(.floor), clause.imperativeVerbs == [.lock], clause.subject.isEmpty {
            var doors = DeviceReference()
            (doors.kind, doors.isAny) = (.door, true)
            return CommandIntent(change: act, subject: doors)
        }
        // A command without a target is none; "everything off" has everything as its target.
        guard !clause.subject.isEmpty || clause.hasAny(.functionWord(.it), .functionWord(.them)) || clause.has(.measure) else { return nil }
        return CommandIntent(change: act, subject: clause.subject, isGuessed: clause.isOpeningGuessed)
    }

    private func change(_ clause: Clause) -> CommandIntent.Change? {
        let verbs = Set(clause.imperativeVerbs)
        if !clause.extremes.isEmpty { return parseTemperatureChange(clause, verbs) }
        if clause.scenes.count == 1, let scene = clause.scenes.first, clause.subject.isEmpty, clause.amounts.isEmpty,
            verbs.isSubset(of: [.run, .set, .turn]), clause.powerWords.allSatisfy({ $0 == .on })
        {
            return .scene(scene)
        }
        guard clause.scenes.isEmpty, verbs.count <= 1, clause.amounts.count <= 1, Set(clause.powerWords).count <= 1 else { return nil }
        let power = clause.powerWords.first
        let amount = clause.amounts.first
        switch verbs.first {
        case .open: return amount == nil && power == nil ? .verb(.open) : amount.flatMap { amountChange($0, isOpening: true) }
        case .close: return amount == nil ? .verb(.close) : nil
        case .lock: return amount == nil ? .verb(.lock) : nil
        case .unlock: return amount == nil ? .verb(.unlock) : nil
        case .turn:
            return amount == nil ? power.map { .verb($0 == .on ? .on : .off) } : amount.flatMap { amountChange($0, isOpening: false) }
        case .dim: return amountChange(amount ?? (30, .percent), isOpening: false)
        case .set:
            if let amount { return amountChange(amount, isOpening: false) }
            return power.map { .verb($0 == .on ? .on : .off) }
        case nil:
            if let amount { return amountChange(amount, isOpening: false) }
            return power.map { .verb($0 == .on ? .on : .off) }
        case .run, .use, .ring, .try: return nil
        }
    }

    /// "Make it warmer", "make the bedroom a little cooler".
    private func parseTemperatureChange(_ clause: Clause, _ verbs: Set<LexicalCategory.VerbWord>) -> CommandIntent.Change? {
        let isPointing = clause.has(.functionWord(.it))
        guard verbs == [.set] || verbs.isEmpty && isPointing, clause.powerWords.isEmpty, clause.amounts.isEmpty, clause.measures.isEmpty,
            clause.scenes.isEmpty, clause.extremes.count == 1
        else { return nil }
        switch clause.extremes.first {
        case .warmest: return .warmer(Self.defaultTemperatureStep, isThere: isPointing)
        case .coldest: return .warmer(-Self.defaultTemperatureStep, isThere: isPointing)
        default: return nil
        }
    }

    /// °C for "warmer" or "cooler" without a number.
    private static let defaultTemperatureStep = 1.0

    private func amountChange(_ amount: (Double, LexicalCategory.UnitWord?), isOpening: Bool) -> CommandIntent.Change? {
        switch amount.1 {
        case .celsius, .degrees: .degrees(amount.0)
        case .fahrenheit: .degrees(TemperatureUnit.fahrenheit.toCelsius(amount.0))
        case .percent: .percent(amount.0, isOpening: isOpening)
        case nil: .withoutUnit(amount.0)
        case .watts, .half, .full: nil
        }
    }
}
