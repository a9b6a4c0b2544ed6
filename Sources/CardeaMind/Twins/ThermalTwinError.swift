import Foundation

/// Why no thermal twin can be made of what was measured.
public enum ThermalTwinError: Error, Hashable, Sendable {
    /// Hours with all three numbers, and how many it takes.
    case tooFewReadings(readings: Int, needed: Int)
    /// The room stayed as warm as it was.
    case constant
    /// The heating never did anything else, or only what nothing can be learnt from.
    case unexcited
    /// What fits best cannot be a room.
    case unphysical(Reason)
    /// The readings fit rooms that have little in common: the truth may be this factor away.
    case undetermined(spread: Double)
    /// It explains less than the room's mean would; °C.
    case poor(error: Double)

    public enum Reason: Hashable, Sendable {
        case timeConstant(hours: Double)
        /// °C per hour.
        case heatingCools(rate: Double)
    }

    public func text(in lexicon: Lexicon) -> String {
        switch self {
        case .tooFewReadings(let readings, let needed): lexicon.stateText(.fewReadings, [.count: "\(readings)", .number: "\(needed)"])
        case .constant: lexicon.stateText(.alwaysAsWarm)
        case .unexcited: lexicon.stateText(.heatingUnchanged)
        case .unphysical(.timeConstant): lexicon.stateText(.cannotBeRoom)
        case .unphysical(.heatingCools): lexicon.stateText(.heatingCools)
        case .undetermined: lexicon.stateText(.undetermined)
        case .poor: lexicon.stateText(.readingsAstray)
        }
    }
}
