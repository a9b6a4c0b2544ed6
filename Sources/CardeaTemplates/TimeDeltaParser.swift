import Foundation

/// Reads durations such as `01:30:00`, `2 days, 3:00` and `PT10M`.
enum TimeDeltaParser {
    static func interval(_ text: String) throws(TemplateError) -> TimeDelta? {
        for (pattern, isISO) in [
            (#"(?:(-?\d+) (?:days?, )?)?((?:-?\d+:)(?=\d+:\d+))?(-?\d+:)?(-?\d+)(?:[\.,](\d{1,6})\d{0,6})?$"#, false),
            (#"([-+])?P(?:(\d+(?:[\.,]\d+)?)D)?(?:T(?:(\d+(?:[\.,]\d+)?)H)?(?:(\d+(?:[\.,]\d+)?)M)?(?:(\d+(?:[\.,]\d+)?)S)?)?$"#, true),
        ] {
            let scalars = Array(text.unicodeScalars)
            var budget = 20_000
            let compiled = try PythonRegexCompiler.pattern(pattern)
            guard let match = try compiled.firstMatch(in: scalars, from: 0, ignoringCase: false, isAnchored: true, budget: &budget) else {
                continue
            }
            func part(_ group: Int) -> String {
                match.range(of: group).map { String(String.UnicodeScalarView(scalars[$0])) } ?? ""
            }
            func number(_ group: Int) -> Double {
                Double(part(group).replacing(":", with: "").replacing(",", with: ".")) ?? 0
            }
            if isISO {
                let seconds = number(2) * 86_400 + number(3) * 3_600 + number(4) * 60 + number(5)
                return try TimeDelta(seconds: part(1) == "-" ? -seconds : seconds)
            }
            let micros = Double((part(5) + "000000").prefix(6)) ?? 0
            let time = number(2) * 3_600 + number(3) * 60 + number(4)
            return try TimeDelta(seconds: number(1) * 86_400 + time + micros / 1e6)
        }
        return nil
    }
}
