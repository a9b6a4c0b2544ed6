import CardeaHub
import Crypto
import Foundation

/// A message that only one browser can read: Web Push encryption (RFC 8291) as one record of `aes128gcm` (RFC 8188).
enum WebPushEncryption {
    enum EncryptionError: Error {
        /// More than `PushMessage.limit` octets.
        case tooLong
        /// The browser's key is invalid.
        case invalidKey
    }

    /// Octets of one record, header and tag left aside.
    private static let recordSize: UInt32 = 4096
    /// Every message is padded to a multiple of this, so that its length reveals nothing of its content.
    static let paddingSize = 512

    /// - Parameters:
    ///   - keys: the reader's.
    ///   - grain: the message is padded to a multiple of this; 1 pads nothing.
    ///   - sender: a key for this message alone.
    ///   - salt: 16 random octets.
    static func seal(
        _ text: Data, to keys: PushKeys, grain: Int = paddingSize, sender: P256.KeyAgreement.PrivateKey = .init(),
        salt: Data = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
    ) throws -> Data {
        guard text.count <= PushMessage.limit else { throw EncryptionError.tooLong }
        guard let receiver = try? P256.KeyAgreement.PublicKey(x963Representation: keys.key) else { throw EncryptionError.invalidKey }
        let own = sender.publicKey.x963Representation
        // RFC 8291, section 3.3 and 3.4.
        let shared = try sender.sharedSecretFromKeyAgreement(with: receiver).hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: keys.authentication,
            sharedInfo: Data("WebPush: info\0".utf8) + keys.key + own, outputByteCount: 32)
        // RFC 8188, section 2.2 and 2.3. There is one record, so its nonce is the first.
        func derived(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: shared, salt: salt, info: Data(info.utf8), outputByteCount: count)
        }
        let nonce = derived("Content-Encoding: nonce\0", 12).withUnsafeBytes { Data($0) }
        let room = PushMessage.limit - text.count
        let padding = Data(count: min(room, (grain - text.count % grain) % grain))
        // 2 marks the last record's end (RFC 8188, section 2).
        let sealed = try AES.GCM.seal(
            text + Data([2]) + padding, using: derived("Content-Encoding: aes128gcm\0", 16), nonce: AES.GCM.Nonce(data: nonce))
        var message = salt
        withUnsafeBytes(of: recordSize.bigEndian) { message.append(contentsOf: $0) }
        message.append(UInt8(own.count))
        for part in [own, sealed.ciphertext, sealed.tag] { message.append(part) }
        return message
    }
}
