import CardeaModel
import Foundation

/// The result of a what-if question.
public struct WhatIfResult: Hashable, Sendable {
    /// The imagined change, in words: "keeping the living room at 22 °C from 22:00 to 06:00".
    public let subject: String
    public let answers: [WhatIfMetric: Answer]
    /// The metrics that cannot be answered, each with the reason.
    public let errors: [WhatIfMetric: WhatIfError]
    public let recommendations: [Recommendation]
    public let basis: Basis
    /// The replay of the last days; nil if no change to access is imagined.
    public let replay: AccessReplay.Comparison?
    /// The notifications that a watch rule would have given differently, by entity id.
    public let notices: [String: WatchRule.Comparison]
    /// The names of the watched entities, by entity id.
    public let watched: [String: String]

    public struct Answer: Hashable, Sendable {
        /// The usual value.
        public let baseline: Estimate
        /// The value with the change.
        public let predicted: Estimate
        /// `predicted` less `baseline`. More certain than either of them, because a day's conditions affect both.
        public let difference: Estimate
        /// Empty for money, whose currency is not known here.
        public let unit: String
        public let words: String
        /// Hour by hour; empty for doors.
        public let series: [Point]
    }

    /// An hour of the imagined time.
    public struct Point: Hashable, Sendable {
        public let at: Date
        public let baseline: Double
        public let predicted: Double
        /// The bounds of `predicted`.
        public let low: Double
        public let high: Double
    }

    public struct Recommendation: Hashable, Sendable {
        public let words: String
        /// In `unit`; positive with 95 % confidence.
        public let saving: Estimate
        public let unit: String
    }

    /// The data that the result rests on.
    public struct Basis: Hashable, Sendable {
        /// The past periods that were examined, the latest first.
        public let windows: [DateInterval]
        /// The entity ids of the sensors.
        public let entities: [String]
        /// The number of hourly readings.
        public let readings: Int
        /// The twins by room id.
        public let twins: [String: ThermalTwin]
        public let words: String
    }
}
