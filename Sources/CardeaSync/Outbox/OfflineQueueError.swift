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
        case .door(let name):
            "The house cannot be reached, and nothing was sent. Commands to doors are never queued: \(name) stays as it is."
        case .notNow(let name):
            "The house cannot be reached, and nothing was sent. This command cannot be queued: \(name) stays as it is."
        case .unsupported(let verb, let device): "\(device) has no action \(verb.rawValue)."
        case .unknownAction(let action): "\"\(action)\" is not an action of a device."
        case .unknownDevice(let name): "The house cannot be reached, and the local copy has no device called \"\(name)\"."
        case .unknownScene(let name): "The house cannot be reached, and the local copy has no scene called \"\(name)\"."
        case .unknownGuest(let name): "The house cannot be reached, and the local copy has no guest called \"\(name)\"."
        case .unresolvedConflict(let name): "\(name) was changed here and elsewhere. Resolve the conflict first: `cardea conflicts`."
        case .queueFull: "The queue is full: \(OfflinePolicy.queueLimit) changes wait for the house. Nothing was queued."
        }
    }
}
