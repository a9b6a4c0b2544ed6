import CardeaModel
import Foundation

/// The reason why a room has no thermal twin.
public enum ThermalTwinUnavailableError: Error, Hashable, Sendable {
    /// The device has no room.
    case noRoom
    /// The inside temperature, the outside temperature or the heating of the room is not known.
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
