import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// The cameras of the house. All residents may view them; people who may change settings configure them.
public final class Cameras: Sendable {
    let store: Store
    let sealing: SealingKey
    let idempotency: IdempotencyStore
    let environment: HubEnvironment
    let logger: Logger
    let previewSlots = PreviewSlots()
    let cameraSource = Mutex<(any CameraReader)?>(nil)
    private let eventSink = Mutex<(any CameraEventSink)?>(nil)
    let statuses = Mutex<[String: CameraStatus]>([:])
    /// The reported status of each camera, regardless of what is shown while its source is away.
    let reportedStatuses = Mutex<[String: CameraStatus]>([:])
    /// The kinds whose source reports that it is stopped, with the time since when.
    let offlineSince = Mutex<[CameraSourceKind: Date]>([:])
    private let rateLimits = Mutex<[String: SlidingWindowRateLimit]>([:])
    private let configurationChanges = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// A camera, and whether it can be reached.
    public struct CameraWithStatus: Sendable {
        public let camera: Camera
        /// nil until its status is known.
        public let status: CameraStatus?
    }

    public enum CameraError: Error {
        case notFound
        case name(Name.NameError)
        case field(FieldError)
        /// A field of the source is invalid: its name, and the reason.
        case source(String, String)
        /// Motion detection needs a stream, and this source has none.
        case motionNeedsStream
        case full
        /// Another user changed it in the meantime.
        case stale(CameraWithStatus)
        case offline(CameraUnavailableError)
        /// Too many pictures in a minute; seconds until the next one.
        case tooMany(TimeInterval)
    }

    /// A limit, so that cameras cannot fill the disk or load the hub's two cores.
    static let limit = 64

    init(store: Store, sealing: SealingKey, idempotency: IdempotencyStore, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.sealing = sealing
        self.idempotency = idempotency
        self.environment = environment
        self.logger = logger
    }

    /// Sets the reader of the cameras.
    public func setSource(with reader: any CameraReader) {
        self.cameraSource.withLock { $0 = reader }
    }

    /// Sets the receiver of camera events.
    public func setEventSink(_ sink: any CameraEventSink) {
        eventSink.withLock { $0 = sink }
    }

    // MARK: Reading

    public func all(seenBy principal: Principal) async throws -> [CameraWithStatus] {
        let cameras = try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try CameraRecords.all(db)
        }
        return cameras.map(withStatus)
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> CameraWithStatus {
        withStatus(try await find(id, seenBy: principal))
    }

    /// The camera's picture.
    public func picture(_ id: String, seenBy principal: Principal) async throws -> CameraPicture {
        let (reader, plan) = try await resolveSource(id, principal)
        let now = environment.now()
        let wait = rateLimits.withLock { budgets in
            if budgets.count > 1024 { budgets = budgets.filter { !$0.value.isUnused(at: now) } }
            return budgets["\(principal.key) \(id)", default: SlidingWindowRateLimit()].consume(at: now)
        }
        if let wait { throw CameraError.tooMany(wait) }
        do { return try await reader.picture(of: plan) } catch { throw CameraError.offline(error) }
    }

    func resolveSource(_ id: String, _ principal: Principal) async throws -> (any CameraReader, CameraConfiguration) {
        let camera = try await find(id, seenBy: principal)
        guard camera.isEnabled else { throw CameraError.offline(.disabled) }
        guard let reader = cameraSource.withLock({ $0 }) else { throw CameraError.offline(.decoderMissing) }
        guard let sealed = try await store.read({ try CameraRecords.sealed(id, $0) }) else { throw CameraError.notFound }
        return (reader, try configuration(camera, sealed))
    }

    private func find(_ id: String, seenBy principal: Principal) async throws -> Camera {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            guard let camera = try CameraRecords.one(id, db) else { throw CameraError.notFound }
            return camera
        }
    }

    private func withStatus(_ camera: Camera) -> CameraWithStatus {
        CameraWithStatus(camera: camera, status: camera.isEnabled ? statuses.withLock { $0[camera.id] } : nil)
    }

    // MARK: Making and changing

    /// Adds a camera. The hub sends its credentials there and trusts its pictures, so it requires a step-up.
    public func add(_ draft: Draft, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin) async throws -> (
        CameraWithStatus, isReplay: Bool
    ) {
        let (now, id) = (environment.now(), "camera_" + environment.newID())
        let reach = try await validatedEndpoint(draft.source, for: principal)
        let made = try await store.auditedWrite("camera.add", by: principal, origin: origin, at: now) { [self] context in
            let outcome = try idempotency.run(call, in: context) {
                try People.require(.modifySettings, of: principal, in: context.db)
                guard try CameraRecords.count(context.db) < Self.limit else { throw CameraError.full }
                guard let source = try reach.get() else { throw CameraError.source("source", "is required") }
                try Sessions.requireStepUp(principal, at: now, in: context.db)
                let camera = Camera(
                    id: id, name: try Self.name(draft.name ?? ""), isEnabled: draft.isEnabled ?? true, kind: source.kind,
                    address: source.address.displayText, hasCredentials: source.hasCredentials,
                    detection: try Self.detection(draft.detection ?? CameraDetection(), source.kind), version: 1, createdAt: now,
                    changedAt: now)
                try CameraRecords.write(camera, sealed: source.sealed(for: id, by: sealing), in: context.db)
                try AccessChanges.record(.camera, id, in: context)
                try Self.recordChange("camera.add", id, in: context)
                return id
            }
            guard let camera = try CameraRecords.one(outcome.answer, context.db) else { throw CameraError.notFound }
            return (camera, outcome.isReplay)
        }
        notifyConfigurationChange()
        return (withStatus(made.0), made.1)
    }

    /// Changes a camera. A change of server requires a step-up.
    public func change(_ id: String, _ draft: Draft, seen version: ExpectedVersion, by principal: Principal, origin: RequestOrigin)
        async throws
        -> CameraWithStatus
    {
        let now = environment.now()
        let reach = try await validatedEndpoint(draft.source, for: principal)
        let changed = try await store.auditedWrite("camera.change", by: principal, origin: origin, at: now) { [self] context in
            try People.require(.modifySettings, of: principal, in: context.db)
            var camera = try requireCurrent(id, version, context.db)
            guard var sealed = try CameraRecords.sealed(id, context.db) else { throw CameraError.notFound }
            if let source = try reach.get() {
                if source.address.displayText != camera.address { try Sessions.requireStepUp(principal, at: now, in: context.db) }
                sealed = try source.sealed(for: id, by: sealing)
                (camera.kind, camera.address, camera.hasCredentials) = (source.kind, source.address.displayText, source.hasCredentials)
            }
            if let name = draft.name { camera.name = try Self.name(name) }
            camera.isEnabled = draft.isEnabled ?? camera.isEnabled
            camera.detection = try Self.detection(draft.detection ?? camera.detection, camera.kind)
            camera.version += 1
            camera.changedAt = now
            try CameraRecords.write(camera, sealed: sealed, in: context.db)
            if camera.isEnabled { try AccessChanges.record(.camera, id, in: context) }
            try Self.recordChange("camera.change", id, in: context)
            return camera
        }
        notifyConfigurationChange()
        return withStatus(changed)
    }

    public func remove(_ id: String, seen version: ExpectedVersion, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("camera.remove", by: principal, origin: origin, at: now) { [self] context in
            try People.require(.modifySettings, of: principal, in: context.db)
            _ = try requireCurrent(id, version, context.db)
            try context.db.execute(sql: "DELETE FROM cameras WHERE id = ?", arguments: [id])
            try Self.recordChange("camera.remove", id, in: context)
        }
        statuses.withLock { _ = $0.removeValue(forKey: id) }
        reportedStatuses.withLock { _ = $0.removeValue(forKey: id) }
        notifyConfigurationChange()
    }

    // MARK: Rules

    /// The source, checked before anything is written: it asks the network whether the hub may send there. A caller without the right to
    /// add cameras must get that error and not one about the source, so source errors are kept until then.
    private func validatedEndpoint(_ draft: EndpointDraft?, for principal: Principal) async throws -> Result<CameraSource?, any Error> {
        guard let draft else { return .success(nil) }
        do {
            try await store.read { _ = try People.require(.modifySettings, of: principal, in: $0) }
        } catch let problem as People.PersonError {
            return .failure(problem)
        }
        do {
            let source = try draft.validated()
            try await cameraSource.withLock { $0 }?.check(source)
            return .success(source)
        } catch CameraUnavailableError.refusedAddress {
            return .failure(
                CameraError.source("url", "is an address that the hub does not connect to. Use the camera's address in the house's network")
            )
        } catch let problem as CameraError {
            return .failure(problem)
        }
    }

    private func requireCurrent(_ id: String, _ version: ExpectedVersion, _ db: Database) throws -> Camera {
        guard let camera = try CameraRecords.one(id, db) else { throw CameraError.notFound }
        guard version.allows(camera.version) else { throw CameraError.stale(withStatus(camera)) }
        return camera
    }

    private static func name(_ text: String) throws -> String {
        do { return try Name.check(text) } catch { throw CameraError.name(error) }
    }

    private static func detection(_ detection: CameraDetection, _ kind: CameraSourceKind) throws -> CameraDetection {
        do { try detection.check() } catch { throw CameraError.field(error) }
        guard !detection.motion || kind.isStream else { throw CameraError.motionNeedsStream }
        return detection
    }

    private static func recordChange(_ action: String, _ id: String, in context: TransactionContext) throws {
        let seq = try Journal.append(
            .cameraChanged, subject: id, data: action == "camera.remove" ? ["removed": true] : [:], at: context.now, in: context.db)
        try AuditLog.append(.init(who: .init(context.principal), action: action, result: .done, journalSeq: seq), in: context)
    }
}

// MARK: Sightings

extension Cameras: CameraSink {
    public func configurations() -> AsyncStream<[CameraConfiguration]> {
        let (changes, changed) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        configurationChanges.withLock { $0 = changed }
        changed.yield()
        return AsyncStream(unfolding: { [self] in
            for await _ in changes {
                do {
                    return try await environment.retryUntilSuccess("cameras could not be read", logger, enabledConfigurations)
                } catch {
                    // The reader has stopped waiting.
                    return nil
                }
            }
            return nil
        })
    }

    public func report(_ sighting: CameraEvent) async {
        do {
            // It may have been removed meanwhile.
            guard let sink = eventSink.withLock({ $0 }), try await store.read({ try CameraRecords.one(sighting.cameraID, $0) }) != nil
            else { return }
            try await sink.report(sighting)
        } catch {
            logger.error("camera event could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }

    func write(_ what: String, _ body: @escaping @Sendable (Database) throws -> Void) async {
        do {
            try await store.write(body)
        } catch {
            logger.error("camera data could not be stored", metadata: ["what": "\(what)", "error": "\(type(of: error))"])
        }
    }

    private func notifyConfigurationChange() { configurationChanges.withLock { $0 }?.yield() }

    private func enabledConfigurations() async throws -> [CameraConfiguration] {
        let rows = try await store.read { db in
            try CameraRecords.all(db).filter(\.isEnabled).map { ($0, try CameraRecords.sealed($0.id, db)) }
        }
        return rows.compactMap { camera, sealed in
            do {
                return try sealed.map { try configuration(camera, $0) }
            } catch {
                // A camera that cannot be opened does not affect the others.
                logger.error("camera settings could not be read", metadata: ["camera": "\(camera.id)", "error": "\(type(of: error))"])
                return nil
            }
        }
    }

    func configuration(_ camera: Camera, _ sealed: Data) throws -> CameraConfiguration {
        CameraConfiguration(
            id: camera.id, version: camera.version, source: try CameraSource(sealed: sealed, for: camera.id, by: sealing),
            detection: camera.detection)
    }
}
