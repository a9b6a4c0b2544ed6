import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Admits commands, dispatches each to its device at most once, and resolves it by the device's report or its deadline.
///
/// `docs/technotes/door-command.md` describes the path. The transactions are in `CommandAdmission` and `CommandCompletion`; this type
/// connects them, and runs as long as the hub.
public final class Commands: Service, Sendable {
    let store: Store
    let house: House
    let clock: ClockMonitor
    let environment: HubEnvironment
    let limits: CommandLimits
    let nonces: ActionNonces
    let logger: Logger

    private let backends = Mutex<[String: any DeviceBackend]>([:])
    let pending = PendingCommands()
    private let queues = DeviceCommandQueues()
    /// Entities whose last command was interrupted by a crash; their state is requested at the start.
    private let entitiesToRefresh = Mutex<[String]>([])

    private let reportDeadlines = AsyncStream<Deadline>.makeStream()
    private let arrivalDeadlines = AsyncStream<Deadline>.makeStream()
    private let dispatchDeadlines = AsyncStream<Deadline>.makeStream()
    private let approvalDeadlines = AsyncStream<Deadline>.makeStream()
    /// Deadlines that could not be enforced, repeated a second later.
    private let retryDeadlines = AsyncStream<Deadline>.makeStream()

    private struct Deadline: Sendable {
        let commandID: String
        let at: Date
        var isArrival = false
    }

    init(
        store: Store, house: House, clock: ClockMonitor, environment: HubEnvironment, limits: CommandLimits, nonces: ActionNonces,
        logger: Logger
    ) {
        self.store = store
        self.house = house
        self.clock = clock
        self.environment = environment
        self.limits = limits
        self.nonces = nonces
        self.logger = logger
    }

    // MARK: Backends

    public func register(_ backend: any DeviceBackend) {
        backends.withLock { $0[backend.integration] = backend }
    }

    public func unregister(_ integration: String) {
        _ = backends.withLock { $0.removeValue(forKey: integration) }
    }

    /// The integrations with a registered backend.
    var readyIntegrations: Set<String> { backends.withLock { Set($0.keys) } }

    func backend(_ integration: String) -> (any DeviceBackend)? {
        backends.withLock { $0[integration] }
    }

    // MARK: Submitting

    /// Admits a command, or throws a `CommandRefusal`. The command is durable when this returns.
    public func submit(_ request: CommandRequest) async throws -> CommandResult {
        let admission = makeAdmission(of: request)
        let outcome = try await admit { db in
            let outcome = try admission.admit(db)
            return (outcome, outcome.admitted.map { [$0] } ?? [])
        }
        return try outcome.result()
    }

    func makeAdmission(of request: CommandRequest) -> CommandAdmission {
        CommandAdmission(
            commandRequest: request, id: "cmd_" + environment.newID(), now: environment.now(), zone: house.current.timeZone, limits: limits,
            nonces: nonces, clock: clock, readyIntegrations: readyIntegrations)
    }

    /// Runs admissions in one transaction, and starts the admitted commands after its commit. Every command is admitted here.
    ///
    /// - Parameter body: runs the admissions, and returns the admitted commands.
    func admit<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> (answer: Answer, admitted: [Command])
    ) async throws -> Answer {
        try await store.write(body) { [self] in start($0.admitted) }.answer
    }

    /// Waits until the command is resolved. Every command is: by its device, or by its deadline.
    public func outcome(of command: Command) async throws -> Command {
        if command.status.isOver { return command }
        if let resolved = await pending.completion(of: command.id) { return resolved }
        return try await self.command(command.id) ?? command
    }

    public func command(_ id: String) async throws -> Command? {
        try await store.read { try CommandRecords.one(id, $0) }
    }

    /// A command that `principal` may see: their own, or any with the right to manage people. Nil for another one, and for one that does
    /// not exist.
    public func command(_ id: String, seenBy principal: Principal) async throws -> Command? {
        try await store.read { db in
            guard let command = try CommandRecords.one(id, db) else { return nil }
            if command.principal == principal.key { return command }
            guard case .person(let id, _) = principal, try PeopleRecords.one(id, db)?.rights.contains(.managePeople) == true else {
                return nil
            }
            return command
        }
    }

    // MARK: Approval

    /// Approves or rejects a command that waits for approval.
    public func decide(_ commandID: String, approve: Bool, by principal: Principal, origin: RequestOrigin) async throws -> Command {
        let now = environment.now()
        let limits = limits
        let zone = house.current.timeZone
        let (command, completion, backendCommand) = try await store.auditedWrite(
            approve ? "command.approve" : "command.reject", on: .command(commandID), by: principal, origin: origin, at: now
        ) { context -> (Command, Completion?, BackendCommand?) in
            let person = try GuestApprovers.require(principal, in: context.db)
            let command = try CommandCompletion.require(commandID, context.db)
            guard command.canBeApproved(at: now) else { throw ApprovalError.notAwaitingApproval }
            // A person approves only what they could do themselves.
            if approve, let request = try CommandCompletion.gateRequest(command, context.db),
                case .deny(let refusal) = Gate.decide(request, by: person.grant, at: now, zone: zone)
            {
                throw ApprovalError.forbidden(refusal)
            }
            try AuditLog.append(
                .init(
                    who: .init(principal), action: approve ? "command.approve" : "command.reject", deviceID: command.deviceID,
                    entityID: command.entityID, grantID: command.grantID, result: .done),
                in: context)
            let completion: Completion?
            let backendCommand: BackendCommand?
            if approve {
                (completion, backendCommand) = try CommandCompletion.approve(command, at: now, limits: limits, in: context.db)
            } else {
                completion = try CommandCompletion.complete(
                    commandID, by: .refused, reason: "rejected", at: now, limits: limits, in: context.db)
                backendCommand = nil
            }
            return (try CommandCompletion.require(commandID, context.db), completion, backendCommand)
        }
        if let completion { finish([completion]) }
        if let backendCommand { enqueue(backendCommand) }
        if command.status == .accepted { dispatchDeadlines.continuation.yield(Deadline(commandID: command.id, at: command.life.notAfter)) }
        return command
    }

    /// Withdraws a command that still waits for approval. Repeated, it answers the same. It needs no right: an ended pass may do it too.
    public func withdraw(_ commandID: String, by principal: Principal) async throws -> Command {
        let (now, limits) = (environment.now(), limits)
        let (command, completion) = try await store.write { db -> (Command, Completion?) in
            // Another principal's command is answered like a missing one.
            guard let command = try CommandRecords.one(commandID, db), command.principal == principal.key else {
                throw ApprovalError.notFound
            }
            if command.reason == Self.withdrawnReason { return (command, nil) }
            guard command.isAwaitingApproval else { throw ApprovalError.notAwaitingApproval }
            let completion = try CommandCompletion.complete(
                commandID, by: .refused, reason: Self.withdrawnReason, at: now, limits: limits, in: db)
            return (try CommandCompletion.require(commandID, db), completion)
        }
        if let completion { finish([completion]) }
        return command
    }

    /// The reason of a command that its caller withdrew.
    public static let withdrawnReason = "taken_back"

    // MARK: Reports

    func hasPendingCommand(for entityID: String) -> Bool {
        pending.hasPendingCommand(for: entityID)
    }

    /// Applies a report's resolution, after the commit.
    func apply(_ resolution: Resolution) {
        for (id, arrival) in resolution.moving where pending.markMoving(id) {
            arrivalDeadlines.continuation.yield(Deadline(commandID: id, at: arrival, isArrival: true))
        }
        finish(resolution.completions)
    }

    /// Answers the waiting requests and enqueues the next orders, after the commit.
    func finish(_ completions: [Completion]) {
        for completion in completions {
            pending.complete(completion.command)
            if let next = completion.nextCommand { enqueue(next) }
        }
    }

    // MARK: Running

    /// Resolves or dispatches the commands that a crash left pending. Called before the hub serves requests.
    func recover() async throws {
        let now = environment.now()
        let limits = limits
        let (backendCommands, interrupted, pendingCommands) = try await store.write {
            try CommandCompletion.recover(at: now, limits: limits, in: $0)
        }
        if !backendCommands.isEmpty || !interrupted.isEmpty {
            logger.notice(
                "interrupted commands resolved after a crash",
                metadata: ["sent": "\(backendCommands.count)", "unknown": "\(interrupted.count)"])
        }
        for command in pendingCommands { track(command) }
        for backendCommand in backendCommands { enqueue(backendCommand) }
        entitiesToRefresh.withLock { $0 = interrupted }
    }

    public func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for due in [reportDeadlines, arrivalDeadlines, dispatchDeadlines, approvalDeadlines, retryDeadlines] {
                group.addTask { await self.enforce(due) }
            }
            for entityID in entitiesToRefresh.withLock({ $0 }) {
                group.addTask { await self.refresh(entityID) }
            }
            // Every order is dispatched from here, without a further task as `cancelOnGracefulShutdown` would add.
            await withGracefulShutdownHandler {
                for await deviceID in queues.started {
                    let dispatchAll: @Sendable () async -> Void = {
                        while let backendCommand = self.queues.dequeue(for: deviceID) { await self.dispatch(backendCommand) }
                    }
                    // Runs at once, up to its first suspension.
                    #if canImport(Darwin)
                        if #available(macOS 26, *) {
                            group.addImmediateTask(operation: dispatchAll)
                        } else {
                            group.addTask(operation: dispatchAll)
                        }
                    #else
                        group.addImmediateTask(operation: dispatchAll)
                    #endif
                }
            } onGracefulShutdown: {
                self.queues.close()
            }
            group.cancelAll()
        }
    }

    /// The reason of a command that its device does not support.
    public static let unsupportedReason = AuditReason.unsupportedAction.rawValue

    /// Dispatches one order, once. An order whose command was resolved meanwhile is dropped.
    private func dispatch(_ backendCommand: BackendCommand) async {
        guard pending.markDispatched(backendCommand.commandID) else { return }
        let result: DispatchResult
        if environment.now() >= backendCommand.notAfter {
            result = .refused(reason: "too_late")
        } else if let backend = backend(backendCommand.integration) {
            result = await backend.perform(backendCommand)
        } else {
            result = .refused(reason: "integration_not_ready")
        }
        switch result {
        case .dispatched: break
        case .dispatchedWithoutReport: await complete(backendCommand.commandID, by: .deadlinePassed, reason: "no_report")
        case .uncertain(let reason): await complete(backendCommand.commandID, by: .deadlinePassed, reason: reason)
        case .refused(let reason): await complete(backendCommand.commandID, by: .failed(executed: false), reason: reason)
        case .unsupported: await complete(backendCommand.commandID, by: .failed(executed: false), reason: Self.unsupportedReason)
        }
    }

    private func enforce(_ dues: (stream: AsyncStream<Deadline>, continuation: AsyncStream<Deadline>.Continuation)) async {
        // The deadlines of one stream have the same length, so the first to come is the first to be due.
        for await due in dues.stream.cancelOnGracefulShutdown() {
            guard pending.contains(due.commandID) else { continue }
            do { try await environment.sleep(due.at) } catch { return }
            guard pending.contains(due.commandID) else { continue }
            // The device has started to move, and has a new deadline for its arrival.
            if !due.isArrival, pending.isMoving(due.commandID) { continue }
            let (now, limits) = (environment.now(), limits)
            let completion = await writeCompletion("deadline") {
                try CommandCompletion.expire(due.commandID, at: now, limits: limits, in: $0)
            }
            if let completion {
                finish([completion])
            } else {
                // The deadline moved, the clock was set back, or the store could not write: it is checked again.
                retryDeadlines.continuation.yield(
                    Deadline(commandID: due.commandID, at: now.addingTimeInterval(1), isArrival: due.isArrival))
            }
        }
    }

    private func complete(_ commandID: String, by event: CommandStateMachine.Event, reason: String) async {
        let (now, limits) = (environment.now(), limits)
        let completion = await writeCompletion("outcome") { db in
            try CommandCompletion.complete(commandID, by: event, reason: reason, at: now, limits: limits, in: db)
        }
        if let completion { finish([completion]) }
    }

    /// Writes a completion. When the store cannot write, as on a full disk, the command's deadline resolves it later.
    private func writeCompletion(_ what: String, _ body: @escaping @Sendable (Database) throws -> Completion?) async -> Completion? {
        do {
            return try await store.write(body)
        } catch {
            logger.error("command outcome could not be stored", metadata: ["what": "\(what)", "error": "\(type(of: error))"])
            return nil
        }
    }

    private func refresh(_ entityID: String) async {
        let integration = try? await store.read { db in
            try String.fetchOne(
                db, sql: "SELECT d.integration FROM devices d JOIN entities e ON e.device_id = d.id WHERE e.id = ?", arguments: [entityID])
        }
        if let integration { await backend(integration)?.refresh(entityID: entityID) }
    }

    // MARK: Starting

    /// Starts admitted commands, right after the commit: sets their deadlines, and enqueues those that are dispatching.
    private func start(_ admitted: [Command]) {
        for command in admitted {
            track(command)
            if command.status == .dispatching { enqueue(command.backendCommand()) }
        }
    }

    /// Adds the command to the pending ones, with the deadline of its approval or of its turn.
    private func track(_ command: Command) {
        pending.add(command)
        if command.isAwaitingApproval {
            approvalDeadlines.continuation.yield(Deadline(commandID: command.id, at: command.life.notAfter))
        } else if command.status == .accepted {
            dispatchDeadlines.continuation.yield(Deadline(commandID: command.id, at: command.life.notAfter))
        }
    }

    private func enqueue(_ backendCommand: BackendCommand) {
        let deadline = Deadline(commandID: backendCommand.commandID, at: environment.now().addingTimeInterval(limits.report))
        queues.enqueue(backendCommand)
        reportDeadlines.continuation.yield(deadline)
    }
}
