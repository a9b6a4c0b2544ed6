import Crypto
import Foundation

/// The public half, as a house keeps it with the pass.
public struct GuestPublicKey: Hashable, Sendable {
    /// As the guest's phone calls itself.
    public let deviceID: String
    /// 32 bytes for Ed25519; 65 for P-256, an uncompressed point (SEC 1, section 2.3.3), as a browser that has no Ed25519 makes it.
    public let bytes: Data

    init(_ key: Curve25519.Signing.PublicKey, deviceID: String) {
        self.deviceID = deviceID
        bytes = key.rawRepresentation
    }

    /// nil if `bytes` are no key or one of small order, or the name is not 1 to 128 visible ASCII characters.
    public init?(deviceID: String, bytes: Data) {
        guard (1...128).contains(deviceID.utf8.count), deviceID.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), Self.isKey(bytes) else {
            return nil
        }
        self.deviceID = deviceID
        self.bytes = bytes
    }

    private static func isKey(_ bytes: Data) -> Bool {
        switch bytes.count {
        case 32: !isOfSmallOrder(bytes) && (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)) != nil
        case 65: (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil
        default: false
        }
    }

    /// Returns whether it is a point of order 1, 2, 4 or 8, in any encoding. For those a signature that fits many messages can be made
    /// without a private key (RFC 8032, section 5.1.7; the list is the one of Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs",
    /// 2020).
    static func isOfSmallOrder(_ bytes: Data) -> Bool {
        var point = Array(bytes)
        guard let last = point.popLast() else { return false }
        // The highest bit is the sign of x.
        point.append(last & 0x7F)
        return smallOrder.contains(Data(point))
    }

    private static let smallOrder: Set<Data> = Set(
        [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ].compactMap { Hexadecimal.decode($0).map { Data($0) } })

    /// The key as it travels: base64url.
    public var text: String { Base64URL.encode(bytes) }

    /// `jkt`: base64url of the SHA-256 of the raw key, as the guest family has it. It is not the thumbprint of RFC 7638.
    public var thumbprint: String { Self.thumbprint(bytes) }

    static func thumbprint(_ bytes: Data) -> String { Base64URL.encode(Data(SHA256.hash(data: bytes))) }

    /// Returns whether this key signed `message`: by Ed25519, or by ECDSA with SHA-256 (FIPS 186-5, section 6).
    ///
    /// - Parameter signature: base64url of 64 bytes; ECDSA's are `r` and `s`, as WebCrypto writes them.
    public func signed(_ message: Data, _ signature: String) -> Bool {
        guard let signature = Base64URL.decode(signature) else { return false }
        if let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) { return key.isValidSignature(signature, for: message) }
        guard let key = try? P256.Signing.PublicKey(x963Representation: bytes),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: message)
    }
}
