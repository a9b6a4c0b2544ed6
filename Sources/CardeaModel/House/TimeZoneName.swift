import Foundation

/// Names of time zones that the house takes: those of the IANA database, which every browser knows.
///
/// Foundation also takes offsets such as `GMT+2`, abbreviations and other spellings. A browser refuses these, and a guest would read times by
/// the clock of their own phone.
public enum TimeZoneName {
    /// The zone of that name; nil for a name that is not in the database, or unknown to this machine.
    public static func zone(_ name: String) -> TimeZone? {
        // Foundation would read some of these names as an offset.
        if universalNames.contains(name) { return .gmt }
        return isPlace(name) || offsets.contains(name) || single.contains(name) ? TimeZone(identifier: name) : nil
    }

    /// A zone that an older version kept, in a name that browsers know: a whole number of hours as `Etc/GMT-2`; nil if there is none.
    ///
    /// The signs of `Etc` are POSIX's: `Etc/GMT-2` is two hours ahead.
    public static func offset(_ former: String) -> String? {
        guard former.hasPrefix("GMT"), former.utf8.count == 8, former.hasSuffix("00"), let hours = Int(former.dropFirst(4).prefix(2)) else {
            return nil
        }
        let name: String
        switch former.dropFirst(3).first {
        case "+": name = "Etc/GMT-\(hours)"
        case "-": name = "Etc/GMT+\(hours)"
        default: return nil
        }
        return offsets.contains(name) ? name : nil
    }

    private static func isPlace(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), areas.contains(String(parts[0])) else { return false }
        return parts.dropFirst().allSatisfy { $0.first?.isLetter == true && $0.utf8.allSatisfy(allowedBytes.contains) }
    }

    private static let allowedBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-_".utf8)

    /// From 12 hours behind to 14 hours ahead.
    private static let offsets = Set((0...12).map { "Etc/GMT+\($0)" } + (0...14).map { "Etc/GMT-\($0)" })

    private static let universalNames: Set<String> = {
        let names = ["GMT", "GMT0", "GMT+0", "GMT-0", "Greenwich", "UCT", "UTC", "Universal", "Zulu"]
        return Set(names + names.map { "Etc/" + $0 })
    }()

    private static let areas: Set<String> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Brazil", "Canada", "Chile", "Europe", "Indian",
        "Mexico", "Pacific", "US",
    ]

    /// The names of the database without an area; `EST` and its like are there for POSIX.
    private static let single = Set(
        """
        CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT
        NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey W-SU WET
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
