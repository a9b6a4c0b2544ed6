import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The transactions after admission: reports, deadlines, approvals, the next command in a queue, and recovery after a crash.
enum CommandCompletion {
    /// Resolves the pending commands at an entity by a fresh report.
    ///
    /// - Parameters:
    ///   - before: the state reported before. A lock that only repeats that it is jammed does not answer this command.
    ///   - pending: the commands that are not resolved, and which of them are dispatched. A key turned before the dispatch does not
    ///     answer the command.
    static func resolve(
        _ report: EntityReport, kind: EntityKind, before: EntityState, pending: PendingCommands, at now: Date, limits: CommandLimits,
        in db: Database
    ) throws -> Commands.Resolution {
        let open = try CommandRecords.pending(at: report.entityID, db)
        var resolution = Commands.Resolution()
        // The newest command that the report answers also settles the older ones it overtook.
        var overtaken = false
        for command in open.reversed() where command.status == .dispatching && pending.isDispatched(command.id) {
            if let named = report.answeredCommandID, named != command.id { continue }
            let origin = pending.origin(of: command)
            let answer = CommandConfirmation.evaluate(command.verb, value: command.value, kind: kind, state: report.state, before: before)
            let completion: Commands.Completion?
            switch (answer, overtaken) {
            case (.confirmed, _):
                completion = try complete(
                    command, by: .confirmed, reason: nil, state: report.state, from: origin, others: open.count > 1, limits: limits,
                    at: now, in: db)
                overtaken = true
            case (.failed, false) where before.value == report.state.value: completion = nil
            case (.failed(let reason), _):
                completion = try complete(
                    command, by: .failed(executed: false), reason: reason, state: report.state, from: origin, others: open.count > 1,
                    limits: limits, at: now, in: db)
            case (.moving, true), (.pending, true):
                completion = try complete(
                    command, by: .deadlinePassed, reason: "overtaken", from: origin, others: open.count > 1, limits: limits, at: now, in: db
                )
            case (.moving, false):
                let answerBy = now.addingTimeInterval(limits.movement)
                if try CommandRecords.markMoving(command.id, since: now, answerBy: answerBy, in: db) {
                    resolution.moving[command.id] = answerBy
                }
                completion = nil
            case (.pending, false): completion = nil
            }
            if let completion { resolution.completions.append(completion) }
        }
        return resolution
    }

    /// Resolves a command by `event`; nil when it is resolved already. At a door the next one in the queue is dispatched.
    static func complete(
        _ id: String, by event: CommandStateMachine.Event, reason: String?, at now: Date, limits: CommandLimits, in db: Database
    ) throws -> Commands.Completion? {
        try CommandRecords.one(id, db).flatMap { try complete($0, by: event, reason: reason, limits: limits, at: now, in: db) }
    }

    /// - Parameters:
    ///   - origin: the origin of its request; nil if that must be read.
    ///   - others: whether further commands may wait at the same entity.
    private static func complete(
        _ command: Command, by event: CommandStateMachine.Event, reason: String?, state: EntityState? = nil,
        from origin: RequestOrigin? = nil,
        others: Bool = true, limits: CommandLimits, at now: Date, in db: Database
    ) throws -> Commands.Completion? {
        var command = command
        guard command.life.apply(event, at: now) else { return nil }
        command.finishedAt = now
        command.reason = reason
        command.newState = state
        try CommandRecords.markResolved(command, in: db)
        if command.life.useReturned, let guestID = command.guestID {
            try db.cachedStatement(sql: "UPDATE guests SET use_count = use_count - 1, version = version + 1 WHERE id = ? AND use_count > 0")
                .execute(arguments: [guestID])
        }
        let seq = try Journal.append(
            .commandChanged, deviceID: command.deviceID, subject: command.id,
            data: ["status": .string(command.status.rawValue), "reason": reason.map(JSONValue.string) ?? .null], about: command,
            hasWords: reason != nil, at: now, in: db)
        try AuditLog.append(
            .init(
                who: .init(command.requester), action: command.requestedActionName ?? command.verb.rawValue, deviceID: command.deviceID,
                entityID: command.entityID,
                grantID: command.grantID, trigger: command.trigger, result: .ended(command.status),
                reason: reason.map { AuditReason(reported: $0, status: command.status) }, commandID: command.id, journalSeq: seq),
            in: .init(db: db, now: now, origin: try origin ?? CommandRecords.origin(of: command.id, db)))
        return Commands.Completion(
            command: command, nextCommand: command.isWayIn && others ? try dispatchNext(at: command.entityID, now, limits, db) : nil)
    }

    /// Resolves a command whose deadline has passed. It may have been approved or dispatched since the deadline was set.
    static func expire(_ id: String, at now: Date, limits: CommandLimits, in db: Database) throws -> Commands.Completion? {
        try CommandRecords.one(id, db).flatMap { command in
            if command.status.isOver { return Commands.Completion(command: command, nextCommand: nil) }
            guard command.reportDeadline ?? command.life.notAfter <= now else { return nil }
            let reason = command.isAwaitingApproval ? "unanswered" : command.status == .accepted ? "no_turn" : "no_answer"
            return try complete(command, by: .deadlinePassed, reason: reason, limits: limits, at: now, in: db)
        }
    }

    /// Dispatches the command that has waited longest at a door.
    private static func dispatchNext(at entityID: String, _ now: Date, _ limits: CommandLimits, _ db: Database) throws -> BackendCommand? {
        let open = try CommandRecords.pending(at: entityID, db)
        guard !open.contains(where: { $0.status == .dispatching }) else { return nil }
        for var command in open where !command.requiresApproval {
            // The pass may have been revoked meanwhile: then the command stays queued, and its deadline returns the use.
            guard try isStillAllowed(command, at: now, db), command.life.apply(.dispatched, at: now), command.status == .dispatching else {
                continue
            }
            try CommandRecords.markDispatching(
                command.id, notAfter: command.life.notAfter, answerBy: now.addingTimeInterval(limits.report), in: db)
            return command.backendCommand()
        }
        return nil
    }

    /// The caller's present grant. The command's use is reserved, and its hours and its place were right at admission.
    private static func grant(for command: Command, _ db: Database) throws -> Grant? {
        var grant = try CommandAdmission.grant(of: command.requester, db)
        grant?.useLimit = 0
        grant?.schedule = nil
        grant?.localOnly = false
        return grant
    }

    /// Returns whether the gate still allows the command.
    private static func isStillAllowed(_ command: Command, at now: Date, _ db: Database) throws -> Bool {
        guard let grant = try grant(for: command, db), let request = try gateRequest(command, db) else { return false }
        if case .deny = Gate.decide(request, by: grant, at: now, zone: .gmt) { return false }
        return true
    }

    /// The command as a request to the gate, by the device's present state; nil when the device is gone.
    static func gateRequest(_ command: Command, _ db: Database) throws -> Gate.Request? {
        guard let device = try DeviceRecords.one(command.deviceID, db),
            let entity = device.entities.first(where: { $0.id == command.entityID })
        else { return nil }
        return Gate.Request(command.verb, on: entity, of: device, isLocal: true)
    }

    /// The command, or an error that there is none.
    static func require(_ id: String, _ db: Database) throws -> Command {
        guard let command = try CommandRecords.one(id, db) else { throw Commands.ApprovalError.notFound }
        return command
    }

    /// Approves a command: it is dispatched, or queues like any other.
    static func approve(
        _ command: Command, at now: Date, limits: CommandLimits, in db: Database
    ) throws -> (completion: Commands.Completion?, backendCommand: BackendCommand?) {
        // The pass may have been revoked meanwhile.
        guard try isStillAllowed(command, at: now, db) else {
            let refusal = try grant(for: command, db).flatMap { Gate.validityRefusal(of: $0, at: now) }
            return (try complete(command, by: .refused, reason: refusal?.name ?? "no_grant", limits: limits, at: now, in: db), nil)
        }
        let notAfter = now.addingTimeInterval(limits.freshness)
        try db.execute(
            sql: "UPDATE commands SET asks = 0, not_after = ? WHERE id = ?", arguments: [notAfter.milliseconds, command.id])
        if command.isWayIn { return (nil, try dispatchNext(at: command.entityID, now, limits, db)) }
        try CommandRecords.markDispatching(command.id, notAfter: notAfter, answerBy: now.addingTimeInterval(limits.report), in: db)
        return (nil, try require(command.id, db).backendCommand())
    }

    /// Recovers after a crash: a fresh command that was never dispatched is dispatched once; one that may have been is not repeated.
    static func recover(
        at now: Date, limits: CommandLimits, in db: Database
    ) throws -> (backendCommands: [BackendCommand], interrupted: [String], open: [Command]) {
        var backendCommands: [BackendCommand?] = []
        var interrupted: [String] = []
        for command in try CommandRecords.allPending(db) {
            switch command.life.recovery(at: now) {
            case .markUnknown:
                backendCommands.append(
                    try complete(command.id, by: .deadlinePassed, reason: "restarted", at: now, limits: limits, in: db)?.nextCommand)
                interrupted.append(command.entityID)
            case .expire:
                backendCommands.append(
                    try complete(command.id, by: .deadlinePassed, reason: "restarted", at: now, limits: limits, in: db)?.nextCommand)
            // Only at a door can a command be accepted without waiting for approval: it is dispatched if no other one is.
            case .dispatch where !command.requiresApproval:
                if try isStillAllowed(command, at: now, db) {
                    backendCommands.append(try dispatchNext(at: command.entityID, now, limits, db))
                } else {
                    _ = try complete(command.id, by: .refused, reason: "no_grant", at: now, limits: limits, in: db)
                }
            case .dispatch, .none: break
            }
        }
        return (backendCommands.compactMap(\.self), interrupted, try CommandRecords.allPending(db))
    }
}

extension AuditReason {
    /// The audit reason for a reported reason. The caller reads the backend's own words; the audit log keeps one of its own.
    fileprivate init(reported words: String, status: CommandStatus) {
        self = AuditReason(rawValue: words) ?? (status == .unknown ? .uncertain : .turnedDown)
    }
}

extension Command {
    /// The principal that submitted it.
    fileprivate var requester: Principal {
        guestID.map { .guest(id: $0) } ?? Principal(key: principal)
    }
}
