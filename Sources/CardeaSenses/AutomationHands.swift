import CardeaHub
import CardeaMind
import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The hub's gate, as the mind reaches it: it asks as somebody of the house, and is refused like them.
public struct AutomationHands: Hands {
    private let desk: AutomationDesk

    public init(_ desk: AutomationDesk) {
        self.desk = desk
    }

    /// What stands in the way of whoever writes these, as the gate sees them where they write from.
    ///
    /// - Parameter kept: what the automation did before: one that is among it was decided then, and stays as it is.
    public func objection(
        to actions: [AutomationAction], kept: [AutomationAction], by principal: Principal, origin: Origin
    ) async throws -> HandsObjection? {
        try await desk.objection(to: actions, kept: kept, by: principal, origin: origin).map { objection in
            guard case .gate(let refusal) = objection.refusal else {
                return HandsObjection(place: objection.place, refusal: nil, words: Self.words(objection.refusal))
            }
            return HandsObjection(place: objection.place, refusal: refusal, words: refusal.name)
        }
    }

    private static func words(_ refusal: CommandRefusal) -> String {
        switch refusal {
        case .deviceNotFound, .entityNotInScope: "names nothing of this house"
        case .entityRequired(let entities): "fits several parts of the device; name one of \(entities.joined(separator: ", "))"
        case .invalidValue(let verb): "has a value that does not fit \(verb.rawValue)"
        case .invalidWhite(let whites): "asks for a white beyond \(Int(whites.lowerBound)) to \(Int(whites.upperBound)) kelvin"
        case .unsupported(let verb): "asks \(verb.rawValue), which it cannot do"
        case .readOnly: "asks something of a thing that only tells"
        default: "cannot be asked: \(refusal.auditName ?? "it is asked already")"
        }
    }

    public func ask(_ action: AutomationAction, as owner: String, of automation: String) async throws -> [AutomationRun.Outcome] {
        switch action {
        case .control(let action): return try await desk.ask(action, as: owner, of: automation).map { Self.outcome($0, .control) }
        case .scene(let id):
            guard let asked = try await desk.ask(scene: id, as: owner, of: automation) else {
                return [.init(.scene, status: "refused", reason: "scene_not_found")]
            }
            return asked.map { Self.outcome($0, .scene) }
        // To tell somebody something is not to move anything.
        case .notify: return []
        }
    }

    private static func outcome(_ asked: AutomationDesk.Asked, _ word: AutomationAction.Word) -> AutomationRun.Outcome {
        var outcome = AutomationRun.Outcome(
            word, deviceID: asked.deviceID, entityID: asked.entityID, verb: asked.verb, status: "refused")
        switch asked.standing {
        case .command(let command):
            (outcome.status, outcome.reason, outcome.commandID) = (command.status.rawValue, command.reason, command.id)
        case .refused(let refusal): outcome.reason = refusal.auditName ?? "busy"
        }
        return outcome
    }

    public func ending(of commandID: String) async throws -> (status: String, reason: String?) {
        let command = try await desk.ending(of: commandID)
        return (command?.status.rawValue ?? CommandStatus.unknown.rawValue, command?.reason)
    }

    public func standing(of commandID: String, in db: Database) throws -> (status: String, reason: String?)? {
        try desk.standing(of: commandID, in: db).map { (status: $0.status.rawValue, reason: $0.reason) }
    }

    public func tell(
        _ words: @escaping @Sendable (Database) throws -> String, to recipients: AutomationAction.Recipients, as owner: String,
        of automation: String, occasion: String
    ) async throws -> Refusal? {
        try await desk.tell(words, toEverybody: recipients == .residents, as: owner, of: automation, occasion: occasion)
    }

    public func recorder(of automation: String, owner: String) -> Recorder {
        Recorder { [desk] kind, subject, data, db in
            try desk.record(kind, of: subject ?? automation, owner: owner, data: data, in: db)
        }
    }
}
