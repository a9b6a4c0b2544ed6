import CardeaModel
import Foundation

/// What the house has to say to it.
public struct WhatIfResult: Hashable, Sendable {
    /// What is imagined, in words: "keeping the living room at 22 °C from 22:00 to 06:00".
    public let subject: String
    public let answers: [WhatIfMetric: Answer]
    /// What was asked and cannot be told, and why.
    public let errors: [WhatIfMetric: WhatIfError]
    public let recommendations: [Recommendation]
    public let basis: Basis
    /// What replaying the last days found; nil where nothing about access is imagined.
    public let replay: AccessReplay.Comparison?
    /// What a watching rule would have told otherwise, by the entity.
    public let notices: [String: WatchRule.Comparison]
    /// What those entities belong to is called, by the entity.
    public let watched: [String: String]

    public struct Answer: Hashable, Sendable {
        /// As it usually is.
        public let baseline: Estimate
        /// As it would be.
        public let predicted: Estimate
        /// The latter less the former. Surer than the two: what a day brings, it brings to both.
        public let difference: Estimate
        /// Empty for money, which nobody has named here.
        public let unit: String
        public let words: String
        /// Hour by hour; empty for doors.
        public let series: [Point]
    }

    /// An hour of the time that is imagined.
    public struct Point: Hashable, Sendable {
        public let at: Date
        public let baseline: Double
        public let predicted: Double
        /// Of what is predicted.
        public let low: Double
        public let high: Double
    }

    public struct Recommendation: Hashable, Sendable {
        public let words: String
        /// In `unit`; more than nothing for certain, as far as 95 of 100 is certain.
        public let saving: Estimate
        public let unit: String
    }

    /// On what it all rests.
    public struct Basis: Hashable, Sendable {
        /// The times of the past that were looked at, the latest first.
        public let windows: [DateInterval]
        /// Of which sensors.
        public let entities: [String]
        /// Hours of readings.
        public let readings: Int
        /// By room.
        public let twins: [String: ThermalTwin]
        public let words: String
    }
}
