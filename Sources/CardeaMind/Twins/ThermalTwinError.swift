import Foundation

/// The reason why no thermal twin can be made from the measurements.
public enum ThermalTwinError: Error, Hashable, Sendable {
    /// Too few hours with all three numbers.
    case tooFewReadings(readings: Int, needed: Int)
    /// The temperature of the room did not change.
    case constant
    /// The heating never changed, or not in a way that anything can be learned from.
    case unexcited
    /// The best fit is not physically possible for a room.
    case unphysical(Reason)
    /// The readings fit very different rooms: the true value may differ by this factor.
    case undetermined(spread: Double)
    /// The fit explains less than the room's mean temperature would. The error is in °C.
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
