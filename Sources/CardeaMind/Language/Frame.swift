import CardeaModel

/// One kind of sentence: which words make it, which others it may have, and what it asks. A sentence with a telling word that a frame does
/// not know is not that frame's: what is half understood is not answered.
struct Frame: Sendable {
    typealias Tag = Clause.Tag

    /// Of each, at least one.
    let needs: [[Tag]]
    let allows: Set<Tag>
    let make: @Sendable (Clause) -> Ask?

    init(_ needs: [[Tag]], allows: Set<Tag>..., make: @escaping @Sendable (Clause) -> Ask?) {
        self.needs = needs
        self.allows = allows.reduce(Self.neutral) { $0.union($1) }.union(needs.joined())
        self.make = make
    }

    func read(_ clause: Clause) -> Ask? {
        guard needs.allSatisfy({ !clause.tags.isDisjoint(with: $0) }), clause.tags.isSubset(of: allows) else { return nil }
        return make(clause)
    }

    static let neutral: Set<Tag> = [.ask(.is), .ask(.did), .joint(.you), .joint(.and), .ask(.list)]
    static let place: Set<Tag> = [
        .thing, .room, .floor, .kind, .device, .joint(.any), .joint(.all), .joint(.except), .joint(.it), .joint(.them), .joint(.there),
        .joint(.room),
    ]
    static let persons: Set<Tag> = [.person, .guest, .joint(.me), .joint(.somebody), .joint(.guests), .joint(.they)]
    static let times: Set<Tag> = [.time, .joint(.last), .joint(.first)]
    static let asks: Set<Tag> = [.ask(.what), .ask(.which), .ask(.how), .ask(.where)]
    static let deeds: [Tag] = [
        .base(.open), .done(.open), .base(.close), .done(.close), .base(.lock), .done(.lock), .base(.unlock), .done(.unlock), .base(.use),
        .done(.use), .base(.set), .done(.set), .done(.dim), .base(.dim),
    ]
    static let turns: Set<Tag> = [.base(.turn), .done(.turn), .power]

    /// From the most telling to the least: the first that fits is meant.
    static let all: [Frame] = talk + alarms + doors + presence + energy + air + doings + standing
}

// MARK: Talk about the house itself

extension Frame {
    private static let talk: [Frame] = [
        Frame([[.topic(.help)]], allows: [.joint(.me), .ask(.what), .ask(.how)]) { _ in .help },
        Frame([[.topic(.thanks)]], allows: [.topic(.hello)]) { _ in .thanks },
        Frame([[.topic(.hello)]], allows: [.joint(.there)]) { _ in .hello },
        Frame(
            [[.topic(.mood), .feeling]],
            allows: [.ask(.why), .ask(.how), .ask(.what), .joint(.not), .time, .joint(.me), .joint(.it), .topic(.hello), .topic(.home)]
        ) { clause in
            .mood(clause.feelings.first.flatMap { Ask.Feeling(rawValue: $0.rawValue) })
        },
        // "Is anything wrong?" asks what worries it; "what is wrong with the heating?" how that stands.
        Frame([[.topic(.wrong)]], allows: place, [.ask(.what), .topic(.home), .topic(.happened), .joint(.nothing), .time]) { clause in
            guard clause.pieces.allSatisfy({ $0 == .now }) else { return nil }
            return clause.has(.thing) ? .state : clause.hasAny(.room, .kind) ? nil : .mood(.worry)
        },
        Frame(
            [[.topic(.whatIf), .topic(.cost), .ask(.howMuch)], [.topic(.keep), .base(.set), .base(.turn)], [.amount]],
            allows: place,
            [
                .time, .measure, .topic(.cost), .topic(.energy), .ask(.what), .ask(.how), .joint(.me), .topic(.happened), .power, .stray,
                .topic(.whatIf), .ask(.howMuch), .topic(.consume), .base(.use), .done(.use),
            ], make: supposition),
    ]

    private static func supposition(_ clause: Clause) -> Ask? {
        var supposed = Supposition(subject: clause.subject)
        for (value, unit) in clause.amounts {
            switch unit {
            case .fahrenheit: supposed.temperature = TemperatureUnit.fahrenheit.toHouse(value)
            case .celsius, .degrees, nil: supposed.temperature = value
            default: return nil
            }
            supposed.isBare = unit == nil
        }
        for piece in clause.pieces {
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

extension TimeSpan {
    /// Nil for a month and a year, which have no length of their own.
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

// MARK: Who was at the door, who was refused

extension Frame {
    private static let seenWords: [Tag] = [.topic(.visit), .topic(.package), .topic(.seen), .base(.ring), .done(.ring)]

    private static let doors: [Frame] = [
        Frame(
            [[.topic(.refused), .base(.try), .done(.try)]],
            allows: place, persons, times, turns, asks, Set(deeds),
            [
                .ask(.who), .ask(.when), .ask(.howOften), .ask(.howMany), .joint(.not), .base(.try), .done(.try), .topic(.refused),
                .ask(.why),
                .topic(.happened), .span,
            ]
        ) { _ in .refusals },
        Frame(
            [seenWords],
            allows: times, persons, asks, Set(seenWords),
            [
                .ask(.who), .ask(.when), .ask(.howOften), .ask(.howMany), .joint(.any), .thing, .room, .topic(.come), .topic(.happened),
                .kind, .device, .joint(.all), .joint(.it), .joint(.there), .joint(.guests),
            ]
        ) { clause in
            guard !clause.hasAny(.person, .joint(.me), .guest) || clause.hasAny(.base(.ring), .done(.ring), .topic(.seen)) else {
                return nil
            }
            guard !clause.hasAny(.person, .joint(.me), .guest, .joint(.they)) else { return nil }
            let isCount = clause.hasAny(.ask(.howOften), .ask(.howMany))
            let isLast = clause.hasAny(.ask(.when), .joint(.last))
            let isRing = clause.hasAny(.base(.ring), .done(.ring))
            return .seen(type: clause.has(.topic(.package)) ? "package" : isRing ? "ring" : nil, isCount: isCount, isLast: isLast)
        },
        // "Who was at the back door?": nobody's doing is asked about, so it is about who stood there.
        Frame([[.ask(.who)], [.ask(.is)], [.thing]], allows: times, [.kind]) { clause in
            .seen(type: nil, isCount: false, isLast: clause.has(.joint(.last)))
        },
    ]
}

// MARK: Who is home, who came and went

extension Frame {
    private static let presence: [Frame] = [
        Frame(
            [[.topic(.come), .topic(.leave)]],
            allows: persons, times, [.ask(.when), .ask(.who), .topic(.home), .ask(.what), .joint(.all), .joint(.not)]
        ) { clause in
            guard clause.hasAny(.ask(.when), .ask(.who), .ask(.did), .ask(.is), .joint(.last), .joint(.first)) else { return nil }
            guard !clause.hasAny(.joint(.not)), !(clause.has(.topic(.come)) && clause.has(.topic(.leave))) else { return nil }
            return .cameOrLeft(isHome: clause.has(.topic(.come)), isFirst: clause.has(.joint(.first)))
        },
        Frame(
            [
                [.topic(.home), .topic(.away), .floor, .joint(.there)],
                [.ask(.who), .joint(.somebody), .person, .joint(.me), .guest, .joint(.guests), .joint(.they)],
            ],
            allows: [.time, .ask(.who), .joint(.not), .joint(.all), .ask(.where), .topic(.home), .ask(.list)], persons
        ) { clause in
            guard !clause.has(.floor) || clause.subject.floor == nil else { return nil }
            guard clause.hasAny(.topic(.home), .topic(.away)) || clause.has(.ask(.who)) else { return nil }
            // "Is nobody home?" is answered by who is.
            return .presence(isHome: clause.has(.topic(.away)) == clause.has(.joint(.not)))
        },
        Frame([[.ask(.where)], [.person, .guest, .joint(.they)]], allows: [.time]) { _ in .whereIs },
    ]
}

// MARK: Energy

extension Frame {
    private static let energyWords: [Tag] = [.topic(.energy), .topic(.consume), .topic(.cost)]

    private static let energy: [Frame] = [
        Frame([[.peak]], allows: place, times, asks, Set(energyWords), [.ask(.when), .ask(.howMuch), .measure, .statistic]) { clause in
            clause.measures.allSatisfy { $0 == .power } ? .energyPeak : nil
        },
        Frame(
            [[.statistic], [.topic(.energy), .topic(.consume)]], allows: place, times, asks, Set(energyWords),
            [.ask(.when), .ask(.howMuch)]
        ) { clause in
            clause.statistics.contains(.highest) ? .energyPeak : nil
        },
        Frame(
            [[.most], energyWords + [.measure, .done(.use)]],
            allows: place, times, asks, Set(energyWords), [.measure, .done(.use), .base(.use), .ask(.who)]
        ) { clause in
            clause.measures.allSatisfy { $0 == .power } && !clause.has(.ask(.who)) ? .energyMost : nil
        },
        Frame(
            [[.topic(.cost)]],
            allows: place, times, asks, Set(energyWords), [.ask(.howMuch), .done(.use), .base(.use), .joint(.me), .base(.run), .power]
        ) { _ in .energyCost },
        Frame(
            [[.topic(.energy), .topic(.consume)], [.ask(.howMuch), .ask(.what), .ask(.which), .ask(.how), .ask(.list), .time]],
            allows: place, times, Set(energyWords), [.done(.use), .base(.use), .joint(.me), .joint(.all)]
        ) { clause in
            let isNow = clause.pieces == [.now]
            return isNow ? .measure(.power, nil) : .energyUsed
        },
        Frame(
            [[.ask(.howMuch)], [.done(.use), .base(.use)], [.thing, .joint(.me), .kind, .room]], allows: place, times, [.joint(.me)]
        ) { _ in .energyUsed },
    ]
}

// MARK: Air, light and batteries

extension Frame {
    private static let air: [Frame] = [
        Frame(
            [[.extreme]],
            allows: times, asks, [.joint(.room), .joint(.rooms), .ask(.which), .floor, .joint(.it), .room, .joint(.all), .measure]
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
        Frame(
            [[.joint(.low)], [.measure, .device, .kind, .ask(.which), .joint(.any)]],
            allows: asks, place, [.measure, .joint(.rooms)]
        ) { clause in
            clause.measures.allSatisfy { $0 == .battery } && (clause.has(.measure)) ? .lowBatteries : nil
        },
        Frame(
            [[.measure]],
            allows: place, times, asks, [.statistic, .ask(.howMuch), .joint(.rooms), .ask(.when), .topic(.energy), .topic(.home), .extreme]
        ) { clause in
            guard let measured = Set(clause.measures).count == 1 || clause.measures.contains(.target) ? clause.measures.first : nil else {
                return nil
            }
            guard !clause.has(.extreme), !clause.has(.ask(.when)), !clause.has(.topic(.energy)) || measured == .power else { return nil }
            guard
                clause.hasAny(
                    .ask(.what), .ask(.which), .ask(.how), .ask(.is), .ask(.list), .ask(.howMuch), .thing, .room, .kind, .floor, .statistic,
                    .time)
            else { return nil }
            let statistic: Ask.Statistic? =
                switch clause.statistics.first {
                case .highest: .highest
                case .lowest: .lowest
                case .mean: .mean
                default: nil
                }
            let target = clause.measures.contains(.target) ? Ask.Measure.target : nil
            guard let measure = target ?? Ask.Measure(rawValue: measured.rawValue) else { return nil }
            if measure == .power, statistic == .highest { return .energyPeak }
            return .measure(measure, statistic)
        },
    ]
}
