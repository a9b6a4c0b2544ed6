import CardeaModel
import Foundation

/// Why a room has no thermal twin.
public enum ThermalTwinUnavailableError: Error, Hashable, Sendable {
    /// The device stands in no room.
    case noRoom
    /// Of the room it is not known how warm it is inside and outside and when it is heated.
    case noSources
    case problem(ThermalTwinError)

    public func text(in lexicon: Lexicon) -> String {
        switch self {
        case .noRoom: lexicon.stateText(.standsNowhere)
        case .noSources: lexicon.stateText(.noSources)
        case .problem(let problem): problem.text(in: lexicon)
        }
    }
}
