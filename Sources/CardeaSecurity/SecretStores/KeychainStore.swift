#if canImport(Security)
    import Foundation
    import Security

    /// Apple's Keychain, on this device only: nothing of it is in a backup or on another device of the person's.
    ///
    /// On a Mac it is the login keychain, which any program may have, and which is open or not as a whole.
    public struct KeychainStore: SecretStore {
        public var protection: Protection { .full }

        public init() {}

        public func save(_ secret: Secret, as name: String, for use: SecretUse) async throws(SecretStoreError) {
            try await BlockingCall.run { () throws(SecretStoreError) in
                let value: [CFString: Any] = [
                    kSecValueData: Data(secret.reveal().utf8), kSecAttrAccessible: Self.accessibility(use),
                ]
                let whole = Self.item(name).merging(value) { _, new in new }
                var status = SecItemAdd(whole as CFDictionary, nil)
                if status == errSecDuplicateItem {
                    status = SecItemUpdate(Self.item(name) as CFDictionary, value as CFDictionary)
                }
                try Self.check(status, name)
            }
        }

        public func load(_ name: String) async throws(SecretStoreError) -> Secret {
            try await BlockingCall.run { () throws(SecretStoreError) in
                let wish: [CFString: Any] = [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]
                let query = Self.item(name).merging(wish) { _, new in new }
                var found: CFTypeRef?
                try Self.check(SecItemCopyMatching(query as CFDictionary, &found), name)
                guard let data = found as? Data, let text = String(data: data, encoding: .utf8) else {
                    throw .corrupted("The Keychain's item \(name) is no text. Delete it and save it again.")
                }
                return Secret(text)
            }
        }

        public func delete(_ name: String) async throws(SecretStoreError) {
            try await BlockingCall.run { () throws(SecretStoreError) in
                let status = SecItemDelete(Self.item(name) as CFDictionary)
                if status != errSecItemNotFound { try Self.check(status, name) }
            }
        }

        static func item(_ name: String) -> [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: SecretStores.service, kSecAttrAccount: name]
        }

        private static func accessibility(_ use: SecretUse) -> CFString {
            switch use {
            case .background: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            case .attended: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            }
        }

        static func check(_ status: OSStatus, _ name: String) throws(SecretStoreError) {
            switch status {
            case errSecSuccess: return
            case errSecItemNotFound: throw .notFound(name: name)
            case errSecInteractionNotAllowed: throw .locked("The Keychain is locked. Unlock the device and try again.")
            case errSecAuthFailed, errSecUserCanceled: throw .denied("The Keychain was not opened. Try again, and let Cardea in.")
            case errSecMissingEntitlement: throw .denied("The Keychain does not know this program. Sign it, and start it again.")
            case errSecNotAvailable: throw .unavailable(reason: "there is no Keychain")
            case errSecDecode: throw .corrupted("The Keychain's item \(name) cannot be read. Delete it and save it again.")
            default: throw .unexpectedStatus(code: "OSStatus \(status)")
            }
        }
    }
#endif
