import CardeaModel

/// A pattern for one kind of sentence: the words it requires, the words it allows, and the question it asks. A sentence with a significant
/// word that the pattern does not know does not match: half-understood sentences are not answered.
struct SentencePattern: Sendable {
    typealias Tag = Clause.Tag

    /// At least one tag of each list.
    let required: [[Tag]]
    let allowed: Set<Tag>
    let makeIntent: @Sendable (Clause) -> QueryIntent?

    init(_ needs: [[Tag]], allows: Set<Tag>..., make: @escaping @Sendable (Clause) -> QueryIntent?) {
        self.required = needs
        self.allowed = allows.reduce(Self.neutralTags) { $0.union($1) }.union(needs.joined())
        self.makeIntent = make
    }

    func match(_ clause: Clause) -> QueryIntent? {
        guard required.allSatisfy({ !clause.tags.isDisjoint(with: $0) }), clause.tags.isSubset(of: allowed) else { return nil }
        return makeIntent(clause)
    }

    static let neutralTags: Set<Tag> = [
        .questionWord(.is), .questionWord(.did), .functionWord(.you), .functionWord(.and), .questionWord(.list),
    ]
    static let placeTags: Set<Tag> = [
        .thing, .room, .floor, .kind, .device, .functionWord(.any), .functionWord(.all), .functionWord(.except), .functionWord(.it),
        .functionWord(.them), .functionWord(.there),
        .functionWord(.room),
    ]
    static let personTags: Set<Tag> = [
        .person, .guest, .functionWord(.me), .functionWord(.somebody), .functionWord(.guests), .functionWord(.they),
    ]
    static let timeTags: Set<Tag> = [.time, .functionWord(.last), .functionWord(.first)]
    static let questionTags: Set<Tag> = [.questionWord(.what), .questionWord(.which), .questionWord(.how), .questionWord(.where)]
    static let actionTags: [Tag] = [
        .imperative(.open), .participle(.open), .imperative(.close), .participle(.close), .imperative(.lock), .participle(.lock),
        .imperative(.unlock), .participle(.unlock), .imperative(.use),
        .participle(.use), .imperative(.set), .participle(.set), .participle(.dim), .imperative(.dim),
    ]
    static let switchingTags: Set<Tag> = [.imperative(.turn), .participle(.turn), .power]

    /// From the most to the least specific: the first match wins.
    static let all: [SentencePattern] = conversation + alarms + doors + presence + energy + air + actions + states
}

// MARK: Talk about the house itself

extension SentencePattern {
    private static let conversation: [SentencePattern] = [
        SentencePattern([[.topic(.help)]], allows: [.functionWord(.me), .questionWord(.what), .questionWord(.how)]) { _ in .help },
        SentencePattern([[.topic(.thanks)]], allows: [.topic(.hello)]) { _ in .thanks },
        SentencePattern([[.topic(.hello)]], allows: [.functionWord(.there)]) { _ in .hello },
        SentencePattern(
            [[.topic(.mood), .feeling]],
            allows: [
                .questionWord(.why), .questionWord(.how), .questionWord(.what), .functionWord(.not), .time, .functionWord(.me),
                .functionWord(.it), .topic(.hello), .topic(.home),
            ]
        ) { clause in
            .mood(clause.feelings.first.flatMap { QueryIntent.Feeling(rawValue: $0.rawValue) })
        },
        // "Is anything wrong?" asks for the house's worries; "what is wrong with the heating?" asks for its state.
        SentencePattern(
            [[.topic(.wrong)]], allows: placeTags, [.questionWord(.what), .topic(.home), .topic(.happened), .functionWord(.nothing), .time]
        ) { clause in
            guard clause.timeExpressions.allSatisfy({ $0 == .now }) else { return nil }
            return clause.has(.thing) ? .state : clause.hasAny(.room, .kind) ? nil : .mood(.worry)
        },
        SentencePattern(
            [
                [.topic(.whatIf), .topic(.cost), .questionWord(.howMuch)], [.topic(.keep), .imperative(.set), .imperative(.turn)],
                [.amount],
            ],
            allows: placeTags,
            [
                .time, .measure, .topic(.cost), .topic(.energy), .questionWord(.what), .questionWord(.how), .functionWord(.me),
                .topic(.happened), .power, .unparsedTime,
                .topic(.whatIf), .questionWord(.howMuch), .topic(.consume), .imperative(.use), .participle(.use),
            ], make: supposition),
    ]

    private static func supposition(_ clause: Clause) -> QueryIntent? {
        var supposed = WhatIfIntent(subject: clause.subject)
        for (value, unit) in clause.amounts {
            switch unit {
            case .fahrenheit: supposed.temperature = TemperatureUnit.fahrenheit.toCelsius(value)
            case .celsius, .degrees, nil: supposed.temperature = value
            default: return nil
            }
            supposed.hasNoUnit = unit == nil
        }
        for piece in clause.timeExpressions {
            switch piece {
            case .lasting(let count, let span):
                guard let seconds = span.seconds else { return nil }
                supposed.duration = Double(count) * seconds
            case .allNight, .part(.night), .part(.lastNight), .thisPart(.evening):
                supposed.isNight = true
            case .allDay, .day(0): supposed.duration = 86_400
            case .future: supposed.duration = 86_400
            default: return nil
            }
        }
        supposed.asksCost = clause.has(.topic(.cost))
        return supposed.temperature.map { (-30...100).contains($0) } == true ? .whatIf(supposed) : nil
    }
}

extension TimeUnit {
    /// Seconds; nil for a month and a year, whose lengths vary.
    fileprivate var seconds: Double? {
        switch self {
        case .second: 1
        case .minute: 60
        case .hour: 3600
        case .day: 86_400
        case .week: 604_800
        case .month, .year: nil
        }
    }
}

// MARK: Sightings and refusals

extension SentencePattern {
    private static let seenWords: [Tag] = [.topic(.visit), .topic(.package), .topic(.seen), .imperative(.ring), .participle(.ring)]

    private static let doors: [SentencePattern] = [
        SentencePattern(
            [[.topic(.refused), .imperative(.try), .participle(.try)]],
            allows: placeTags, personTags, timeTags, switchingTags, questionTags, Set(actionTags),
            [
                .questionWord(.who), .questionWord(.when), .questionWord(.howOften), .questionWord(.howMany), .functionWord(.not),
                .imperative(.try), .participle(.try), .topic(.refused),
                .questionWord(.why),
                .topic(.happened), .span,
            ]
        ) { _ in .refusals },
        SentencePattern(
            [seenWords],
            allows: timeTags, personTags, questionTags, Set(seenWords),
            [
                .questionWord(.who), .questionWord(.when), .questionWord(.howOften), .questionWord(.howMany), .functionWord(.any), .thing,
                .room, .topic(.come), .topic(.happened),
                .kind, .device, .functionWord(.all), .functionWord(.it), .functionWord(.there), .functionWord(.guests),
            ]
        ) { clause in
            guard
                !clause.hasAny(.person, .functionWord(.me), .guest) || clause.hasAny(.imperative(.ring), .participle(.ring), .topic(.seen))
            else {
                return nil
            }
            guard !clause.hasAny(.person, .functionWord(.me), .guest, .functionWord(.they)) else { return nil }
            let isCount = clause.hasAny(.questionWord(.howOften), .questionWord(.howMany))
            let isLast = clause.hasAny(.questionWord(.when), .functionWord(.last))
            let isRing = clause.hasAny(.imperative(.ring), .participle(.ring))
            return .sightings(type: clause.has(.topic(.package)) ? "package" : isRing ? "ring" : nil, isCount: isCount, isLast: isLast)
        },
        // "Who was at the back door?" names no action, so it asks who was seen there.
        SentencePattern([[.questionWord(.who)], [.questionWord(.is)], [.thing]], allows: timeTags, [.kind]) { clause in
            .sightings(type: nil, isCount: false, isLast: clause.has(.functionWord(.last)))
        },
    ]
}

// MARK: Presence

extension SentencePattern {
    private static let presence: [SentencePattern] = [
        SentencePattern(
            [[.topic(.come), .topic(.leave)]],
            allows: personTags, timeTags,
            [.questionWord(.when), .questionWord(.who), .topic(.home), .questionWord(.what), .functionWord(.all), .functionWord(.not)]
        ) { clause in
            guard
                clause.hasAny(
                    .questionWord(.when), .questionWord(.who), .questionWord(.did), .questionWord(.is), .functionWord(.last),
                    .functionWord(.first))
            else { return nil }
            guard !clause.hasAny(.functionWord(.not)), !(clause.has(.topic(.come)) && clause.has(.topic(.leave))) else { return nil }
            return .arrivals(isHome: clause.has(.topic(.come)), isFirst: clause.has(.functionWord(.first)))
        },
        SentencePattern(
            [
                [.topic(.home), .topic(.away), .floor, .functionWord(.there)],
                [
                    .questionWord(.who), .functionWord(.somebody), .person, .functionWord(.me), .guest, .functionWord(.guests),
                    .functionWord(.they),
                ],
            ],
            allows: [
                .time, .questionWord(.who), .functionWord(.not), .functionWord(.all), .questionWord(.where), .topic(.home),
                .questionWord(.list),
            ], personTags
        ) { clause in
            guard !clause.has(.floor) || clause.subject.floor == nil else { return nil }
            guard clause.hasAny(.topic(.home), .topic(.away)) || clause.has(.questionWord(.who)) else { return nil }
            // "Is nobody home?" is answered with the people who are home.
            return .presence(isHome: clause.has(.topic(.away)) == clause.has(.functionWord(.not)))
        },
        SentencePattern([[.questionWord(.where)], [.person, .guest, .functionWord(.they)]], allows: [.time]) { _ in .whereIs },
    ]
}

// MARK: Energy

extension SentencePattern {
    private static let energyWords: [Tag] = [.topic(.energy), .topic(.consume), .topic(.cost)]

    private static let energy: [SentencePattern] = [
        SentencePattern(
            [[.peak]], allows: placeTags, timeTags, questionTags, Set(energyWords),
            [.questionWord(.when), .questionWord(.howMuch), .measure, .statistic]
        ) { clause in
            clause.measures.allSatisfy { $0 == .power } ? .energyPeak : nil
        },
        SentencePattern(
            [[.statistic], [.topic(.energy), .topic(.consume)]], allows: placeTags, timeTags, questionTags, Set(energyWords),
            [.questionWord(.when), .questionWord(.howMuch)]
        ) { clause in
            clause.statistics.contains(.highest) ? .energyPeak : nil
        },
        SentencePattern(
            [[.most], energyWords + [.measure, .participle(.use)]],
            allows: placeTags, timeTags, questionTags, Set(energyWords),
            [.measure, .participle(.use), .imperative(.use), .questionWord(.who)]
        ) { clause in
            clause.measures.allSatisfy { $0 == .power } && !clause.has(.questionWord(.who)) ? .energyMost : nil
        },
        SentencePattern(
            [[.topic(.cost)]],
            allows: placeTags, timeTags, questionTags, Set(energyWords),
            [.questionWord(.howMuch), .participle(.use), .imperative(.use), .functionWord(.me), .imperative(.run), .power]
        ) { _ in .energyCost },
        SentencePattern(
            [
                [.topic(.energy), .topic(.consume)],
                [.questionWord(.howMuch), .questionWord(.what), .questionWord(.which), .questionWord(.how), .questionWord(.list), .time],
            ],
            allows: placeTags, timeTags, Set(energyWords), [.participle(.use), .imperative(.use), .functionWord(.me), .functionWord(.all)]
        ) { clause in
            let isNow = clause.timeExpressions == [.now]
            return isNow ? .measure(.power, nil) : .energyUsed
        },
        SentencePattern(
            [[.questionWord(.howMuch)], [.participle(.use), .imperative(.use)], [.thing, .functionWord(.me), .kind, .room]],
            allows: placeTags, timeTags, [.functionWord(.me)]
        ) { _ in .energyUsed },
    ]
}

// MARK: Air, light and batteries

extension SentencePattern {
    private static let air: [SentencePattern] = [
        SentencePattern(
            [[.extreme]],
            allows: timeTags, questionTags,
            [
                .functionWord(.room), .functionWord(.rooms), .questionWord(.which), .floor, .functionWord(.it), .room, .functionWord(.all),
                .measure,
            ]
        ) { clause in
            // "The hottest it was in the study" asks for a number, not for a room.
            guard clause.extremes.count == 1, let extreme = clause.extremes.first, clause.subject.rooms.isEmpty else { return nil }
            switch extreme {
            case .warmest: return .extremeRoom(.temperature, isHighest: true)
            case .coldest: return .extremeRoom(.temperature, isHighest: false)
            case .dampest: return .extremeRoom(.humidity, isHighest: true)
            case .driest: return .extremeRoom(.humidity, isHighest: false)
            }
        },
        SentencePattern(
            [[.functionWord(.low)], [.measure, .device, .kind, .questionWord(.which), .functionWord(.any)]],
            allows: questionTags, placeTags, [.measure, .functionWord(.rooms)]
        ) { clause in
            clause.measures.allSatisfy { $0 == .battery } && (clause.has(.measure)) ? .lowBatteries : nil
        },
        SentencePattern(
            [[.measure]],
            allows: placeTags, timeTags, questionTags,
            [.statistic, .questionWord(.howMuch), .functionWord(.rooms), .questionWord(.when), .topic(.energy), .topic(.home), .extreme]
        ) { clause in
            guard let measured = Set(clause.measures).count == 1 || clause.measures.contains(.target) ? clause.measures.first : nil else {
                return nil
            }
            guard !clause.has(.extreme), !clause.has(.questionWord(.when)), !clause.has(.topic(.energy)) || measured == .power else {
                return nil
            }
            guard
                clause.hasAny(
                    .questionWord(.what), .questionWord(.which), .questionWord(.how), .questionWord(.is), .questionWord(.list),
                    .questionWord(.howMuch), .thing, .room, .kind, .floor, .statistic,
                    .time)
            else { return nil }
            let statistic: QueryIntent.Statistic? =
                switch clause.statistics.first {
                case .highest: .highest
                case .lowest: .lowest
                case .mean: .mean
                default: nil
                }
            let target = clause.measures.contains(.target) ? QueryIntent.Measure.target : nil
            guard let measure = target ?? QueryIntent.Measure(rawValue: measured.rawValue) else { return nil }
            if measure == .power, statistic == .highest { return .energyPeak }
            return .measure(measure, statistic)
        },
    ]
}
