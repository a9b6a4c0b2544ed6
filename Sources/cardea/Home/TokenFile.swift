import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// What the command line keeps, changed by one process at a time: tokens and passes in the best place there is for secrets; in `home.json`,
/// mode 0600 in a folder of mode 0700, what is no secret, with the secrets' names.
///
/// A secret is kept before the file names it, and taken away after: whoever is killed between the two leaves one that nobody asks for.
struct TokenFile: Sendable {
    let folder: URL
    var environment = ProcessInfo.processInfo.environment
    /// How long a keyring may take over an answer.
    var patience: Duration = .seconds(10)
    /// Hears where secrets lie less well than they could.
    var warn: @Sendable (String) -> Void = { _ in }

    private var home: PrivateFile { PrivateFile(folder.appendingPathComponent("home.json")) }
    /// Where everything lay before secrets had a store.
    private var before: PrivateFile { PrivateFile(folder.appendingPathComponent("tokens.json")) }

    /// What is kept, or nothing yet.
    func read() async throws -> Kept {
        if try taking({ try before.read() }) != nil { return try await update { $0 } }
        return try await opened()
    }

    /// What is kept and no secret.
    func readOpenly() throws -> HomeFile { try taken(home) ?? HomeFile() }

    /// Changes what is kept while nobody else can. What `change` leaves is kept, also when it throws.
    func update<Result>(_ change: (inout Kept) async throws -> Result) async throws -> Result {
        let lock: FileLock
        do {
            try home.prepareFolder()
            lock = try await FileLock.Place(folder.appendingPathComponent("tokens.lock")).take()
        } catch let problem as PrivateFile.Problem {
            throw ClientError(problem)
        }
        defer { lock.release() }
        try await takeOver()
        let old = try await opened()
        var kept = old
        let result: Result
        do {
            result = try await change(&kept)
        } catch {
            try await write(kept, insteadOf: old)
            throw error
        }
        try await write(kept, insteadOf: old)
        return result
    }

    private func opened() async throws -> Kept {
        let file = try readOpenly()
        guard file.secrets != nil else { return try await Kept(file) { name throws(SecretStoreError) in throw .notFound(name: name) } }
        let secrets = await secrets()
        return try await Kept(file) { name throws(SecretStoreError) in try await secrets.load(name) }
    }

    /// Moves what lies in `tokens.json` to where it belongs. The file goes last, so that nothing is lost however this ends.
    private func takeOver() async throws {
        guard let old: TokensBefore = try taken(before) else { return }
        try await write(Kept(old), insteadOf: Kept())
        do {
            try FileManager.default.removeItem(at: before.url)
        } catch {
            throw ClientError.storage("\(before.url.path) still holds tokens and cannot be taken away: \(error.localizedDescription)")
        }
    }

    private func write(_ kept: Kept, insteadOf old: Kept) async throws {
        let (now, then) = (try kept.secrets, try old.secrets)
        let changed = now.filter { then[$0.key]?.digest != $0.value.digest }
        let gone = Set(old.file.secrets ?? []).subtracting(kept.file.secrets ?? [])
        let secrets = changed.isEmpty && gone.isEmpty ? nil : await secrets()
        for (name, secret) in changed {
            do {
                try await secrets?.save(secret, as: name)
            } catch {
                throw ClientError.storage("\(error)")
            }
        }
        let (bytes, bytesBefore) = (try Wire.encode(kept.file), try Wire.encode(old.file))
        if bytes != bytesBefore { try taking { try home.replace(with: bytes) } }
        for name in gone { await secrets?.forget(name) }
    }

    private func secrets() async -> HomeSecrets {
        await HomeSecrets(folder: folder, environment: environment, patience: patience, warn: warn)
    }

    private func taken<Contents: Decodable>(_ file: PrivateFile) throws -> Contents? {
        guard let bytes = try taking({ try file.read() }) else { return nil }
        do {
            return try Wire.read(Contents.self, from: bytes)
        } catch {
            throw ClientError.storage("\(file.url.path) cannot be understood. Take it away, then sign in and take your passes again.")
        }
    }

    private func taking<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let problem as PrivateFile.Problem {
            throw ClientError(problem)
        }
    }
}

/// The session at one house among what is kept. House and tokens are kept under one name: a token never meets another house.
struct KeptSessionStore: SessionStore {
    let file: TokenFile
    let hub: HubAddress

    func load() async throws -> Session? {
        let kept = try await file.read()
        if kept.isSessionClosed(at: hub) { throw ClientError.storage(kept.closedWords) }
        return kept.session(at: hub)
    }

    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result {
        try await file.update { kept in
            var session = kept.session(at: hub)
            let wasThere = session != nil
            defer { if wasThere || session != nil { kept.set(session, at: hub) } }
            return try await change(&session)
        }
    }
}

extension Kept {
    /// For whoever is neither signed in nor has a pass at hand.
    var notSignedIn: Failure {
        hasClosedPasses ? Failure(status: .notSignedIn, code: "tokens_locked", message: closedWords) : .notSignedIn
    }

    /// Why a session or a pass that is kept is of no use just now.
    var closedWords: String {
        switch problem {
        case .notFound?, nil:
            "Your tokens lie in a keyring that cannot be reached from here. Sign in to the desktop, or sign in here."
        case let problem?: "Your tokens cannot be had. \(problem)"
        }
    }
}
