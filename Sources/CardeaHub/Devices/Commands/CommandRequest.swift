import CardeaModel
import Foundation

/// What somebody wants done.
public struct CommandRequest: Sendable {
    public let principal: Principal
    public let target: Target
    public let value: JSONValue?
    /// Seconds over which a light fades.
    public let transition: Double?
    /// The caller's own name for this command, so that asking again does not do it again.
    public let idempotencyKey: IdempotencyKey?
    public let origin: RequestOrigin
    /// That whoever asks holds the key of their pass, where one is bound to a key.
    public let proof: RequestProof?
    /// That what is asked was decided before, by a scene, a button or an automation, and not by whoever has it done now.
    public let isPreset: Bool
    /// The button or the tag by which it is asked.
    public let trigger: CommandTrigger?

    /// It comes from what somebody set up before, and not from whoever stands at the door.
    var isUnattended: Bool {
        switch principal {
        case .automation, .integration: true
        case .person, .guest, .apiToken: isPreset
        }
    }

    public enum Target: Hashable, Sendable {
        /// A device by its id, and one of its entities where several fit.
        case device(id: String, entityID: String?, verb: Verb)
        /// A pass's own words; the pass says which entities they may mean.
        case pass(ActionName, spoken: String, entityID: String?)
    }

    public init(
        principal: Principal, target: Target, value: JSONValue? = nil, transition: Double? = nil, call: IdempotencyKey? = nil,
        origin: RequestOrigin,
        proof: RequestProof? = nil, isKept: Bool = false, means: CommandTrigger? = nil
    ) {
        self.principal = principal
        self.target = target
        self.value = value
        self.transition = transition
        self.idempotencyKey = call
        self.origin = origin
        self.proof = proof
        self.isPreset = isKept
        self.trigger = means
    }
}
