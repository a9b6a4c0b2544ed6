import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

extension CommandContext {
    /// What is kept here of the house for when it cannot be reached; nil for a program, which keeps nothing.
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
                problem.description.replacingOccurrences(of: "The house's key", with: "The key of what is kept of the house,"))
        } catch let problem as PrivateFile.FileError {
            throw ClientError(problem)
        } catch let problem as ReplicaError {
            throw ClientError.storage(problem.localizedDescription)
        }
    }

    /// Bytes of pictures that are kept of the house, by CARDEA_PICTURES_MB.
    private var pictureCacheLimit: Int {
        get throws(CommandLineError) {
            guard let text = environment["CARDEA_PICTURES_MB"], !text.isEmpty else { return Replica.defaultPictureCapacity }
            guard let megabytes = Int(text), (0...1_000_000).contains(megabytes) else {
                throw .usage("CARDEA_PICTURES_MB is a whole number of megabytes; 0 keeps no pictures.")
            }
            return megabytes << 20
        }
    }

    /// The same for who can do without: where the keyring that holds the key is locked, as when signed in from afar, the house alone is asked.
    func replicaIfAvailable(of client: CardeaClient) async throws -> Replica? {
        do {
            return try await replica(of: client)
        } catch let problem as SecretStoreError {
            output.note("What is kept of the house cannot be opened. \(problem)")
            return nil
        } catch ClientError.storage(let what) {
            output.note("What is kept of the house cannot be opened. \(what)")
            return nil
        }
    }

    /// What the house says; where it cannot be reached, what was kept of it, and since when.
    ///
    /// What waits here for the house is said first, so that the answer is the house with it.
    func query<Answer: Encodable & Sendable>(
        _ ask: (CardeaClient) async throws -> Answer, kept: (Replica) async throws -> Dated<Answer>
    ) async throws -> QueryResult<Answer> {
        let client = try client()
        guard let replica = try await replicaIfAvailable(of: client) else { return QueryResult(try await ask(client), asOf: nil) }
        let report: SyncReport
        do {
            report = try await output.showingProgress(for: "Looking at the house") { try await replica.sync() }
        } catch ClientError.storage(let what) {
            // As where another program holds it: the house alone is asked.
            output.note(what)
            return QueryResult(try await ask(client), asOf: nil)
        }
        if let problem = report.stopped, problem.isHubUnreachable {
            guard let levelAt = report.levelAt else { throw problem }
            let clock = Self.clock(self.credentials)
            output.note("\(client.hub.host) cannot be reached. This is how it stood \(clock.spoken(levelAt)).")
            if report.waiting > 0 { output.note("Waiting for the house: \(report.waiting). `cardea queue` shows what.") }
            return QueryResult(try await kept(replica).value, asOf: levelAt)
        }
        try deletePicturesIfErased(report)
        reportSync(report)
        try await checkAuditLog(replica)
        return QueryResult(try await ask(client), asOf: nil)
    }

    /// The devices, as fresh as what was looked at.
    func devices(_ look: QueryResult<some Encodable & Sendable>) async throws -> [DeviceAnswer] {
        look.asOf == nil ? try await client().devices.list().devices : try await requiredReplica().devices().value
    }

    /// The house's clock, as fresh as what was looked at.
    func clock(_ look: QueryResult<some Encodable & Sendable>) async throws -> HouseClock {
        look.asOf == nil ? try await clock(client()) : Self.clock(credentials)
    }

    /// Whoever was erased in the house keeps no pictures of it either.
    func deletePicturesIfErased(_ report: SyncReport) throws {
        guard let problem = report.stopped, problem.isPersonErased else { return }
        try PictureFolder(home: credentialStore.folder).clear()
        throw problem
    }

    /// What a look on the way did for what had waited.
    func reportSync(_ report: SyncReport) {
        if report.sent > 0 { output.note("Sent what had waited here: \(report.sent).") }
        if report.conflicts > 0 { output.note("Changed here and elsewhere: \(report.conflicts). Decide with `cardea conflicts`.") }
        if report.answered > 0 { output.note("Answered late: \(report.answered). `cardea sync` prints the answers.") }
        if report.ended > 0 { output.note("Not done: \(report.ended). `cardea queue` says why.") }
    }
}
