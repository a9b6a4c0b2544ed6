import CardeaModel
import Foundation

extension AutomationEngine {
    /// That an automation is to run, or would have been.
    public struct Activation: Hashable, Sendable {
        public let automationID: String
        /// The version of it that was set going.
        public let version: Int
        public let at: Date
        /// When what set it going was so: earlier than `at` where it was told late.
        public let occurredAt: Date
        /// Which of its triggers, counted from 0.
        public let trigger: Int
        /// What set it going; nil for the clock, and for a number.
        public let eventID: String?
        public let verdict: Verdict
        /// The entities that its conditions wait for, by their ids, where it is not known whether they hold.
        public let unknown: [String]

        public enum Verdict: String, Hashable, Sendable, CaseIterable {
            case run
            /// It was set going by what it did itself, or by one in a long row of others.
            case loop
            /// It has run as often in an hour as it may, and rests for one.
            case tooOften = "too_often"
            /// It is not known whether its conditions hold.
            case notKnown = "not_known"
        }
    }
}
