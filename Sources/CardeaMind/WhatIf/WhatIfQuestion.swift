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

/// Why something cannot be told. Nothing is made up in its place.
public enum WhatIfError: Error, Hashable, Sendable {
    /// Times of the past that could be compared, and how many it takes.
    case tooFewPeriods(have: Int, needed: Int)
    /// Nothing measures what this device uses.
    case noMeter(deviceID: String)
    /// No power sensor or known power tells what the room's heating uses.
    case heatingNotMetered(roomID: String)
    /// A room of which inside, outside or heating was never measured.
    case noReadings(roomID: String)
    case noTwin(roomID: String, ThermalTwinError)
    case noRate(EnergyKind)
    /// Kilowatt-hours and cubic metres have no sum.
    case severalKinds([EnergyKind])
    /// It is not known how warm anybody wants it there.
    case noPreference
    /// No room's temperature is changed, and none is asked about.
    case noRoom
    /// Nothing about who may do what is imagined otherwise.
    case noAccessChange
    /// Nobody gave the last days' attempts.
    case noAttempts
    /// It was not seen on often enough to know what it takes.
    case neverOn(deviceID: String)
    /// What is to be watched said nothing in the days that are looked at.
    case noWatchedStates
    /// Whoever asks may not be told what is used.
    case energyHidden

    public func text(in lexicon: Lexicon) -> String {
        switch self {
        case .tooFewPeriods(let have, let needed): return lexicon.stateText(.tooThin, [.count: "\(have)", .number: "\(needed)"])
        case .noMeter: return lexicon.stateText(.notMetered)
        case .heatingNotMetered: return lexicon.stateText(.heatingNotMetered)
        case .noReadings: return lexicon.stateText(.neverRead)
        case .noTwin(_, let problem): return problem.text(in: lexicon)
        case .noRate(let kind): return lexicon.stateText(.noRate, [.name: lexicon.stateText(kind.sentence)])
        case .severalKinds(let kinds):
            let names = kinds.map { lexicon.stateText($0.sentence) }
            let list = names.dropFirst().reduce(names.first ?? "") { lexicon.stateText(.bothKinds, [.from: $0, .to: $1]) }
            return lexicon.stateText(.severalKinds, [.list: list])
        case .noPreference: return lexicon.stateText(.noPreference)
        case .noRoom: return lexicon.stateText(.noRoomChanged)
        case .noAccessChange: return lexicon.stateText(.noAccessChanged)
        case .noAttempts: return lexicon.stateText(.attemptsUnknown)
        case .neverOn: return lexicon.stateText(.neverOn)
        case .noWatchedStates: return lexicon.stateText(.nothingHeard)
        case .energyHidden: return lexicon.stateText(.useHidden)
        }
    }
}

extension EnergyKind {
    /// How it is called.
    fileprivate var sentence: StateSentence {
        switch self {
        case .electricity: .electricity
        case .gas: .gas
        case .water: .water
        case .solar: .solar
        }
    }
}
