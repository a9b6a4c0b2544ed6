import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Reads the journal as it grows and as it was, for realtime events, the list of changes, and clients that catch up.
public final class JournalTail: Service, Sendable {
    private let store: Store
    private let devices: Devices
    private let environment: HubEnvironment
    private let logger: Logger
    private let subscriber = Mutex(WeakSubscriber())
    private let missedRowsSignal = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let pending = Mutex(PendingRows())

    /// The rows still to be delivered. One caller delivers at a time, so that events arrive in order.
    private struct PendingRows {
        /// Rows as they were committed, until they are delivered: they need not be read from the database.
        private var rows: [JournalRow] = []
        /// True if some rows to deliver are not in memory.
        private var isIncomplete = false
        private var isDelivering = false

        /// Returns true if the caller is to begin delivering the rows.
        mutating func add(_ new: [JournalRow]) -> Bool {
            if rows.count + new.count > JournalTail.bufferLimit {
                isIncomplete = true
                rows = []
            } else {
                rows += new
            }
            return start()
        }

        mutating func markIncomplete() -> Bool {
            isIncomplete = true
            return start()
        }

        /// The rows that come next; nil if they must be read.
        mutating func next() -> [JournalRow]? {
            defer { (rows, isIncomplete) = ([], false) }
            return isIncomplete ? nil : rows
        }

        /// Returns true if nothing is left to deliver, so that the caller may stop.
        mutating func finishIfEmpty() -> Bool {
            isDelivering = isIncomplete || !rows.isEmpty
            return !isDelivering
        }

        private mutating func start() -> Bool {
            defer { isDelivering = true }
            return !isDelivering
        }
    }

    /// The subscriber is held weakly: it holds the hub, and so this object.
    private struct WeakSubscriber {
        weak var value: (any JournalSubscriber)?
    }

    /// The number of events that are read in one page.
    static let pageSize = 256
    /// The maximum number of undelivered rows in memory. If there are more, they are read from the database.
    private static let bufferLimit = 4096
    /// Rows that a client may be behind before a snapshot is the shorter way.
    public static let catchUpLimit: Int64 = 5000

    public enum CursorError: Error {
        /// The rows after the cursor are no longer kept, or there are too many of them, or the cursor is not of this house.
        case tooOld(first: Int64, last: Int64)
    }

    init(store: Store, devices: Devices, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.devices = devices
        self.environment = environment
        self.logger = logger
        store.onCommit { [weak self] rows in
            guard let self, !rows.isEmpty else { return }
            let begins = pending.withLock { $0.add(rows) }
            // On the committing thread, since each switch to another one delays everyone who waits.
            if begins { deliverFromMemory() }
        }
    }

    /// Delivers every new event to `follower`, which is not retained.
    public func subscribe(_ follower: any JournalSubscriber) {
        self.subscriber.withLock { $0.value = follower }
    }

    /// Called when the first listener subscribes.
    public func requestCatchUp() {
        if pending.withLock({ $0.markIncomplete() }) { missedRowsSignal.continuation.yield() }
    }

    public func run() async throws {
        for await _ in missedRowsSignal.stream.cancelOnGracefulShutdown() {
            repeat {
                _ = pending.withLock { $0.next() }
                await readAndDeliver()
            } while !pending.withLock { $0.finishIfEmpty() }
        }
    }

    /// Delivers what was just committed. If memory does not hold all of it, `run` reads the rest.
    private func deliverFromMemory() {
        repeat {
            let rows = pending.withLock { $0.next() }
            guard let follower = subscriber.withLock({ $0.value }), let position = follower.position else { continue }
            guard let rows, let last = rows.last, let events = bufferedEvents(rows, after: position) else {
                missedRowsSignal.continuation.yield()
                return
            }
            follower.receive(events, after: position, through: last.seq)
        } while !pending.withLock { $0.finishIfEmpty() }
    }

    /// Reads what memory does not hold: a new subscriber has another position, or too much happened at once.
    private func readAndDeliver() async {
        while let follower = subscriber.withLock({ $0.value }), let position = follower.position {
            do {
                let (events, through) = try await read(after: position, limit: Self.pageSize)
                if through == position { return }
                follower.receive(events, after: position, through: through)
            } catch {
                logger.error("journal could not be read", metadata: ["error": "\(type(of: error))"])
                return
            }
        }
    }

    /// Returns the events of the rows if they follow `position` without a gap and all objects they name are in memory; nil otherwise.
    private func bufferedEvents(_ rows: [JournalRow], after position: Int64) -> [JournalEvent]? {
        var end = position
        for row in rows {
            guard row.firstSeq == end + 1 else { return nil }
            end = row.seq
        }
        guard !rows.isEmpty else { return nil }
        var reader = JournalEventReader(nil, known: { [devices] in devices.device($0) })
        do { return try reader.events(of: rows) } catch { return nil }
    }

    // MARK: Past events

    /// Returns the events after a cursor, without a check of permissions.
    public func events(after seq: Int64, limit: Int) async throws -> (events: [JournalEvent], through: Int64) {
        try await store.read { db in
            let last = try Journal.last(in: db)
            let first = try Journal.first(in: db) ?? last + 1
            guard (first - 1...last).contains(seq), last - seq <= Self.catchUpLimit else {
                throw CursorError.tooOld(first: first, last: last)
            }
        }
        return try await read(after: seq, limit: limit)
    }

    // MARK: Visible events

    /// Returns up to `limit` events after a cursor that `viewer` may see. For a viewer with partial visibility, `next` is the last of them
    /// and `more` says whether there may be others, so that neither reveals what happens in the rest of the house; for everyone else both
    /// count the journal's rows.
    ///
    /// - Throws: `CursorError.tooOld`.
    public func changes(
        after seq: Int64, limit: Int, seenBy viewer: Visibility
    ) async throws -> (events: [JournalEvent], next: Int64, more: Bool) {
        guard let part = viewer.journalScope else {
            let (events, through) = try await events(after: seq, limit: limit)
            return (events.compactMap(viewer.filtered), through, through < (try await last()))
        }
        return try await store.read { [devices] db in
            let first = try Journal.first(in: db) ?? 1
            guard try (first - 1...Journal.last(in: db)).contains(seq) else {
                throw CursorError.tooOld(first: 0, last: try Self.last(of: part, seenBy: viewer, devices, db))
            }
            var reader = JournalEventReader(db, known: { devices.device($0) })
            var (seen, cursor) = ([JournalEvent](), seq)
            while seen.count < limit {
                let rows = try Journal.rows(after: cursor, of: part, limit: Self.pageSize, in: db)
                guard let last = rows.last else { break }
                seen += try reader.events(of: rows, after: cursor).compactMap(viewer.filtered).prefix(limit - seen.count)
                cursor = last.seq
            }
            return (seen, seen.last?.seq ?? seq, seen.count == limit)
        }
    }

    /// Returns the number of the latest row; with partial visibility, of the latest visible one, or 0.
    public func last(seenBy viewer: Visibility) async throws -> Int64 {
        guard let part = viewer.journalScope else { return try await last() }
        return try await store.read { [devices] in try Self.last(of: part, seenBy: viewer, devices, $0) }
    }

    private static func last(of part: Journal.Scope, seenBy viewer: Visibility, _ devices: Devices, _ db: Database) throws -> Int64 {
        var (reader, cursor) = (JournalEventReader(db, known: { devices.device($0) }), Int64.max)
        while true {
            let rows = try Journal.rows(before: cursor, of: part, limit: 64, in: db)
            guard let last = rows.last else { return 0 }
            if let seen = try reader.events(of: rows).filter({ viewer.filtered($0) != nil }).map(\.seq).max() { return seen }
            cursor = last.seq
        }
    }

    private func read(after seq: Int64, limit: Int) async throws -> (events: [JournalEvent], through: Int64) {
        try await store.read { [devices] db in
            var reader = JournalEventReader(db, known: { devices.device($0) })
            let (rows, through) = try Journal.rows(after: seq, limit: limit, in: db)
            let events = try reader.events(of: rows, after: seq)
            // Devices are shown with their room's name: memory learns a new name before the event is delivered.
            if events.contains(where: { $0.name == .roomUpdate }) { devices.commands.house.refresh(try House.read(db)) }
            return (events, through)
        }
    }

    /// The number of the latest row.
    public func last() async throws -> Int64 {
        try await store.read { try Journal.last(in: $0) }
    }

    /// Returns every device in its present state, and the row up to which that holds.
    public func snapshot() async throws -> (devices: [Device], seq: Int64) {
        try await store.read { [devices] db in
            let seq = try Journal.last(in: db)
            // Memory may be a moment behind the commit that the number names: a device that changed meanwhile is read.
            let inMemory = Dictionary(devices.all.devices.map { ($0.id, $0) }) { $1 }
            let revisions = try Row.fetchAll(
                db.cachedStatement(sql: "SELECT id, revision FROM devices WHERE withdrawn_at IS NULL ORDER BY rowid"))
            let current = try revisions.compactMap { row -> Device? in
                let id: String = row[0]
                if let device = inMemory[id], device.revision >= row[1] as Int { return device }
                return try DeviceRecords.one(id, db)
            }
            return (current, seq)
        }
    }
}
