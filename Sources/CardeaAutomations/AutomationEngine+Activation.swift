import CardeaModel
import Foundation

extension AutomationEvaluator {
    /// An automation that is to run, or would have run.
    public struct Activation: Hashable, Sendable {
        public let automationID: String
        /// The version of the automation that was triggered.
        public let version: Int
        public let at: Date
        /// The time of the trigger. It is earlier than `at` if the event was reported late.
        public let occurredAt: Date
        /// The index of its trigger, counted from 0.
        public let trigger: Int
        /// The event that triggered it; nil if the clock or a number did.
        public let eventID: String?
        public let verdict: Verdict
        /// The ids of entities whose unknown state leaves its conditions undecided.
        public let unknown: [String]

        public enum Verdict: String, Hashable, Sendable, CaseIterable {
            case run
            /// It was triggered by its own effects, or at the end of a long chain of automations.
            case loop
            /// It has reached the hourly limit of runs, and pauses for an hour.
            case tooOften = "too_often"
            /// Its conditions could not be decided.
            case notKnown = "not_known"
        }
    }
}
