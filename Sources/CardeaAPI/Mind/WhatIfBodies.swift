import CardeaModel
import Foundation

/// `POST /api/v1/predictions/what-if`
public struct WhatIfBody: WireFormat.Body, Encodable, Sendable {
    /// The caller's name for the scenario, at most 200 characters.
    public var scenario: String?
    /// `room`, `device` and `access`, each with the changed values by id.
    public var changes: JSONValue
    /// `8h`, `2d`, `PT8H`; a minute to 31 days.
    public var duration: String
    /// `energy`, `cost`, `comfort`, `temperature`, `access`; those that fit the changes if omitted.
    public var metrics: [String]?
    /// When it would begin; the next time at which something changes if omitted.
    public var from: Date?
    /// The number of past days that are decided again, 1 to 31; if omitted, the length of the period, and at least seven.
    public var days: Int?

    public enum CodingKeys: String, CodingKey, CaseIterable { case scenario, changes, duration, metrics, from, days }

    public static let maxScenarioLength = 200

    public init(
        scenario: String? = nil, changes: JSONValue, duration: String, metrics: [String]? = nil, from: Date? = nil, days: Int? = nil
    ) {
        self.scenario = scenario
        self.changes = changes
        self.duration = duration
        self.metrics = metrics
        self.from = from
        self.days = days
    }
}

/// A prediction, with its confidence and the evidence it rests on.
public struct WhatIfAnswer: Codable, Sendable {
    public let analysisID: String
    /// `completed`.
    public let status: String
    /// In sentences.
    public let response: String
    /// The imagined change, in words.
    public let about: String
    /// By metric.
    public let results: [String: Metric]
    /// The parts of the question that cannot be predicted, with the reason.
    public let problems: [String: String]
    public let recommendations: [Recommendation]
    public let basis: Basis
    @Nullable public private(set) var replay: Replay?
    /// The notifications that an imagined watching rule would have sent, by entity; null if no such rule is imagined.
    @Nullable public private(set) var notices: [String: Notices]?

    public struct Metric: Codable, Sendable {
        /// As it usually is, and as it would be.
        public let baseline: EstimateAnswer
        public let predicted: EstimateAnswer
        /// More certain than the two values: a day's conditions affect both.
        public let difference: EstimateAnswer
        /// Empty for money.
        public let unit: String
        public let words: String
        /// Hour by hour; empty for doors.
        public let series: [Point]

        public init(
            baseline: EstimateAnswer, predicted: EstimateAnswer, difference: EstimateAnswer, unit: String, words: String, series: [Point]
        ) {
            self.baseline = baseline
            self.predicted = predicted
            self.difference = difference
            self.unit = unit
            self.words = words
            self.series = series
        }
    }

    public struct Point: Codable, Sendable {
        public let at: Date
        public let baseline: Double
        public let predicted: Double
        /// The lower bound of the prediction.
        public let low: Double
        public let high: Double

        public init(at: Date, baseline: Double, predicted: Double, low: Double, high: Double) {
            self.at = at
            self.baseline = baseline
            self.predicted = predicted
            self.low = low
            self.high = high
        }
    }

    public struct Recommendation: Codable, Sendable {
        public let words: String
        public let saving: EstimateAnswer
        public let unit: String

        public init(words: String, saving: EstimateAnswer, unit: String) {
            self.words = words
            self.saving = saving
            self.unit = unit
        }
    }

    public struct Basis: Codable, Sendable {
        public let words: String
        /// Hours of readings.
        public let readings: Int
        public let entities: [String]
        /// The past periods used, the latest first.
        public let windows: [Window]

        public init(words: String, readings: Int, entities: [String], windows: [Window]) {
            self.words = words
            self.readings = readings
            self.entities = entities
            self.windows = windows
        }
    }

    public struct Window: Codable, Sendable {
        public let from: Date
        public let to: Date

        public init(from: Date, to: Date) {
            self.from = from
            self.to = to
        }
    }

    /// The attempts to open doors in the last days, decided again.
    public struct Replay: Codable, Sendable {
        public let openedThenShut: Int
        public let shutThenOpened: Int
        /// The number of them for which a person in the house would have been asked first.
        public let asked: Int
        /// The number of undecidable ones.
        public let unknown: Int
        /// The attempts that would have ended differently, the latest first; at most two hundred.
        public let rows: [Row]
        /// The number of earlier rows that are not listed; omitted if all are.
        public let moreRows: Int?

        enum CodingKeys: String, CodingKey {
            case asked, unknown, rows
            case openedThenShut = "opened_then_shut"
            case shutThenOpened = "shut_then_opened"
            case moreRows = "more_rows"
        }

        public init(openedThenShut: Int, shutThenOpened: Int, asked: Int, unknown: Int, rows: [Row], moreRows: Int? = nil) {
            self.openedThenShut = openedThenShut
            self.shutThenOpened = shutThenOpened
            self.asked = asked
            self.unknown = unknown
            self.rows = rows
            self.moreRows = moreRows
        }
    }

    public struct Row: Codable, Sendable {
        public let at: Date
        @Nullable public private(set) var deviceID: String?
        /// By name.
        @Nullable public private(set) var who: String?
        public let was: String
        public let wouldBe: String

        enum CodingKeys: String, CodingKey {
            case at, who, was
            case deviceID = "device_id"
            case wouldBe = "would_be"
        }

        public init(at: Date, deviceID: String?, who: String?, was: String, wouldBe: String) {
            self.at = at
            self.deviceID = deviceID
            self.who = who
            self.was = was
            self.wouldBe = wouldBe
        }
    }

    /// The notifications that a watch rule would have sent in the last days, compared with those of the existing rules.
    public struct Notices: Codable, Sendable {
        /// The number of notifications that both the imagined and the existing rules send; null if they cannot be compared.
        @Nullable public private(set) var kept: Int?
        /// The times at which only the imagined rule would have sent one, the oldest first; all of its times if `kept` is null.
        public let added: [Date]
        /// The times at which only the present notifications would have been sent.
        public let missed: [Date]

        public init(kept: Int?, added: [Date], missed: [Date]) {
            self.kept = kept
            self.added = added
            self.missed = missed
        }
    }

    enum CodingKeys: String, CodingKey {
        case status, response, about, results, problems, recommendations, basis, replay, notices
        case analysisID = "analysis_id"
    }

    public init(
        analysisID: String, response: String, about: String, results: [String: Metric], problems: [String: String],
        recommendations: [Recommendation], basis: Basis, replay: Replay?, notices: [String: Notices]? = nil
    ) {
        self.analysisID = analysisID
        status = "completed"
        self.response = response
        self.about = about
        self.results = results
        self.problems = problems
        self.recommendations = recommendations
        self.basis = basis
        self.replay = replay
        self.notices = notices
    }
}
