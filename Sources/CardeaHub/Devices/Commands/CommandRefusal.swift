import CardeaModel
import Foundation

/// Why a command was not taken on. Nothing was spent and nothing was sent.
public enum CommandRefusal: Error, Hashable, Codable, Sendable {
    case gate(Refusal)
    /// The pass is bound to a key, and whoever asks did not show that they hold it.
    case proof(ProofRefusal)
    case deviceNotFound
    /// Several entities fit; one must be named.
    case entityRequired([String])
    case entityNotInScope
    /// The action does not fit what the entity is.
    case scopeMismatch
    case unsupported(Verb)
    /// The house knows no such action.
    case unknownAction(String)
    case readOnly
    case invalidValue(Verb)
    /// A white beyond those that the light shines in, which are these, in kelvin.
    case invalidWhite(ClosedRange<Double>)
    /// The device is known to be out of reach.
    case unreachable
    /// Nobody speaks for the device at the moment.
    case integrationNotReady
    /// Nothing is connected to the device yet.
    case notConnected
    /// The same call is still running.
    case inFlight(commandID: String)
    case callNameReused
    /// The door is still busy with this caller's last command, or with too many others.
    case busy(retryAfter: Int)
    /// What asks ends by the clock, and the house's went back.
    case clockBehind
    /// The way in is announced otherwise than the household knows it, and what asks was set up before.
    case doorChanged
}

extension CommandRefusal {
    init(_ problem: DeviceAction.ActionError) {
        self =
            switch problem {
            case .noSuchEntity: .deviceNotFound
            case .unsupported(let verb): .unsupported(verb)
            case .ambiguous(let entities): .entityRequired(entities)
            case .value(let verb): .invalidValue(verb)
            case .white(let whites): .invalidWhite(whites)
            }
    }
}
