#if canImport(CArgon2)
    import Foundation

    /// A guest's key in a file of mode 0600, sealed by a key that is made of a PIN.
    ///
    /// Wrong PINs are counted in the file and delay the next one; the tenth deletes the key. That limits only attackers who use this
    /// program. An attacker who copies the file may guess without limit, and only the cost of one guess protects it: six digits hold for
    /// hours or days, six letters and digits for years.
    public struct PINGuestKeyStore: GuestKeyStore {
        /// A question to the person.
        public enum Prompt: Hashable, Sendable {
            /// A new PIN, for a pass that is being redeemed.
            case choose
            /// The PIN, to confirm the action in the reason.
            case enter(reason: String)
        }

        private let file: PrivateFile
        private let now: @Sendable () -> Date
        private let prompt: @Sendable (Prompt) async throws -> Secret?

        /// - Parameter ask: nil if the person broke it off.
        public init(
            file: URL, now: @escaping @Sendable () -> Date = { Date() }, ask: @escaping @Sendable (Prompt) async throws -> Secret?
        ) {
            self.file = PrivateFile(file)
            self.now = now
            self.prompt = ask
        }

        public func save(_ key: GuestKey) async throws {
            guard let chosen = try await prompt(.choose) else { throw CancellationError() }
            guard PINRule.isValid(chosen) else { throw PINError.invalid }
            let recipe = PasswordKeyDerivation.random()
            let pin = (try? OpaqueString.prepared(chosen)) ?? chosen
            let contents = Contents(recipe: recipe, sealed: try recipe.key(of: pin).seal(key.seed, for: Self.sealingContext))
            try await withLock { _ in try write(contents) }
        }

        public func unlock(_ reason: String) async throws -> GuestKey? {
            // A person who must wait, or has lost the key, is not asked for a PIN first.
            _ = try checkAttempts(try read())
            guard let pin = try await prompt(.enter(reason: reason)) else { return nil }
            return try await withLock { now in
                var contents = try checkAttempts(try read())
                contents.tries.recordAttempt(at: now)
                try write(contents)
                guard let key = contents.key(by: pin) else {
                    if contents.tries.remaining == 0 { contents.sealed = nil }
                    try write(contents)
                    throw contents.sealed == nil ? PINError.erased : .wrong(left: contents.tries.remaining)
                }
                contents.tries.reset()
                try write(contents)
                return key
            }
        }

        public func delete() async throws {
            guard FileManager.default.fileExists(atPath: file.url.path) else { return }
            try FileManager.default.removeItem(at: file.url)
        }

        /// The content of the file.
        private struct Contents: Codable {
            var format = 1
            let recipe: PasswordKeyDerivation
            /// Nil once the PIN was wrong too often.
            var sealed: Data?
            var tries = PINAttempts()

            func key(by pin: Secret) -> GuestKey? {
                guard let sealed else { return nil }
                for form in OpaqueString.candidates(pin) {
                    if let seed = try? recipe.key(of: form).open(sealed, for: PINGuestKeyStore.sealingContext) {
                        return GuestKey(seed: seed)
                    }
                }
                return nil
            }
        }

        private static let sealingContext = "guest-key/pin"

        private func checkAttempts(_ contents: Contents?) throws -> Contents {
            guard var contents else { throw SecretStoreError.notFound(name: file.url.lastPathComponent) }
            // An interrupted try may have been the last.
            if contents.tries.remaining == 0, contents.sealed != nil {
                contents.sealed = nil
                try write(contents)
            }
            guard contents.sealed != nil else { throw PINError.erased }
            if let wait = contents.tries.wait(at: now()) { throw PINError.wait(wait) }
            return contents
        }

        /// Runs `body` while no other program tries a PIN: two concurrent tries count as two.
        private func withLock<Answer>(_ body: (_ now: Date) throws -> Answer) async throws -> Answer {
            do {
                try file.prepareFolder()
                let lock = try await FileLock.LockFile(file.url.appendingPathExtension("lock")).acquire()
                defer { lock.release() }
                return try body(now())
            } catch let problem as PrivateFile.FileError {
                throw SecretStoreError(problem)
            }
        }

        private func read() throws -> Contents? {
            do {
                guard let bytes = try file.read() else { return nil }
                guard let contents = try? JSONDecoder().decode(Contents.self, from: bytes), contents.format == 1 else {
                    throw SecretStoreError.corrupted(
                        "\(file.url.path) cannot be understood. Take it away, and ask the house for a new link.")
                }
                return contents
            } catch let problem as PrivateFile.FileError {
                throw SecretStoreError(problem)
            }
        }

        private func write(_ contents: Contents) throws {
            try file.replace(with: JSONEncoder().encode(contents))
        }
    }
#endif
