import CardeaModel
import Foundation

/// A question as a client sends it.
public struct WhatIfRequest: Sendable {
    public var scenario: String
    public var changes: JSONValue
    public var duration: String
    /// The names of the metrics; nil for those that fit the changes.
    public var metrics: [String]?
    /// The beginning; nil for the next time at which something changes.
    public var from: Date?
    /// The number of past days to decide again; nil for as many as the change lasts, and at least 7.
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
