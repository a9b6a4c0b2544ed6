import CardeaModel
import Foundation

/// What was found, in sentences.
public enum WhatIfWords {
    /// The answer to what was asked, with how sure it is and what it rests on.
    public static func reply(to question: WhatIfQuestion, _ result: WhatIfResult) -> String {
        var sentences: [String] = []
        let subject = result.about.prefix(1).uppercased() + result.about.dropFirst()
        if let cost = result.answers[.cost] {
            sentences.append("\(subject) \(wouldCost(cost.difference)).")
            if let energy = result.answers[.energy] { sentences.append(energy.words) }
        } else if let energy = result.answers[.energy] {
            sentences.append("\(subject): \(lowered(energy.words))")
        }
        for metric in [WhatIfMetric.temperature, .comfort, .access] {
            if let answer = result.answers[metric] {
                sentences.append(sentences.isEmpty ? "\(subject): \(lowered(answer.words))" : answer.words)
            }
        }
        for (entityID, notices) in result.notices.sorted(by: { $0.key < $1.key }) {
            sentences.append(WhatIfWords.notices(notices, of: result.watched[entityID] ?? entityID))
        }
        // What cannot be told is said once, however many were asked that hang on it.
        var said: Set<WhatIfProblem> = []
        for (metric, problem) in result.problems.sorted(by: { $0.key < $1.key }) where said.insert(problem).inserted {
            sentences.append("About the \(metric.rawValue) I cannot say: \(lowered(problem.words))")
        }
        if !result.answers.isEmpty, !result.basis.words.isEmpty { sentences.append(result.basis.words) }
        sentences += result.recommendations.map(\.words)
        return sentences.isEmpty ? "There is nothing I can say about that." : sentences.joined(separator: " ")
    }

    private static func wouldCost(_ difference: Estimate) -> String {
        if difference.low > 0 { return "would cost about \(amount(difference, unit: "")) more than usual" }
        if difference.high < 0 { return "would save about \(amount(difference.scaled(by: -1), unit: ""))" }
        return "would cost about as much as usual: the difference lies between \(number(difference.low)) and \(number(difference.high))"
    }

    // MARK: Parts

    static func change(
        of what: String, _ baseline: Estimate, _ predicted: Estimate, _ difference: Estimate, unit: String
    ) -> String {
        let more = difference.value >= 0
        let size = more ? difference : difference.scaled(by: -1)
        let (up, down) = what == "temperature" ? ("warmer", "colder") : ("more", "less")
        let sure = difference.excludesZero ? "" : " It may as well be no different."
        return "The \(what) is usually about \(measure(baseline.value, unit)) in these hours and would be about "
            + "\(measure(predicted.value, unit)), \(amount(size, unit: unit)) \(more ? up : down).\(sure)"
    }

    static func comfort(_ baseline: Estimate, _ predicted: Estimate, wanted: Double) -> String {
        "It is within a degree of \(number(wanted)) °C in \(percent(baseline.value)) of these hours, and would be in "
            + "\(percent(predicted.value)) (\(percent(predicted.low)) to \(percent(predicted.high)))."
    }

    /// Why a night is counted with the day after it.
    static func wholeDay(from clock: String) -> String {
        "This is counted from \(clock) to \(clock) of the next day, since what the night has kept warm is heated less in the morning."
    }

    /// - Parameters:
    ///   - days: that were decided again.
    ///   - whole: the seconds up to now of which everything was; nil where it was all of it.
    static func doors(_ comparison: Replay.Comparison, days: Int, whole: TimeInterval? = nil) -> String {
        guard !comparison.rows.isEmpty else {
            return "There is nothing to go by: nothing is on record that anybody asked of the doors."
        }
        var parts: [String] = []
        if !comparison.doorsShut.isEmpty {
            parts.append("\(counted(comparison.doorsShut.count, "door that opened", "doors that opened")) would not have")
        }
        if !comparison.doorsOpened.isEmpty {
            parts.append(
                "\(counted(comparison.doorsOpened.count, "door that stayed shut", "doors that stayed shut")) would have been opened")
        }
        if !comparison.doorsAsked.isEmpty {
            parts.append("of \(counted(comparison.doorsAsked.count, "door")) somebody would have been asked first")
        }
        if parts.isEmpty { parts.append("no door would have opened or stayed shut otherwise") }
        let otherwise = comparison.contradictions.count { $0.isDoor }
        let open = comparison.unknown.count { $0.isDoor } - otherwise
        if open > 0 { parts.append("of \(counted(open, "attempt")) it cannot be said, because something about it was not written down") }
        if otherwise > 0 {
            parts.append(
                "of \(counted(otherwise, "attempt")) it cannot be said, because it was decided by other rules than those that are known")
        }
        let told = "In the last \(counted(days, "day")), \(parts.joined(separator: ", "))."
        return whole.map { "\(told) So much was asked that only the last \(length($0)) of it were decided again as a whole." } ?? told
    }

    /// "12 days", "5 hours", "40 minutes": never more than it is.
    private static func length(_ seconds: TimeInterval) -> String {
        let minutes = Int(min(max(seconds / 60, 0), 1e6))
        if minutes >= 2 * 1440 { return counted(minutes / 1440, "day") }
        return minutes >= 2 * 60 ? counted(minutes / 60, "hour") : counted(minutes, "minute")
    }

    /// How often a rule would have told. Fewer than what, is said only where what tells of it now is known.
    static func notices(_ notices: WatchRule.Comparison, of name: String) -> String {
        let told = "Of \(name) there would have been \(counted(notices.kept.count + notices.added.count, "notice"))"
        switch notices.former {
        case .rules:
            return "\(told), \(notices.missed.count) fewer and \(notices.added.count) more than by what tells of it now."
        case .nothing: return "\(told); nothing that I know of tells of it now."
        case .unknown: return "\(told). What tells of it now cannot be compared with that."
        }
    }

    /// Of several rooms one is told: a mean over rooms is nobody's warmth.
    static func oneRoom(_ room: String, _ words: String) -> String {
        "In the \(room), of the rooms asked about the one that is told here: \(lowered(words))"
    }

    static func cooler(_ wishes: [Double]) -> String {
        guard let only = wishes.first, wishes.count == 1 else { return "Holding a degree less each time saves" }
        return "Holding \(number(only - 1)) °C instead of \(number(only)) °C saves"
    }

    static func basis(nights: Int?, weeks: Int?, readings: Int, twins: [ThermalTwin], rate: String?) -> String {
        var parts: [String] = []
        if let nights { parts.append("the same hours of \(counted(nights, "day"))") }
        if let weeks { parts.append("the same hours of \(counted(weeks, "week"))") }
        guard !parts.isEmpty else { return "" }
        var words = "This rests on \(parts.joined(separator: " and on ")), with \(readings) hours of readings"
        if let worst = twins.max(by: { $0.oneStepError < $1.oneStepError }) {
            words += "; the room's model is off by \(number(worst.oneStepError)) °C from one hour to the next"
        }
        words += ". The ranges hold in 95 of 100 such times."
        return rate.map { "\(words) Money is counted at \($0)." } ?? words
    }

    /// "The Garage door", by the entity; what nobody knows is told by its id.
    static func name(_ entityID: String, in house: HousePicture) -> String {
        house.devices.first { $0.entities.contains { $0.id == entityID } }.map { "the \($0.name)" } ?? entityID
    }

    static func change(_ change: WhatIfChange, in house: HousePicture) -> String {
        func named(_ id: String) -> String { house.devices.first { $0.id == id }?.name ?? id }
        func who(_ key: String) -> String { (house.people + house.guests).first { $0.key == key }?.name ?? key }
        switch change {
        case .temperature(let roomID, let celsius, let hours):
            let room = house.rooms.first { $0.id == roomID }?.name ?? roomID
            return "keeping the \(room) at \(number(celsius)) °C\(daily(hours))"
        case .power(let deviceID, let isOn, let hours): return "having the \(named(deviceID)) \(isOn ? "on" : "off")\(daily(hours))"
        case .watch(let entityID, let rule):
            let name = name(entityID, in: house)
            return rule == nil ? "not watching \(name)" : "watching \(name) by another rule"
        case .access(let rule):
            switch rule {
            case .schedule(let key, _): return "other hours for \(who(key))"
            case .useLimit(let key, let limit):
                return limit == 0 ? "no limit of uses for \(who(key))" : "\(counted(limit, "use")) for \(who(key))"
            case .expiry(let key, _): return "another end for \(who(key))"
            case .asksEachTime(let key, let asks): return asks ? "asking each time for \(who(key))" : "not asking each time for \(who(key))"
            case .localOnly(let key, _): return "another reach for \(who(key))"
            case .items(let key, _): return "other doors for \(who(key))"
            case .revoked(let key, _): return "taking back what \(who(key)) holds"
            case .role(let key, let role): return "\(who(key)) as \(role.rawValue)"
            case .securityDevice(let id, let flag): return "the \(named(id)) \(flag ? "as" : "not as") a security device"
            case .guestAccessible(let id, let flag): return "the \(named(id)) \(flag ? "open" : "closed") to guests"
            }
        }
    }

    private static func daily(_ hours: QuietHours?) -> String { hours.map { " from \($0.from) to \($0.to)" } ?? "" }

    // MARK: Numbers

    /// "0.45 kWh (0.3 to 0.61)"
    static func amount(_ figure: Estimate, unit: String) -> String {
        "\(measure(figure.value, unit)) (\(number(figure.low)) to \(number(figure.high)))"
    }

    static func measure(_ value: Double, _ unit: String) -> String { unit.isEmpty ? number(value) : "\(number(value)) \(unit)" }

    /// Two digits that say something, as people say numbers: 1234, 12.3, 0.45.
    static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return value.isNaN ? "unknown" : "more than can be said" }
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
        let text = String(format: "%.\(digits)f", value)
        guard digits > 0 else { return text }
        let bare = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        let short = String(bare.reversed())
        return short == "-0" || short.isEmpty ? "0" : short
    }

    private static func percent(_ share: Double) -> String { "\(number((share * 100).rounded())) %" }

    private static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }

    private static func lowered(_ sentence: String) -> String { sentence.prefix(1).lowercased() + sentence.dropFirst() }
}
