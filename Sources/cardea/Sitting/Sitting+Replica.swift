import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

extension Sitting {
    /// What is kept here of the house for when it cannot be reached; nil for a program, which keeps nothing.
    func replica(of client: CardeaClient) async throws -> Replica? {
        guard !asksAsProgram, let username = kept.username else { return nil }
        do {
            let store = await SecretStores.best(folder: file.folder, environment: environment)
            let key = try await ReplicaKey(folder: file.folder, store: store).open(warn: output.note)
            return try Replica(
                file: ReplicaFile(folder: file.folder).of(client.hub, username), sealing: key, client: client,
                picturesAtMost: try picturesAtMost)
        } catch let problem as KeyFileProblem {
            throw ClientError.storage(
                problem.description.replacingOccurrences(of: "The house's key", with: "The key of what is kept of the house,"))
        } catch let problem as PrivateFile.Problem {
            throw ClientError(problem)
        } catch let problem as ReplicaProblem {
            throw ClientError.storage(problem.localizedDescription)
        }
    }

    /// Bytes of pictures that are kept of the house, by CARDEA_PICTURES_MB.
    private var picturesAtMost: Int {
        get throws(Failure) {
            guard let text = environment["CARDEA_PICTURES_MB"], !text.isEmpty else { return Replica.picturesByDefault }
            guard let megabytes = Int(text), (0...1_000_000).contains(megabytes) else {
                throw .usage("CARDEA_PICTURES_MB is a whole number of megabytes; 0 keeps no pictures.")
            }
            return megabytes << 20
        }
    }

    /// The same for who can do without: where the keyring that holds the key is locked, as when signed in from afar, the house alone is asked.
    func replicaIfOpen(of client: CardeaClient) async throws -> Replica? {
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
    func look<Answer: Encodable & Sendable>(
        _ ask: (CardeaClient) async throws -> Answer, kept: (Replica) async throws -> Aged<Answer>
    ) async throws -> Look<Answer> {
        let client = try client()
        guard let replica = try await replicaIfOpen(of: client) else { return Look(try await ask(client), asOf: nil) }
        let report: SyncReport
        do {
            report = try await output.waiting(for: "Looking at the house") { try await replica.sync() }
        } catch ClientError.storage(let what) {
            // As where another program holds it: the house alone is asked.
            output.note(what)
            return Look(try await ask(client), asOf: nil)
        }
        if let problem = report.stopped, problem.saysHouseIsAway {
            guard let levelAt = report.levelAt else { throw problem }
            let clock = Self.clock(self.kept)
            output.note("\(client.hub.host) cannot be reached. This is how it stood \(clock.spoken(levelAt)).")
            if report.waiting > 0 { output.note("Waiting for the house: \(report.waiting). `cardea queue` shows what.") }
            return Look(try await kept(replica).value, asOf: levelAt)
        }
        try forgetIfErased(report)
        tell(report)
        try await watchTrail(replica)
        return Look(try await ask(client), asOf: nil)
    }

    /// The devices, as fresh as what was looked at.
    func devices(_ look: Look<some Encodable & Sendable>) async throws -> [DeviceAnswer] {
        look.asOf == nil ? try await client().devices.list().devices : try await keptHouse().devices().value
    }

    /// The house's clock, as fresh as what was looked at.
    func clock(_ look: Look<some Encodable & Sendable>) async throws -> HouseClock {
        look.asOf == nil ? try await clock(client()) : Self.clock(kept)
    }

    /// Whoever was erased in the house keeps no pictures of it either.
    func forgetIfErased(_ report: SyncReport) throws {
        guard let problem = report.stopped, problem.saysErased else { return }
        try PictureFolder(home: file.folder).clear()
        throw problem
    }

    /// What a look on the way did for what had waited.
    func tell(_ report: SyncReport) {
        if report.sent > 0 { output.note("Sent what had waited here: \(report.sent).") }
        if report.conflicts > 0 { output.note("Changed here and elsewhere: \(report.conflicts). Decide with `cardea conflicts`.") }
        if report.answered > 0 { output.note("Answered late: \(report.answered). `cardea sync` prints the answers.") }
        if report.ended > 0 { output.note("Not done: \(report.ended). `cardea queue` says why.") }
    }
}

/// What was looked at, and whether it is only what was kept.
struct Look<Answer: Encodable & Sendable>: Encodable, Sendable {
    let answer: Answer
    /// Since when nobody has heard otherwise; nil where the house has just said so.
    let asOf: Date?

    init(_ answer: Answer, asOf: Date?) {
        self.answer = answer
        self.asOf = asOf
    }

    /// The wire's object; kept ones say so.
    func encode(to encoder: any Encoder) throws {
        try answer.encode(to: encoder)
        guard let asOf else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(true, forKey: .stale)
        try container.encode(asOf, forKey: .asOf)
    }

    private enum CodingKeys: String, CodingKey {
        case stale
        case asOf = "as_of"
    }
}
