import CardeaModel
import Foundation

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
