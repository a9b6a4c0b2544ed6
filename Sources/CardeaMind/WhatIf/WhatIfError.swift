import CardeaModel
import Foundation

/// The reason why a metric cannot be answered. Nothing is invented in its place.
public enum WhatIfError: Error, Hashable, Sendable {
    /// Too few comparable periods in the past: the number there is, and the number needed.
    case tooFewPeriods(have: Int, needed: Int)
    /// No meter measures the consumption of this device.
    case noMeter(deviceID: String)
    /// No power sensor and no known power gives the consumption of the room's heating.
    case heatingNotMetered(roomID: String)
    /// Inside, outside or heating of the room was never measured.
    case noReadings(roomID: String)
    case noTwin(roomID: String, ThermalTwinError)
    case noRate(EnergyKind)
    /// Kilowatt-hours and cubic metres cannot be added.
    case severalKinds([EnergyKind])
    /// The preferred temperature there is not known.
    case noPreference
    /// No room's temperature is changed, and none is asked about.
    case noRoom
    /// No access rule is changed.
    case noAccessChange
    /// The attempts of the last days were not supplied.
    case noAttempts
    /// The device was not on often enough to know its consumption.
    case neverOn(deviceID: String)
    /// The watched entity reported nothing in the days that are examined.
    case noWatchedStates
    /// The requester may not see energy use.
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
