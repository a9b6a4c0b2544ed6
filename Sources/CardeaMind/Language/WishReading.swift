import CardeaModel

/// Reads what somebody wants done. Whatever comes of it is only suggested.
struct WishReading: Sendable {
    let lexicon: Lexicon

    func read(_ clause: Clause) -> Wish? {
        let allowed: Set<Clause.Tag> = Frame.place.union(Frame.turns).union([
            .base(.open), .base(.close), .base(.lock), .base(.unlock), .base(.set), .base(.dim), .base(.run), .amount, .scene, .measure,
            .extreme,
            .joint(.me), .joint(.scene), .joint(.you), .joint(.and), .topic(.keep), .topic(.home),
        ])
        guard clause.tags.isSubset(of: allowed), let act = act(clause) else { return nil }
        guard clause.measures.allSatisfy({ [.temperature, .brightness, .target].contains($0) }) else { return nil }
        if case .scene = act { return Wish(act: act) }
        if case .warmer = act { return Wish(act: act, subject: clause.subject) }
        if clause.isLockingUp || clause.has(.floor), clause.bases == [.lock], clause.subject.isEmpty {
            var doors = Subject()
            (doors.kind, doors.isAny) = (.door, true)
            return Wish(act: act, subject: doors)
        }
        // A wish about nothing is none; "everything off" is about everything.
        guard !clause.subject.isEmpty || clause.hasAny(.joint(.it), .joint(.them)) || clause.has(.measure) else { return nil }
        return Wish(act: act, subject: clause.subject, isGuessed: clause.isOpeningGuessed)
    }

    private func act(_ clause: Clause) -> Wish.Act? {
        let verbs = Set(clause.bases)
        if !clause.extremes.isEmpty { return warmer(clause, verbs) }
        if clause.scenes.count == 1, let scene = clause.scenes.first, clause.subject.isEmpty, clause.amounts.isEmpty,
            verbs.isSubset(of: [.run, .set, .turn]), clause.powers.allSatisfy({ $0 == .on })
        {
            return .scene(scene)
        }
        guard clause.scenes.isEmpty, verbs.count <= 1, clause.amounts.count <= 1, Set(clause.powers).count <= 1 else { return nil }
        let power = clause.powers.first
        let amount = clause.amounts.first
        switch verbs.first {
        case .open: return amount == nil && power == nil ? .deed(.open) : amount.flatMap { number($0, isOpening: true) }
        case .close: return amount == nil ? .deed(.close) : nil
        case .lock: return amount == nil ? .deed(.lock) : nil
        case .unlock: return amount == nil ? .deed(.unlock) : nil
        case .turn: return amount == nil ? power.map { .deed($0 == .on ? .on : .off) } : amount.flatMap { number($0, isOpening: false) }
        case .dim: return number(amount ?? (30, .percent), isOpening: false)
        case .set:
            if let amount { return number(amount, isOpening: false) }
            return power.map { .deed($0 == .on ? .on : .off) }
        case nil:
            if let amount { return number(amount, isOpening: false) }
            return power.map { .deed($0 == .on ? .on : .off) }
        case .run, .use, .ring, .try: return nil
        }
    }

    /// "Make it warmer", "make the bedroom a little cooler".
    private func warmer(_ clause: Clause, _ verbs: Set<Sense.Doing>) -> Wish.Act? {
        let isPointing = clause.has(.joint(.it))
        guard verbs == [.set] || verbs.isEmpty && isPointing, clause.powers.isEmpty, clause.amounts.isEmpty, clause.measures.isEmpty,
            clause.scenes.isEmpty, clause.extremes.count == 1
        else { return nil }
        switch clause.extremes.first {
        case .warmest: return .warmer(Self.step, isThere: isPointing)
        case .coldest: return .warmer(-Self.step, isThere: isPointing)
        default: return nil
        }
    }

    /// °C that somebody means who says no number.
    private static let step = 1.0

    private func number(_ amount: (Double, Sense.UnitWord?), isOpening: Bool) -> Wish.Act? {
        switch amount.1 {
        case .celsius, .degrees: .degrees(amount.0)
        case .fahrenheit: .degrees(TemperatureUnit.fahrenheit.toHouse(amount.0))
        case .percent: .percent(amount.0, isOpening: isOpening)
        case nil: .bare(amount.0)
        case .watts, .half, .full: nil
        }
    }
}
