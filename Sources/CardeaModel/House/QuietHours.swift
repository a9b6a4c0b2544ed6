import Foundation

/// Every day from one time to another by the house's clock; over midnight if `to` is not after `from`.
public struct QuietHours: Codable, Hashable, Sendable {
    public let from: TimeOfDay
    public let to: TimeOfDay

    public init(from: TimeOfDay, to: TimeOfDay) {
        self.from = from
        self.to = to
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        from = try fields.decode(TimeOfDay.self, forKey: .from)
        to = try fields.decodeEnd(forKey: .to)
    }

    private enum CodingKeys: String, CodingKey { case from, to }

    public func contains(_ instant: Date, in zone: TimeZone) -> Bool {
        WeeklySchedule(lines: [.init(days: Set(Weekday.allCases), from: from, to: to)]).contains(instant, in: zone)
    }
}
