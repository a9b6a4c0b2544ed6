import CardeaModel
import Foundation

// The results of each step of a command: submit, admit, dispatch, report, resolve.

// MARK: Submit

/// The result of submitting a command.
public enum CommandResult: Sendable {
    /// It runs, waits, or is resolved; `isReplay` when it was submitted before under the same idempotency key.
    case command(Command, isReplay: Bool)
    /// The request was to read the state.
    case state(Device, Entity)
}

/// The reason why a command was not admitted. No use was reserved, and nothing was dispatched.
public enum CommandRefusal: Error, Hashable, Codable, Sendable {
    case gate(Refusal)
    /// The pass is bound to a key, and the caller did not prove that they hold it.
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
    /// A white outside the light's range, which is this one, in kelvin.
    case invalidWhite(ClosedRange<Double>)
    /// The device is known to be unreachable.
    case unreachable
    /// The device's integration has no registered backend at the moment.
    case integrationNotReady
    /// Nothing is connected to the device yet.
    case notConnected
    /// The same call is still running.
    case inFlight(commandID: String)
    case callNameReused
    /// The door is still busy with this caller's last command, or with too many others.
    case busy(retryAfter: Int)
    /// The grant ends by the clock, and the house's clock went back.
    case clockBehind
    /// The way in is announced otherwise than the household confirmed it, and the command was set up before.
    case doorChanged
}

extension CommandRefusal {
    /// The reason in the audit log; nil if the refusal is about an earlier command, which has its own entries.
    public var auditReason: AuditReason? {
        switch self {
        case .gate(let refusal): refusal.auditReason
        case .proof(let refusal): refusal.auditReason
        case .deviceNotFound: .deviceNotFound
        case .entityRequired: .entityRequired
        case .entityNotInScope: .entityNotInScope
        case .scopeMismatch: .scopeMismatch
        case .unsupported, .unknownAction: .unsupportedAction
        case .readOnly: .readOnlyEntity
        case .invalidValue, .invalidWhite: .invalidValue
        case .unreachable: .deviceUnreachable
        case .integrationNotReady, .notConnected: .integrationNotReady
        case .inFlight, .callNameReused: nil
        case .busy: .busy
        case .clockBehind: .clockBehind
        case .doorChanged: .doorChanged
        }
    }

    /// The audit reason's name on the wire.
    public var auditReasonName: String? { auditReason?.rawValue }

    /// True if the pass does not allow the command, or its key was not proved.
    var concernsPass: Bool {
        switch self {
        case .gate, .proof: true
        default: false
        }
    }

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

// MARK: Admit

extension CommandAdmission {
    /// The result of admission, inside its transaction.
    enum Outcome: Sendable {
        case admitted(Command)
        case replay(Command)
        case state(Device, Entity)
        case refused(CommandRefusal)

        /// The result for the caller.
        ///
        /// - Throws: `CommandRefusal`
        func result() throws -> CommandResult {
            switch self {
            case .refused(let refusal): throw refusal
            case .state(let device, let entity): .state(device, entity)
            case .admitted(let command): .command(command, isReplay: false)
            case .replay(let command): .command(command, isReplay: true)
            }
        }

        /// The admitted command; nil for any other outcome.
        var admitted: Command? {
            if case .admitted(let command) = self { command } else { nil }
        }
    }
}

extension Commands {
    public enum ApprovalError: Error {
        case notFound, notAwaitingApproval, forbidden(Refusal)
        /// The owner has not chosen them to answer.
        case notAnApprover
    }
}

// MARK: Dispatch

/// The result of sending a command to its backend. Its outcome is another matter: the device reports it.
public enum DispatchResult: Hashable, Sendable {
    /// It was sent; a report follows.
    case dispatched
    /// It was sent, and this device never reports.
    case dispatchedWithoutReport
    /// It may have been sent, and no report follows.
    case uncertain(reason: String)
    /// It was certainly not sent.
    case refused(reason: String)
    /// It was certainly not sent: the device does not support it, or not with this value. Submitting it again does not help.
    case unsupported
}

// MARK: Report and resolve

extension Commands {
    /// A resolved command, and the order of the next one in its queue.
    struct Completion: Sendable {
        let command: Command
        let nextCommand: BackendCommand?
    }

    /// The effect of a report on the commands at its entity.
    struct Resolution: Sendable {
        var completions: [Completion] = []
        /// Commands whose device has started to move, and the deadlines of their arrival.
        var moving: [String: Date] = [:]

        static func += (all: inout Resolution, more: Resolution) {
            all.completions += more.completions
            for (id, arrival) in more.moving { all.moving[id] = arrival }
        }
    }
}
