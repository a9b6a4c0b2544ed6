import Foundation

/// The results for doors, in words.
extension WhatIfText {
    /// - Parameters:
    ///   - days: the days that were decided again.
    ///   - whole: the seconds up to now for which every attempt is included; nil if all attempts are.
    func accessSummary(_ comparison: AccessReplay.Comparison, days: Int, whole: TimeInterval? = nil) -> String {
        guard !comparison.rows.isEmpty else { return lexicon.stateText(.nothingAsked) }
        let otherwise = comparison.contradictions.count { $0.isDoor }
        let open = comparison.unknown.count { $0.isDoor } - otherwise
        var parts = [
            several(comparison.doorsShut.count, .oneShut, .severalShut),
            several(comparison.doorsOpened.count, .oneOpened, .severalOpened),
            several(comparison.doorsAsked.count, .oneAsked, .severalAsked),
        ].compactMap(\.self)
        if parts.isEmpty { parts.append(lexicon.stateText(.noDoorOtherwise)) }
        parts += [
            several(open, .oneUnknown, .severalUnknown), several(otherwise, .oneByOtherRules, .severalByOtherRules),
        ].compactMap(\.self)
        let told = lexicon.stateText(.inLastDays, [.time: counted(days, .day), .list: parts.joined(separator: ", ")])
        return whole.map { "\(told) \(lexicon.stateText(.onlySoLong, [.time: length($0)]))" } ?? told
    }

    /// The phrase for a count; nil for 0.
    private func several(_ count: Int, _ one: StateSentence, _ many: StateSentence) -> String? {
        count > 0 ? lexicon.stateText(count == 1 ? one : many, [.count: "\(count)"]) : nil
    }

    /// "12 days", "5 hours", "40 minutes": rounded down.
    private func length(_ seconds: TimeInterval) -> String {
        let minutes = Int(min(max(seconds / 60, 0), 1e6))
        if minutes >= 2 * 1440 { return counted(minutes / 1440, .day) }
        return minutes >= 2 * 60 ? counted(minutes / 60, .hour) : counted(minutes, .minute)
    }
}
