import CardeaHub
import CardeaSecurity
import Crypto
import Foundation

/// A subscribed browser: it has the keys that decrypt its messages, as RFC 8291 describes for the receiving side.
struct FakeBrowser {
    let key: P256.KeyAgreement.PrivateKey
    let authentication: Data

    init(
        key: P256.KeyAgreement.PrivateKey = .init(), authentication: Data = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
    ) {
        self.key = key
        self.authentication = authentication
    }

    func subscription(
        at endpoint: String = "https://updates.push.services.mozilla.com/wpush/v2/x", services: PushServicePolicy = PushServicePolicy()
    ) throws -> WebPushSubscription {
        try WebPushSubscription(endpoint: endpoint, keys: try keys, services: services)
    }

    /// The public key and authentication secret that the browser gives to the house.
    var keys: PushKeys {
        get throws { try PushKeys(key: key.publicKey.x963Representation, authentication: authentication) }
    }

    struct DecryptionError: Error {}

    /// Decrypts a message and removes its padding.
    func open(_ message: Data) throws -> Data {
        let bytes = [UInt8](message)
        guard bytes.count > 86 + 16, bytes[20] == 65 else { throw DecryptionError() }
        let (salt, sender) = (Data(bytes[..<16]), Data(bytes[21..<86]))
        let own = key.publicKey.x963Representation
        let shared = try key.sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PublicKey(x963Representation: sender))
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: authentication, sharedInfo: Data("WebPush: info\0".utf8) + own + sender, outputByteCount: 32)
        func derived(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: material, salt: salt, info: Data(info.utf8), outputByteCount: count)
        }
        let nonce = derived("Content-Encoding: nonce\0", 12).withUnsafeBytes { Data($0) }
        let plain = try AES.GCM.open(
            .init(nonce: .init(data: nonce), ciphertext: bytes[86..<(bytes.count - 16)], tag: bytes[(bytes.count - 16)...]),
            using: derived("Content-Encoding: aes128gcm\0", 16))
        guard let end = plain.lastIndex(where: { $0 != 0 }), plain[end] == 2 else { throw DecryptionError() }
        return plain[..<end]
    }
}
