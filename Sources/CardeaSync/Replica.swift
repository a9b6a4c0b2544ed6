import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The house as it is kept here: to be looked at without a connection, with its age, and asked for what can wait.
///
///     let replica = try Replica(file: folder.appending(path: "house.sqlite"), sealing: key, client: client)
///     try await replica.sync()
///     let devices = try await replica.devices()          // also in a tunnel: `devices.asOf` says how old
///     switch try await replica.control(DeviceCommand("hall-light", "on")) {
///     case .asked(let outcome): …
///     case .queued(let entry): …                         // said when the house can be reached again
///     }
public actor Replica {
    let store: ReplicaStore
    let client: CardeaClient
    let surroundings: Surroundings
    /// What else the house was asked.
    let answers: AnswerCache
    /// Bytes of pictures that are kept in all.
    let picturesAtMost: Int
    private let lock: FileLock.Place?
    private var running: (task: Task<SyncReport, any Error>, wishes: Int)?
    /// What was wished and decided so far. A sync that began before the last of it may have said it or not.
    private var wishes = 0
    private var turns = Turns()
    /// The look at the house's audit trail that came to nothing last; nil where the last one did not.
    var trailFailure: (error: ClientError, at: Date)?

    /// - Parameters:
    ///   - file: made where there is none; nil for one in memory.
    ///   - sealing: what the file is sealed under. Another key opens nothing of it.
    ///   - picturesAtMost: bytes of pictures that are kept in all; what was looked at longest ago goes first.
    public init(
        file: URL?, sealing: SealingKey, client: CardeaClient, surroundings: Surroundings = .live,
        picturesAtMost: Int = Replica.picturesByDefault
    ) throws(ReplicaProblem) {
        store = try ReplicaStore(file: file, sealing: sealing)
        answers = AnswerCache(store: store)
        self.picturesAtMost = max(0, picturesAtMost)
        self.client = client
        self.surroundings = surroundings
        lock = file.map { FileLock.Place($0.appendingPathExtension("lock")) }
    }

    var outbox: Outbox { Outbox(sealing: store.sealing) }
    private var conflictRows: Conflicts { Conflicts(sealing: store.sealing) }

    // MARK: Looking

    public func devices() async throws -> Aged<[DeviceAnswer]> { try await all(.device) }
    public func rooms() async throws -> Aged<[RoomDescriptionAnswer]> { try await all(.room) }
    /// Without those that are to be forgotten.
    public func scenes() async throws -> Aged<[SceneAnswer]> {
        let gone = try await scenesToForget()
        let scenes: Aged<[SceneAnswer]> = try await all(.scene)
        return scenes.map { $0.filter { !gone.contains($0.sceneID) } }
    }
    public func guests() async throws -> Aged<[GuestAnswer]> { try await all(.guest) }
    public func house() async throws -> Aged<HouseAnswer?> {
        let houses: Aged<[HouseAnswer]> = try await all(.house)
        return houses.map(\.first)
    }
    /// The latest that was asked of the house, newest first.
    public func activity() async throws -> Aged<[ActivityEntry]> { try await all(.activity) }
    /// The latest that was seen at the house, newest first.
    public func events() async throws -> Aged<[EventSummary]> { try await all(.event) }

    /// What the house last called its things of a kind, with their ids: the quick look of whoever only wants to name them.
    public func names(of kind: DocumentKind) async throws -> [(id: String, name: String)] {
        let documents = outbox.documents
        return try await store.read { db in
            try Array(documents.all(kind, in: db).compactMap { document in try document.outline().name.map { (document.id, $0) } })
        }
    }

    /// Devices with an entity of these kinds, as the house last told them. The others are not read through.
    public func devices(with kinds: Set<EntityKind>) async throws -> [DeviceAnswer] {
        let documents = outbox.documents
        return try await store.read { db in
            try Array(documents.all(.device, in: db).filter { try !kinds.isDisjoint(with: $0.outline().kinds) }.map { try $0.read() })
        }
    }

    /// When this was last level with the house; nil where it never was.
    public func levelAt() async throws -> Date? {
        try await store.read { try Int64.fetchOne($0, sql: "SELECT level_at FROM replica").map(Date.init(milliseconds:)) }
    }

    /// The last event of the house's journal that stands here; nil before the first look.
    func cursor() async throws -> Int64? {
        try await store.read { try Int64.fetchOne($0, sql: "SELECT cursor FROM replica") }
    }

    /// Things as the house last told them, with what was changed here and is still to be said.
    private func all<Answer: Decodable & Sendable>(_ kind: DocumentKind) async throws -> Aged<[Answer]> {
        let (outbox, levelAt) = (outbox, try await levelAt())
        return try await store.read { db in
            let edits = try outbox.open(in: db).compactMap { entry -> OutboxOperation.Edit? in
                if case .edit(let edit) = entry.operation, edit.subject.kind == kind { edit } else { nil }
            }
            let answers = try outbox.documents.all(kind, in: db).map { document -> Answer in
                let json = try edits.filter { $0.subject.id == document.id }.reduce(document.json) { try $1.applied(to: $0) }
                return try Wire.read(Answer.self, from: json)
            }
            return Aged(try Array(answers), asOf: levelAt)
        }
    }

    // MARK: Asking

    public enum Asked: Sendable {
        /// The house was asked, and this came of it.
        case asked(CommandOutcome)
        /// It waits here, and is said when the house can be reached.
        case queued(OutboxEntry)
    }

    /// Asks the house; where it cannot be reached, keeps what can wait.
    ///
    /// - Throws: `OfflineRefusal` where the house cannot be reached and this cannot wait: then nothing was sent, and nothing will be.
    public func control(_ command: DeviceCommand) async throws -> Asked {
        // Drawn before anything is waited for: what was wished of the same device before is said before.
        let turn = turns.draw(at: command.deviceID)
        defer { turns.leave(turn) }
        guard try await mayWait(command) else {
            // What is meant for now stands in no line, and keeps nobody waiting.
            turns.leave(turn)
            return try await askNow(command)
        }
        try await comes(turn)
        if try await isBusy(command.deviceID) {
            try await sync()
            if try await isBusy(command.deviceID) { return .queued(try await queue(command)) }
        }
        return try await askNow(command)
    }

    /// Waits until all who drew before at the same device have left.
    private func comes(_ turn: Turns.Turn) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { continuation.resume(throwing: CancellationError()) } else { turns.wait(for: turn, continuation) }
            }
        } onCancel: {
            // Ends at once: it only tells whoever waits.
            Task { await self.giveUp(turn) }
        }
    }

    private func giveUp(_ turn: Turns.Turn) {
        turns.giveUp(turn)
    }

    private func askNow(_ command: DeviceCommand) async throws -> Asked {
        do throws(ClientError) {
            return .asked(try await client.devices.control(command))
        } catch .noConnection, .resting {
            return .queued(try await queue(command))
        }
    }

    private func mayWait(_ command: DeviceCommand) async throws -> Bool {
        try await device(command.deviceID).map {
            OfflineRule.canExecuteOffline(command.action, on: $0, entityID: command.entityID)
        } ?? false
    }

    private func isBusy(_ deviceID: String) async throws -> Bool {
        let outbox = outbox
        return try await store.read { try outbox.isBusy(outbox.documents.mark(.device, deviceID), in: $0) }
    }

    /// One device as the house last told it; nil where it is not known here.
    public func device(_ id: String) async throws -> DeviceAnswer? {
        let documents = outbox.documents
        return try await store.read { try documents.one(.device, id, in: $0)?.read() }
    }

    private func queue(_ command: DeviceCommand) async throws -> OutboxEntry {
        guard let device = try await device(command.deviceID) else { throw OfflineRefusal.unknownDevice(command.deviceID) }
        if let refusal = OfflineRule.refusal(of: command.action, on: device, entityID: command.entityID) { throw refusal }
        return try await add(command.key, .control(.init(command, name: device.name)), lasts: OfflineRule.controlLasts)
    }

    /// Changes what people wrote. It stands here at once, and goes to the house with the next `sync`.
    ///
    /// - Throws: `OfflineRefusal.frozen` where an earlier change of the same thing waits for a decision.
    public func edit(_ edit: OutboxOperation.Edit) async throws -> OutboxEntry {
        try await add(surroundings.newKey(), .edit(edit), lasts: nil)
    }

    func add(_ id: String, _ operation: OutboxOperation, lasts: TimeInterval?, isNext: Bool = false) async throws -> OutboxEntry {
        guard let entry = try await add([(id, operation)], lasts: lasts, isNext: isNext).first else { throw OfflineRefusal.full }
        return entry
    }

    /// All of it, or nothing.
    ///
    /// - Parameters:
    ///   - lasts: seconds after which it is not sent any more; nil where it keeps.
    ///   - isNext: whether it is said before all that waits.
    func add(_ wishes: [(id: String, operation: OutboxOperation)], lasts: TimeInterval?, isNext: Bool = false) async throws -> [OutboxEntry]
    {
        let (outbox, conflicts, now) = (outbox, conflictRows, surroundings.now())
        defer { self.wishes += 1 }
        return try await store.write { db in
            let frozen = try conflicts.frozen(in: db)
            var entries: [OutboxEntry] = []
            for (id, operation) in wishes {
                guard !frozen.contains(outbox.lane(of: operation)) else { throw OfflineRefusal.frozen(operation.name) }
                // About one thing, in the order in which it was wished.
                let isNext = try isNext && !outbox.isBusy(outbox.lane(of: operation), in: db)
                try outbox.add(id, operation, at: now, notAfter: lasts.map { now.addingTimeInterval($0) }, isNext: isNext, in: db)
                if let entry = try outbox.one(id, in: db) { entries.append(entry) }
            }
            return entries
        }
    }

    // MARK: What waits

    /// What the house is still to hear of, and what never will be done, in the order in which it was wished.
    public func queue() async throws -> [OutboxEntry] {
        let outbox = outbox
        return try await store.read { try outbox.all(in: $0) }
    }

    /// Takes back what was not sent yet, or strikes what ended. False where there is no such entry, or the house may have heard of it.
    public func discard(_ id: String) async throws -> Bool {
        let outbox = outbox
        return try await store.write { db in
            guard let entry = try outbox.one(id, in: db), entry.status != .sent else { return false }
            try outbox.remove(id, in: db)
            return true
        }
    }

    public func conflicts() async throws -> [Conflict] {
        let conflicts = conflictRows
        return try await store.read { try conflicts.all(in: $0) }
    }

    /// Decides a conflict. What is decided for this side goes to the house with the next `sync`. False where there is no such conflict.
    public func resolve(_ id: String, by resolution: Resolution) async throws -> Bool {
        let (outbox, conflicts, key, now) = (outbox, conflictRows, surroundings.newKey(), surroundings.now())
        defer { wishes += 1 }
        return try await store.write { db in
            guard let conflict = try conflicts.one(id, in: db) else { return false }
            let seen = conflict.theirs["version"]?.number.flatMap { Int(exactly: $0) } ?? conflict.mine.seen
            try conflicts.remove(id, in: db)
            switch resolution {
            case .useRemote: break
            case .useLocal: try outbox.add(key, .edit(conflict.mine.after(seeing: seen)), at: now, notAfter: nil, isNext: true, in: db)
            case .merge(let change):
                let edit = OutboxOperation.Edit(change: change, seen: seen, name: conflict.mine.name)
                try outbox.add(key, .edit(edit), at: now, notAfter: nil, isNext: true, in: db)
            }
            return true
        }
    }

    // MARK: Catching up

    /// Says what is to be said, and takes in what changed. Whoever asks while it runs, and has wished nothing since,
    /// gets what comes of that run.
    ///
    /// Where the house cannot be reached, the report says so; what waits, waits on.
    @discardableResult
    public func sync() async throws -> SyncReport {
        while let run = running {
            let report = try await run.task.value
            // What was wished since it began may not be in it.
            if run.wishes == wishes || report.stopped != nil { return report }
            if running?.task == run.task { running = nil }
        }
        let task = Task { try await syncOnce() }
        running = (task, wishes)
        defer { if running?.task == task { running = nil } }
        return try await task.value
    }

    private func syncOnce() async throws -> SyncReport {
        // Another program of the same person may be at it.
        let held: FileLock?
        do {
            held = try await lock?.take()
        } catch let problem as PrivateFile.Problem {
            throw ClientError(problem)
        }
        defer { held?.release() }
        let now = surroundings.now
        var report = SyncReport()
        // Before the reading: what comes back is then the house with this side's wishes in it.
        report.add(try await OutboxFlush(store: store, client: client, now: now).run())
        if report.stopped == nil {
            do {
                report.add(try await Reading(store: store, client: client, now: now).run())
            } catch let error as ClientError {
                report.stopped = error
            }
        }
        // Rights may have changed, and with them every answer, or something was deleted; what of it lay in the file is gone already.
        if report.isWhole || report.lostRights || report.takesBack { answers.clearMemory() }
        // Last of all, when nothing of them is left here.
        if report.stopped == nil || report.lostRights {
            do {
                try await confirmErasures()
            } catch let error as ClientError {
                if !error.deniesReplicas, report.stopped == nil { report.stopped = error }
            }
        }
        if report.stopped?.saysErased == true { try await takeOutEverything() }
        try await watchTrail(&report)
        let outbox = outbox
        (report.waiting, report.ended, report.answered) = try await store.read { db -> (Int, Int, Int) in
            let (counts, answered) = (try outbox.counts(in: db), try outbox.ended(in: db).count { $0.lateAnswer != nil })
            return (counts.waiting, counts.ended - answered, answered)
        }
        report.conflicts = try await conflicts().count
        report.levelAt = try await levelAt()
        return report
    }

    public func close() throws {
        try store.close()
    }
}

/// What one `sync` did, and what is left.
public struct SyncReport: Sendable {
    /// Operations that the house has done.
    public private(set) var sent = 0
    /// Events that were taken in.
    public private(set) var changes = 0
    /// Whether everything was read anew.
    public private(set) var isWhole = false
    /// Operations that wait for another time.
    public internal(set) var waiting = 0
    /// Operations that never will be done and that somebody should look at.
    public internal(set) var ended = 0
    /// Questions that waited here and were answered, as `Replica.lateAnswers` has them.
    public internal(set) var answered = 0
    /// Changes that met another's.
    public internal(set) var conflicts = 0
    public internal(set) var levelAt: Date?
    /// Why it came to no end.
    public internal(set) var stopped: ClientError?
    /// How the house's audit trail stood beside what was seen of it here before, when it was looked at last, which is once an hour. An
    /// alarm stays until `Replica.acceptTrail`. Nil where nothing of it was seen yet, or it is not for this person.
    public internal(set) var trail: TrailReport?
    /// Why that could not be looked at, which stops nothing else.
    public internal(set) var trailProblem: ClientError?

    /// Whether something was deleted that may stand in answers that are kept.
    private(set) var takesBack = false

    /// Whether the house says that nothing of it is for this person any more.
    var lostRights: Bool { if case .api(let error)? = stopped { error.status == 403 } else { false } }

    mutating func add(_ report: OutboxFlush.Report) {
        sent += report.done
        stopped = report.stopped
    }

    mutating func add(_ report: Reading.Report) {
        changes += report.changes
        isWhole = report.isWhole
        takesBack = report.takesBack
    }
}
