import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Recent changes that let a person open a door or listen, such as passes, API tokens, automations and integrations. They are shown after a
/// user has ended their sessions or chosen a new password, because changes made in a stolen session stay in force. Each one can be switched
/// off.
public struct AccessChanges: Sendable {
    let store: Store
    let environment: HubEnvironment
    let integrations: Integrations
    let scenes: Scenes
    let tokens: APITokens
    let guests: Guests
    let buttons: Buttons
    let tags: Tags
    let cameras: Cameras
    let people: People

    public enum AccessChangeError: Error {
        case notFound
        /// Switching it off deleted it, so it must be made anew.
        case gone
        /// The house switched it off because a person left, and it needs a review.
        case disabledByHouse
    }

    /// The number of days that are shown.
    public static let days = 30
    /// The only ID of the tag policy.
    public static let policyID = "policy"

    // MARK: Reading

    /// The changes, the latest first. Another person's changes are visible to people who may manage people.
    ///
    /// - Parameter personID: the person whose changes they are; nil for one's own.
    public func all(of personID: String? = nil, seenBy principal: Principal) async throws -> [AccessChange] {
        let now = environment.now()
        return try await store.read { db in
            let id = try Sessions.owner(personID, askedBy: principal, in: db)
            return try AccessResourceKind.allCases.flatMap { kind in
                try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT c.subject, c.at, x.name, x.is_on FROM access_changes c JOIN (\(Self.currentSQL(kind))) x ON x.id = c.subject
                            WHERE c.person_id = :person AND c.thing = :thing AND c.at > :now - \(Self.days * 86_400_000)
                            """),
                    arguments: ["person": id, "thing": kind.rawValue, "now": now.milliseconds]
                ).map { row in
                    AccessChange(kind: kind, id: row[0], name: row[2], changedAt: Date(milliseconds: row[1]), isOn: row[3])
                }
            }.sorted { ($1.changedAt, $0.kind.rawValue, $0.id) < ($0.changedAt, $1.kind.rawValue, $1.id) }
        }
    }

    /// Existing resources with their names, and whether they are on. Revoked or expired tokens and passes are left out.
    private static func currentSQL(_ kind: AccessResourceKind) -> String {
        switch kind {
        case .integration:
            """
            SELECT name AS id, CASE name WHEN 'mqtt' THEN 'MQTT' WHEN 'home-assistant' THEN 'Home Assistant' ELSE name END AS name, 1 AS is_on
            FROM sealed_settings
            """
        case .automation: "SELECT id, opened(name, 'automations.name', id) AS name, is_on FROM automations"
        case .scene: "SELECT id, name, 1 AS is_on FROM scenes"
        case .token:
            """
            SELECT id, opened(name, 'api_tokens.name', id) AS name, 1 AS is_on FROM api_tokens
            WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
            """
        case .pass:
            """
            SELECT id, opened(name, 'guests.name', id) AS name, suspended_at IS NULL AS is_on FROM guests
            WHERE revoked_at IS NULL AND rejected_at IS NULL AND expires_at > :now
            """
        case .button: "SELECT id, title AS name, is_enabled AS is_on FROM buttons"
        case .tag: "SELECT t.id, coalesce(t.label, b.title) AS name, 1 AS is_on FROM tags t JOIN buttons b ON b.id = t.button_id"
        case .camera: "SELECT id, name, is_enabled AS is_on FROM cameras"
        case .person:
            "SELECT id, opened(name, 'people.name', id) AS name, disabled = 0 AS is_on FROM people WHERE removed_at IS NULL"
        case .tagPolicy: "SELECT '\(policyID)' AS id, 'Tags' AS name, is_on FROM tag_settings"
        }
    }

    // MARK: Enabling and disabling

    /// Switches one on or off. The rights it requires and the audit entry are the same as on its own page.
    ///
    /// - Throws: `AccessChangeError`, and what the change itself throws.
    public func turn(_ kind: AccessResourceKind, _ id: String, on isOn: Bool, by principal: Principal, origin: RequestOrigin) async throws {
        guard !isOn || kind.canBeReenabled else { throw AccessChangeError.gone }
        switch kind {
        case .integration: try await integrations.disconnect(id, by: principal, origin: origin)
        case .automation: try await turnAutomation(id, on: isOn, by: principal, origin: origin)
        case .scene: try await scenes.remove(id, seen: .any, by: principal, origin: origin)
        case .token: try await tokens.revoke(id, orManaged: true, by: principal, origin: origin)
        case .pass: _ = try await guests.decide(isOn ? .resume : .suspend, id, by: principal, origin: origin)
        case .button: try await buttons.setEnabled(id, on: isOn, by: principal, origin: origin)
        case .tag: try await tags.remove(id, by: principal, origin: origin)
        case .camera:
            _ = try await cameras.change(id, Cameras.Draft(isEnabled: isOn), seen: .any, by: principal, origin: origin)
        case .person:
            let change = People.Change(name: nil, role: nil, canInviteGuests: nil, disabled: !isOn)
            _ = try await people.change(id, change, by: principal, origin: origin)
        case .tagPolicy:
            guard id == Self.policyID else { throw AccessChangeError.notFound }
            let (before, version) = try await tags.policy(seenBy: principal)
            var policy = before
            policy.isOn = isOn
            _ = try await tags.updatePolicy(policy, seen: .oneOf([version]), by: principal, origin: origin)
        }
    }

    /// The mind owns the automations, and reads them again when they have changed.
    private func turnAutomation(_ id: String, on isOn: Bool, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("automation.change", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            let row = try Row.fetchOne(context.db, sql: "SELECT owner, is_on, off_because FROM automations WHERE id = ?", arguments: [id])
            guard let row else { throw AccessChangeError.notFound }
            guard row["is_on"] != isOn else { return }
            if isOn {
                // An automation acts with its owner's rights. On its own page, the person who switches it on becomes responsible for it.
                guard row["owner"] == principal.personID else { throw People.PersonError.forbidden(.roleLacksRight) }
                guard row["off_because"] as String? == nil else { throw AccessChangeError.disabledByHouse }
            }
            try context.db.execute(
                sql: "UPDATE automations SET is_on = ?, off_because = NULL, version = version + 1, changed_at = ? WHERE id = ?",
                arguments: [isOn, now.milliseconds, id])
            if isOn { try Self.record(.automation, id, in: context) }
            let seq = try Journal.append(.automationChanged, subject: id, data: ["removed": false], at: now, in: context.db)
            try AuditLog.append(
                .init(who: .init(principal), action: "automation.change", grantID: principal.grantID, result: .done, journalSeq: seq),
                in: context)
        }
    }

    // MARK: Recording

    /// Records that the principal set up a resource, or changed it so that it opens or listens. For a program, the person who made it is
    /// responsible.
    static func record(_ kind: AccessResourceKind, _ id: String, in context: TransactionContext) throws {
        let person: String
        switch context.principal {
        case .person(let id, _), .apiToken(_, let id), .automation(_, let id): person = id
        // Neither changes the setup.
        case .guest, .integration: return
        }
        try context.db.cachedStatement(
            sql: """
                INSERT INTO access_changes (thing, subject, person_id, at) VALUES (?, ?, ?, ?)
                ON CONFLICT (person_id, thing, subject) DO UPDATE SET at = excluded.at
                """
        ).execute(arguments: [kind.rawValue, id, person, context.now.milliseconds])
    }

    /// The same for an automation that the mind has written: one that is off has no effect.
    static func recordAutomation(_ id: String, in context: TransactionContext) throws {
        guard try Bool.fetchOne(context.db, sql: "SELECT is_on FROM automations WHERE id = ?", arguments: [id]) == true else { return }
        try record(.automation, id, in: context)
    }
}
