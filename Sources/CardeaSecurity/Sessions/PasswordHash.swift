#if canImport(CArgon2)
    import CArgon2
    import Foundation

    /// Argon2id, m = 19 456 KiB, t = 2, p = 1 (OWASP's first choice): about 40 ms on two cores.
    /// It blocks for that long; call it off the cooperative pool.
    public enum PasswordHash {
        static let memory: UInt32 = 19_456
        static let passes: UInt32 = 2
        static let lanes: UInt32 = 1

        public struct Failed: Error {
            public let code: Int32
        }

        /// The encoded hash, with its parameters and a fresh salt of 16 bytes.
        public static func make(_ password: Secret) throws(Failed) -> String {
            try make(password, memory: memory)
        }

        static func make(_ password: Secret, memory: UInt32) throws(Failed) -> String {
            let salt = Array(Minting.randomBytes(16))
            var encoded = [CChar](repeating: 0, count: argon2_encodedlen(passes, memory, lanes, 16, 32, Argon2_id))
            let bytes = Array(password.reveal().utf8)
            let code = argon2id_hash_encoded(passes, memory, lanes, bytes, bytes.count, salt, salt.count, 32, &encoded, encoded.count)
            guard code == ARGON2_OK.rawValue else { throw Failed(code: code) }
            return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        /// Whether `password` is the one that was hashed. libargon2 compares in constant time.
        public static func verify(_ password: Secret, against encoded: String) -> Bool {
            let bytes = Array(password.reveal().utf8)
            return argon2id_verify(encoded, bytes, bytes.count) == ARGON2_OK.rawValue
        }

        /// Whether a stored hash was made with less than today's parameters.
        public static func needsRehash(_ encoded: String) -> Bool {
            !encoded.hasPrefix("$argon2id$v=19$m=\(memory),t=\(passes),p=\(lanes)$")
        }
    }
#endif
