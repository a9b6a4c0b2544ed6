import CardeaModel
import Foundation

/// "What would it cost to keep 22 degrees all night?"
public struct WhatIfQuestion: Hashable, Sendable {
    /// As whoever asks calls it.
    public var scenario: String
    public var changes: [WhatIfChange]
    /// When it would begin.
    public var from: Date
    /// Seconds; within `WhatIfSpan.range`.
    public var duration: TimeInterval
    public var metrics: Set<WhatIfMetric>
    /// How many of the last days are decided again, within `WhatIfQuestion.pastDays`; nil for as many as it lasts, and at least a week.
    public var days: Int?

    /// Days that may be looked back at.
    public static let pastDays = 1...31
    /// Days that are looked back at where nobody said how many and it does not last longer.
    static let minimumDays = 7

    /// Days that are looked back at.
    var lookbackDays: Int { days ?? max(Int((duration / 86_400).rounded(.up)), Self.minimumDays) }

    public init(
        scenario: String, changes: [WhatIfChange], from: Date, duration: TimeInterval, metrics: Set<WhatIfMetric>, days: Int? = nil
    ) {
        self.scenario = scenario
        self.changes = changes
        // No calendar reaches further.
        self.from = min(max(from, .distantPast), .distantFuture)
        self.duration = min(max(duration.isFinite ? duration : 0, WhatIfDuration.range.lowerBound), WhatIfDuration.range.upperBound)
        self.metrics = metrics
        self.days = days.map { min(max($0, Self.pastDays.lowerBound), Self.pastDays.upperBound) }
    }
}

/// What is asked about it.
public enum WhatIfMetric: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// In the unit in which it is counted: kWh, m³.
    case energy
    /// Money, by the rates of whoever asks.
    case cost
    /// The share of the hours in which a room is within 1 °C of what is preferred there, 0 to 1.
    case comfort
    /// °C, the mean over the time.
    case temperature
    /// Doors that would have let somebody in, over the days that are decided again.
    case access

    public static func < (one: WhatIfMetric, other: WhatIfMetric) -> Bool { one.rawValue < other.rawValue }
}

extension EnergyKind {
    /// How it is called.
    var sentence: StateSentence {
        switch self {
        case .electricity: .electricity
        case .gas: .gas
        case .water: .water
        case .solar: .solar
        }
    }
}
