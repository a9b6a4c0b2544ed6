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
    let surroundings: Surroundings
    let limits: CommandLimits
    let logger: Logger

    private let backends = Mutex<[String: any DeviceBackend]>([:])
    private let open = Mutex(Open())
    /// Orders for each device, in the order in which they are to reach it: it is handed one at a time.
    private let lines = Mutex<[String: [DeviceOrder]]>([:])
    /// Devices whose line has just begun.
    private let errands = AsyncStream<String>.makeStream()
    private let answersDue = AsyncStream<Due>.makeStream()
    private let turnsDue = AsyncStream<Due>.makeStream()
    private let asksDue = AsyncStream<Due>.makeStream()
    /// Entities whose last command was cut off by a crash; they are asked how they stand.
    private let toRefresh = Mutex<[String]>([])

    private let arrivalsDue = AsyncStream<Due>.makeStream()
    /// Deadlines whose end could not be written, a second later.
    private let againDue = AsyncStream<Due>.makeStream()

    private struct Due: Sendable {
        let commandID: String
        let at: Date
        var isArrival = false
    }

    /// What runs now, in memory: who waits for which command, and at which entities an answer is expected.
    private struct Open {
        var entities: [String: Int] = [:]
        var commands: [String: String] = [:]
        var waiters: [String: [CheckedContinuation<Command?, Never>]] = [:]
        /// Commands whose device has set out; they are due when it should have arrived.
        var moving: Set<String> = []
        /// Commands that are being handed over, or have been. What a device says before answers none of them.
        var carried: Set<String> = []

        /// Counts a command at its entity, once. False when it is not known, or has ended already.
        mutating func track(_ id: String, at entity: String) -> Bool {
            guard let known = commands[id] else { return false }
            if known.isEmpty {
                commands[id] = entity
                entities[entity, default: 0] += 1
            }
            return true
        }

        mutating func forget(_ id: String) {
            moving.remove(id)
            carried.remove(id)
            guard let entity = commands.removeValue(forKey: id), let count = entities[entity] else { return }
            entities[entity] = count > 1 ? count - 1 : nil
        }
    }

    init(store: Store, house: House, surroundings: Surroundings, limits: CommandLimits, logger: Logger) {
        self.store = store
        self.house = house
        self.surroundings = surroundings
        self.limits = limits
        self.logger = logger
    }

    // MARK: Who moves things

    public func register(_ backend: any DeviceBackend) {
        backends.withLock { $0[backend.integration] = backend }
    }

    public func unregister(_ integration: String) {
        _ = backends.withLock { $0.removeValue(forKey: integration) }
    }

    func backend(_ integration: String) -> (any DeviceBackend)? {
        backends.withLock { $0[integration] }
    }

    // MARK: Asking

    /// Takes a command on, or throws a `CommandRefusal`. It is durable when this returns.
    public func submit(_ ask: CommandAsk) async throws -> CommandResult {
        let admission = admission(of: ask)
        let outcome = try await admit([admission]) { db in
            let outcome = try admission.run(db)
            return (outcome, outcome.taken.map { [$0] } ?? [])
        }
        switch outcome {
        case .refused(let refusal): throw refusal
        case .reading(let device, let entity): return .reading(device, entity)
        case .taken(let command): return .command(command, isReplay: false)
        case .replay(let command): return .command(command, isReplay: true)
        }
    }

    func admission(of ask: CommandAsk) -> CommandAdmission {
        CommandAdmission(
            ask: ask, id: "cmd_" + surroundings.newID(), now: surroundings.now(), zone: house.now.timeZone, limits: limits,
            ready: backends.withLock { Set($0.keys) })
    }

    /// Runs admissions in one transaction, and sets going what was taken on. One command or fifty: there is no other way in.
    ///
    /// - Parameter body: runs the admissions, and names the commands that were taken on.
    func admit<Answer: Sendable>(
        _ admissions: [CommandAdmission], _ body: @escaping @Sendable (Database) throws -> (answer: Answer, taken: [Command])
    ) async throws -> Answer {
        // Known here before they are written: others may tell of their end before this task hears of their beginning.
        open.withLock { open in
            for admission in admissions { open.commands[admission.id] = "" }
        }
        do {
            let (answer, taken) = try await store.write(body)
            for admission in admissions where !taken.contains(where: { $0.id == admission.id }) { forget(admission.id) }
            send(taken.filter { watch($0) && $0.status == .dispatching }.map { $0.order() })
            return answer
        } catch {
            for admission in admissions { forget(admission.id) }
            throw error
        }
    }

    /// Waits until the command has ended. Every command ends: by its device, or by its deadline.
    public func outcome(of command: Command) async throws -> Command {
        if command.status.isOver { return command }
        let ended: Command? = await withCheckedContinuation { continuation in
            let mustWait = open.withLock { open in
                guard open.commands[command.id] != nil else { return false }
                open.waiters[command.id, default: []].append(continuation)
                return true
            }
            if !mustWait { continuation.resume(returning: nil) }
        }
        if let ended { return ended }
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
            guard case .person(let id, _) = principal, try People.person(id, db)?.rights.contains(.managePeople) == true else { return nil }
            return command
        }
    }

    // MARK: Saying yes or no

    public enum ApprovalProblem: Error {
        case notFound, notAsking, forbidden(Refusal)
    }

    /// Somebody of the house lets the command go ahead, or not.
    public func answer(_ commandID: String, approve: Bool, by principal: Principal, origin: Origin) async throws -> Command {
        let now = surroundings.now()
        let limits = limits
        let zone = house.now.timeZone
        let (command, ending, order) = try await store.attempt(
            approve ? "command.approve" : "command.reject", on: .command(commandID), by: principal, origin: origin, at: now
        ) { db -> (Command, Ending?, DeviceOrder?) in
            let person = try People.require(.inviteGuests, of: principal, in: db)
            let command = try CommandEndings.known(commandID, db)
            guard command.isAsking, now < command.life.notAfter else { throw ApprovalProblem.notAsking }
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
        open.withLock { $0.entities[entityID] != nil }
    }

    /// Whether a command is being handed over, or has been: only then can a device answer it.
    func isCarried(_ commandID: String) -> Bool {
        open.withLock { $0.carried.contains(commandID) }
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
        for (id, arrival) in heard.moving where open.withLock({ $0.commands[id] != nil && $0.moving.insert(id).inserted }) {
            arrivalsDue.continuation.yield(Due(commandID: id, at: arrival, isArrival: true))
        }
        ended(heard.endings)
    }

    /// Tells everybody who waits, after the commit.
    func ended(_ endings: [Ending]) {
        for ending in endings {
            let waiters = open.withLock { open in
                open.forget(ending.command.id)
                return open.waiters.removeValue(forKey: ending.command.id) ?? []
            }
            for waiter in waiters { waiter.resume(returning: ending.command) }
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
        for command in stillOpen {
            open.withLock { $0.commands[command.id] = "" }
            _ = watch(command)
        }
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
            for await deviceID in errands.stream.cancelOnGracefulShutdown() {
                group.addTask {
                    while let order = self.next(for: deviceID) { await self.carry(order) }
                }
            }
            group.cancelAll()
        }
    }

    /// The next order in a device's line; nil, and the line is over, when there is none.
    private func next(for deviceID: String) -> DeviceOrder? {
        lines.withLock { lines in
            guard let order = lines[deviceID]?.first else {
                lines[deviceID] = nil
                return nil
            }
            lines[deviceID]?.removeFirst()
            return order
        }
    }

    /// Hands one order over, once. One whose command has ended while it stood in line stays here.
    private func carry(_ order: DeviceOrder) async {
        let isWanted = open.withLock { $0.commands[order.commandID] != nil && $0.carried.insert(order.commandID).inserted }
        guard isWanted else { return }
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
        case .refused(let reason): await end(order.commandID, by: .failed(executed: false), reason: reason)
        }
    }

    private func watch(_ dues: (stream: AsyncStream<Due>, continuation: AsyncStream<Due>.Continuation)) async {
        // All of one stream wait equally long, so the first to come is the first to be due.
        for await due in dues.stream.cancelOnGracefulShutdown() {
            guard isOpen(due.commandID) else { continue }
            do { try await surroundings.sleep(due.at) } catch { return }
            guard isOpen(due.commandID) else { continue }
            // It has set out meanwhile, and is due again when it should have arrived.
            if !due.isArrival, open.withLock({ $0.moving.contains(due.commandID) }) { continue }
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

    // MARK: In memory

    private func forget(_ commandID: String) {
        open.withLock { $0.forget(commandID) }
    }

    /// Notes the command's deadline. False when it has ended already.
    private func watch(_ command: Command) -> Bool {
        guard open.withLock({ $0.track(command.id, at: command.entityID) }) else { return false }
        if command.isAsking {
            asksDue.continuation.yield(Due(commandID: command.id, at: command.life.notAfter))
        } else if command.status == .accepted {
            turnsDue.continuation.yield(Due(commandID: command.id, at: command.life.notAfter))
        }
        return true
    }

    private func send(_ order: DeviceOrder) { send([order]) }

    private func send(_ orders: [DeviceOrder]) {
        for order in orders {
            _ = open.withLock { $0.track(order.commandID, at: order.entityID) }
            answersDue.continuation.yield(Due(commandID: order.commandID, at: surroundings.now().addingTimeInterval(limits.answer)))
        }
        // Devices do not wait for each other; what is asked of one device reaches it in order.
        for order in orders {
            let begins = lines.withLock { lines in
                defer { lines[order.deviceID, default: []].append(order) }
                return lines[order.deviceID] == nil
            }
            if begins { errands.continuation.yield(order.deviceID) }
        }
    }

    private func isOpen(_ commandID: String) -> Bool {
        open.withLock { $0.commands[commandID] != nil }
    }
}
