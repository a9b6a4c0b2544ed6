#if canImport(CArgon2)
    import CArgon2
    import Foundation

    /// Derives a key from a memorised secret: Argon2id with its own salt (RFC 9106), with the memory and passes of the second recommended
    /// choice. A tenth of a second and 64 MiB for every guess, on any machine.
    public struct PasswordKeyDerivation: Codable, Hashable, Sendable {
        let salt: Data
        /// KiB.
        let memory: UInt32
        let passes: UInt32
        let lanes: UInt32

        /// The parameters that a file may contain. A file with higher ones was not written by this program, and would only keep this
        /// machine busy.
        private static let allowedParameters = (memory: UInt32(8)...262_144, passes: UInt32(1)...16, lanes: UInt32(1)...4)

        /// With a fresh salt of 16 bytes.
        public static func random() -> PasswordKeyDerivation {
            PasswordKeyDerivation(salt: SecretGenerator.randomBytes(16), memory: 65_536, passes: 3, lanes: 1)
        }

        /// The same key for the same password. It blocks.
        public func key(of password: Secret) throws -> SealingKey { try SealingKey(bytes: bytes(of: password)) }

        /// The same 32 bytes for the same password. It blocks.
        public func bytes(of password: Secret) throws -> Data {
            guard Self.allowedParameters.memory.contains(memory), Self.allowedParameters.passes.contains(passes),
                Self.allowedParameters.lanes.contains(lanes)
            else {
                throw PasswordHash.HashError(code: ARGON2_INCORRECT_PARAMETER.rawValue)
            }
            let (text, salt) = (Array(password.reveal().utf8), Array(salt))
            var key = [UInt8](repeating: 0, count: 32)
            let code = argon2id_hash_raw(passes, memory, lanes, text, text.count, salt, salt.count, &key, key.count)
            guard code == ARGON2_OK.rawValue else { throw PasswordHash.HashError(code: code) }
            return Data(key)
        }
    }
#endif
