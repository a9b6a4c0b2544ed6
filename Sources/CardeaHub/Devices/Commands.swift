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
    let clock: ClockWatch
    let surroundings: Surroundings
    let limits: CommandLimits
    let nonces: ActionNonces
    let logger: Logger

    private let backends = Mutex<[String: any DeviceBackend]>([:])
    let open = OpenCommands()
    private let lines = DeviceLines()
    /// Entities whose last command was cut off by a crash; they are asked how they stand.
    private let toRefresh = Mutex<[String]>([])

    private let answersDue = AsyncStream<Due>.makeStream()
    private let arrivalsDue = AsyncStream<Due>.makeStream()
    private let turnsDue = AsyncStream<Due>.makeStream()
    private let asksDue = AsyncStream<Due>.makeStream()
    /// Deadlines whose end could not be written, a second later.
    private let againDue = AsyncStream<Due>.makeStream()

    private struct Due: Sendable {
        let commandID: String
        let at: Date
        var isArrival = false
    }

    init(
        store: Store, house: House, clock: ClockWatch, surroundings: Surroundings, limits: CommandLimits, nonces: ActionNonces,
        logger: Logger
    ) {
        self.store = store
        self.house = house
        self.clock = clock
        self.surroundings = surroundings
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
    var running: Set<String> { backends.withLock { Set($0.keys) } }

    func backend(_ integration: String) -> (any DeviceBackend)? {
        backends.withLock { $0[integration] }
    }

    // MARK: Asking

    /// Takes a command on, or throws a `CommandRefusal`. It is durable when this returns.
    public func submit(_ ask: CommandAsk) async throws -> CommandResult {
        let admission = admission(of: ask)
        let outcome = try await admit { db in
            let outcome = try admission.run(db)
            return (outcome, outcome.taken.map { [$0] } ?? [])
        }
        return try outcome.result()
    }

    func admission(of ask: CommandAsk) -> CommandAdmission {
        CommandAdmission(
            ask: ask, id: "cmd_" + surroundings.newID(), now: surroundings.now(), zone: house.now.timeZone, limits: limits,
            nonces: nonces, clock: clock, ready: running)
    }

    /// Runs admissions in one transaction, and sets going what was taken on. One command or fifty: there is no other way in.
    ///
    /// - Parameter body: runs the admissions, and names the commands that were taken on.
    func admit<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> (answer: Answer, taken: [Command])
    ) async throws -> Answer {
        try await store.write(body) { [self] in begin($0.taken) }.answer
    }

    /// Waits until the command has ended. Every command ends: by its device, or by its deadline.
    public func outcome(of command: Command) async throws -> Command {
        if command.status.isOver { return command }
        if let ended = await open.end(of: command.id) { return ended }
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

    public enum ApprovalProblem: Error {
        case notFound, notAsking, forbidden(Refusal)
        /// The owner has not chosen them to answer.
        case notChosen
    }

    /// Somebody of the house lets the command go ahead, or not.
    public func answer(_ commandID: String, approve: Bool, by principal: Principal, origin: Origin) async throws -> Command {
        let now = surroundings.now()
        let limits = limits
        let zone = house.now.timeZone
        let (command, ending, order) = try await store.attempt(
            approve ? "command.approve" : "command.reject", on: .command(commandID), by: principal, origin: origin, at: now
        ) { db -> (Command, Ending?, DeviceOrder?) in
            let person = try Answerers.require(principal, in: db)
            let command = try CommandEndings.known(commandID, db)
            guard command.awaitsYes(at: now) else { throw ApprovalProblem.notAsking }
            // Nobody says yes to what they could not do themselves.
            if approve, let request = try CommandEndings.request(command, db),
                case .deny(let refusal) = Gate.decide(request, by: person.grant, at: now, zone: zone)
            {
                throw ApprovalProblem.forbidden(refusal)
            }
            try AuditTrail.append(
                .init(
                    who: .init(principal), action: approve ? "command.approve" : "command.reject", deviceID: command.deviceID,
                    entityID: command.entityID, grantID: command.grantID, result: .done),
                origin: origin, at: now, in: db)
            let (ending, order) =
                approve
                ? try CommandEndings.approved(command, at: now, limits: limits, in: db)
                : (try CommandEndings.end(commandID, by: .refused, reason: "rejected", at: now, limits: limits, in: db), nil)
            return (try CommandEndings.known(commandID, db), ending, order)
        }
        if let ending { ended([ending]) }
        if let order { send(order) }
        if command.status == .accepted { turnsDue.continuation.yield(Due(commandID: command.id, at: command.life.notAfter)) }
        return command
    }

    /// Takes back what a pass asked for and nobody has said yes to: its asker has gone, or changed their mind. Asked again, it answers
    /// the same. Taking back needs no right: a pass that is over may do it too.
    public func takeBack(_ commandID: String, by principal: Principal) async throws -> Command {
        let (now, limits) = (surroundings.now(), limits)
        let (command, ending) = try await store.write { db -> (Command, Ending?) in
            // Somebody else's command is none, so that nobody learns of it.
            guard let command = try CommandRecords.one(commandID, db), command.principal == principal.key else {
                throw ApprovalProblem.notFound
            }
            if command.reason == Self.takenBack { return (command, nil) }
            guard command.isAsking else { throw ApprovalProblem.notAsking }
            let ending = try CommandEndings.end(commandID, by: .refused, reason: Self.takenBack, at: now, limits: limits, in: db)
            return (try CommandEndings.known(commandID, db), ending)
        }
        if let ending { ended([ending]) }
        return command
    }

    /// The reason of a command that its asker took back.
    public static let takenBack = "taken_back"

    // MARK: What the device said

    /// A command that ended, and the one whose turn came with it.
    struct Ending: Sendable {
        let command: Command
        let next: DeviceOrder?
    }

    func isWaiting(for entityID: String) -> Bool {
        open.isWaiting(for: entityID)
    }

    /// What a report meant for the commands at its entity.
    struct Heard: Sendable {
        var endings: [Ending] = []
        /// Commands whose device has set out, and by when it should have arrived.
        var moving: [String: Date] = [:]

        static func += (all: inout Heard, more: Heard) {
            all.endings += more.endings
            for (id, arrival) in more.moving { all.moving[id] = arrival }
        }
    }

    /// Takes in what was heard, after the commit.
    func take(_ heard: Heard) {
        for (id, arrival) in heard.moving where open.setOut(id) {
            arrivalsDue.continuation.yield(Due(commandID: id, at: arrival, isArrival: true))
        }
        ended(heard.endings)
    }

    /// Tells everybody who waits, after the commit.
    func ended(_ endings: [Ending]) {
        for ending in endings {
            open.end(ending.command)
            if let next = ending.next { send(next) }
        }
    }

    // MARK: Running

    /// Settles what a crash left open. Called before anybody is served.
    func recover() async throws {
        let now = surroundings.now()
        let limits = limits
        let (orders, cutOff, stillOpen) = try await store.write { try CommandEndings.recover(at: now, limits: limits, in: $0) }
        if !orders.isEmpty || !cutOff.isEmpty {
            logger.notice("commands settled after a crash", metadata: ["sent": "\(orders.count)", "unknown": "\(cutOff.count)"])
        }
        for command in stillOpen { watch(command) }
        for order in orders { send(order) }
        toRefresh.withLock { $0 = cutOff }
    }

    public func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for due in [answersDue, arrivalsDue, turnsDue, asksDue, againDue] {
                group.addTask { await self.watch(due) }
            }
            for entityID in toRefresh.withLock({ $0 }) {
                group.addTask { await self.refresh(entityID) }
            }
            // Each order passes here on its way to its device: no other task carries it over, as `cancelOnGracefulShutdown` would have one do.
            await withGracefulShutdownHandler {
                for await deviceID in lines.begun {
                    let carrying: @Sendable () async -> Void = {
                        while let order = self.lines.next(for: deviceID) { await self.carry(order) }
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
                self.lines.close()
            }
            group.cancelAll()
        }
    }

    /// Why a command failed that its device cannot do.
    public static let unsupported = AuditReason.unsupportedAction.rawValue

    /// Hands one order over, once. One whose command has ended while it stood in line stays here.
    private func carry(_ order: DeviceOrder) async {
        guard open.carry(order.commandID) else { return }
        let handover: Handover
        if surroundings.now() >= order.notAfter {
            handover = .refused(reason: "too_late")
        } else if let backend = backend(order.integration) {
            handover = await backend.perform(order)
        } else {
            handover = .refused(reason: "integration_not_ready")
        }
        switch handover {
        case .handedOver: break
        case .handedOverUnheard: await end(order.commandID, by: .deadlinePassed, reason: "no_report")
        case .uncertain(let reason): await end(order.commandID, by: .deadlinePassed, reason: reason)
        case .refused(let reason): await end(order.commandID, by: .failed(executed: false), reason: reason)
        case .unsupported: await end(order.commandID, by: .failed(executed: false), reason: Self.unsupported)
        }
    }

    private func watch(_ dues: (stream: AsyncStream<Due>, continuation: AsyncStream<Due>.Continuation)) async {
        // All of one stream wait equally long, so the first to come is the first to be due.
        for await due in dues.stream.cancelOnGracefulShutdown() {
            guard open.contains(due.commandID) else { continue }
            do { try await surroundings.sleep(due.at) } catch { return }
            guard open.contains(due.commandID) else { continue }
            // It has set out meanwhile, and is due again when it should have arrived.
            if !due.isArrival, open.isMoving(due.commandID) { continue }
            let (now, limits) = (surroundings.now(), limits)
            let ending = await settled("deadline") { try CommandEndings.overdue(due.commandID, at: now, limits: limits, in: $0) }
            if let ending {
                ended([ending])
            } else {
                // The deadline moved, the clock was set back, or the store could not write: it is asked again, never forgotten.
                againDue.continuation.yield(Due(commandID: due.commandID, at: now.addingTimeInterval(1), isArrival: due.isArrival))
            }
        }
    }

    private func end(_ commandID: String, by event: CommandLife.Event, reason: String) async {
        let (now, limits) = (surroundings.now(), limits)
        let ending = await settled("outcome") { db in
            try CommandEndings.end(commandID, by: event, reason: reason, at: now, limits: limits, in: db)
        }
        if let ending { ended([ending]) }
    }

    /// Writes an ending. When the store cannot write, as on a full disk, the command's deadline settles it later.
    private func settled(_ what: String, _ body: @escaping @Sendable (Database) throws -> Ending?) async -> Ending? {
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
    private func begin(_ taken: [Command]) {
        for command in taken {
            watch(command)
            if command.status == .dispatching { send(command.order()) }
        }
    }

    /// Counts the command among those that have not ended, and notes until when it waits for a yes or for its turn.
    private func watch(_ command: Command) {
        open.begin(command)
        if command.isAsking {
            asksDue.continuation.yield(Due(commandID: command.id, at: command.life.notAfter))
        } else if command.status == .accepted {
            turnsDue.continuation.yield(Due(commandID: command.id, at: command.life.notAfter))
        }
    }

    private func send(_ order: DeviceOrder) {
        let answer = Due(commandID: order.commandID, at: surroundings.now().addingTimeInterval(limits.answer))
        lines.add(order)
        answersDue.continuation.yield(answer)
    }
}
