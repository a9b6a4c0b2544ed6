import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension EffectiveAccess {
    /// The house as set up in this transaction: all residents, programs, passes, integrations and automations, and the tags.
    static func read(at now: Date, _ db: Database) throws -> EffectiveAccess {
        var access = EffectiveAccess()
        let doors = try doors(db)
        guard !doors.isEmpty else { return access }
        for (opener, grant) in try holders(at: now, db) {
            for door in doors { access.add(opener, holding: grant, of: door, at: now) }
        }
        try access.addAutomations(doors, at: now, db)
        access.addTags(try TagSettingsRecords.read(db).policy)
        return access
    }

    private static func doors(_ db: Database) throws -> [Door] {
        let ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT d.id FROM devices d JOIN entities e ON e.device_id = d.id
                    WHERE e.kind IN ('lock', 'cover', 'button') AND d.withdrawn_at IS NULL ORDER BY d.rowid
                    """))
        return try ids.compactMap { try DeviceRecords.one($0, db) }.flatMap { device in
            device.entities.compactMap { Door($0, of: device) }
        }
    }

    /// Returns every principal with a grant, by the principal's key.
    private static func holders(at now: Date, _ db: Database) throws -> [(opener: String, grant: Grant)] {
        var holders: [(String, Grant)] = []
        func note(_ principal: Principal) throws {
            if let grant = try CommandAdmission.grant(of: principal, db) { holders.append((principal.key, grant)) }
        }
        for id in try String.fetchAll(db.cachedStatement(sql: "SELECT id FROM people WHERE removed_at IS NULL AND disabled = 0")) {
            try note(.person(id: id, sessionID: ""))
        }
        for row in try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT id, person_id FROM api_tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"),
            arguments: [now.milliseconds])
        {
            try note(.apiToken(id: row[0], personID: row[1]))
        }
        for id in try String.fetchAll(
            db.cachedStatement(
                sql: "SELECT id FROM guests WHERE revoked_at IS NULL AND rejected_at IS NULL AND suspended_at IS NULL AND expires_at > ?"),
            arguments: [now.milliseconds])
        {
            try note(.guest(id: id))
        }
        for name in try String.fetchAll(db.cachedStatement(sql: "SELECT integration FROM integration_grants")) {
            try note(.integration(name))
        }
        return holders
    }

    /// Each trigger of an automation is a path of its own, and all conditions must hold for each.
    private mutating func addAutomations(_ doors: [Door], at now: Date, _ db: Database) throws {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id, owner, opened(triggers, 'automations.triggers', id), opened(conditions, 'automations.conditions', id),
                        opened(actions, 'automations.actions', id) FROM automations WHERE is_on = 1
                    """))
        for row in rows {
            let (triggers, conditions, actions): (String, String, String) = (row[2], row[3], row[4])
            // A value that cannot be decrypted does nothing.
            guard let actions = try? JSONDecoder().decode([AutomationAction].self, from: Data(actions.utf8)) else { continue }
            let principal = Principal.automation(id: row[0], personID: row[1])
            guard let grant = try CommandAdmission.grant(of: principal, db) else { continue }
            let (causes, kept) = (Self.jsonElements(triggers), Set(Self.jsonElements(conditions)))
            for asked in try actions.flatMap({ try Self.deviceActions($0, db) }) {
                guard let (door, verb) = Self.target(of: asked, among: doors) else { continue }
                for cause in causes {
                    add(principal.key, holding: grant, of: door, verbs: [verb], cause: cause, conditions: kept, at: now)
                }
            }
        }
    }

    /// The device actions of an automation's action.
    private static func deviceActions(_ action: AutomationAction, _ db: Database) throws -> [DeviceAction] {
        switch action {
        case .control(let one): [one]
        case .scene(let id): try SceneRecords.one(id, db)?.actions ?? []
        case .notify: []
        }
    }

    private static func target(of action: DeviceAction, among doors: [Door]) -> (Door, Verb)? {
        guard let device = doors.first(where: { $0.device.id == action.deviceID })?.device,
            let (entity, verb) = try? DeviceAction.target(action.verb, on: action.entityID, of: device),
            let door = doors.first(where: { $0.entity.id == entity.id && $0.verbs.contains(verb) })
        else { return nil }
        return (door, verb)
    }

    /// The members of a list, each as a text of its own that reads the same however it was written.
    private static func jsonElements(_ list: String) -> [String] {
        guard case .array(let parts) = try? JSONText.decode(list) else { return [] }
        return parts.map { (try? JSONText.encode($0)) ?? "" }
    }

    /// Adds the tags' paths. A tag opens only for people who may open without it; the policy decides how much else is required.
    private mutating func addTags(_ policy: TagPolicy) {
        for kind in TagKind.allCases {
            let way = Path(opener: "tags:\(kind.rawValue)", entityID: "", verb: .open)
            switch policy.decide(kind, .open, isConfirmed: false) {
            case .act: add(way, Conditions())
            case .confirm: add(way, Conditions(isAsked: true))
            case .refuse: break
            }
        }
    }
}

extension Sessions {
    /// Does a write for `principal`. If it lets another person open more than before, it requires a recent step-up by `principal`: access
    /// set up in a session that was left open stays in force when that session is over.
    ///
    /// - Throws: `SessionError.stepUpRequired` or `SessionError.stepUpToOpen`, and what `body` throws; the caller, who opened the
    ///   transaction, rolls the write back.
    static func requiringStepUpForWiderAccess<Value>(
        for principal: Principal, at now: Date, in db: Database, _ body: (Database) throws -> Value
    ) throws -> Value {
        switch principal {
        case .person, .apiToken: break
        // Neither changes the setup.
        case .guest, .integration, .automation: return try body(db)
        }
        let before = try EffectiveAccess.read(at: now, db)
        let value = try body(db)
        let after = try EffectiveAccess.read(at: now, db)
        let own = principal.personID.map { Principal.person(id: $0, sessionID: "").key }
        let widened = after.widenedPaths(since: before, besides: own)
        guard !widened.isEmpty else { return value }
        do { try requireStepUp(principal, at: now, in: db) } catch SessionError.stepUpRequired {
            let evidence = Set(widened.compactMap(\.cause).compactMap(evidence(of:)))
            throw evidence.isEmpty ? SessionError.stepUpRequired : SessionError.stepUpToOpen(on: evidence)
        }
        return value
    }

    private static func evidence(of cause: String) -> AutomationTrigger.Evidence? {
        (try? JSONDecoder().decode(AutomationTrigger.self, from: Data(cause.utf8)))?.evidence
    }
}
