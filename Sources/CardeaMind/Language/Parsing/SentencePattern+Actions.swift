// MARK: Actions and states

extension SentencePattern {
    /// "Who opened the back door?", "when was the light last on?", "how often did Ada unlock it?"
    static let actions: [SentencePattern] = [
        SentencePattern(
            [[.questionWord(.who)], actionTags + [.power]], allows: placeTags, personTags, timeTags, switchingTags, Set(actionTags),
            [.functionWord(.not), .questionWord(.when)]
        ) { clause in
            guard !clause.hasAny(.person, .guest, .functionWord(.me), .functionWord(.not)) else { return nil }
            guard let actionKind = action(clause) else { return nil }
            if clause.hasAny(.functionWord(.last), .functionWord(.first)) {
                return .when(actionKind, isFirst: clause.has(.functionWord(.first)))
            }
            return .whoDid(actionKind)
        },
        SentencePattern(
            [[.questionWord(.howLong)], actionTags + [.power]], allows: placeTags, timeTags, switchingTags, Set(actionTags),
            [.topic(.leave)]
        ) { clause in
            condition(clause).map { .howLong($0) }
        },
        SentencePattern(
            [[.questionWord(.howOften)], actionTags + [.power]], allows: placeTags, personTags, timeTags, switchingTags, Set(actionTags)
        ) { clause in
            action(clause).map { .howOften($0) }
        },
        SentencePattern(
            [[.questionWord(.when)], actionTags + [.power]], allows: placeTags, personTags, timeTags, switchingTags, Set(actionTags)
        ) { clause in
            action(clause).map { .when($0, isFirst: clause.has(.functionWord(.first))) }
        },
        SentencePattern(
            [[.functionWord(.last), .functionWord(.first)], actionTags + [.power]], allows: placeTags, personTags, timeTags, switchingTags,
            Set(actionTags), [.questionWord(.what)]
        ) {
            clause in
            guard clause.hasAny(.questionWord(.is), .questionWord(.did)),
                clause.participleVerbs.isEmpty == false || clause.has(.questionWord(.did))
            else { return nil }
            return action(clause).map { .when($0, isFirst: clause.has(.functionWord(.first))) }
        },
        // "Did I leave the garage open?" asks about the state, not about the person.
        SentencePattern(
            [[.topic(.leave)], actionTags + [.power]], allows: placeTags, personTags, switchingTags, Set(actionTags),
            [.time, .questionWord(.who)]
        ) { clause in
            guard clause.timeExpressions.allSatisfy({ $0 == .now }) else { return nil }
            return condition(clause).map { clause.has(.questionWord(.who)) ? .whoDid(action(clause) ?? .use) : .isIt($0, isAll: false) }
        },
        SentencePattern(
            [
                [.questionWord(.did)],
                [.person, .guest, .functionWord(.me), .functionWord(.somebody), .functionWord(.guests), .functionWord(.they)],
                actionTags + [.power],
            ],
            allows: placeTags, personTags, timeTags, switchingTags, Set(actionTags)
        ) { clause in
            action(clause).map { .did($0) }
        },
        // "Was the garage opened yesterday?", "has the light been turned on?", optionally with a person.
        SentencePattern(
            [
                [.questionWord(.is), .questionWord(.did)],
                [.participle(.open), .participle(.turn), .participle(.use), .participle(.unlock), .participle(.dim), .participle(.set)],
                [.time, .person, .guest, .functionWord(.me), .functionWord(.guests)],
            ],
            allows: placeTags, personTags, timeTags, switchingTags, Set(actionTags)
        ) { clause in
            guard !(clause.has(.participle(.unlock)) && clause.timeExpressions.allSatisfy { $0 == .now }) else { return nil }
            return action(clause).map { .did($0) }
        },
    ]

    /// "Is anything on upstairs?", "which windows are open?", "what happened in the study?"
    static let states: [SentencePattern] = [
        SentencePattern(
            [[.questionWord(.howMany)], actionTags + [.power, .topic(.jammed)]], allows: placeTags, switchingTags, Set(actionTags),
            [.topic(.jammed)], [.time]
        ) {
            clause in
            guard clause.timeExpressions.allSatisfy({ $0 == .now }) else { return action(clause).map { .howOften($0) } }
            return condition(clause).map { .howMany($0) }
        },
        SentencePattern(
            [[.topic(.offline), .topic(.online)], [.questionWord(.when), .questionWord(.howLong), .questionWord(.howOften), .time]],
            allows: placeTags, timeTags, questionTags,
            [.questionWord(.when), .questionWord(.howLong)]
        ) { clause in
            guard !(clause.isAboutNow && clause.hasAny(.time) && !clause.hasAny(.questionWord(.when), .questionWord(.howLong))) else {
                return .connectivity(isOnline: clause.has(.topic(.online)))
            }
            return .connectivityTimes(isOnline: clause.has(.topic(.online)))
        },
        SentencePattern(
            [[.topic(.offline), .topic(.online)]], allows: placeTags, questionTags,
            [.questionWord(.howMany), .time, .functionWord(.nothing), .functionWord(.somebody)]
        ) {
            clause in
            .connectivity(isOnline: clause.has(.topic(.online)))
        },
        SentencePattern(
            [actionTags + [.power, .topic(.jammed)], [.questionWord(.what), .questionWord(.which), .questionWord(.list)]],
            allows: placeTags, switchingTags, Set(actionTags),
            [
                .questionWord(.what), .questionWord(.which), .topic(.jammed), .time, .functionWord(.nothing), .functionWord(.not),
                .functionWord(.rooms), .topic(.leave),
                .topic(.home),
            ]
        ) { clause in
            guard clause.imperativeVerbs.allSatisfy({ [.open, .close, .lock, .unlock].contains($0) }), !clause.has(.participle(.turn)),
                !clause.has(.imperative(.turn))
            else { return nil }
            return condition(clause).map { .which($0) }
        },
        SentencePattern(
            [
                actionTags + [.power, .topic(.jammed)],
                [.questionWord(.is), .questionWord(.did), .functionWord(.any), .functionWord(.all), .functionWord(.nothing)],
            ],
            allows: placeTags, switchingTags, Set(actionTags),
            [
                .topic(.jammed), .time, .functionWord(.nothing), .functionWord(.not), .topic(.home), .functionWord(.me),
                .functionWord(.rooms),
            ]
        ) { clause in
            guard !clause.has(.imperative(.turn)), !clause.has(.imperative(.set)), !clause.has(.imperative(.dim)),
                !clause.has(.imperative(.use))
            else {
                return nil
            }
            // "Everything off upstairs" is a command; only a question word or "any" makes it a question.
            let isHowItStands = clause.has(.functionWord(.all)) && !clause.participleVerbs.isEmpty && clause.imperativeVerbs.isEmpty
            guard isHowItStands || clause.hasAny(.questionWord(.is), .questionWord(.did), .functionWord(.any)),
                let condition = condition(clause)
            else {
                return nil
            }
            // "Are the doors locked?" asks about every one of them: a single locked door says little about a house.
            let isSafe = [.locked, .closed, .off].contains(condition) && !clause.hasAny(.functionWord(.any), .functionWord(.one))
            return .isIt(condition, isAll: clause.has(.functionWord(.all)) || isSafe)
        },
        // "Tell me about the front door."
        SentencePattern([[.questionWord(.list)], [.thing]], allows: [.kind]) { _ in .state },
        // "Is the garage open or closed?"
        SentencePattern(
            [[.questionWord(.is)], [.functionWord(.and)], [.thing, .room, .functionWord(.it)], actionTags + [.power]], allows: [.kind],
            Set(actionTags)
        ) { clause in
            let doings = Set(clause.imperativeVerbs + clause.participleVerbs)
            let isEither = Set(clause.powerWords).count == 2 || doings == [.open, .close] || doings == [.lock, .unlock]
            return isEither ? .state : nil
        },
        SentencePattern(
            [[.topic(.happened)]], allows: placeTags, timeTags, personTags, questionTags, [.topic(.home), .functionWord(.nothing)]
        ) { _ in .events },
        SentencePattern(
            [
                [.questionWord(.what)], [.questionWord(.did)],
                [.person, .guest, .functionWord(.me), .functionWord(.guests), .functionWord(.they)],
            ], allows: placeTags, timeTags
        ) { _ in
            .events
        },
        SentencePattern(
            [[.state], [.questionWord(.what), .questionWord(.how), .questionWord(.is), .thing, .questionWord(.list)]], allows: placeTags,
            questionTags, [.time]
        ) { clause in
            clause.timeExpressions.allSatisfy { $0 == .now } ? .state : nil
        },
        SentencePattern(
            [[.questionWord(.what), .questionWord(.how)], [.questionWord(.is)], [.thing]], allows: [.kind, .functionWord(.it)]
        ) { _ in .state },
        SentencePattern(
            [[.questionWord(.list), .questionWord(.which), .questionWord(.what), .questionWord(.howMany)], [.functionWord(.rooms)]],
            allows: [.questionWord(.did), .floor, .functionWord(.all), .functionWord(.there), .functionWord(.me)]
        ) { _ in .rooms },
        SentencePattern(
            [[.questionWord(.list), .questionWord(.which), .questionWord(.what)], [.kind, .device]],
            allows: [
                .room, .floor, .functionWord(.all), .functionWord(.any), .functionWord(.me), .functionWord(.there), .kind, .device,
                .questionWord(.did), .questionWord(.what),
                .questionWord(.which), .functionWord(.except), .thing, .topic(.home),
            ]
        ) { clause in
            clause.subject.named.isEmpty && clause.hasListing ? .list : nil
        },
        SentencePattern(
            [[.questionWord(.howMany)], [.kind, .device]],
            allows: [
                .room, .floor, .functionWord(.all), .functionWord(.me), .functionWord(.there), .kind, .device, .questionWord(.did),
                .functionWord(.except), .topic(.home),
            ]
        ) { clause in
            clause.subject.named.isEmpty ? .howMany(nil) : nil
        },
    ]

    /// The action that the words of the clause name.
    static func action(_ clause: Clause) -> ActionKind? {
        if let power = clause.powerWords.first { return clause.powerWords.allSatisfy { $0 == power } ? (power == .on ? .on : .off) : nil }
        let actionKinds = Set(
            (clause.participleVerbs + clause.imperativeVerbs).filter { $0 != .try }.compactMap { doing -> ActionKind? in
                switch doing {
                case .open: .open
                case .close: .close
                case .lock: .lock
                case .unlock: .unlock
                case .use: .use
                case .set, .dim: .set
                case .turn, .run, .ring, .try: nil
                }
            })
        return actionKinds.count == 1 ? actionKinds.first : nil
    }

    /// The state that the clause asks about: "open" as an adjective.
    static func condition(_ clause: Clause) -> DeviceCondition? {
        if clause.has(.topic(.jammed)) { return .jammed }
        let condition: DeviceCondition? =
            switch action(clause) {
            case .open: .open
            case .close: .closed
            case .lock: .locked
            case .unlock: .unlocked
            case .on: .on
            case .off: .off
            case .use, .set, nil: nil
            }
        guard clause.has(.functionWord(.not)), let condition else { return condition }
        return condition.opposite
    }
}

extension DeviceCondition {
    var opposite: DeviceCondition? {
        switch self {
        case .on: .off
        case .off: .on
        case .open: .closed
        case .closed: .open
        case .locked: .unlocked
        case .unlocked: .locked
        case .jammed: nil
        }
    }
}

extension Clause {
    fileprivate var isAboutNow: Bool { timeExpressions.allSatisfy { $0 == .now } }

    /// True for "Which lights are there?", false for "what light?", which is half a sentence.
    fileprivate var hasListing: Bool {
        has(.questionWord(.list)) || has(.questionWord(.is)) || has(.questionWord(.did)) || has(.questionWord(.which)) || subject.isAny
            || has(.functionWord(.there))
    }
}
