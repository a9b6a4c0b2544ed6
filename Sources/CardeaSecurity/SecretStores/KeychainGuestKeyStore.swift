#if canImport(Security) && canImport(LocalAuthentication)
    import Foundation
    import LocalAuthentication
    import Security

    /// A guest's key in Apple's Keychain, on this device only, released by the system after Face ID, Touch ID or the passcode, every time.
    ///
    /// The Secure Enclave makes no Ed25519 signatures, so the key is in memory during one action.
    public struct KeychainGuestKeyStore: GuestKeyStore {
        private let name: String

        public init(name: String = "guest-key") { self.name = name }

        public func save(_ key: GuestKey) async throws {
            let (name, seed) = (name, key.seed)
            try await BlockingCall.run { () throws(SecretStoreError) in
                let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .userPresence, nil)
                guard let access else { throw .unavailable(reason: "this device has no passcode") }
                // A protected item cannot be changed without its user; it is added anew.
                try Self.remove(name)
                let value: [CFString: Any] = [kSecValueData: seed, kSecAttrAccessControl: access]
                try KeychainStore.check(SecItemAdd(KeychainStore.item(name).merging(value) { $1 } as CFDictionary, nil), name)
            }
        }

        public func unlock(_ reason: String) async throws -> GuestKey? {
            let name = name
            let seed = try await BlockingCall.run { () throws(SecretStoreError) -> Data? in
                let context = LAContext()
                context.localizedReason = reason
                let wish: [CFString: Any] = [
                    kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne, kSecUseAuthenticationContext: context,
                ]
                var found: CFTypeRef?
                let status = SecItemCopyMatching(KeychainStore.item(name).merging(wish) { $1 } as CFDictionary, &found)
                if status == errSecUserCanceled { return nil }
                try KeychainStore.check(status, name)
                return found as? Data
            }
            guard let seed else { return nil }
            guard let key = GuestKey(seed: seed) else {
                throw SecretStoreError.corrupted("The Keychain's item \(name) is no key. Ask the house for a new link.")
            }
            return key
        }

        public func delete() async throws {
            let name = name
            try await BlockingCall.run { () throws(SecretStoreError) in try Self.remove(name) }
        }

        private static func remove(_ name: String) throws(SecretStoreError) {
            let status = SecItemDelete(KeychainStore.item(name) as CFDictionary)
            if status != errSecItemNotFound { try KeychainStore.check(status, name) }
        }
    }
#endif
