import Foundation

/// A moment in local time, calculated without a calendar because habits count thousands of hours.
struct LocalHour: Hashable, Sendable {
    /// Seconds since 1970 as if local time were UTC.
    let localSeconds: Int64

    init(_ moment: Date, in zone: TimeZone) {
        let seconds = moment.timeIntervalSince1970
        // Four thousand years either way. No house has moments further off.
        let bounded = seconds.isFinite ? min(max(seconds, -130e9), 130e9) : 0
        localSeconds = Int64(bounded.rounded(.down)) + Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: bounded)))
    }

    /// Days since Thursday, the 1st of January 1970.
    var day: Int { Int(floor(Double(localSeconds) / 86400)) }
    /// 0 for Monday.
    var weekday: Int { ((day % 7) + 10) % 7 }
    /// 0 to 1439.
    var minute: Int { Int((localSeconds - Int64(day) * 86400) / 60) }
    /// 0 to 23.
    var hour: Int { minute / 60 }
    /// 0 for Monday from midnight to one, up to 167.
    var hourOfWeek: Int { weekday * 24 + hour }
    /// Seconds until the next full hour of local time.
    var secondsToNextHour: TimeInterval { TimeInterval(3600 - ((localSeconds % 3600) + 3600) % 3600) }

    /// `22:05`.
    static func clock(_ minute: Int) -> String {
        let minute = ((minute % 1440) + 1440) % 1440
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    /// "since 22:05", "since Monday 22:05", "for 12 days". The text stays the same for as long as it is true.
    static func since(_ moment: Date, at now: Date, in zone: TimeZone, _ lexicon: Lexicon = .standard) -> String {
        let (then, today) = (LocalHour(moment, in: zone), LocalHour(now, in: zone))
        let days = max(today.day - then.day, 0)
        if days == 0 || (days == 1 && now.timeIntervalSince(moment) < 12 * 3600) {
            return lexicon.stateText(.sinceTime, [.time: clock(then.minute)])
        }
        if days < 6 { return lexicon.stateText(.sinceDay, [.day: lexicon.weekday(then.weekday), .time: clock(then.minute)]) }
        return lexicon.stateText(.forDays, [.number: "\(days)"])
    }
}
