import CardeaModel
import Foundation

/// Writes the results as sentences.
public struct WhatIfText: Sendable {
    let lexicon: Lexicon
    /// The unit in which the requester reads temperatures.
    let degrees: TemperatureUnit

    public init(_ lexicon: Lexicon = .standard, degrees: TemperatureUnit = .celsius) {
        self.lexicon = lexicon
        self.degrees = degrees
    }

    /// The same texts with temperatures in another unit.
    func converted(_ degrees: TemperatureUnit) -> WhatIfText { WhatIfText(lexicon, degrees: degrees) }

    /// The answer to the question, with its certainty and its basis.
    public func reply(to question: WhatIfQuestion, _ result: WhatIfResult) -> String {
        var sentences: [String] = []
        let subject = AnswerFormatter.capitalized(result.subject)
        func ofSubject(_ words: String) -> String { lexicon.stateText(.ofThat, [.thing: subject, .words: Self.lowercasedFirst(words)]) }
        if let cost = result.answers[.cost] {
            sentences.append(costSentence(subject, cost.difference))
            if let energy = result.answers[.energy] { sentences.append(energy.words) }
        } else if let energy = result.answers[.energy] {
            sentences.append(ofSubject(energy.words))
        }
        for metric in [WhatIfMetric.temperature, .comfort, .access] {
            if let answer = result.answers[metric] { sentences.append(sentences.isEmpty ? ofSubject(answer.words) : answer.words) }
        }
        for (entityID, notices) in result.notices.sorted(by: { $0.key < $1.key }) {
            sentences.append(self.noticeSummary(notices, of: result.watched[entityID] ?? entityID))
        }
        // A reason is given once, even if several metrics depend on it.
        var said: Set<WhatIfError> = []
        for (metric, problem) in result.errors.sorted(by: { $0.key < $1.key }) where said.insert(problem).inserted {
            let why = Self.lowercasedFirst(problem.text(in: lexicon))
            sentences.append(lexicon.stateText(.cannotSay, [.name: lexicon.stateText(metric.sentence), .words: why]))
        }
        if !result.answers.isEmpty, !result.basis.words.isEmpty { sentences.append(result.basis.words) }
        sentences += result.recommendations.map(\.words)
        return sentences.isEmpty ? lexicon.stateText(.nothingToSay) : sentences.joined(separator: " ")
    }

    private func costSentence(_ subject: String, _ difference: Estimate) -> String {
        if difference.low > 0 { return lexicon.stateText(.costsMore, [.thing: subject, .value: amount(difference, unit: "")]) }
        if difference.high < 0 { return lexicon.stateText(.saves, [.thing: subject, .value: amount(difference.scaled(by: -1), unit: "")]) }
        return lexicon.stateText(.costsTheSame, [.thing: subject, .from: number(difference.low), .to: number(difference.high)])
    }

    // MARK: Parts

    func change(
        of metric: WhatIfMetric, _ baseline: Estimate, _ predicted: Estimate, _ difference: Estimate, unit: String
    ) -> String {
        let more = difference.value >= 0
        let size = more ? difference : difference.scaled(by: -1)
        let stateSentence: StateSentence =
            metric == .temperature ? (more ? .wouldBeWarmer : .wouldBeColder) : (more ? .wouldBeMore : .wouldBeLess)
        let isWarmth = unit == TemperatureUnit.celsius.symbol
        func number(_ value: Double) -> String { isWarmth ? temperature(value) : measure(value, unit) }
        let told = lexicon.stateText(
            stateSentence,
            [
                .name: lexicon.stateText(metric.sentence), .from: number(baseline.value), .to: number(predicted.value),
                .value: isWarmth ? amount(size.scaled(by: degrees.step), unit: degrees.symbol) : amount(size, unit: unit),
            ])
        return difference.excludesZero ? told : "\(told) \(lexicon.stateText(.mayBeNoDifferent))"
    }

    func comfort(_ baseline: Estimate, _ predicted: Estimate, wanted: Double) -> String {
        lexicon.stateText(
            .comfortWouldBe,
            [
                .unit: oneDegree, .number: temperature(wanted), .value: percent(baseline.value), .words: percent(predicted.value),
                .from: percent(predicted.low), .to: percent(predicted.high),
            ])
    }

    /// Says why a night is counted with the day after it.
    func dayBoundaryNote(from clock: String) -> String { lexicon.stateText(.countedFrom, [.time: clock]) }

    /// Says which of the rooms asked about are not counted.
    func excludedRooms(_ rooms: [Room]) -> String {
        lexicon.stateText(.notCounted, [.list: rooms.map(\.name).joined(separator: ", ")])
    }

    /// Says that no room is heated.
    var noHeatedRoom: String { lexicon.stateText(.nothingHeats) }

    /// Says which temperatures can be imagined.
    ///
    /// - Parameter range: °C.
    func allowedTemperatures(_ range: ClosedRange<Double>) -> String {
        lexicon.stateText(.onlyTheseDegrees, [.from: number(degrees.fromCelsius(range.lowerBound)), .to: temperature(range.upperBound)])
    }

    /// Says how often a rule would have notified. The comparison with today is given only if today's rules are known.
    func noticeSummary(_ notices: WatchRule.Comparison, of name: String) -> String {
        let count = notices.kept.count + notices.added.count
        let told = lexicon.stateText(count == 1 ? .oneNotice : .severalNotices, [.number: "\(count)"])
        let stateSentence: StateSentence =
            switch notices.baseline {
            case .rules: .noticesByRules
            case .nothing: .noticesByNothing
            case .unknown: .noticesUncompared
            }
        return lexicon.stateText(
            stateSentence, [.name: name, .count: told, .from: "\(notices.missed.count)", .to: "\(notices.added.count)"])
    }

    /// Adds the name of the room: of several rooms one is shown, since a mean over rooms is the temperature of none of them.
    func roomSentence(_ room: String, _ words: String) -> String {
        lexicon.stateText(.ofSeveralRooms, [.room: room, .words: Self.lowercasedFirst(words)])
    }

    /// Says how much the imagined change saves.
    func savingByChange(saves saving: String) -> String { lexicon.stateText(.savesByDoingSo, [.value: saving]) }

    /// Says how much one degree less than wished saves.
    ///
    /// - Parameter wishes: °C, each once.
    func savingByLowering(_ wishes: [Double], saves saving: String) -> String {
        guard let only = wishes.first, wishes.count == 1 else {
            return lexicon.stateText(.savesByDegree, [.unit: oneDegree, .value: saving])
        }
        return lexicon.stateText(.savesByHolding, [.from: temperature(only - 1), .to: temperature(only), .value: saving])
    }

    /// Says the saving as a whole sentence.
    ///
    /// - Parameter money: the worth of the saving; nil if it has no price.
    func saving(_ words: String, worth money: String?) -> String {
        lexicon.stateText(money == nil ? .savingIs : .savingIsWorth, [.words: words, .value: money ?? ""])
    }

    func basis(nights: Int?, weeks: Int?, readings: Int, twins: [ThermalTwin], rate: String?) -> String {
        var parts: [String] = []
        if let nights { parts.append(lexicon.stateText(.sameHours, [.time: counted(nights, .day)])) }
        if let weeks { parts.append(lexicon.stateText(.sameHours, [.time: counted(weeks, .week)])) }
        guard let first = parts.first else { return "" }
        let list = parts.dropFirst().reduce(first) { lexicon.stateText(.andOn, [.from: $0, .to: $1]) }
        let worst = twins.max { $0.oneStepError < $1.oneStepError }
        let rests = lexicon.stateText(
            worst == nil ? .restsOn : .restsOnModel,
            [.list: list, .number: "\(readings)", .value: worst.map { temperatureDifference($0.oneStepError) } ?? ""])
        let words = "\(rests) \(lexicon.stateText(.rangesHold))"
        return rate.map { "\(words) \(lexicon.stateText(.moneyAt, [.value: $0]))" } ?? words
    }

    /// "0.15 per kWh".
    func rate(_ price: Double, per unit: String) -> String { lexicon.stateText(.rateIs, [.value: number(price), .unit: unit]) }

    // MARK: Numbers

    /// "0.45 kWh (0.3 to 0.61)"
    func amount(_ figure: Estimate, unit: String) -> String {
        lexicon.stateText(.withRange, [.value: measure(figure.value, unit), .from: number(figure.low), .to: number(figure.high)])
    }

    func measure(_ value: Double, _ unit: String) -> String { unit.isEmpty ? number(value) : "\(number(value)) \(unit)" }

    /// A temperature, converted from °C: "22 °C".
    func temperature(_ celsius: Double) -> String { measure(degrees.fromCelsius(celsius), degrees.symbol) }

    /// A temperature difference, converted from °C.
    private func temperatureDifference(_ celsius: Double) -> String { measure(celsius * degrees.step, degrees.symbol) }

    /// One degree Celsius, in the requester's unit: comfort is measured in it.
    private var oneDegree: String { degrees == .celsius ? lexicon.stateText(.aDegree) : temperatureDifference(1) }

    /// A number with about two significant digits: 1234, 12.3, 0.45.
    func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return lexicon.stateText(value.isNaN ? .notANumber : .tooGreat) }
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
        let text = String(format: "%.\(digits)f", value)
        guard digits > 0 else { return text }
        let bare = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        let short = String(bare.reversed())
        return short == "-0" || short.isEmpty ? "0" : short
    }

    func percent(_ share: Double) -> String { lexicon.stateText(.percent, [.number: number((share * 100).rounded())]) }

    /// "7 days".
    func counted(_ count: Int, _ span: TimeUnit) -> String {
        lexicon.stateText(.counted, [.count: "\(count)", .unit: lexicon.unit(span, count)])
    }

    private static func lowercasedFirst(_ sentence: String) -> String { sentence.prefix(1).lowercased() + sentence.dropFirst() }
}

extension WhatIfMetric {
    /// The name of the metric in sentences.
    var sentence: StateSentence {
        switch self {
        case .energy: .energy
        case .cost: .cost
        case .comfort: .comfort
        case .temperature: .temperature
        case .access: .access
        }
    }
}
