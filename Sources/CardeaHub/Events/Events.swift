import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging

/// The events that cameras, bells and scripts report, newest first, with their pictures.
///
/// Residents who may control devices see them; guests and programs do not. People who may change settings let programs record events, and
/// delete events.
public struct Events: Sendable {
    let store: Store
    let idempotency: IdempotencyStore
    let sealing: SealingKey
    let settings: EventSettings
    let reserve: DiskReserve
    let environment: HubEnvironment
    let logger: Logger
    private let files: PictureFiles?
    private let pictureQueue: PictureQueue?

    public enum EventError: Error {
        case notFound
        /// A field is invalid: its name, and the rule it breaks in words that follow the name.
        case field(String, String)
        /// The disk has too little room for a detection.
        case noRoom
    }

    /// Creates the pictures' folder if there is none.
    init(
        store: Store, idempotency: IdempotencyStore, sealing: SealingKey, settings: EventSettings, reserve: DiskReserve,
        environment: HubEnvironment,
        logger: Logger
    ) throws {
        self.store = store
        self.idempotency = idempotency
        self.sealing = sealing
        self.settings = settings
        self.reserve = reserve
        self.environment = environment
        self.logger = logger
        files = try settings.pictures.map { try PictureFiles(folder: $0) }
        pictureQueue = settings.transcoder.map { PictureQueue(maker: $0) }
    }

    /// Deletes the pictures that a crash left without their events.
    func removeOrphanedPictures() async throws {
        guard let files else { return }
        try await files.sweep(keeping: try await store.read { try EventRecords.withPictures($0) })
    }

    // MARK: Reading

    public struct Page: Sendable {
        public let events: [Event]
        /// The number of matching events; a search counts to 1 000.
        public let total: Int
        public let hasMore: Bool
        /// The start of the next page; nil on the last one.
        public let next: Int64?
    }

    /// Newest first.
    ///
    /// - Parameters:
    ///   - offset: the number of events to skip; new events shift it.
    ///   - below: the start of the page, from an earlier page's `next`; new events do not shift it. It replaces the offset.
    ///   - limit: 1 to 100.
    public func page(
        _ filter: Filter, offset: Int = 0, below: Int64? = nil, limit: Int = 20, seenBy principal: Principal
    ) async throws -> Page {
        let limit = min(max(limit, 1), 100)
        let (events, total) = try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            let (total, start, skipping) = try EventCounter.count(filter, offset: below == nil ? max(offset, 0) : 0, db)
            let key = min(below ?? start, filter.endKey)
            let events = try EventRecords.page(filter, below: key, limit: limit + 1, skipping: below == nil ? skipping : 0, db)
            return (events, total)
        }
        let visible = try await withAvailablePictures(Array(events.prefix(limit)))
        let hasMore = events.count > limit
        return Page(events: visible, total: total, hasMore: hasMore, next: hasMore ? visible.last?.key : nil)
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> Event {
        let event = try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            guard let event = try EventRecords.one(id, db) else { throw EventError.notFound }
            return event
        }
        return try await withAvailablePictures([event]).first ?? event
    }

    public enum PictureSize: Sendable {
        case whole, thumbnail
    }

    /// The picture of an event, JPEG.
    public func picture(_ size: PictureSize, of id: String, seenBy principal: Principal) async throws -> Data {
        let wrapped = try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try EventRecords.pictureKey(id, db)
        }
        guard let wrapped, let files else { throw EventError.notFound }
        let key = try sealing.unwrap(wrapped, from: Self.sealingLabel(id))
        guard let picture = try await files.read(size == .whole ? .whole : .thumbnail, of: id, under: key) else {
            throw EventError.notFound
        }
        return picture
    }

    /// A whole picture, for a person's data export; nil if it is gone.
    func picture(ofStored id: String) async throws -> Data? {
        guard let wrapped = try await store.read({ try EventRecords.pictureKey(id, $0) }), let files else { return nil }
        return try await files.read(.whole, of: id, under: try sealing.unwrap(wrapped, from: Self.sealingLabel(id)))
    }

    /// The thumbnail of an event without a description; nil if there is none, or it has a description by now.
    func thumbnail(ofUndescribed id: String) async throws -> Data? {
        let wrapped = try await store.read { db in
            try EventRecords.one(id, db)?.description.isEmpty == true ? try EventRecords.pictureKey(id, db) : nil
        }
        guard let wrapped, let files else { return nil }
        return try await files.read(.thumbnail, of: id, under: try sealing.unwrap(wrapped, from: Self.sealingLabel(id)))
    }

    public struct IncidentSummary: Sendable {
        public let incident: Incident
        public let types: [String]
        public let count: Int
        public let lastEventID: String?
    }

    /// Newest first.
    ///
    /// - Parameter before: only incidents that began before it.
    public func incidents(before: Date?, limit: Int, seenBy principal: Principal) async throws -> [IncidentSummary] {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try IncidentRecords.page(before: before, limit: min(max(limit, 1), 100), db)
        }
    }

    /// A row whose file is missing has no picture to show.
    private func withAvailablePictures(_ events: [Event]) async throws -> [Event] {
        let kept = try await files?.existing(events.filter(\.hasPicture).map(\.id)) ?? []
        return events.map { event in
            var event = event
            event.hasPicture = event.hasPicture && kept.contains(event.id)
            return event
        }
    }

    // MARK: Recording

    /// True for detections while the disk has less free space than is reserved for commands: they are not recorded then. Rings, alarms and
    /// everything else always are.
    func skips(_ type: DetectionType) -> Bool { reserve.isLow && DetectionType.smart.contains(type) }

    /// Records an event. It is on the disk, with its picture, when this returns. A picture that is invalid or cannot be stored is left out,
    /// and the event gives the reason (`Event.pictureProblem`). The same applies while the disk has less free space than is reserved for
    /// commands.
    ///
    /// - Throws: `EventError.noRoom` for a detection then.
    public func record(
        _ draft: Draft, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin
    ) async throws -> (event: Event, isReplay: Bool) {
        let now = environment.now()
        let days = try await store.read { [settings] in try RetentionRecords.days(.events, most: settings.retentionDays, in: $0) }
        let checked = try Self.validate(draft, at: now, days: days)
        let (idempotency, space, isLeftOut) = (idempotency, settings.pictureSpace, skips(checked.type))
        let isLow = reserve.isLow
        let picture = isLow ? nil : draft.picture
        let outcome =
            try await picture.asyncMap { picture -> Result<StoredPicture, PictureError>? in
                // For callers without the right to record, no picture is decoded; a repeated event's picture is not decoded again.
                let isNew = try await store.audited("event.record", by: principal, origin: origin, at: now) {
                    try await store.read { db in
                        try Self.requireRecordingRight(principal, at: now, in: db)
                        return try !Self.isReplay(call, idempotency, by: principal, at: now, in: db)
                    }
                }
                return isNew ? try await savePicture(picture, of: "event_" + environment.newID()) : nil
            } ?? nil
        let (kept, problem): (StoredPicture?, PictureError?) =
            switch outcome {
            case .success(let kept)?: (kept, nil)
            case .failure(let problem)?: (nil, problem)
            case nil: (nil, draft.picture == nil ? draft.pictureProblem : isLow ? .noRoom : nil)
            }
        let id = kept?.id ?? "event_" + environment.newID()
        do {
            let (event, isReplay, evicted) = try await store.auditedWrite("event.record", by: principal, origin: origin, at: now) {
                context in
                try Self.requireRecordingRight(principal, at: now, in: context.db)
                var evicted: [String] = []
                let outcome = try idempotency.run(call, in: context) {
                    guard !isLeftOut else { throw EventError.noRoom }
                    if let kept { evicted = try EventRecords.makeRoom(for: kept.bytes, in: space, context.db) }
                    let event = try EventRecords.insert(
                        .init(
                            id: id, checked: checked, pictureKey: kept?.wrapped, pictureBytes: kept?.bytes ?? 0,
                            pictureProblem: problem, recordedBy: principal.key, now: now), in: context.db)
                    if let camera = event.cameraID { try CameraRecords.updateLastEvent(camera, at: event.createdAt, in: context.db) }
                    try Journal.append(.eventRecorded, subject: event.id, about: event, at: now, in: context.db)
                    return event.id
                }
                guard let event = try EventRecords.one(outcome.answer, context.db) else { throw EventError.notFound }
                return (event, outcome.isReplay, evicted)
            }
            try await files?.remove(isReplay && kept != nil ? evicted + [id] : evicted)
            return (event, isReplay)
        } catch {
            // No row refers to these files: the next start would delete them, and so does this.
            if kept != nil { try await files?.remove([id]) }
            throw error
        }
    }

    /// Returns whether this call was answered before. Throws if its name was used for another one.
    static func isReplay(_ call: IdempotencyKey?, _ idempotency: IdempotencyStore, by principal: Principal, at now: Date, in db: Database)
        throws
        -> Bool
    {
        struct NotYet: Error {}
        do {
            _ = try idempotency.run(call, by: principal.key, at: now, in: db) { _ -> String in throw NotYet() }
            return true
        } catch is NotYet {
            return false
        }
    }

    /// A picture on the disk that no row refers to yet.
    private struct StoredPicture: Sendable {
        let id: String
        let wrapped: Data
        let bytes: Int64
    }

    /// Checks a picture, encodes it anew and writes it to the disk; or returns the reason why not.
    private func savePicture(_ picture: Data, of id: String) async throws -> Result<StoredPicture, PictureError> {
        if picture.isEmpty { return .failure(.empty) }
        guard let files else { return .failure(.switchedOff) }
        guard let pictureQueue else { return .failure(.noDecoder) }
        let pictures: PictureRenditions
        do throws(PictureError) {
            _ = try JPEGHeader(Array(picture))
            pictures = try await pictureQueue.renditions(of: picture)
        } catch {
            return .failure(error)
        }
        guard Int64(pictures.whole.count + pictures.thumbnail.count) < settings.pictureSpace else { return .failure(.noRoom) }
        let (key, wrapped) = try sealing.newKey(storedAt: Self.sealingLabel(id))
        do {
            return .success(StoredPicture(id: id, wrapped: wrapped, bytes: try await files.write(pictures, of: id, under: key)))
        } catch {
            logger.error("event picture could not be stored", metadata: ["error": "\(type(of: error))"])
            try await files.remove([id])
            return .failure(.notWritten)
        }
    }

    private static func sealingLabel(_ id: String) -> String { "events/\(id)/picture_key" }

    /// Requires a person who may change settings, or a program that such a person allowed to record.
    private static func requireRecordingRight(_ principal: Principal, at now: Date, in db: Database) throws {
        if [camerasPrincipal, sourcesPrincipal].contains(principal) { return }
        if let id = IncomingWebhookRecords.id(of: principal) {
            guard try IncomingWebhookRecords.isActive(id, db) else { throw People.PersonError.forbidden(.noGrant) }
            return
        }
        guard case .apiToken(let id, let personID) = principal else {
            try People.require(.modifySettings, of: principal, in: db)
            return
        }
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT expires_at FROM api_tokens WHERE id = ? AND records_events = 1 AND revoked_at IS NULL"),
            arguments: [id])
        guard let row, let maker = try PeopleRecords.one(personID, db), !maker.isDisabled, maker.rights.contains(.modifySettings),
            (row[0] as Int64?).map({ $0 > now.milliseconds }) ?? true
        else { throw People.PersonError.forbidden(.noGrant) }
    }

    // MARK: Deleting

    /// Deletes an event with its pictures, for good: the key that sealed them is deleted with the row.
    public func remove(_ id: String, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("event.delete", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            guard let event = try EventRecords.one(id, context.db) else { throw EventError.notFound }
            try EventRecords.remove(event, in: context.db)
            let seq = try Journal.append(.eventRemoved, subject: id, at: now, in: context.db)
            try AuditLog.append(.init(who: .init(principal), action: "event.delete", result: .done, journalSeq: seq), in: context)
        }
        try await files?.remove([id])
    }

    /// Deletes the files of pictures that no row refers to any more.
    func deletePictures(of ids: [String]) async throws { try await files?.remove(ids) }

    /// Deletes events that are past their retention.
    ///
    /// - Returns: the number of deleted events.
    @discardableResult
    func sweep(at now: Date) async throws -> Int {
        let border = try await store.read { [settings] in
            try RetentionRecords.cutoff(.events, most: settings.retentionDays, at: now, in: $0)
        }
        let oldest = EventSortKey.first(at: border.milliseconds)
        var dropped = 0
        while true {
            try Task.checkCancellation()
            let gone = try await store.write { db in
                let events = try EventRecords.oldest(before: oldest, limit: 256, db)
                for event in events { try EventRecords.remove(event, in: db) }
                return events
            }
            try await files?.remove(gone.filter(\.hasPicture).map(\.id))
            dropped += gone.count
            if gone.count < 256 { return dropped }
        }
    }
}

extension Optional {
    func asyncMap<Result>(_ body: (Wrapped) async throws -> Result) async throws -> Result? {
        if let self { try await body(self) } else { nil }
    }
}
