#if canImport(CArgon2)
    import CArgon2
    import Foundation

    /// Argon2id. It blocks for as long as it costs; call it off the cooperative pool.
    public enum PasswordHash {
        /// The cost of one guess (RFC 9106, section 3.1).
        public struct Cost: Sendable, Hashable {
            /// KiB, at least 8 for each lane.
            public let memory: UInt32
            /// At least 1.
            public let passes: UInt32
            /// 1 to 16 777 215.
            public let lanes: UInt32

            public init(memory: UInt32, passes: UInt32, lanes: UInt32) {
                self.memory = memory
                self.passes = passes
                self.lanes = lanes
            }

            /// m = 19 456 KiB, t = 2, p = 1 (OWASP's first choice): about 40 ms on two cores.
            public static let standard = Cost(memory: 19_456, passes: 2, lanes: 1)
        }

        public struct HashError: Error {
            public let code: Int32
        }

        /// The encoded hash, with its parameters and a fresh salt of 16 bytes.
        ///
        /// - Throws: ``Failed`` if the cost is none that Argon2 takes, or there is not as much memory.
        public static func make(_ password: Secret, cost: Cost = .standard) throws(HashError) -> String {
            let salt = Array(SecretGenerator.randomBytes(16))
            var encoded = [CChar](repeating: 0, count: argon2_encodedlen(cost.passes, cost.memory, cost.lanes, 16, 32, Argon2_id))
            let bytes = Array(password.reveal().utf8)
            let code = argon2id_hash_encoded(
                cost.passes, cost.memory, cost.lanes, bytes, bytes.count, salt, salt.count, 32, &encoded, encoded.count)
            guard code == ARGON2_OK.rawValue else { throw HashError(code: code) }
            return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        /// Returns whether `password` is the one that was hashed. libargon2 compares in constant time.
        public static func verify(_ password: Secret, against encoded: String) -> Bool {
            let bytes = Array(password.reveal().utf8)
            return argon2id_verify(encoded, bytes, bytes.count) == ARGON2_OK.rawValue
        }

        /// Returns whether a stored hash was made at a cost other than today's.
        public static func needsRehash(_ encoded: String, cost: Cost = .standard) -> Bool {
            !encoded.hasPrefix("$argon2id$v=19$m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)$")
        }
    }
#endif
