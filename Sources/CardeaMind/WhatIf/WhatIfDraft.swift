import CardeaModel
import Foundation

/// A question as it comes from outside.
public struct WhatIfDraft: Sendable {
    public var scenario: String
    public var changes: JSONValue
    public var duration: String
    /// By their names; nil for those that fit what is changed.
    public var metrics: [String]?
    /// When it would begin; nil for the next time at which something changes.
    public var from: Date?
    /// How many of the last days are decided again; nil for as many as it lasts, and at least a week.
    public var days: Int?

    public init(
        scenario: String, changes: JSONValue, duration: String, metrics: [String]? = nil, from: Date? = nil, days: Int? = nil
    ) {
        self.scenario = scenario
        self.changes = changes
        self.duration = duration
        self.metrics = metrics
        self.from = from
        self.days = days
    }
}
