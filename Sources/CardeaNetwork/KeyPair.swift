import Crypto
import Foundation

/// A P-256 key in a file of mode 0600, made at the first start. The certificate changes, the key stays.
struct KeyPair {
    let key: P256.Signing.PrivateKey

    static func openOrCreate(at url: URL) throws -> KeyPair {
        if let existing = try existing(at: url) { return existing }
        let fresh = P256.Signing.PrivateKey()
        // Written completely under another name, then linked into place: two concurrent starts agree on one key, and a crash leaves no
        // partial file.
        let draft = url.appendingPathExtension("new-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: draft) }
        try PrivateFile.write(Data(fresh.pemRepresentation.utf8), to: draft)
        do {
            try FileManager.default.linkItem(at: draft, to: url)
        } catch {
            if let existing = try existing(at: url) { return existing }
            throw error
        }
        return KeyPair(key: fresh)
    }

    private static func existing(at url: URL) throws -> KeyPair? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let mode = (try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard mode & 0o077 == 0 else { throw IdentityError.readableByOthers(path: url.path) }
        guard let text = try? String(contentsOf: url, encoding: .utf8), let key = try? P256.Signing.PrivateKey(pemRepresentation: text)
        else {
            throw IdentityError.unreadable(path: url.path, what: "a P-256 key")
        }
        return KeyPair(key: key)
    }

    /// The SHA-256 of the public key, as RFC 7469 pins it.
    var pin: String { PublicKeyPin.pin(Array(key.publicKey.derRepresentation)) }
}

enum PublicKeyPin {
    static func pin(_ publicKey: [UInt8]) -> String {
        "sha256/" + Data(SHA256.hash(data: Data(publicKey))).base64EncodedString()
    }
}

/// The reason why the hub cannot prove its identity, with the remedy.
public enum IdentityError: Error, Hashable, CustomStringConvertible {
    case readableByOthers(path: String)
    case unreadable(path: String, what: String)
    case mismatch(certificate: String, key: String)

    public var description: String {
        switch self {
        case .readableByOthers(let path): "The key \(path) may be read by others. Run: chmod 600 \(path)"
        case .unreadable(let path, let what): "\(path) is not \(what), or cannot be used."
        case .mismatch(let certificate, let key): "The certificate in \(certificate) does not belong to the key in \(key)."
        }
    }
}
