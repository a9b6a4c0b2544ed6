import Foundation

/// A time on the wall clock, `HH:MM`.
public struct TimeOfDay: Hashable, Sendable, Comparable {
    /// Minutes since midnight, 0 to 1439.
    public let minutes: Int

    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(String(decoding: parts[0], as: UTF8.self)), let minute = Int(String(decoding: parts[1], as: UTF8.self)),
            hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }

    /// When something ends. `24:00` is the midnight at the end of the day (ISO 8601-1), which a span reaches as `00:00`.
    public init?(end text: String) {
        self.init(text == "24:00" ? "00:00" : text)
    }

    /// Returns why a text is not a time of day, as the rest of a sentence.
    public static func validationMessage(_ text: String) -> String {
        text == "24:00" ? "must be 00:00 for the start of a day; 24:00 is only an end" : "must be a time of day, HH:MM"
    }

    public init?(minutes: Int) {
        guard (0..<1440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// A full hour of the day.
    init(hour: Int) { minutes = min(max(hour, 0), 23) * 60 }

    public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool { one.minutes < other.minutes }

    /// The instant at which the wall shows this time on the day of the noon `day`.
    func moment(on day: Date, last: Bool, zone: TimeZone) -> Date {
        let offset = { (instant: Date) in TimeInterval(zone.secondsFromGMT(for: instant)) }
        // The local time as if there were no zone; the zone's offsets around it give the instants with that local time.
        let midnight = ((day.timeIntervalSinceReferenceDate + offset(day)) / 86400).rounded(.down) * 86400
        let wall = Date(timeIntervalSinceReferenceDate: midnight + Double(minutes * 60))
        let (before, after) = (offset(wall - 86400), offset(wall + 86400))
        let showing = [wall - before, wall - after].filter { offset($0) == wall.timeIntervalSince($0) }
        if let instant = last ? showing.max() : showing.min() { return instant }
        // In the gap: the first moment after it lies between the readings by the old offset and by the new one.
        var (early, late) = (wall - after, wall - before)
        while late.timeIntervalSince(early) > 1 {
            let middle = early + (late.timeIntervalSince(early) / 2).rounded(.down)
            if offset(middle) == before { early = middle } else { late = middle }
        }
        return late
    }
}

extension TimeOfDay: Codable, CustomStringConvertible {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = TimeOfDay(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: Self.validationMessage(text)))
        }
        self = time
    }

    /// A time at which a period ends; accepts `24:00`.
    struct EndTime: Decodable {
        let time: TimeOfDay

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let time = TimeOfDay(end: text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: TimeOfDay.validationMessage(text)))
            }
            self.time = time
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public var description: String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }
}
