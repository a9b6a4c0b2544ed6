import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// Why something is not kept for later.
public enum OfflineQueueError: Error, Hashable, Sendable, LocalizedError {
    /// A door is opened while somebody stands before it, or not at all.
    case door(String)
    /// It would mean something else later.
    case notNow(String)
    case unsupported(Verb, device: String)
    case unknownAction(String)
    /// Nothing of the device is known here.
    case unknownDevice(String)
    /// Nothing of the scene is known here.
    case unknownScene(String)
    /// Nothing of the guest is known here.
    case unknownGuest(String)
    /// It met another's change, and waits for a decision.
    case unresolvedConflict(String)
    case queueFull

    public var errorDescription: String? {
        switch self {
        case .door(let name): "The house cannot be reached, and nothing was sent. A door is never moved later: \(name) stays as it is."
        case .notNow(let name):
            "The house cannot be reached, and nothing was sent. This is not kept for later, since it is meant for now: \(name) stays as it is."
        case .unsupported(let verb, let device): "\(device) cannot be asked to \(verb.rawValue)."
        case .unknownAction(let action): "\"\(action)\" is nothing a device can be asked."
        case .unknownDevice(let name): "The house cannot be reached, and nothing is kept here of a device called \"\(name)\"."
        case .unknownScene(let name): "The house cannot be reached, and nothing is kept here of a scene called \"\(name)\"."
        case .unknownGuest(let name): "The house cannot be reached, and nothing is kept here of a guest called \"\(name)\"."
        case .unresolvedConflict(let name): "\(name) was changed here and elsewhere. Decide that first: `cardea conflicts`."
        case .queueFull: "\(OfflinePolicy.queueLimit) wishes wait for the house already. Nothing more is kept."
        }
    }
}
