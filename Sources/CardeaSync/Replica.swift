import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// A local copy of the house: it can be read without a connection, with its age, and queues operations that can wait.
///
///     let replica = try Replica(file: folder.appending(path: "house.sqlite"), sealing: key, client: client)
///     try await replica.sync()
///     let devices = try await replica.devices()          // also in a tunnel: `devices.asOf` says how old
///     switch try await replica.control(DeviceCommand("hall-light", "on")) {
///     case .completed(let outcome): …
///     case .queued(let entry): …                         // sent when the house can be reached again
///     }
public actor Replica {
    let store: ReplicaStore
    let client: CardeaClient
    let environment: ClientEnvironment
    /// Cached answers to other queries.
    let answers: AnswerCache
    /// The maximum size of all stored pictures in bytes.
    let pictureCapacity: Int
    private let lock: FileLock.LockFile?
    private var running: (task: Task<SyncReport, any Error>, wishes: Int)?
    /// Counts the changes and decisions so far. A sync that started before the last of them may or may not include it.
    private var changeCount = 0
    private var deviceQueue = DeviceRequestSerializer()
    /// The last failed check of the house's audit log; nil if the last check succeeded.
    var lastAuditCheckFailure: (error: ClientError, at: Date)?

    /// - Parameters:
    ///   - file: created if there is none; nil for one in memory.
    ///   - sealing: the key that encrypts the file. With another key nothing can be read.
    ///   - picturesAtMost: the maximum size of all pictures in bytes; the least recently used are deleted first.
    public init(
        file: URL?, sealing: SealingKey, client: CardeaClient, environment: ClientEnvironment = .live,
        picturesAtMost: Int = Replica.defaultPictureCapacity
    ) throws(ReplicaError) {
        store = try ReplicaStore(file: file, sealing: sealing)
        answers = AnswerCache(store: store)
        self.pictureCapacity = max(0, picturesAtMost)
        self.client = client
        self.environment = environment
        lock = file.map { FileLock.LockFile($0.appendingPathExtension("lock")) }
    }

    var outbox: Outbox { Outbox(sealing: store.sealing) }
    private var conflictTable: ConflictTable { ConflictTable(sealing: store.sealing) }

    // MARK: Reading

    public func devices() async throws -> Dated<[DeviceAnswer]> { try await all(.device) }
    public func rooms() async throws -> Dated<[RoomDescriptionAnswer]> { try await all(.room) }
    /// The scenes, without those that are queued for deletion.
    public func scenes() async throws -> Dated<[SceneAnswer]> {
        let gone = try await scenesPendingRemoval()
        let scenes: Dated<[SceneAnswer]> = try await all(.scene)
        return scenes.map { $0.filter { !gone.contains($0.sceneID) } }
    }
    public func guests() async throws -> Dated<[GuestAnswer]> { try await all(.guest) }
    public func house() async throws -> Dated<HouseAnswer?> {
        let houses: Dated<[HouseAnswer]> = try await all(.house)
        return houses.map(\.first)
    }
    /// The latest activity, newest first.
    public func activity() async throws -> Dated<[ActivityEntry]> { try await all(.activity) }
    /// The latest events, newest first.
    public func events() async throws -> Dated<[EventSummary]> { try await all(.event) }

    /// The last known names of all things of a kind, with their ids: a quick lookup for name completion.
    public func names(of kind: ReplicaDocumentKind) async throws -> [(id: String, name: String)] {
        let documents = outbox.documents
        return try await store.read { db in
            try Array(documents.all(kind, in: db).compactMap { document in try document.outline().name.map { (document.id, $0) } })
        }
    }

    /// The last known devices that have an entity of these kinds. The others are not decoded.
    public func devices(with kinds: Set<EntityKind>) async throws -> [DeviceAnswer] {
        let documents = outbox.documents
        return try await store.read { db in
            try Array(documents.all(.device, in: db).filter { try !kinds.isDisjoint(with: $0.outline().kinds) }.map { try $0.read() })
        }
    }

    /// The time of the last complete sync; nil if there was none.
    public func lastSyncedAt() async throws -> Date? {
        try await store.read { try Int64.fetchOne($0, sql: "SELECT level_at FROM replica").map(Date.init(milliseconds:)) }
    }

    /// The last journal position applied here; nil before the first sync.
    func cursor() async throws -> Int64? {
        try await store.read { try Int64.fetchOne($0, sql: "SELECT cursor FROM replica") }
    }

    /// The last known things, with the local changes that are still to be sent.
    private func all<Answer: Decodable & Sendable>(_ kind: ReplicaDocumentKind) async throws -> Dated<[Answer]> {
        let (outbox, levelAt) = (outbox, try await lastSyncedAt())
        return try await store.read { db in
            let edits = try outbox.pendingEntries(in: db).compactMap { entry -> OutboxOperation.Edit? in
                if case .edit(let edit) = entry.operation, edit.subject.kind == kind { edit } else { nil }
            }
            let answers = try outbox.documents.all(kind, in: db).map { document -> Answer in
                let json = try edits.filter { $0.subject.id == document.id }.reduce(document.json) { try $1.applied(to: $0) }
                return try WireFormat.read(Answer.self, from: json)
            }
            return Dated(try Array(answers), asOf: levelAt)
        }
    }

    // MARK: Requests

    public enum ControlResult: Sendable {
        /// The house was reached; the outcome of the command.
        case completed(CommandOutcome)
        /// It waits here, and is sent when the house can be reached.
        case queued(OutboxEntry)
    }

    /// Sends a command; if the house cannot be reached, queues it if it may wait.
    ///
    /// - Throws: `OfflineQueueError` if the house cannot be reached and the command may not wait: then nothing was sent, and nothing will
    ///   be.
    public func control(_ command: DeviceCommand) async throws -> ControlResult {
        // Before the first wait, so that earlier commands for the same device are sent first.
        let turn = deviceQueue.enqueue(at: command.deviceID)
        defer { deviceQueue.release(turn) }
        guard try await canQueue(command) else {
            // A command for the moment does not wait and delays no other.
            deviceQueue.release(turn)
            return try await sendNow(command)
        }
        try await waitForTurn(turn)
        if try await isBusy(command.deviceID) {
            try await sync()
            if try await isBusy(command.deviceID) { return .queued(try await enqueue(command)) }
        }
        return try await sendNow(command)
    }

    /// Waits until all earlier tickets of the same device are released.
    private func waitForTurn(_ turn: DeviceRequestSerializer.Ticket) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    deviceQueue.wait(for: turn, continuation)
                }
            }
        } onCancel: {
            // Ends at once: it only resumes the waiting task.
            Task { await self.cancelWait(turn) }
        }
    }

    private func cancelWait(_ turn: DeviceRequestSerializer.Ticket) {
        deviceQueue.cancel(turn)
    }

    private func sendNow(_ command: DeviceCommand) async throws -> ControlResult {
        do throws(ClientError) {
            return .completed(try await client.devices.control(command))
        } catch .noConnection, .circuitOpen {
            return .queued(try await enqueue(command))
        }
    }

    private func canQueue(_ command: DeviceCommand) async throws -> Bool {
        try await device(command.deviceID).map {
            OfflinePolicy.canExecuteOffline(command.action, on: $0, entityID: command.entityID)
        } ?? false
    }

    private func isBusy(_ deviceID: String) async throws -> Bool {
        let outbox = outbox
        return try await store.read { try outbox.isBusy(outbox.documents.key(.device, deviceID), in: $0) }
    }

    /// The last known state of a device; nil if it is not known here.
    public func device(_ id: String) async throws -> DeviceAnswer? {
        let documents = outbox.documents
        return try await store.read { try documents.find(.device, id, in: $0)?.read() }
    }

    private func enqueue(_ command: DeviceCommand) async throws -> OutboxEntry {
        guard let device = try await device(command.deviceID) else { throw OfflineQueueError.unknownDevice(command.deviceID) }
        if let refusal = OfflinePolicy.refusal(of: command.action, on: device, entityID: command.entityID) { throw refusal }
        return try await add(command.key, .control(.init(command, name: device.name)), lasts: OfflinePolicy.controlLifetime)
    }

    /// Edits a thing. The change is visible here at once, and goes to the house with the next `sync`.
    ///
    /// - Throws: `OfflineQueueError.frozen` if an earlier change of the same thing waits for a decision.
    public func edit(_ edit: OutboxOperation.Edit) async throws -> OutboxEntry {
        try await add(environment.makeIdempotencyKey(), .edit(edit), lasts: nil)
    }

    func add(_ id: String, _ operation: OutboxOperation, lasts: TimeInterval?, isNext: Bool = false) async throws -> OutboxEntry {
        guard let entry = try await add([(id, operation)], lasts: lasts, isNext: isNext).first else { throw OfflineQueueError.queueFull }
        return entry
    }

    /// Adds all operations, or none.
    ///
    /// - Parameters:
    ///   - lasts: seconds after which it is not sent any more; nil if it never expires.
    ///   - isNext: true to send it before all waiting operations.
    func add(_ wishes: [(id: String, operation: OutboxOperation)], lasts: TimeInterval?, isNext: Bool = false) async throws -> [OutboxEntry]
    {
        let (outbox, conflicts, now) = (outbox, conflictTable, environment.now())
        defer { self.changeCount += 1 }
        return try await store.write { db in
            let frozen = try conflicts.blockedLanes(in: db)
            var entries: [OutboxEntry] = []
            for (id, operation) in wishes {
                guard !frozen.contains(outbox.lane(of: operation)) else { throw OfflineQueueError.unresolvedConflict(operation.name) }
                // Within one lane, in the order in which they were made.
                let isNext = try isNext && !outbox.isBusy(outbox.lane(of: operation), in: db)
                try outbox.add(id, operation, at: now, notAfter: lasts.map { now.addingTimeInterval($0) }, isNext: isNext, in: db)
                if let entry = try outbox.find(id, in: db) { entries.append(entry) }
            }
            return entries
        }
    }

    // MARK: Outbox

    /// Operations still to be sent and operations that ended without being done, in the order in which they were made.
    public func outboxEntries() async throws -> [OutboxEntry] {
        let outbox = outbox
        return try await store.read { try outbox.all(in: $0) }
    }

    /// Cancels an entry that was not sent yet, or removes an ended one. False if there is no such entry, or the house may have received it.
    public func discard(_ id: String) async throws -> Bool {
        let outbox = outbox
        return try await store.write { db in
            guard let entry = try outbox.find(id, in: db), entry.status != .sent else { return false }
            try outbox.remove(id, in: db)
            return true
        }
    }

    public func conflicts() async throws -> [Conflict] {
        let conflicts = conflictTable
        return try await store.read { try conflicts.all(in: $0) }
    }

    /// Resolves a conflict. A local version goes to the house with the next `sync`. False if there is no such conflict.
    public func resolve(_ id: String, by resolution: ConflictResolution) async throws -> Bool {
        let (outbox, conflicts, key, now) = (outbox, conflictTable, environment.makeIdempotencyKey(), environment.now())
        defer { changeCount += 1 }
        return try await store.write { db in
            guard let conflict = try conflicts.find(id, in: db) else { return false }
            let seen = conflict.remote["version"]?.number.flatMap { Int(exactly: $0) } ?? conflict.local.seen
            try conflicts.remove(id, in: db)
            switch resolution {
            case .useRemote: break
            case .useLocal: try outbox.add(key, .edit(conflict.local.rebased(seeing: seen)), at: now, notAfter: nil, isNext: true, in: db)
            case .merge(let change):
                let edit = OutboxOperation.Edit(change: change, seen: seen, name: conflict.local.name)
                try outbox.add(key, .edit(edit), at: now, notAfter: nil, isNext: true, in: db)
            }
            return true
        }
    }

    // MARK: Sync

    /// Sends pending operations, then applies changes of the house. A caller that asks while it runs, and has queued nothing since, gets
    /// the result of that run.
    ///
    /// If the house cannot be reached, the report says so, and pending operations keep waiting.
    @discardableResult
    public func sync() async throws -> SyncReport {
        while let run = running {
            let report = try await run.task.value
            // An operation made since its start may not be included.
            if run.wishes == changeCount || report.stopped != nil { return report }
            if running?.task == run.task { running = nil }
        }
        let task = Task { try await syncOnce() }
        running = (task, changeCount)
        defer { if running?.task == task { running = nil } }
        return try await task.value
    }

    private func syncOnce() async throws -> SyncReport {
        // Another program of the same person may hold it.
        let held: FileLock?
        do {
            held = try await lock?.acquire()
        } catch let problem as PrivateFile.FileError {
            throw ClientError(problem)
        }
        defer { held?.release() }
        let now = environment.now
        var report = SyncReport()
        // Before reading: the result then includes the changes made here.
        report.add(try await OutboxFlush(store: store, client: client, now: now).run())
        if report.stopped == nil {
            do {
                report.add(try await PullSync(store: store, client: client, now: now).run())
            } catch let error as ClientError {
                report.stopped = error
            }
        }
        // Rights, and with them every answer, may have changed, or something was deleted; the file's copy is deleted already.
        if report.isFullSync || report.isAccessRevoked || report.removesData { answers.clearMemory() }
        // At the very end, when none of their data is left here.
        if report.stopped == nil || report.isAccessRevoked {
            do {
                try await confirmErasures()
            } catch let error as ClientError {
                if !error.rejectsReplicas, report.stopped == nil { report.stopped = error }
            }
        }
        if report.stopped?.isPersonErased == true { try await eraseEverything() }
        try await checkAuditAfterSync(&report)
        let outbox = outbox
        (report.waiting, report.ended, report.answered) = try await store.read { db -> (Int, Int, Int) in
            let (counts, answered) = (try outbox.counts(in: db), try outbox.endedEntries(in: db).count { $0.lateAnswer != nil })
            return (counts.waiting, counts.ended - answered, answered)
        }
        report.conflicts = try await conflicts().count
        report.levelAt = try await lastSyncedAt()
        return report
    }

    public func close() throws {
        try store.close()
    }
}
