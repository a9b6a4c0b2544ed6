import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// The cameras of the house. Everybody who lives here may look; who changes settings describes them.
public final class Cameras: Sendable {
    let store: Store
    let sealing: SealingKey
    let once: OnceOnly
    let surroundings: Surroundings
    let logger: Logger
    let seats = PreviewSeats()
    let eyes = Mutex<(any CameraEyes)?>(nil)
    private let sightings = Mutex<(any SightingDesk)?>(nil)
    let standings = Mutex<[String: CameraStanding]>([:])
    /// How each stands for whoever looks, whatever is shown of it while its source is away.
    let looked = Mutex<[String: CameraStanding]>([:])
    /// The kinds whose source says that it is away, and since when.
    let away = Mutex<[CameraKind: Date]>([:])
    private let budgets = Mutex<[String: PictureBudget]>([:])
    private let listener = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// A camera, and whether it is in reach.
    public struct Seen: Sendable {
        public let camera: Camera
        /// Nil until somebody looked.
        public let standing: CameraStanding?
    }

    public enum Problem: Error {
        case notFound
        case name(Name.Problem)
        case field(FieldProblem)
        /// What is wrong with a field of the source.
        case source(String, String)
        /// Motion is found in a stream, and this source has none.
        case motionNeedsStream
        case full
        /// Somebody else changed it meanwhile.
        case stale(Seen)
        case offline(CameraTrouble)
        /// Too many pictures in a minute; seconds until the next one.
        case tooMany(TimeInterval)
    }

    /// So that nobody fills the disk, or the hub's two cores, with cameras.
    static let limit = 64

    init(store: Store, sealing: SealingKey, once: OnceOnly, surroundings: Surroundings, logger: Logger) {
        self.store = store
        self.sealing = sealing
        self.once = once
        self.surroundings = surroundings
        self.logger = logger
    }

    /// Has these eyes look from now on.
    public func look(with eyes: any CameraEyes) {
        self.eyes.withLock { $0 = eyes }
    }

    /// Has this desk told of what the cameras see.
    public func tell(_ desk: any SightingDesk) {
        sightings.withLock { $0 = desk }
    }

    // MARK: Looking

    public func all(seenBy principal: Principal) async throws -> [Seen] {
        let cameras = try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try CameraRecords.all(db)
        }
        return cameras.map(seen)
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> Seen {
        seen(try await found(id, seenBy: principal))
    }

    /// The camera's picture.
    public func picture(_ id: String, seenBy principal: Principal) async throws -> CameraPicture {
        let (eyes, plan) = try await looking(id, principal)
        let now = surroundings.now()
        let wait = budgets.withLock { budgets in
            if budgets.count > 1024 { budgets = budgets.filter { !$0.value.isFresh(at: now) } }
            return budgets["\(principal.key) \(id)", default: PictureBudget()].take(at: now)
        }
        if let wait { throw Problem.tooMany(wait) }
        do { return try await eyes.picture(of: plan) } catch { throw Problem.offline(error) }
    }

    func looking(_ id: String, _ principal: Principal) async throws -> (any CameraEyes, CameraPlan) {
        let camera = try await found(id, seenBy: principal)
        guard camera.isEnabled else { throw Problem.offline(.disabled) }
        guard let eyes = eyes.withLock({ $0 }) else { throw Problem.offline(.noEyes) }
        guard let sealed = try await store.read({ try CameraRecords.sealed(id, $0) }) else { throw Problem.notFound }
        return (eyes, try plan(camera, sealed))
    }

    private func found(_ id: String, seenBy principal: Principal) async throws -> Camera {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            guard let camera = try CameraRecords.one(id, db) else { throw Problem.notFound }
            return camera
        }
    }

    private func seen(_ camera: Camera) -> Seen {
        Seen(camera: camera, standing: camera.isEnabled ? standings.withLock { $0[camera.id] } : nil)
    }

    // MARK: Making and changing

    /// Adds a camera. The hub sends its credentials there and believes what it sees, so it asks for a step-up.
    public func add(_ draft: Draft, by principal: Principal, call: CallName?, origin: Origin) async throws -> (Seen, isReplay: Bool) {
        let (now, id) = (surroundings.now(), "camera_" + surroundings.newID())
        let reach = try await checked(draft.source, for: principal)
        let made = try await store.attempt("camera.add", by: principal, origin: origin, at: now) { [self] db in
            let outcome = try once.run(call, by: principal.key, at: now, in: db) { db in
                try People.require(.modifySettings, of: principal, in: db)
                guard try CameraRecords.count(db) < Self.limit else { throw Problem.full }
                guard let source = try reach.get() else { throw Problem.source("source", "is missing") }
                try Sessions.requireStepUp(principal, at: now, in: db)
                let camera = Camera(
                    id: id, name: try Self.name(draft.name ?? ""), isEnabled: draft.isEnabled ?? true, kind: source.kind,
                    address: source.address.shown, hasCredentials: source.hasCredentials,
                    detection: try Self.detection(draft.detection ?? CameraDetection(), source.kind), version: 1, createdAt: now,
                    changedAt: now)
                try CameraRecords.write(camera, sealed: source.sealed(for: id, by: sealing), in: db)
                try AccessChanges.note(.camera, id, by: principal, at: now, in: db)
                try Self.tell("camera.add", id, by: principal, origin: origin, at: now, in: db)
                return id
            }
            guard let camera = try CameraRecords.one(outcome.answer, db) else { throw Problem.notFound }
            return (camera, outcome.isReplay)
        }
        plansChanged()
        return (seen(made.0), made.1)
    }

    /// Changes a camera. Another server than before asks for a step-up.
    public func change(_ id: String, _ draft: Draft, seen version: SeenVersion, by principal: Principal, origin: Origin) async throws
        -> Seen
    {
        let now = surroundings.now()
        let reach = try await checked(draft.source, for: principal)
        let changed = try await store.attempt("camera.change", by: principal, origin: origin, at: now) { [self] db in
            try People.require(.modifySettings, of: principal, in: db)
            var camera = try known(id, version, db)
            guard var sealed = try CameraRecords.sealed(id, db) else { throw Problem.notFound }
            if let source = try reach.get() {
                if source.address.shown != camera.address { try Sessions.requireStepUp(principal, at: now, in: db) }
                sealed = try source.sealed(for: id, by: sealing)
                (camera.kind, camera.address, camera.hasCredentials) = (source.kind, source.address.shown, source.hasCredentials)
            }
            if let name = draft.name { camera.name = try Self.name(name) }
            camera.isEnabled = draft.isEnabled ?? camera.isEnabled
            camera.detection = try Self.detection(draft.detection ?? camera.detection, camera.kind)
            camera.version += 1
            camera.changedAt = now
            try CameraRecords.write(camera, sealed: sealed, in: db)
            if camera.isEnabled { try AccessChanges.note(.camera, id, by: principal, at: now, in: db) }
            try Self.tell("camera.change", id, by: principal, origin: origin, at: now, in: db)
            return camera
        }
        plansChanged()
        return seen(changed)
    }

    public func remove(_ id: String, seen version: SeenVersion, by principal: Principal, origin: Origin) async throws {
        let now = surroundings.now()
        try await store.attempt("camera.remove", by: principal, origin: origin, at: now) { [self] db in
            try People.require(.modifySettings, of: principal, in: db)
            _ = try known(id, version, db)
            try db.execute(sql: "DELETE FROM cameras WHERE id = ?", arguments: [id])
            try Self.tell("camera.remove", id, by: principal, origin: origin, at: now, in: db)
        }
        standings.withLock { _ = $0.removeValue(forKey: id) }
        looked.withLock { _ = $0.removeValue(forKey: id) }
        plansChanged()
    }

    // MARK: Rules

    /// The source, looked at before anything is written: whether something may be sent there is asked of the network. Whoever may not add
    /// cameras is told that, and not what is wrong with theirs; so what is wrong is kept until then.
    private func checked(_ draft: SourceDraft?, for principal: Principal) async throws -> Result<CameraSource?, any Error> {
        guard let draft else { return .success(nil) }
        do {
            try await store.read { _ = try People.require(.modifySettings, of: principal, in: $0) }
        } catch let problem as People.Problem {
            return .failure(problem)
        }
        do {
            let source = try draft.checked()
            try await eyes.withLock { $0 }?.check(source)
            return .success(source)
        } catch CameraTrouble.refusedAddress {
            return .failure(Problem.source("url", "leads to an address that the hub sends nothing to"))
        } catch let problem as Problem {
            return .failure(problem)
        }
    }

    private func known(_ id: String, _ version: SeenVersion, _ db: Database) throws -> Camera {
        guard let camera = try CameraRecords.one(id, db) else { throw Problem.notFound }
        guard version.allows(camera.version) else { throw Problem.stale(seen(camera)) }
        return camera
    }

    private static func name(_ text: String) throws -> String {
        do { return try Name.check(text) } catch { throw Problem.name(error) }
    }

    private static func detection(_ detection: CameraDetection, _ kind: CameraKind) throws -> CameraDetection {
        do { try detection.check() } catch { throw Problem.field(error) }
        guard !detection.motion || kind.isStream else { throw Problem.motionNeedsStream }
        return detection
    }

    private static func tell(
        _ action: String, _ id: String, by principal: Principal, origin: Origin, at now: Date, in db: Database
    ) throws {
        let seq = try Journal.append(
            .cameraChanged, subject: id, data: action == "camera.remove" ? ["removed": true] : [:], at: now, in: db)
        try AuditTrail.append(.init(who: .init(principal), action: action, result: .done, journalSeq: seq), origin: origin, at: now, in: db)
    }
}

// MARK: What is seen

extension Cameras: CameraDesk {
    public func plans() -> AsyncStream<[CameraPlan]> {
        let (changes, changed) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        listener.withLock { $0 = changed }
        changed.yield()
        return AsyncStream(unfolding: { [self] in
            for await _ in changes {
                do {
                    return try await surroundings.persist("cameras could not be read", logger, wanted)
                } catch {
                    // Nobody waits for them any longer.
                    return nil
                }
            }
            return nil
        })
    }

    public func saw(_ sighting: CameraSighting) async {
        do {
            // It may have been taken out meanwhile.
            guard let desk = sightings.withLock({ $0 }), try await store.read({ try CameraRecords.one(sighting.cameraID, $0) }) != nil
            else { return }
            try await desk.saw(sighting)
        } catch {
            logger.error("what a camera saw could not be kept", metadata: ["error": "\(type(of: error))"])
        }
    }

    func write(_ what: String, _ body: @escaping @Sendable (Database) throws -> Void) async {
        do {
            try await store.write(body)
        } catch {
            logger.error("\(what) could not be written", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func plansChanged() { listener.withLock { $0 }?.yield() }

    private func wanted() async throws -> [CameraPlan] {
        let rows = try await store.read { db in
            try CameraRecords.all(db).filter(\.isEnabled).map { ($0, try CameraRecords.sealed($0.id, db)) }
        }
        return rows.compactMap { camera, sealed in
            do {
                return try sealed.map { try plan(camera, $0) }
            } catch {
                // One that cannot be opened does not take the others with it.
                logger.error("a camera's settings cannot be read", metadata: ["camera": "\(camera.id)", "error": "\(type(of: error))"])
                return nil
            }
        }
    }

    func plan(_ camera: Camera, _ sealed: Data) throws -> CameraPlan {
        CameraPlan(
            id: camera.id, version: camera.version, source: try CameraSource(sealed: sealed, for: camera.id, by: sealing),
            detection: camera.detection)
    }
}
