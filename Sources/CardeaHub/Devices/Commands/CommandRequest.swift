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

/// A thing by which somebody asks for a command, by its id.
public enum CommandTrigger: Hashable, Sendable, RawRepresentable {
    case button(String)
    case tag(String)

    public init?(rawValue: String) {
        let parts = rawValue.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("button", 2): self = .button(parts[1])
        case ("tag", 2): self = .tag(parts[1])
        default: return nil
        }
    }

    /// As commands and the record keep it.
    public var rawValue: String {
        switch self {
        case .button(let id): "button:\(id)"
        case .tag(let id): "tag:\(id)"
        }
    }
}

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

/// What came of asking.
public enum CommandResult: Sendable {
    /// It runs, waits, or has ended; `isReplay` when it was asked before under the same name.
    case command(Command, isReplay: Bool)
    /// Only a look was asked for.
    case state(Device, Entity)
}
