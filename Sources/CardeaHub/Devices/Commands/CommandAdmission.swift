import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The first transaction of a door command: the grant is read again, the gate decides, the use is reserved, and the intent,
/// the audit entry and the journal entry are written. A command is acknowledged only after this commit.
struct CommandAdmission: Sendable {
    let commandRequest: CommandRequest
    let id: String
    let now: Date
    let zone: TimeZone
    let limits: CommandLimits
    let nonces: ActionNonces
    let clock: ClockMonitor
    /// Integrations with a registered backend.
    let readyIntegrations: Set<String>

    func admit(_ db: Database) throws -> Outcome {
        do {
            return try decide(db)
        } catch let refusal as CommandRefusal {
            // A refusal is a result too: it is committed, not rolled back.
            if let wait = try countRefusal(refusal, db) { return .refused(.busy(retryAfter: wait)) }
            if let reason = refusal.auditReason { try auditRefusal(reason, db) }
            return .refused(refusal)
        }
    }

    /// Counts the refusals of a pass, so that a repeating client does not fill the audit log. Admitted commands are not slowed.
    ///
    /// - Returns: the seconds until the pass may submit again.
    private func countRefusal(_ refusal: CommandRefusal, _ db: Database) throws -> Int? {
        guard refusal.concernsPass, let guestID else { return nil }
        if let wait = try ThrottleRecords.wait([(.refusedPass, guestID)], at: now, in: db) { return Int(wait.rounded(.up)) }
        try ThrottleRecords.recordFailure(.refusedPass, guestID, at: now, in: db)
        return nil
    }

    private func decide(_ db: Database) throws -> Outcome {
        // First: the outcome of an earlier call is returned only to the holder of the key.
        try checkProof(db)
        if let call = commandRequest.idempotencyKey,
            let before = try CommandRecords.withIdempotencyKey(call.key, by: commandRequest.principal.key, db)
        {
            guard constantTimeEquals(before.fingerprint, call.fingerprint) else { throw CommandRefusal.callNameReused }
            if before.command.status.isOver || before.command.isAwaitingApproval { return .replay(before.command) }
            throw CommandRefusal.inFlight(commandID: before.command.id)
        }
        guard let grant = try Self.grant(of: commandRequest.principal, db) else { throw CommandRefusal.gate(.noGrant) }
        let (device, entity, verb) = try target(grant, db)
        let request = Gate.Request(verb, on: entity, of: device, isLocal: commandRequest.origin.isLocal)
        let decision = Gate.decide(request, by: grant, at: now, zone: zone)
        if case .deny(let refusal) = decision { throw CommandRefusal.gate(refusal) }
        if verb == .read { return .state(device, entity) }
        // Scenes, tags and automations set up for another door, or for a lamp, open none.
        if commandRequest.isUnattended, request.risk == .open, entity.restrictions.isClosed { throw CommandRefusal.doorChanged }
        if let guestID { try GuestDeviceKey.checkPresence(commandRequest.proof, of: guestID, in: db) }
        // With a clock set back, an expired pass would be valid again.
        if grant.isTimed, clock.isBehind(at: now) { throw CommandRefusal.clockBehind }

        let accepted: JSONValue?
        do { accepted = try entity.normalized(commandRequest.value, for: verb, isExisting: commandRequest.isPreset) } catch {
            throw CommandRefusal(error)
        }
        let value = try accepted ?? brightness(verb, entity, of: device, db)
        guard !device.isPlanned else { throw CommandRefusal.notConnected }
        guard readyIntegrations.contains(device.integration) else { throw CommandRefusal.integrationNotReady }
        guard device.status != .offline else { throw CommandRefusal.unreachable }
        let mustWait = try mustQueue(at: entity, db)
        let use = try reserveUse(of: grant, db)
        let requiresApproval = decision == .ask
        let command = Command(
            id: id, principal: commandRequest.principal.key, guestID: guestID, grantID: grant.id, integration: device.integration,
            deviceID: device.id,
            entityID: entity.id, verb: verb,
            requestedActionName: requestedActionName, value: value, transition: commandRequest.transition, isWayIn: entity.isWayIn,
            trigger: commandRequest.trigger,
            life: CommandStateMachine(
                status: requiresApproval || mustWait ? .accepted : .dispatching,
                notAfter: now.addingTimeInterval(requiresApproval ? limits.approval : limits.freshness)),
            requiresApproval: requiresApproval, acceptedAt: now, reportDeadline: nil, finishedAt: nil, reason: nil, newState: nil,
            useNumber: use?.number,
            useLimit: use?.limit,
            origin: commandRequest.origin)
        try write(command, risk: request.risk, db)
        return .admitted(command)
    }

    // MARK: Grant and target

    /// Checks the proof if the pass is bound to a key, on every route.
    private func checkProof(_ db: Database) throws {
        guard let guestID, let key = try GuestDeviceKey.of(guestID, db) else { return }
        do { try key.check(commandRequest.proof, nonces, at: now) } catch { throw CommandRefusal.proof(error) }
    }

    static func grant(of principal: Principal, _ db: Database) throws -> Grant? {
        switch principal {
        case .person(let id, _): try PeopleRecords.grant(id, db)
        case .guest(let id): try GuestRecords.grant(id, db)
        case .apiToken(let id, _): try APITokens.grant(id, db)
        case .integration(let name): try IntegrationGrants.grant(of: name, db)
        case .automation(let id, let personID): try AutomationGrants.grant(of: id, personID, db)
        }
    }

    private func target(_ grant: Grant, _ db: Database) throws -> (Device, Entity, Verb) {
        switch commandRequest.target {
        case .device(let requestedID, let part, let verb):
            let (id, entityID) = try AliasRecords.resolvePlace(requestedID, part, db)
            // Checked before the lookup: a missing device is refused like one outside the pass.
            if let refusal = Gate.deviceRefusal(id, by: grant, at: now) { throw CommandRefusal.gate(refusal) }
            return try entity(of: id, entityID, verb, db)
        case .pass(let action, _, let part):
            return try entity(in: grant, for: action, part.map { try AliasRecords.resolve(.entity, $0, db) }, db)
        }
    }

    private func entity(of deviceID: String, _ entityID: String?, _ verb: Verb, _ db: Database) throws -> (Device, Entity, Verb) {
        guard let device = try DeviceRecords.one(deviceID, db) else { throw CommandRefusal.deviceNotFound }
        // A planned device without entities has no known actions.
        if device.isPlanned, device.entities.isEmpty { throw CommandRefusal.notConnected }
        do {
            let (entity, resolved) = try DeviceAction.target(verb, on: entityID, of: device)
            return (device, entity, resolved)
        } catch {
            throw CommandRefusal(error)
        }
    }

    /// Picks the entity of the pass that `action` means. The order of the questions is the contract's: is it in the pass, does it fit.
    private func entity(in grant: Grant, for action: ActionName, _ entityID: String?, _ db: Database) throws -> (Device, Entity, Verb) {
        guard case .list(let items) = grant.scope else { throw CommandRefusal.gate(.noGrant) }
        // An expired pass is refused before anything about its doors is revealed.
        let refusal = action.verb == .read ? Gate.viewRefusal(of: grant, at: now) : Gate.validityRefusal(of: grant, at: now)
        if let refusal { throw CommandRefusal.gate(refusal) }
        var named = items
        if let entityID {
            named = items.filter { $0.entityID == entityID }
            guard !named.isEmpty else { throw CommandRefusal.entityNotInScope }
        }
        let found = try named.compactMap { item in
            try DeviceRecords.one(item.deviceID, db).flatMap { device in
                device.entities.first { $0.id == item.entityID }.map { (item, device, $0) }
            }
        }
        guard !found.isEmpty else { throw CommandRefusal.deviceNotFound }
        if found.allSatisfy({ $0.2.kind.verbs.isEmpty }), action.verb != .read { throw CommandRefusal.readOnly }
        let fitting = found.filter { action.kinds.contains($0.2.kind) }
        guard !fitting.isEmpty else {
            // With one candidate, named or the only one, the action does not fit it; with several, the pass does not include the action.
            throw found.count == 1 ? CommandRefusal.scopeMismatch : .gate(.actionNotAllowed)
        }
        let allowed = fitting.compactMap { item, device, entity -> (Device, Entity, Verb)? in
            guard let verb = entity.resolve(action.verb), verb == .read || item.verbs.contains(verb) else { return nil }
            return (device, entity, verb)
        }
        guard let only = allowed.first else { throw CommandRefusal.gate(.actionNotAllowed) }
        guard allowed.count == 1 else { throw CommandRefusal.entityRequired(allowed.map { $0.1.id }) }
        return only
    }

    // MARK: Queue and uses

    /// Returns whether a way in is busy, so that this command must queue. A second command of the same caller is refused.
    private func mustQueue(at entity: Entity, _ db: Database) throws -> Bool {
        let occupants = try CommandRecords.occupants(at: entity.id, db)
        guard entity.isWayIn else {
            guard occupants.count < limits.pending else { throw CommandRefusal.busy(retryAfter: 1) }
            return false
        }
        if occupants.contains(where: { $0.principal == commandRequest.principal.key })
            || occupants.count(where: { !$0.awaitsApproval }) >= limits.queue
        {
            throw CommandRefusal.busy(retryAfter: 1)
        }
        return occupants.contains { $0.isDispatching }
    }

    /// The brightness at which a light that is off comes on: its room's default. Nil for the light's own.
    ///
    /// `on` is submitted without a value, so a value of `on` always comes from here.
    private func brightness(_ verb: Verb, _ entity: Entity, of device: Device, _ db: Database) throws -> JSONValue? {
        guard verb == .on, entity.kind == .light, entity.state.value == "off", entity.verbs.contains(.setBrightness),
            let room = device.roomID
        else { return nil }
        return try Int.fetchOne(
            db.cachedStatement(sql: "SELECT default_brightness FROM rooms WHERE id = ? AND default_brightness IS NOT NULL"),
            arguments: [room]
        ).map { .number(Double($0)) }
    }

    private func reserveUse(of grant: Grant, _ db: Database) throws -> (number: Int, limit: Int)? {
        guard let guestID else { return nil }
        // The counting statement checks the condition again. This check decides, whatever was read before.
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    UPDATE guests SET use_count = use_count + 1, last_used_at = ?, version = version + 1
                    WHERE id = ? AND revoked_at IS NULL AND suspended_at IS NULL AND expires_at > ?
                        AND (use_limit = 0 OR use_count < use_limit)
                    RETURNING use_count, use_limit
                    """), arguments: [now.milliseconds, guestID, now.milliseconds])
        guard let row else { throw CommandRefusal.gate(.usedUp(limit: grant.useLimit)) }
        return (row["use_count"], row["use_limit"])
    }

    // MARK: Records

    private func write(_ command: Command, risk: Risk, _ db: Database) throws {
        let answerBy = command.status == .dispatching ? now.addingTimeInterval(limits.report) : nil
        try CommandRecords.insert(command, risk: risk, call: commandRequest.idempotencyKey, answerBy: answerBy, in: db)
        let seq = try Journal.append(
            .commandAccepted, deviceID: command.deviceID, subject: command.id,
            data: [
                "entity_id": .string(command.entityID), "action": .string(command.verb.rawValue),
                "status": .string(command.status.rawValue),
            ],
            about: command, at: now, in: db)
        try AuditLog.append(
            .init(
                who: .init(commandRequest.principal), action: requestedActionName ?? command.verb.rawValue, deviceID: command.deviceID,
                entityID: command.entityID,
                grantID: command.grantID, trigger: command.trigger, result: command.requiresApproval ? .asked : .allowed,
                commandID: command.id,
                journalSeq: seq),
            in: .init(db: db, now: now, origin: commandRequest.origin))
    }

    private func auditRefusal(_ reason: AuditReason, _ db: Database) throws {
        let (deviceID, entityID, action): (String?, String?, String) =
            switch commandRequest.target {
            case .device(let id, let entityID, let verb): (String(id.prefix(128)), entityID, verb.rawValue)
            case .pass(_, let spoken, let entityID): (try onlyDevice(entityID, db), entityID, spoken)
            }
        try AuditLog.append(
            .init(
                who: .init(commandRequest.principal), action: action, deviceID: deviceID, entityID: entityID.map { String($0.prefix(128)) },
                grantID: commandRequest.principal.grantID, trigger: commandRequest.trigger, result: .refused, reason: reason),
            in: .init(db: db, now: now, origin: commandRequest.origin))
    }

    /// The device a refused pass was about, if that is plain.
    private func onlyDevice(_ entityID: String?, _ db: Database) throws -> String? {
        guard let guestID, case .list(let items)? = try GuestRecords.grant(guestID, db)?.scope else { return nil }
        let devices = Set(items.filter { entityID == nil || $0.entityID == entityID }.map(\.deviceID))
        return devices.count == 1 ? devices.first : nil
    }

    private var guestID: String? {
        if case .guest(let id) = commandRequest.principal { id } else { nil }
    }

    private var requestedActionName: String? {
        if case .pass(_, let spoken, _) = commandRequest.target { spoken } else { nil }
    }
}
