import Crypto
import Foundation

/// Seals secrets that must be read back: ChaCha20-Poly1305, bound to the place they are kept, so that a sealed value
/// moved to another row or column does not open.
public struct SealingKey: Sendable {
    private let key: SymmetricKey
    private let markKey: SymmetricKey
    /// Makes marks; initialised with the mark key.
    private let marker: HMAC<SHA256>

    public init(bytes: Data) throws(KeyFileError) {
        guard bytes.count == 32 else { throw .wrongLength(bytes.count) }
        self.init(key: SymmetricKey(data: bytes))
    }

    public static func random() -> SealingKey {
        SealingKey(key: SymmetricKey(size: .bits256))
    }

    private init(key: SymmetricKey) {
        let markKey = HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Data("cardea mark".utf8), outputByteCount: 32)
        self.init(key: key, markKey: markKey)
    }

    private init(key: SymmetricKey, markKey: SymmetricKey) {
        self.key = key
        self.markKey = markKey
        marker = HMAC(key: markKey)
    }

    /// Another key, which opens nothing that this one sealed. Its marks are the same, so that marked values are still found.
    public func rotated() -> SealingKey {
        SealingKey(key: SymmetricKey(size: .bits256), markKey: markKey)
    }

    /// The key for one purpose alone, by HKDF (RFC 5869): keys for other purposes do not open what it seals, and make other marks.
    public func derived(for purpose: String) -> SealingKey {
        let info = Data("cardea purpose \(purpose)".utf8)
        return SealingKey(
            key: HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: info, outputByteCount: 32),
            markKey: HKDF<SHA256>.deriveKey(inputKeyMaterial: markKey, info: info, outputByteCount: 32))
    }

    /// The key, and the one of its marks: what `init(parts:)` takes.
    var parts: Data {
        key.withUnsafeBytes { Data($0) } + markKey.withUnsafeBytes { Data($0) }
    }

    init(parts: Data) throws(KeyFileError) {
        guard parts.count == 64 else { throw .wrongLength(parts.count) }
        self.init(key: SymmetricKey(data: parts.prefix(32)), markKey: SymmetricKey(data: parts.suffix(32)))
    }

    /// - Parameter place: table, row and column, as in `guest_codes/9f…/code`.
    public func seal(_ plain: some DataProtocol, for place: String) throws -> Data {
        try ChaChaPoly.seal(plain, using: key, authenticating: Array(place.utf8)).combined
    }

    /// Returns a mark by which equal data is recognised, and from which the data cannot be guessed without the key.
    public func mark(_ data: Data) -> Data {
        var marker = marker
        marker.update(data: data)
        return Data(marker.finalize())
    }

    /// A new key for one purpose, kept sealed by this one.
    ///
    /// - Parameter place: where the sealed key is kept.
    public func newKey(storedAt place: String) throws -> (key: SealingKey, wrapped: Data) {
        let bytes = SecretGenerator.randomBytes(32)
        return (try SealingKey(bytes: bytes), try seal(bytes, for: place))
    }

    /// The key that `newKey` made.
    public func unwrap(_ wrapped: Data, from place: String) throws -> SealingKey {
        try SealingKey(bytes: try open(wrapped, for: place))
    }

    public func open(_ sealed: Data, for place: String) throws -> Data {
        try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: sealed), using: key, authenticating: Data(place.utf8))
    }
}
