import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Takes commands on, hands each to its device at most once, and says honestly what came of it.
///
/// The path is `docs/technotes/door-command.md`. The transactions are in `CommandAdmission` (before anything moves) and
/// `CommandEndings` (after); this is what lies between them, and lives as long as the hub.
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
    /// Entities whose last command was cut off by a crash; they are asked how they stand.
    private let entitiesToRefresh = Mutex<[String]>([])

    private let reportDeadlines = AsyncStream<Deadline>.makeStream()
    private let arrivalDeadlines = AsyncStream<Deadline>.makeStream()
    private let dispatchDeadlines = AsyncStream<Deadline>.makeStream()
    private let approvalDeadlines = AsyncStream<Deadline>.makeStream()
    /// Deadlines whose end could not be written, a second later.
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

    // MARK: Who moves things

    public func register(_ backend: any DeviceBackend) {
        backends.withLock { $0[backend.integration] = backend }
    }

    public func unregister(_ integration: String) {
        _ = backends.withLock { $0.removeValue(forKey: integration) }
    }

    /// The integrations that somebody speaks for.
    var readyIntegrations: Set<String> { backends.withLock { Set($0.keys) } }

    func backend(_ integration: String) -> (any DeviceBackend)? {
        backends.withLock { $0[integration] }
    }

    // MARK: Asking

    /// Takes a command on, or throws a `CommandRefusal`. It is durable when this returns.
    public func submit(_ ask: CommandRequest) async throws -> CommandResult {
        let admission = makeAdmission(of: ask)
        let outcome = try await admit { db in
            let outcome = try admission.admit(db)
            return (outcome, outcome.admitted.map { [$0] } ?? [])
        }
        return try outcome.result()
    }

    func makeAdmission(of ask: CommandRequest) -> CommandAdmission {
        CommandAdmission(
            commandRequest: ask, id: "cmd_" + environment.newID(), now: environment.now(), zone: house.current.timeZone, limits: limits,
            nonces: nonces, clock: clock, readyIntegrations: readyIntegrations)
    }

    /// Runs admissions in one transaction, and sets going what was taken on. One command or fifty: there is no other way in.
    ///
    /// - Parameter body: runs the admissions, and names the commands that were taken on.
    func admit<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> (answer: Answer, taken: [Command])
    ) async throws -> Answer {
        try await store.write(body) { [self] in start($0.taken) }.answer
    }

    /// Waits until the command has ended. Every command ends: by its device, or by its deadline.
    public func outcome(of command: Command) async throws -> Command {
        if command.status.isOver { return command }
        if let ended = await pending.completion(of: command.id) { return ended }
        return try await self.command(command.id) ?? command
    }

    public func command(_ id: String) async throws -> Command? {
        try await store.read { try CommandRecords.one(id, $0) }
    }

    /// A command as whoever looks may see it: their own, and with the right to manage people everybody's. nil for one that is not
    /// theirs, and for one that is not there.
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

    // MARK: Saying yes or no

    public enum ApprovalError: Error {
        case notFound, notAwaitingApproval, forbidden(Refusal)
        /// The owner has not chosen them to answer.
        case notAnApprover
    }

    /// Somebody of the house lets the command go ahead, or not.
    public func decide(_ commandID: String, approve: Bool, by principal: Principal, origin: RequestOrigin) async throws -> Command {
        let now = environment.now()
        let limits = limits
        let zone = house.current.timeZone
        let (command, ending, order) = try await store.auditedWrite(
            approve ? "command.approve" : "command.reject", on: .command(commandID), by: principal, origin: origin, at: now
        ) { db -> (Command, Completion?, DeviceOrder?) in
            let person = try GuestApprovers.require(principal, in: db)
            let command = try CommandCompletion.require(commandID, db)
            guard command.canBeApproved(at: now) else { throw ApprovalError.notAwaitingApproval }
            // Nobody says yes to what they could not do themselves.
            if approve, let request = try CommandCompletion.gateRequest(command, db),
                case .deny(let refusal) = Gate.decide(request, by: person.grant, at: now, zone: zone)
            {
                throw ApprovalError.forbidden(refusal)
            }
            try AuditLog.append(
                .init(
                    who: .init(principal), action: approve ? "command.approve" : "command.reject", deviceID: command.deviceID,
                    entityID: command.entityID, grantID: command.grantID, result: .done),
                origin: origin, at: now, in: db)
            let (ending, order) =
                approve
                ? try CommandCompletion.approve(command, at: now, limits: limits, in: db)
                : (try CommandCompletion.complete(commandID, by: .refused, reason: "rejected", at: now, limits: limits, in: db), nil)
            return (try CommandCompletion.require(commandID, db), ending, order)
        }
        if let ending { finish([ending]) }
        if let order { enqueue(order) }
        if command.status == .accepted { dispatchDeadlines.continuation.yield(Deadline(commandID: command.id, at: command.life.notAfter)) }
        return command
    }

    /// Takes back what a pass asked for and nobody has said yes to: its asker has gone, or changed their mind. Asked again, it answers
    /// the same. Taking back needs no right: a pass that is over may do it too.
    public func withdraw(_ commandID: String, by principal: Principal) async throws -> Command {
        let (now, limits) = (environment.now(), limits)
        let (command, ending) = try await store.write { db -> (Command, Completion?) in
            // Somebody else's command is none, so that nobody learns of it.
            guard let command = try CommandRecords.one(commandID, db), command.principal == principal.key else {
                throw ApprovalError.notFound
            }
            if command.reason == Self.withdrawnReason { return (command, nil) }
            guard command.isAwaitingApproval else { throw ApprovalError.notAwaitingApproval }
            let ending = try CommandCompletion.complete(
                commandID, by: .refused, reason: Self.withdrawnReason, at: now, limits: limits, in: db)
            return (try CommandCompletion.require(commandID, db), ending)
        }
        if let ending { finish([ending]) }
        return command
    }

    /// The reason of a command that its asker took back.
    public static let withdrawnReason = "taken_back"

    // MARK: What the device said

    /// A command that ended, and the one whose turn came with it.
    struct Completion: Sendable {
        let command: Command
        let nextOrder: DeviceOrder?
    }

    func hasPendingCommand(for entityID: String) -> Bool {
        pending.hasPendingCommand(for: entityID)
    }

    /// What a report meant for the commands at its entity.
    struct Resolution: Sendable {
        var completions: [Completion] = []
        /// Commands whose device has set out, and by when it should have arrived.
        var moving: [String: Date] = [:]

        static func += (all: inout Resolution, more: Resolution) {
            all.completions += more.completions
            for (id, arrival) in more.moving { all.moving[id] = arrival }
        }
    }

    /// Takes in what was heard, after the commit.
    func apply(_ heard: Resolution) {
        for (id, arrival) in heard.moving where pending.markMoving(id) {
            arrivalDeadlines.continuation.yield(Deadline(commandID: id, at: arrival, isArrival: true))
        }
        finish(heard.completions)
    }

    /// Tells everybody who waits, after the commit.
    func finish(_ endings: [Completion]) {
        for ending in endings {
            pending.complete(ending.command)
            if let next = ending.nextOrder { enqueue(next) }
        }
    }

    // MARK: Running

    /// Settles what a crash left open. Called before anybody is served.
    func recover() async throws {
        let now = environment.now()
        let limits = limits
        let (orders, cutOff, stillOpen) = try await store.write { try CommandCompletion.recover(at: now, limits: limits, in: $0) }
        if !orders.isEmpty || !cutOff.isEmpty {
            logger.notice("commands settled after a crash", metadata: ["sent": "\(orders.count)", "unknown": "\(cutOff.count)"])
        }
        for command in stillOpen { track(command) }
        for order in orders { enqueue(order) }
        entitiesToRefresh.withLock { $0 = cutOff }
    }

    public func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for due in [reportDeadlines, arrivalDeadlines, dispatchDeadlines, approvalDeadlines, retryDeadlines] {
                group.addTask { await self.enforce(due) }
            }
            for entityID in entitiesToRefresh.withLock({ $0 }) {
                group.addTask { await self.refresh(entityID) }
            }
            // Each order passes here on its way to its device: no other task carries it over, as `cancelOnGracefulShutdown` would have one do.
            await withGracefulShutdownHandler {
                for await deviceID in queues.started {
                    let carrying: @Sendable () async -> Void = {
                        while let order = self.queues.dequeue(for: deviceID) { await self.dispatch(order) }
                    }
                    // Here and now, as far as it goes without waiting.
                    #if canImport(Darwin)
                        if #available(macOS 26, *) {
                            group.addImmediateTask(operation: carrying)
                        } else {
                            group.addTask(operation: carrying)
                        }
                    #else
                        group.addImmediateTask(operation: carrying)
                    #endif
                }
            } onGracefulShutdown: {
                self.queues.close()
            }
            group.cancelAll()
        }
    }

    /// Why a command failed that its device cannot do.
    public static let unsupportedReason = AuditReason.unsupportedAction.rawValue

    /// Hands one order over, once. One whose command has ended while it stood in line stays here.
    private func dispatch(_ order: DeviceOrder) async {
        guard pending.markDispatched(order.commandID) else { return }
        let handover: DispatchResult
        if environment.now() >= order.notAfter {
            handover = .refused(reason: "too_late")
        } else if let backend = backend(order.integration) {
            handover = await backend.perform(order)
        } else {
            handover = .refused(reason: "integration_not_ready")
        }
        switch handover {
        case .dispatched: break
        case .dispatchedWithoutReport: await complete(order.commandID, by: .deadlinePassed, reason: "no_report")
        case .uncertain(let reason): await complete(order.commandID, by: .deadlinePassed, reason: reason)
        case .refused(let reason): await complete(order.commandID, by: .failed(executed: false), reason: reason)
        case .unsupported: await complete(order.commandID, by: .failed(executed: false), reason: Self.unsupportedReason)
        }
    }

    private func enforce(_ dues: (stream: AsyncStream<Deadline>, continuation: AsyncStream<Deadline>.Continuation)) async {
        // All of one stream wait equally long, so the first to come is the first to be due.
        for await due in dues.stream.cancelOnGracefulShutdown() {
            guard pending.contains(due.commandID) else { continue }
            do { try await environment.sleep(due.at) } catch { return }
            guard pending.contains(due.commandID) else { continue }
            // It has set out meanwhile, and is due again when it should have arrived.
            if !due.isArrival, pending.isMoving(due.commandID) { continue }
            let (now, limits) = (environment.now(), limits)
            let ending = await writeCompletion("deadline") { try CommandCompletion.expire(due.commandID, at: now, limits: limits, in: $0) }
            if let ending {
                finish([ending])
            } else {
                // The deadline moved, the clock was set back, or the store could not write: it is asked again, never forgotten.
                retryDeadlines.continuation.yield(
                    Deadline(commandID: due.commandID, at: now.addingTimeInterval(1), isArrival: due.isArrival))
            }
        }
    }

    private func complete(_ commandID: String, by event: CommandStateMachine.Event, reason: String) async {
        let (now, limits) = (environment.now(), limits)
        let ending = await writeCompletion("outcome") { db in
            try CommandCompletion.complete(commandID, by: event, reason: reason, at: now, limits: limits, in: db)
        }
        if let ending { finish([ending]) }
    }

    /// Writes an ending. When the store cannot write, as on a full disk, the command's deadline settles it later.
    private func writeCompletion(_ what: String, _ body: @escaping @Sendable (Database) throws -> Completion?) async -> Completion? {
        do {
            return try await store.write(body)
        } catch {
            logger.error("a command's end could not be written", metadata: ["what": "\(what)", "error": "\(type(of: error))"])
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

    // MARK: Setting going

    /// Sets going what was taken on, right after the commit: its deadline runs, and what may go goes.
    private func start(_ taken: [Command]) {
        for command in taken {
            track(command)
            if command.status == .dispatching { enqueue(command.order()) }
        }
    }

    /// Counts the command among those that have not ended, and notes until when it waits for a yes or for its turn.
    private func track(_ command: Command) {
        pending.add(command)
        if command.isAwaitingApproval {
            approvalDeadlines.continuation.yield(Deadline(commandID: command.id, at: command.life.notAfter))
        } else if command.status == .accepted {
            dispatchDeadlines.continuation.yield(Deadline(commandID: command.id, at: command.life.notAfter))
        }
    }

    private func enqueue(_ order: DeviceOrder) {
        let answer = Deadline(commandID: order.commandID, at: environment.now().addingTimeInterval(limits.report))
        queues.enqueue(order)
        reportDeadlines.continuation.yield(answer)
    }
}
