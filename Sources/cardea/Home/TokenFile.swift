import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// `tokens.json`, mode 0600 in a folder of mode 0700. Written whole or not at all; changed by one process at a time.
struct TokenFile: Sendable {
    let folder: URL

    private var file: PrivateFile { PrivateFile(folder.appendingPathComponent("tokens.json")) }

    /// What is kept, or nothing yet.
    func read() throws -> Kept {
        do {
            return try file.read().map { try Wire.read(Kept.self, from: $0) } ?? Kept()
        } catch let problem as PrivateFile.Problem {
            throw ClientError(problem)
        } catch {
            throw ClientError.storage("\(file.url.path) cannot be understood. Take it away, then sign in and take your passes again.")
        }
    }

    /// Changes what is kept while nobody else can. What `change` leaves is kept, also when it throws.
    func update<Result>(_ change: (inout Kept) async throws -> Result) async throws -> Result {
        let lock: FileLock
        do {
            try file.prepareFolder()
            lock = try await FileLock.Place(folder.appendingPathComponent("tokens.lock")).take()
        } catch let problem as PrivateFile.Problem {
            throw ClientError(problem)
        }
        defer { lock.release() }
        var kept = try read()
        let result: Result
        do {
            result = try await change(&kept)
        } catch {
            try write(kept)
            throw error
        }
        try write(kept)
        return result
    }

    private func write(_ kept: Kept) throws {
        do {
            try file.replace(with: Wire.encode(kept))
        } catch let problem as PrivateFile.Problem {
            throw ClientError(problem)
        }
    }
}

/// The session at one house among what is kept. House and tokens are written together: a token never meets another house.
struct KeptSessionStore: SessionStore {
    let file: TokenFile
    let hub: HubAddress

    func load() async throws -> Session? { try file.read().session(at: hub) }

    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result {
        try await file.update { kept in
            var session = kept.session(at: hub)
            defer { kept.set(session, at: hub) }
            return try await change(&session)
        }
    }
}
