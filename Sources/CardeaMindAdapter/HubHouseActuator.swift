import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging

/// The hub's gate for automations: each acts on behalf of a person of the house, and is refused like that person.
public struct HubHouseActuator: HouseActuator {
    private let gateway: AutomationGateway

    public init(_ desk: AutomationGateway) {
        self.gateway = desk
    }

    /// Returns the first action that the gate would refuse to the author of these, from where they write; nil if there is none.
    ///
    /// - Parameter kept: the actions that the automation had before. They were decided then and stay as they are.
    public func objection(
        to actions: [AutomationAction], previous: [AutomationAction], by principal: Principal, origin: RequestOrigin
    ) async throws -> RejectedAction? {
        try await gateway.firstRefusal(to: actions, previous: previous, by: principal, origin: origin).map { objection in
            guard case .gate(let refusal) = objection.refusal else {
                return RejectedAction(place: objection.place, refusal: nil, words: Self.text(objection.refusal))
            }
            return RejectedAction(place: objection.place, refusal: refusal, words: refusal.name)
        }
    }

    private static func text(_ refusal: CommandRefusal) -> String {
        switch refusal {
        case .deviceNotFound, .entityNotInScope: "has a device or entity that this house does not have"
        case .entityRequired(let entities): "needs entity_id: use one of \(entities.joined(separator: ", "))"
        case .invalidValue(let verb): "has an invalid value: \(verb.valueSentence)"
        case .invalidWhite(let whites): "has an invalid value: \(RefusalSentences.invalidWhite(whites))"
        case .unsupported(let verb): "has an action that the device does not support: \(verb.rawValue)"
        case .readOnly: "is for a read-only entity. Choose another entity"
        default: "is not possible: \(refusal.auditReasonName ?? "the same action is in progress")"
        }
    }

    public func submit(_ action: AutomationAction, as owner: String, of automation: String) async throws -> [AutomationRun.Outcome] {
        switch action {
        case .control(let action): return try await gateway.submit(action, as: owner, of: automation).map { Self.outcome($0, .control) }
        case .scene(let id):
            guard let asked = try await gateway.submit(scene: id, as: owner, of: automation) else {
                return [.init(.scene, status: "refused", reason: "scene_not_found")]
            }
            return asked.map { Self.outcome($0, .scene) }
        // Notifications move nothing.
        case .notify: return []
        }
    }

    private static func outcome(_ asked: AutomationGateway.ActionResult, _ word: AutomationAction.Kind) -> AutomationRun.Outcome {
        var outcome = AutomationRun.Outcome(
            word, deviceID: asked.deviceID, entityID: asked.entityID, verb: asked.verb, status: "refused")
        switch asked.status {
        case .command(let command):
            (outcome.status, outcome.reason, outcome.commandID) = (command.status.rawValue, command.reason, command.id)
        case .refused(let refusal): outcome.reason = refusal.auditReasonName ?? "busy"
        }
        return outcome
    }

    public func completion(of commandID: String) async throws -> (status: String, reason: String?) {
        let command = try await gateway.outcome(of: commandID)
        return (command?.status.rawValue ?? CommandStatus.unknown.rawValue, command?.reason)
    }

    public func status(of commandID: String, in db: Database) throws -> (status: String, reason: String?)? {
        try gateway.command(of: commandID, in: db).map { (status: $0.status.rawValue, reason: $0.reason) }
    }

    public func notify(
        _ words: @escaping @Sendable (Database) throws -> String, to recipients: AutomationAction.Recipients, as owner: String,
        of automation: String, occasion: String
    ) async throws -> Refusal? {
        try await gateway.notify(words, toEverybody: recipients == .residents, as: owner, of: automation, occasion: occasion)
    }

    public func recorder(of automation: String, owner: String) -> ChangeRecorder {
        ChangeRecorder { [gateway] kind, subject, data, db in
            try gateway.recordChange(kind, of: subject ?? automation, owner: owner, data: data, in: db)
        }
    }
}

extension Automations {
    /// The automations of a hub's house. They act through its gate.
    ///
    /// - Throws: if the lexicon's file is not valid.
    public convenience init(of hub: Hub, logger: Logger) throws {
        self.init(
            store: hub.store, houseReader: HubHouseReader(hub.mindFeed), actuator: HubHouseActuator(hub.automationGateway),
            now: hub.environment.now, lexicon: try .english(), logger: logger)
    }
}
