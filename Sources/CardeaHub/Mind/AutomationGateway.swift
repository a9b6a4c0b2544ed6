import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Submits the commands of automations to the gate, as a principal like any other. It has no session, no passkey and no phone, so every
/// requirement for one refuses it.
public struct AutomationGateway: Sendable {
    let store: Store
    let commands: Commands
    let batches: CommandBatches
    let environment: HubEnvironment

    /// The result of a command to one device.
    public struct ActionResult: Sendable {
        public let deviceID: String
        public let entityID: String?
        public let verb: Verb?
        public let status: CommandBatches.Status
    }

    /// An action that the person may not perform, or that is not possible.
    public struct ActionRefusal: Hashable, Sendable {
        public let place: Int
        public let refusal: CommandRefusal
    }

    // MARK: Validation

    /// Returns the first of `actions` that their author may not perform. The gate's denial is recorded in the audit log, with the door it
    /// was about.
    ///
    /// - Parameter kept: the actions that the automation had before: they were checked then and are not checked again.
    public func firstRefusal(
        to actions: [AutomationAction], previous: [AutomationAction] = [], by principal: Principal, origin: RequestOrigin
    ) async throws -> ActionRefusal? {
        let now = environment.now()
        let found = try await store.read { db -> ActionRefusalError? in
            guard let id = principal.personID, let person = try PeopleRecords.one(id, db) else {
                return ActionRefusalError(refusal: .init(place: 0, refusal: .gate(.noGrant)), deviceID: nil)
            }
            for (place, action) in actions.enumerated() {
                if let found = try Self.check(action, previous: previous, at: place, by: person, now, db) { return found }
            }
            return nil
        }
        guard let found else { return nil }
        do {
            let subject = found.deviceID.map(Store.AuditSubject.device) ?? .house
            return try await store.audited("automation.write", on: subject, by: principal, origin: origin, at: now) { throw found }
        } catch let found as ActionRefusalError {
            return found.refusal
        }
    }

    /// Lets the refusal be recorded like every other.
    private struct ActionRefusalError: RefusalError {
        let refusal: ActionRefusal
        let deviceID: String?

        var refusalReason: AuditReason? { if case .gate(let refusal) = refusal.refusal { refusal.auditReason } else { nil } }
    }

    private static func check(
        _ action: AutomationAction, previous: [AutomationAction], at place: Int, by person: Person, _ now: Date, _ db: Database
    ) throws -> ActionRefusalError? {
        func found(_ refusal: CommandRefusal, _ deviceID: String? = nil) -> ActionRefusalError {
            ActionRefusalError(refusal: .init(place: place, refusal: refusal), deviceID: deviceID)
        }
        let (asked, isUnchanged): ([DeviceAction], Bool)
        switch action {
        case .control(let control): (asked, isUnchanged) = ([control], previous.contains(action))
        case .scene(let id):
            guard let scene = try SceneRecords.one(id, db) else { return found(.deviceNotFound) }
            (asked, isUnchanged) = (scene.actions, true)
        case .notify: return person.rights.contains(.controlDevices) ? nil : found(.gate(.roleLacksRight))
        }
        for one in asked {
            do {
                _ = try CommandBatches.Item(one).action(previous: isUnchanged ? asked : [], by: person, isLocal: true, at: now, in: db)
            } catch let refusal as CommandRefusal {
                return found(refusal, one.deviceID)
            }
        }
        return nil
    }

    // MARK: Execution

    /// Submits the action with the present rights of the automation's owner. Every refusal is recorded in the audit log, with the
    /// automation as the grant and its owner as the actor.
    public func submit(_ action: DeviceAction, as personID: String, of automationID: String) async throws -> [ActionResult] {
        try await submit([CommandBatches.Item(action)], as: .automation(id: automationID, personID: personID))
    }

    /// The same for all that a scene says now; nil if there is no such scene any more.
    public func submit(scene id: String, as personID: String, of automationID: String) async throws -> [ActionResult]? {
        guard let scene = try await store.read({ try SceneRecords.one(id, $0) }) else { return nil }
        return try await submit(scene.actions.map(CommandBatches.Item.init), as: .automation(id: automationID, personID: personID))
    }

    private func submit(_ items: [CommandBatches.Item], as principal: Principal) async throws -> [ActionResult] {
        try await batches.submit(items, by: principal, call: nil, origin: .house, arePreset: true).results.map { result in
            ActionResult(deviceID: result.deviceID, entityID: result.entityID, verb: Verb(requested: result.action), status: result.status)
        }
    }

    /// Waits until a command has ended.
    public func outcome(of commandID: String) async throws -> Command? {
        guard let command = try await commands.command(commandID) else { return nil }
        return try await commands.outcome(of: command)
    }

    /// Returns the command in this transaction.
    public func command(of commandID: String, in db: Database) throws -> Command? { try CommandRecords.one(commandID, db) }

    // MARK: Notifying

    /// Queues a notification of an automation: for its owner, or for every resident who may see the devices. Each gets it according to
    /// their preferences, once per occasion.
    ///
    /// - Parameter words: the text, up to 1000 characters; made in the same transaction.
    /// - Returns: why it may not notify, by the present rights of its owner; nil if it was queued.
    public func notify(
        _ words: @escaping @Sendable (Database) throws -> String, toEverybody: Bool, as personID: String, of automationID: String,
        occasion: String
    ) async throws -> Refusal? {
        let now = environment.now()
        let principal = Principal.automation(id: automationID, personID: personID)
        do {
            try await store.auditedWrite("automation.tell", by: principal, origin: .house, at: now) { context in
                guard let grant = try AutomationGrants.grant(of: automationID, personID, context.db) else {
                    throw People.PersonError.forbidden(.noGrant)
                }
                if let refusal = Gate.deviceRefusal("", by: grant, at: now) { throw People.PersonError.forbidden(refusal) }
                var data: [String: JSONValue] = [
                    "notice": .string(NoticeKind.automation.rawValue), "words": .string(String(try words(context.db).prefix(1000))),
                ]
                if !toEverybody { data["person_id"] = .string(personID) }
                let seq = try Journal.append(.mindChanged, subject: "\(automationID):\(occasion)", data: data, at: now, in: context.db)
                try AuditLog.append(
                    .init(who: .init(principal), action: "automation.tell", grantID: grant.id, result: .done, journalSeq: seq),
                    in: context)
            }
            return nil
        } catch People.PersonError.forbidden(let refusal) {
            return refusal
        }
    }

    /// Records a change of an automation by the house itself in the audit log.
    public func recordChange(
        _ kind: Journal.Kind, of automationID: String, owner personID: String, data: [String: JSONValue], in db: Database
    ) throws {
        let (now, principal) = (environment.now(), Principal.automation(id: automationID, personID: personID))
        let seq = try Journal.append(kind, subject: automationID, data: data, at: now, in: db)
        try AuditLog.append(
            .init(who: .house, action: "automation.off", grantID: principal.grantID, result: .done, journalSeq: seq),
            in: .house(db, at: now))
    }
}

extension CommandBatches.Item {
    init(_ action: DeviceAction) {
        self.init(
            deviceID: action.deviceID, entityID: action.entityID, action: action.verb.rawValue, value: action.value,
            transition: action.transition)
    }
}
