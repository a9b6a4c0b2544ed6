import CardeaModel
import Foundation

/// "What would it cost to keep 22 degrees all night?"
public struct WhatIfQuestion: Hashable, Sendable {
    /// The requester's name for the question.
    public var scenario: String
    public var changes: [WhatIfChange]
    /// The beginning of the change.
    public var from: Date
    /// Seconds; within `WhatIfDuration.range`.
    public var duration: TimeInterval
    public var metrics: Set<WhatIfMetric>
    /// The number of past days to decide again, within `WhatIfQuestion.pastDays`; nil for as many as the change lasts, and at least 7.
    public var days: Int?

    /// Allowed numbers of past days.
    public static let pastDays = 1...31
    /// The fewest past days if no number is given.
    static let minimumDays = 7

    /// The number of past days that are examined.
    var lookbackDays: Int { days ?? max(Int((duration / 86_400).rounded(.up)), Self.minimumDays) }

    public init(
        scenario: String, changes: [WhatIfChange], from: Date, duration: TimeInterval, metrics: Set<WhatIfMetric>, days: Int? = nil
    ) {
        self.scenario = scenario
        self.changes = changes
        // `Calendar` has no dates beyond these.
        self.from = min(max(from, .distantPast), .distantFuture)
        self.duration = min(max(duration.isFinite ? duration : 0, WhatIfDuration.range.lowerBound), WhatIfDuration.range.upperBound)
        self.metrics = metrics
        self.days = days.map { min(max($0, Self.pastDays.lowerBound), Self.pastDays.upperBound) }
    }
}

/// The metric that is asked about.
public enum WhatIfMetric: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// Energy in the unit in which it is counted: kWh, m³.
    case energy
    /// Money, by the requester's rates.
    case cost
    /// The share of the hours in which a room is within 1 °C of its preferred temperature, 0 to 1.
    case comfort
    /// °C, the mean over the time.
    case temperature
    /// Attempts that would have opened a door, over the days that are decided again.
    case access

    public static func < (one: WhatIfMetric, other: WhatIfMetric) -> Bool { one.rawValue < other.rawValue }
}

extension EnergyKind {
    /// The name of the metric.
    var sentence: StateSentence {
        switch self {
        case .electricity: .electricity
        case .gas: .gas
        case .water: .water
        case .solar: .solar
        }
    }
}
