import Foundation

/// `GET /api/v1/house/certificate`
public struct CertificateAnswer: Codable, Sendable {
    /// `sha256/` and the digest of the public key, base64 (RFC 7469).
    public let pin: String
    /// The pin of the key that replaces the first one if that is lost; nil if the hub did not make the certificate.
    public let backupPin: String?
    public let notAfter: Date
    /// The fingerprint of the certificate in hex, as browsers show it.
    public let fingerprintSHA256: String

    enum CodingKeys: String, CodingKey {
        case pin
        case backupPin = "backup_pin"
        case notAfter = "not_after"
        case fingerprintSHA256 = "fingerprint_sha256"
    }

    public init(pin: String, backupPin: String?, notAfter: Date, fingerprintSHA256: String) {
        self.pin = pin
        self.backupPin = backupPin
        self.notAfter = notAfter
        self.fingerprintSHA256 = fingerprintSHA256
    }
}
