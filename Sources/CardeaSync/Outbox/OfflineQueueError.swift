import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// The reason why an operation cannot be queued.
public enum OfflineQueueError: Error, Hashable, Sendable, LocalizedError {
    /// A door is opened while a person is at it, or not at all.
    case door(String)
    /// The action would have another effect later.
    case notNow(String)
    case unsupported(Verb, device: String)
    case unknownAction(String)
    /// The device is not known here.
    case unknownDevice(String)
    /// The scene is not known here.
    case unknownScene(String)
    /// The guest is not known here.
    case unknownGuest(String)
    /// An earlier change conflicts with another and awaits a decision.
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
