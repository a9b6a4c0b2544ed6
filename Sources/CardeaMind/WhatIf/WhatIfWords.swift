import CardeaModel
import Foundation

/// What was found, in sentences.
public struct WhatIfWords: Sendable {
    let lexicon: Lexicon
    /// In which the asker reads temperatures.
    let degrees: TemperatureUnit

    public init(_ lexicon: Lexicon = .standard, degrees: TemperatureUnit = .celsius) {
        self.lexicon = lexicon
        self.degrees = degrees
    }

    /// The same for somebody who reads temperatures in these.
    func reading(_ degrees: TemperatureUnit) -> WhatIfWords { WhatIfWords(lexicon, degrees: degrees) }

    /// The answer to what was asked, with how sure it is and what it rests on.
    public func reply(to question: WhatIfQuestion, _ result: WhatIfResult) -> String {
        var sentences: [String] = []
        let subject = Telling.capital(result.about)
        func ofSubject(_ words: String) -> String { lexicon.tell(.ofThat, [.thing: subject, .words: Self.lowered(words)]) }
        if let cost = result.answers[.cost] {
            sentences.append(wouldCost(subject, cost.difference))
            if let energy = result.answers[.energy] { sentences.append(energy.words) }
        } else if let energy = result.answers[.energy] {
            sentences.append(ofSubject(energy.words))
        }
        for metric in [WhatIfMetric.temperature, .comfort, .access] {
            if let answer = result.answers[metric] { sentences.append(sentences.isEmpty ? ofSubject(answer.words) : answer.words) }
        }
        for (entityID, notices) in result.notices.sorted(by: { $0.key < $1.key }) {
            sentences.append(self.notices(notices, of: result.watched[entityID] ?? entityID))
        }
        // What cannot be told is said once, however many were asked that hang on it.
        var said: Set<WhatIfProblem> = []
        for (metric, problem) in result.problems.sorted(by: { $0.key < $1.key }) where said.insert(problem).inserted {
            let why = Self.lowered(problem.words(in: lexicon))
            sentences.append(lexicon.tell(.cannotSay, [.name: lexicon.tell(metric.thought), .words: why]))
        }
        if !result.answers.isEmpty, !result.basis.words.isEmpty { sentences.append(result.basis.words) }
        sentences += result.recommendations.map(\.words)
        return sentences.isEmpty ? lexicon.tell(.nothingToSay) : sentences.joined(separator: " ")
    }

    private func wouldCost(_ subject: String, _ difference: Estimate) -> String {
        if difference.low > 0 { return lexicon.tell(.costsMore, [.thing: subject, .value: amount(difference, unit: "")]) }
        if difference.high < 0 { return lexicon.tell(.saves, [.thing: subject, .value: amount(difference.scaled(by: -1), unit: "")]) }
        return lexicon.tell(.costsTheSame, [.thing: subject, .from: number(difference.low), .to: number(difference.high)])
    }

    // MARK: Parts

    func change(
        of metric: WhatIfMetric, _ baseline: Estimate, _ predicted: Estimate, _ difference: Estimate, unit: String
    ) -> String {
        let more = difference.value >= 0
        let size = more ? difference : difference.scaled(by: -1)
        let thought: Thought =
            metric == .temperature ? (more ? .wouldBeWarmer : .wouldBeColder) : (more ? .wouldBeMore : .wouldBeLess)
        let isWarmth = unit == TemperatureUnit.celsius.sign
        func number(_ value: Double) -> String { isWarmth ? warmth(value) : measure(value, unit) }
        let told = lexicon.tell(
            thought,
            [
                .name: lexicon.tell(metric.thought), .from: number(baseline.value), .to: number(predicted.value),
                .value: isWarmth ? amount(size.scaled(by: degrees.step), unit: degrees.sign) : amount(size, unit: unit),
            ])
        return difference.excludesZero ? told : "\(told) \(lexicon.tell(.mayBeNoDifferent))"
    }

    func comfort(_ baseline: Estimate, _ predicted: Estimate, wanted: Double) -> String {
        lexicon.tell(
            .comfortWouldBe,
            [
                .unit: aDegree, .number: warmth(wanted), .value: percent(baseline.value), .words: percent(predicted.value),
                .from: percent(predicted.low), .to: percent(predicted.high),
            ])
    }

    /// Why a night is counted with the day after it.
    func wholeDay(from clock: String) -> String { lexicon.tell(.countedFrom, [.time: clock]) }

    /// Rooms that were asked about and are not counted.
    func notCounted(_ rooms: [Room]) -> String {
        lexicon.tell(.notCounted, [.list: rooms.map(\.name).joined(separator: ", ")])
    }

    /// There is no room to be kept at any degrees.
    var nothingHeats: String { lexicon.tell(.nothingHeats) }

    /// What only can be imagined, in °C.
    func onlyDegrees(_ range: ClosedRange<Double>) -> String {
        lexicon.tell(.onlyTheseDegrees, [.from: number(degrees.told(range.lowerBound)), .to: warmth(range.upperBound)])
    }

    /// How often a rule would have told. Fewer than what, is said only where what tells of it now is known.
    func notices(_ notices: WatchRule.Comparison, of name: String) -> String {
        let count = notices.kept.count + notices.added.count
        let told = lexicon.tell(count == 1 ? .oneNotice : .severalNotices, [.number: "\(count)"])
        let thought: Thought =
            switch notices.former {
            case .rules: .noticesByRules
            case .nothing: .noticesByNothing
            case .unknown: .noticesUncompared
            }
        return lexicon.tell(
            thought, [.name: name, .count: told, .from: "\(notices.missed.count)", .to: "\(notices.added.count)"])
    }

    /// Of several rooms one is told: a mean over rooms is nobody's warmth.
    func oneRoom(_ room: String, _ words: String) -> String {
        lexicon.tell(.ofSeveralRooms, [.room: room, .words: Self.lowered(words)])
    }

    /// What doing as imagined saves.
    func doingSo(saves saving: String) -> String { lexicon.tell(.savesByDoingSo, [.value: saving]) }

    /// What a degree less than was wished saves.
    ///
    /// - Parameter wishes: °C, each once.
    func cooler(_ wishes: [Double], saves saving: String) -> String {
        guard let only = wishes.first, wishes.count == 1 else {
            return lexicon.tell(.savesByDegree, [.unit: aDegree, .value: saving])
        }
        return lexicon.tell(.savesByHolding, [.from: warmth(only - 1), .to: warmth(only), .value: saving])
    }

    /// What it saves, as a whole sentence.
    ///
    /// - Parameter money: what that is worth, where it has a price.
    func saving(_ words: String, worth money: String?) -> String {
        lexicon.tell(money == nil ? .savingIs : .savingIsWorth, [.words: words, .value: money ?? ""])
    }

    func basis(nights: Int?, weeks: Int?, readings: Int, twins: [ThermalTwin], rate: String?) -> String {
        var parts: [String] = []
        if let nights { parts.append(lexicon.tell(.sameHours, [.time: counted(nights, .day)])) }
        if let weeks { parts.append(lexicon.tell(.sameHours, [.time: counted(weeks, .week)])) }
        guard let first = parts.first else { return "" }
        let list = parts.dropFirst().reduce(first) { lexicon.tell(.andOn, [.from: $0, .to: $1]) }
        let worst = twins.max { $0.oneStepError < $1.oneStepError }
        let rests = lexicon.tell(
            worst == nil ? .restsOn : .restsOnModel,
            [.list: list, .number: "\(readings)", .value: worst.map { warmer($0.oneStepError) } ?? ""])
        let words = "\(rests) \(lexicon.tell(.rangesHold))"
        return rate.map { "\(words) \(lexicon.tell(.moneyAt, [.value: $0]))" } ?? words
    }

    /// "0.15 per kWh".
    func rate(_ price: Double, per unit: String) -> String { lexicon.tell(.rateIs, [.value: number(price), .unit: unit]) }

    // MARK: Numbers

    /// "0.45 kWh (0.3 to 0.61)"
    func amount(_ figure: Estimate, unit: String) -> String {
        lexicon.tell(.withRange, [.value: measure(figure.value, unit), .from: number(figure.low), .to: number(figure.high)])
    }

    func measure(_ value: Double, _ unit: String) -> String { unit.isEmpty ? number(value) : "\(number(value)) \(unit)" }

    /// A temperature of the house, "22 °C".
    func warmth(_ celsius: Double) -> String { measure(degrees.told(celsius), degrees.sign) }

    /// So much warmer, or colder.
    private func warmer(_ celsius: Double) -> String { measure(celsius * degrees.step, degrees.sign) }

    /// A degree Celsius: that is how far what is well goes, whoever reads it.
    private var aDegree: String { degrees == .celsius ? lexicon.tell(.aDegree) : warmer(1) }

    /// Two digits that say something, as people say numbers: 1234, 12.3, 0.45.
    func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return lexicon.tell(value.isNaN ? .notANumber : .tooGreat) }
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
        let text = String(format: "%.\(digits)f", value)
        guard digits > 0 else { return text }
        let bare = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        let short = String(bare.reversed())
        return short == "-0" || short.isEmpty ? "0" : short
    }

    func percent(_ share: Double) -> String { lexicon.tell(.percent, [.number: number((share * 100).rounded())]) }

    /// "7 days".
    func counted(_ count: Int, _ span: TimeSpan) -> String {
        lexicon.tell(.counted, [.count: "\(count)", .unit: lexicon.unit(span, count)])
    }

    private static func lowered(_ sentence: String) -> String { sentence.prefix(1).lowercased() + sentence.dropFirst() }
}

extension WhatIfMetric {
    /// How it is called.
    var thought: Thought {
        switch self {
        case .energy: .energy
        case .cost: .cost
        case .comfort: .comfort
        case .temperature: .temperature
        case .access: .access
        }
    }
}
