import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import GRDB

/// Applies changes of the house since the last sync: the journal from the cursor on, or everything if that is too long ago.
///
/// The cursor moves in the same transaction as the changes, so that a kill between two pages repeats a page and loses none.
struct PullSync: Sendable {
    let store: ReplicaStore
    let client: CardeaClient
    let now: @Sendable () -> Date

    private var documents: ReplicaDocumentTable { ReplicaDocumentTable(sealing: store.sealing) }
    private var erasure: ReplicaErasure { ReplicaErasure(sealing: store.sealing) }

    struct Report: Sendable {
        var changes = 0
        /// True if everything was read anew.
        var isFullSync = false
        /// True if something was deleted or a person erased, so that cached answers may still contain it.
        var removesData = false
    }

    /// Seconds after which everything is read anew, for changes without an event, such as a right that was given or taken away.
    static let fullSyncInterval: TimeInterval = 24 * 3600

    func run() async throws -> Report {
        do {
            return try await pullOnce()
        } catch ClientError.api(let error) where error.status == 403 {
            // A person who may no longer see the house sees none of it here either.
            try await clearCursor()
            // Also the data of queued operations.
            do { try await registerReplica() } catch is ClientError {}
            throw ClientError.api(error)
        }
    }

    private func pullOnce() async throws -> Report {
        var report = Report()
        if let cursor = try await cursor() {
            let isThere = try await applyPages(from: cursor, &report)
            // The person's rights may have changed: then the cursor covers fewer objects, or more.
            if isThere { report.isFullSync = try await self.cursor() == nil } else { report.isFullSync = true }
        } else {
            report.isFullSync = true
        }
        if report.isFullSync, try await fullSync() { report.removesData = true }
        try await readStaleKinds()
        let now = now()
        try await store.write { try $0.execute(sql: "UPDATE replica SET level_at = ?", arguments: [now.milliseconds]) }
        return report
    }

    /// The journal position to continue from; nil if everything must be read anew.
    private func cursor() async throws -> Int64? {
        let now = now()
        return try await store.read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT cursor, whole_at FROM replica"), let cursor = row[0] as Int64?,
                let wholeAt = row[1] as Int64?
            else { return nil }
            // Also if the clock was once far ahead.
            return abs(now.timeIntervalSince(Date(milliseconds: wholeAt))) > Self.fullSyncInterval ? nil : cursor
        }
    }

    /// Applies page after page, and requests the next while one is written. False if the journal no longer has `cursor`.
    private func applyPages(from cursor: Int64, _ report: inout Report) async throws -> Bool {
        var page = try await page(after: cursor)
        while let current = page {
            async let next = current.more ? self.page(after: current.next) : nil
            let (documents, erased) = (documents, erasure)
            try await store.write { db in
                for event in current.events { try Self.applyEvent(event, documents, erased, in: db) }
                try db.execute(sql: "UPDATE replica SET cursor = ?", arguments: [current.next])
            }
            report.changes += current.events.count
            report.removesData = report.removesData || current.events.contains { [.eventRemoved, .personErased].contains($0.event) }
            if !current.more { return true }
            page = try await next
        }
        return false
    }

    /// Nil if the journal no longer has `cursor`.
    private func page(after cursor: Int64) async throws -> ChangesPage? {
        do {
            return try await client.changes.after(cursor)
        } catch ClientError.api(let error) where error.code == "cursor_too_old" {
            return nil
        }
    }

    /// A device event has the whole device; every other event only names the changed thing.
    private static func applyEvent(_ event: ChangeEvent, _ documents: ReplicaDocumentTable, _ erased: ReplicaErasure, in db: Database)
        throws
    {
        switch event.event {
        case .deviceUpdate:
            guard case .device(let device, _) = event.content else { return }
            try documents.store(ReplicaDocument(.device, device.deviceID, device), in: db)
        case .deviceRemoved:
            if let id = event.text("device_id") { try documents.remove(.device, id, in: db) }
        case .sceneUpdate: try documents.markStale(.scene, in: db)
        case .roomUpdate:
            try documents.markStale(.room, in: db)
            // The house's answer contains the room names as well.
            try documents.markStale(.house, in: db)
        case .guestUpdate:
            try documents.markStale(.guest, in: db)
            try documents.markStale(.activity, in: db)
        case .houseUpdate: try documents.markStale(.house, in: db)
        case .commandUpdate: try documents.markStale(.activity, in: db)
        case .personUpdate:
            // These may be one's own rights.
            try CachedAnswerTable.removeAll(in: db)
            try db.execute(sql: "UPDATE replica SET whole_at = 0")
        case .personErased: if let id = event.text("person_id") { try erased.erase([id], in: db) }
        case .event, .eventUpdate: try documents.markStale(.event, in: db)
        case .eventRemoved: if let id = event.text("event_id") { try removeEvent(id, documents, in: db) }
        case .statusUpdate, .cameraUpdate, .phoneUpdate, .buttonUpdate, .tagUpdate, .maintenanceUpdate, .memoryUpdate, .interviewUpdate,
            .twinUpdate,
            .automationUpdate, .consciousnessQuery, .batchDeviceUpdate, nil:
            break
        }
    }

    /// Deletes an event that was deleted in the house.
    private static func removeEvent(_ eventID: String, _ documents: ReplicaDocumentTable, in db: Database) throws {
        let (answers, pictures) = (CachedAnswerTable(sealing: documents.sealing), PictureTable(sealing: documents.sealing))
        try documents.remove(.event, eventID, in: db)
        try answers.remove(answers.key(CacheableQuery.event(eventID).name), in: db)
        try answers.removeLists(of: .event, in: db)
        try pictures.remove(pictures.key(.thumbnail(of: eventID)), in: db)
        // An event that was too old for the cache may have taken its place.
        try documents.markStale(.event, in: db)
    }

    private func clearCursor() async throws {
        let documents = documents
        try await store.write { db in
            try Outbox(sealing: documents.sealing).removeLateAnswers(in: db)
            for kind in ReplicaDocumentKind.allCases { try documents.replace(kind, with: [], in: db) }
            try CachedAnswerTable.removeAll(in: db)
            try db.execute(sql: "UPDATE replica SET cursor = NULL, whole_at = NULL, level_at = NULL")
        }
    }

    // MARK: Full sync

    /// - Returns: whether a person had been erased whose erasure was not known here.
    private func fullSync() async throws -> Bool {
        // First the journal's position, then everything: changes in the meantime follow from there.
        let seq = try await client.changes.now()
        // The journal may no longer have earlier changes.
        let isAnybodyNew = try await registerReplica()
        let devices = try await client.devices.list().devices
        let (documents, now) = (documents, now())
        try await store.write { db in
            try documents.replace(.device, with: devices.map { try ReplicaDocument(.device, $0.deviceID, $0) }, in: db)
            for kind in ReplicaDocumentKind.allCases where kind != .device { try documents.markStale(kind, in: db) }
            try db.execute(sql: "UPDATE replica SET cursor = ?, whole_at = ?", arguments: [seq, now.milliseconds])
        }
        return isAnybodyNew
    }

    /// Reports to the house that a replica is kept here, and erases people whose erasure was not known here.
    @discardableResult
    private func registerReplica() async throws -> Bool {
        let people: [String]
        do throws(ClientError) {
            people = try await client.privacy.reportReplica()
        } catch {
            // An older hub has no replicas, and an API token's client keeps none.
            guard error.rejectsReplicas else { throw error }
            return false
        }
        let erased = erasure
        return try await store.write { try erased.eraseIfNew(people, in: $0) }
    }

    /// Activity entries kept for use without the house.
    static let activityLimit = 200
    /// Events kept: the most that the house returns at once.
    static let eventLimit = 100

    private func readStaleKinds() async throws {
        let kinds = try await store.read { try String.fetchSet($0, sql: "SELECT kind FROM stale_kinds") }
        for kind in ReplicaDocumentKind.allCases where kinds.contains(kind.rawValue) {
            let read = try await read(kind)
            let documents = documents
            try await store.write { try documents.replace(kind, with: read, in: $0) }
        }
    }

    private func read(_ kind: ReplicaDocumentKind) async throws -> [ReplicaDocument] {
        do {
            switch kind {
            case .device: return try await makeDocuments(kind, client.devices.list().devices, \.deviceID)
            case .room: return try await makeDocuments(kind, client.rooms.list().rooms, \.roomID)
            case .scene: return try await makeDocuments(kind, client.scenes.list().scenes, \.sceneID)
            case .guest: return try await makeDocuments(kind, client.guests.list().guests, \.guestID)
            case .house: return try await makeDocuments(kind, [client.house.get()], \.houseID)
            case .activity:
                return try await makeDocuments(kind, client.access.activity(.init(limit: Self.activityLimit)).entries) { String($0.id) }
            case .event: return try await makeDocuments(kind, client.events.list(limit: Self.eventLimit).events, \.id)
            case .memory, .task, .twin, .automation, .token, .webhook, .interview, .question: return []
            }
        } catch ClientError.api(let error) where error.status == 403 {
            // Not visible to this person, any more or at all.
            return []
        }
    }

    private func makeDocuments<Answer: Encodable>(_ kind: ReplicaDocumentKind, _ answers: [Answer], _ id: (Answer) -> String) throws
        -> [ReplicaDocument]
    {
        try answers.map { try ReplicaDocument(kind, id($0), $0) }
    }
}
