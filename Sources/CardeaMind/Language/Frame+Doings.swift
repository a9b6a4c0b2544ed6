// MARK: What was done, and how things stand

extension Frame {
    /// "Who opened the back door?", "when was the light last on?", "how often did Ada unlock it?"
    static let doings: [Frame] = [
        Frame([[.ask(.who)], deeds + [.power]], allows: place, persons, times, turns, Set(deeds), [.joint(.not), .ask(.when)]) { clause in
            guard !clause.hasAny(.person, .guest, .joint(.me), .joint(.not)) else { return nil }
            guard let deed = deed(clause) else { return nil }
            if clause.hasAny(.joint(.last), .joint(.first)) { return .when(deed, isFirst: clause.has(.joint(.first))) }
            return .whoDid(deed)
        },
        Frame([[.ask(.howLong)], deeds + [.power]], allows: place, times, turns, Set(deeds), [.topic(.leave)]) { clause in
            condition(clause).map { .howLong($0) }
        },
        Frame([[.ask(.howOften)], deeds + [.power]], allows: place, persons, times, turns, Set(deeds)) { clause in
            deed(clause).map { .howOften($0) }
        },
        Frame([[.ask(.when)], deeds + [.power]], allows: place, persons, times, turns, Set(deeds)) { clause in
            deed(clause).map { .when($0, isFirst: clause.has(.joint(.first))) }
        },
        Frame([[.joint(.last), .joint(.first)], deeds + [.power]], allows: place, persons, times, turns, Set(deeds), [.ask(.what)]) {
            clause in
            guard clause.hasAny(.ask(.is), .ask(.did)), clause.dones.isEmpty == false || clause.has(.ask(.did)) else { return nil }
            return deed(clause).map { .when($0, isFirst: clause.has(.joint(.first))) }
        },
        // "Did I leave the garage open?" asks how it stands, whoever left it so.
        Frame([[.topic(.leave)], deeds + [.power]], allows: place, persons, turns, Set(deeds), [.time, .ask(.who)]) { clause in
            guard clause.pieces.allSatisfy({ $0 == .now }) else { return nil }
            return condition(clause).map { clause.has(.ask(.who)) ? .whoDid(deed(clause) ?? .use) : .isIt($0, isAll: false) }
        },
        Frame(
            [[.ask(.did)], [.person, .guest, .joint(.me), .joint(.somebody), .joint(.guests), .joint(.they)], deeds + [.power]],
            allows: place, persons, times, turns, Set(deeds)
        ) { clause in
            deed(clause).map { .did($0) }
        },
        // "Was the garage opened yesterday?", "has the light been turned on?", and by whom.
        Frame(
            [
                [.ask(.is), .ask(.did)], [.done(.open), .done(.turn), .done(.use), .done(.unlock), .done(.dim), .done(.set)],
                [.time, .person, .guest, .joint(.me), .joint(.guests)],
            ],
            allows: place, persons, times, turns, Set(deeds)
        ) { clause in
            guard !(clause.has(.done(.unlock)) && clause.pieces.allSatisfy { $0 == .now }) else { return nil }
            return deed(clause).map { .did($0) }
        },
    ]

    /// "Is anything on upstairs?", "which windows are open?", "what happened in the study?"
    static let standing: [Frame] = [
        Frame([[.ask(.howMany)], deeds + [.power, .topic(.jammed)]], allows: place, turns, Set(deeds), [.topic(.jammed)], [.time]) {
            clause in
            guard clause.pieces.allSatisfy({ $0 == .now }) else { return deed(clause).map { .howOften($0) } }
            return condition(clause).map { .howMany($0) }
        },
        Frame(
            [[.topic(.offline), .topic(.online)], [.ask(.when), .ask(.howLong), .ask(.howOften), .time]], allows: place, times, asks,
            [.ask(.when), .ask(.howLong)]
        ) { clause in
            guard !(clause.topicIsNow && clause.hasAny(.time) && !clause.hasAny(.ask(.when), .ask(.howLong))) else {
                return .standing(isOnline: clause.has(.topic(.online)))
            }
            return .whenStanding(isOnline: clause.has(.topic(.online)))
        },
        Frame([[.topic(.offline), .topic(.online)]], allows: place, asks, [.ask(.howMany), .time, .joint(.nothing), .joint(.somebody)]) {
            clause in
            .standing(isOnline: clause.has(.topic(.online)))
        },
        Frame(
            [deeds + [.power, .topic(.jammed)], [.ask(.what), .ask(.which), .ask(.list)]],
            allows: place, turns, Set(deeds),
            [
                .ask(.what), .ask(.which), .topic(.jammed), .time, .joint(.nothing), .joint(.not), .joint(.rooms), .topic(.leave),
                .topic(.home),
            ]
        ) { clause in
            guard clause.bases.allSatisfy({ [.open, .close, .lock, .unlock].contains($0) }), !clause.has(.done(.turn)),
                !clause.has(.base(.turn))
            else { return nil }
            return condition(clause).map { .which($0) }
        },
        Frame(
            [deeds + [.power, .topic(.jammed)], [.ask(.is), .ask(.did), .joint(.any), .joint(.all), .joint(.nothing)]],
            allows: place, turns, Set(deeds),
            [.topic(.jammed), .time, .joint(.nothing), .joint(.not), .topic(.home), .joint(.me), .joint(.rooms)]
        ) { clause in
            guard !clause.has(.base(.turn)), !clause.has(.base(.set)), !clause.has(.base(.dim)), !clause.has(.base(.use)) else {
                return nil
            }
            // "Everything off upstairs" asks for something to be done; only a question word or "any" makes it a question.
            let isHowItStands = clause.has(.joint(.all)) && !clause.dones.isEmpty && clause.bases.isEmpty
            guard isHowItStands || clause.hasAny(.ask(.is), .ask(.did), .joint(.any)), let condition = condition(clause) else {
                return nil
            }
            // "Are the doors locked?" asks for every one of them; that any is says little of a house.
            let isSafe = [.locked, .closed, .off].contains(condition) && !clause.hasAny(.joint(.any), .joint(.one))
            return .isIt(condition, isAll: clause.has(.joint(.all)) || isSafe)
        },
        // "Tell me about the front door."
        Frame([[.ask(.list)], [.thing]], allows: [.kind]) { _ in .state },
        // "Is the garage open or closed?"
        Frame([[.ask(.is)], [.joint(.and)], [.thing, .room, .joint(.it)], deeds + [.power]], allows: [.kind], Set(deeds)) { clause in
            let doings = Set(clause.bases + clause.dones)
            let isEither = Set(clause.powers).count == 2 || doings == [.open, .close] || doings == [.lock, .unlock]
            return isEither ? .state : nil
        },
        Frame([[.topic(.happened)]], allows: place, times, persons, asks, [.topic(.home), .joint(.nothing)]) { _ in .happened },
        Frame([[.ask(.what)], [.ask(.did)], [.person, .guest, .joint(.me), .joint(.guests), .joint(.they)]], allows: place, times) { _ in
            .happened
        },
        Frame([[.state], [.ask(.what), .ask(.how), .ask(.is), .thing, .ask(.list)]], allows: place, asks, [.time]) { clause in
            clause.pieces.allSatisfy { $0 == .now } ? .state : nil
        },
        Frame([[.ask(.what), .ask(.how)], [.ask(.is)], [.thing]], allows: [.kind, .joint(.it)]) { _ in .state },
        Frame(
            [[.ask(.list), .ask(.which), .ask(.what), .ask(.howMany)], [.joint(.rooms)]],
            allows: [.ask(.did), .floor, .joint(.all), .joint(.there), .joint(.me)]
        ) { _ in .rooms },
        Frame(
            [[.ask(.list), .ask(.which), .ask(.what)], [.kind, .device]],
            allows: [
                .room, .floor, .joint(.all), .joint(.any), .joint(.me), .joint(.there), .kind, .device, .ask(.did), .ask(.what),
                .ask(.which), .joint(.except), .thing, .topic(.home),
            ]
        ) { clause in
            clause.subject.named.isEmpty && clause.hasListing ? .list : nil
        },
        Frame(
            [[.ask(.howMany)], [.kind, .device]],
            allows: [.room, .floor, .joint(.all), .joint(.me), .joint(.there), .kind, .device, .ask(.did), .joint(.except), .topic(.home)]
        ) { clause in
            clause.subject.named.isEmpty ? .howMany(nil) : nil
        },
    ]

    /// What was done, by the words for it.
    static func deed(_ clause: Clause) -> Deed? {
        if let power = clause.powers.first { return clause.powers.allSatisfy { $0 == power } ? (power == .on ? .on : .off) : nil }
        let deeds = Set(
            (clause.dones + clause.bases).filter { $0 != .try }.compactMap { doing -> Deed? in
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
        return deeds.count == 1 ? deeds.first : nil
    }

    /// How things are asked to stand: "open" as a word for a state.
    static func condition(_ clause: Clause) -> Condition? {
        if clause.has(.topic(.jammed)) { return .jammed }
        let condition: Condition? =
            switch deed(clause) {
            case .open: .open
            case .close: .closed
            case .lock: .locked
            case .unlock: .unlocked
            case .on: .on
            case .off: .off
            case .use, .set, nil: nil
            }
        guard clause.has(.joint(.not)), let condition else { return condition }
        return condition.opposite
    }
}

extension Condition {
    var opposite: Condition? {
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
    fileprivate var topicIsNow: Bool { pieces.allSatisfy { $0 == .now } }

    /// "Which lights are there?" lists; "what light?" is half a sentence.
    fileprivate var hasListing: Bool {
        has(.ask(.list)) || has(.ask(.is)) || has(.ask(.did)) || has(.ask(.which)) || subject.isAny || has(.joint(.there))
    }
}
