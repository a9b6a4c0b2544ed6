import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

extension CommandContext {
    /// The replica of the house on this machine; nil for a program, which stores nothing.
    func replica(of client: CardeaClient) async throws -> Replica? {
        guard !usesAPIToken, let username = credentials.username else { return nil }
        do {
            let store = await SecretStoreSelection.best(folder: credentialStore.folder, environment: environment)
            let key = try await ReplicaKey(folder: credentialStore.folder, store: store).loadOrCreate(warn: output.note)
            return try Replica(
                file: ReplicaFile(folder: credentialStore.folder).url(client.hub, username), sealing: key, client: client,
                picturesAtMost: try pictureCacheLimit)
        } catch let problem as KeyFileError {
            throw ClientError.storage(
                problem.description.replacingOccurrences(of: "The house's key", with: "The key of the local copy"))
        } catch let problem as PrivateFile.FileError {
            throw ClientError(problem)
        } catch let problem as ReplicaError {
            throw ClientError.storage(problem.localizedDescription)
        }
    }

    /// The maximum size of stored pictures in bytes, from CARDEA_PICTURES_MB.
    private var pictureCacheLimit: Int {
        get throws(CommandLineError) {
            guard let text = environment["CARDEA_PICTURES_MB"], !text.isEmpty else { return Replica.defaultPictureCapacity }
            guard let megabytes = Int(text), (0...1_000_000).contains(megabytes) else {
                throw .usage("CARDEA_PICTURES_MB needs a whole number of megabytes; 0 stores no pictures.")
            }
            return megabytes << 20
        }
    }

    /// The replica for callers that can do without it: nil if the keyring with its key is locked, as in a remote session. Then only the
    /// house is asked.
    func replicaIfAvailable(of client: CardeaClient) async throws -> Replica? {
        do {
            return try await replica(of: client)
        } catch let problem as SecretStoreError {
            output.note("The local copy of the house cannot be opened. \(problem)")
            return nil
        } catch ClientError.storage(let what) {
            output.note("The local copy of the house cannot be opened. \(what)")
            return nil
        }
    }

    /// The house's answer; if it cannot be reached, the stored data and its age.
    ///
    /// Queued operations are sent first, so that the answer includes their effect.
    func query<Answer: Encodable & Sendable>(
        _ ask: (CardeaClient) async throws -> Answer, stored: (Replica) async throws -> Dated<Answer>
    ) async throws -> QueryResult<Answer> {
        let client = try client()
        guard let replica = try await replicaIfAvailable(of: client) else { return QueryResult(try await ask(client), asOf: nil) }
        let report: SyncReport
        do {
            report = try await output.showingProgress(for: "Syncing with the house") { try await replica.sync() }
        } catch ClientError.storage(let what) {
            // Like a replica held by another program: only the house is read.
            output.note(what)
            return QueryResult(try await ask(client), asOf: nil)
        }
        if let problem = report.stopped, problem.isHubUnreachable {
            guard let levelAt = report.levelAt else { throw problem }
            let clock = Self.clock(self.credentials)
            output.note("\(client.hub.host) cannot be reached. This is the last known state, \(clock.spoken(levelAt)).")
            if report.waiting > 0 { output.note("Waiting to be sent: \(report.waiting). `cardea queue` lists them.") }
            return QueryResult(try await stored(replica).value, asOf: levelAt)
        }
        try deletePicturesIfErased(report)
        reportSync(report)
        try await checkAuditLog(replica)
        return QueryResult(try await ask(client), asOf: nil)
    }

    /// The devices, from the same source as `look`.
    func devices(_ look: QueryResult<some Encodable & Sendable>) async throws -> [DeviceAnswer] {
        look.asOf == nil ? try await client().devices.list().devices : try await requiredReplica().devices().value
    }

    /// The house's clock, from the same source as `look`.
    func clock(_ look: QueryResult<some Encodable & Sendable>) async throws -> HouseClock {
        look.asOf == nil ? try await clock(client()) : Self.clock(credentials)
    }

    /// Deletes the stored pictures and throws if the person was erased in the house.
    func deletePicturesIfErased(_ report: SyncReport) throws {
        guard let problem = report.stopped, problem.isPersonErased else { return }
        try PictureFolder(home: credentialStore.folder).clear()
        throw problem
    }

    /// Reports the result of a sync for queued operations.
    func reportSync(_ report: SyncReport) {
        if report.sent > 0 { output.note("Queued changes sent: \(report.sent).") }
        if report.conflicts > 0 { output.note("Changed here and elsewhere: \(report.conflicts). Decide with `cardea conflicts`.") }
        if report.answered > 0 { output.note("Late answers: \(report.answered). `cardea sync` prints them.") }
        if report.ended > 0 { output.note("Not done: \(report.ended). `cardea queue` shows the reasons.") }
    }
}
