import Crypto
import Foundation
import SwiftASN1
import X509

/// The hub's own certificate: signed by its own key, for its host names. A client that knows the key needs no authority.
struct SelfSignedCertificate {
    /// Seconds for which one is made, and how long before its end the next is made with the same key.
    static let lifetime: TimeInterval = 90 * 86_400
    static let renewalPeriod: TimeInterval = 30 * 86_400

    let pem: String

    static func make(for names: [String], key: P256.Signing.PrivateKey, at now: Date) throws -> SelfSignedCertificate {
        let name = try DistinguishedName { CommonName("Cardea hub") }
        let signer = Certificate.PrivateKey(key)
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: signer.publicKey,
            // Valid an hour earlier, for phones whose clock is behind.
            notValidBefore: now.addingTimeInterval(-3600), notValidAfter: now.addingTimeInterval(lifetime), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names.map(Self.alternative))
            }, issuerPrivateKey: signer)
        return SelfSignedCertificate(pem: try certificate.serializeAsPEM().pemString)
    }

    /// Returns whether an existing certificate can still be used: ours, for these names, and with time left.
    static func isValid(_ pem: String, for names: [String], key: P256.Signing.PrivateKey, at now: Date) -> Bool {
        guard let certificate = try? Certificate(pemEncoded: pem), certificate.publicKey == Certificate.PublicKey(key.publicKey),
            certificate.notValidBefore <= now, now.addingTimeInterval(renewalPeriod) < certificate.notValidAfter,
            let kept = try? certificate.extensions.subjectAlternativeNames
        else { return false }
        return Set(names.map { "\(alternative($0))" }).isSubset(of: Set(kept.map { "\($0)" }))
    }

    private static func alternative(_ name: String) -> GeneralName {
        let bytes = IPAddressBytes.of(name)
        return bytes.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) } ?? .dnsName(name)
    }
}

/// An address as certificates write it: 4 bytes, or 16.
enum IPAddressBytes {
    static func of(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        if inet_pton(AF_INET6, text, &bytes) == 1 { return bytes }
        return nil
    }
}
