import CardeaModel
import Foundation

/// A command as its caller submits it.
public struct CommandRequest: Sendable {
    public let principal: Principal
    public let target: Target
    public let value: JSONValue?
    /// Seconds over which a light fades.
    public let transition: Double?
    /// The caller's own name for this command, so that a repeated request does not run it twice.
    public let idempotencyKey: IdempotencyKey?
    public let origin: RequestOrigin
    /// The proof that the caller holds the pass's key, if the pass is bound to one.
    public let proof: RequestProof?
    /// True if a scene, a button or an automation decided this before, and not the person who triggers it now.
    public let isPreset: Bool
    /// The button or the tag that submits it.
    public let trigger: CommandTrigger?

    /// True if it was set up before, so that perhaps no person is at the door.
    var isUnattended: Bool {
        switch principal {
        case .automation, .integration: true
        case .person, .guest, .apiToken: isPreset
        }
    }

    public enum Target: Hashable, Sendable {
        /// A device by its id, and one of its entities if several fit.
        case device(id: String, entityID: String?, verb: Verb)
        /// A pass's own action name. The pass lists the entities that it may mean.
        case pass(ActionName, spoken: String, entityID: String?)
    }

    public init(
        principal: Principal, target: Target, value: JSONValue? = nil, transition: Double? = nil, idempotencyKey: IdempotencyKey? = nil,
        origin: RequestOrigin, proof: RequestProof? = nil, isPreset: Bool = false, trigger: CommandTrigger? = nil
    ) {
        self.principal = principal
        self.target = target
        self.value = value
        self.transition = transition
        self.idempotencyKey = idempotencyKey
        self.origin = origin
        self.proof = proof
        self.isPreset = isPreset
        self.trigger = trigger
    }
}
