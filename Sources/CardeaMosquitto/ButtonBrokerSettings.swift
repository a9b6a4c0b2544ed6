import CardeaSecurity
import Foundation
import SwiftASN1
import X509

/// A broker for buttons only: TLS with a certificate of ours, as makers of such devices run them (Seed 002).
public struct ButtonBrokerSettings: Sendable {
    public var host: String
    public var port: Int
    /// The client id.
    public var clientID: String
    public var certificatePEM: String
    public var keyPEM: Secret
    /// The authorities to trust; nil for the system's.
    public var caPEM: String?

    public static let defaultPort = 8883

    /// - Parameters:
    ///   - port: 8883 by default.
    ///   - clientID: a generated one by default.
    /// - Throws: the error in the settings.
    public init(
        host: String, port: Int? = nil, clientID: String? = nil, certificatePEM: String, keyPEM: Secret, caPEM: String? = nil
    ) throws(EndpointError) {
        if host.isEmpty { throw .noEndpoint }
        guard host.utf8.count <= 253, !host.utf8.contains(0) else { throw .endpoint }
        let port = port ?? Self.defaultPort
        guard (1...65_535).contains(port) else { throw .port }
        if certificatePEM.isEmpty { throw .noCertificate }
        if keyPEM.reveal().isEmpty { throw .noKey }
        guard let certificate = Self.certificates(certificatePEM).first,
            let key = try? Certificate.PrivateKey(pemEncoded: keyPEM.reveal())
        else { throw .unreadable }
        guard certificate.publicKey == key.publicKey else { throw .mismatch }
        if let caPEM, Self.certificates(caPEM).isEmpty { throw .ca }
        let clientID = clientID ?? "Cardea-\(UUID().uuidString)"
        guard (1...1024).contains(clientID.utf8.count),
            clientID.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .clientID }
        self.host = host
        self.port = port
        self.clientID = clientID
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
        self.caPEM = caPEM
    }

    /// Every certificate of the text, ours first if it brings its chain; none if one of them is not readable.
    private static func certificates(_ text: String) -> [Certificate] {
        (try? PEMDocument.parseMultiple(pemString: text).map { try Certificate(pemDocument: $0) }) ?? []
    }

    /// The words are those that people who use such buttons know (Seed 002).
    public enum EndpointError: String, Error, Hashable, Sendable {
        case noEndpoint = "MQTT endpoint empty"
        case endpoint = "MQTT endpoint is no host name"
        case port = "the port is 1 to 65535"
        case noCertificate = "certificate empty"
        case noKey = "private key empty"
        case unreadable = "certificate or private key incorrect"
        case mismatch = "certificate and private key mismatch"
        case ca = "root CA is not readable PEM"
        case clientID = "the client id is plain text of 1 to 1024 bytes"

        /// The field of the settings that it is about.
        public var field: String {
            switch self {
            case .noEndpoint, .endpoint: "host"
            case .port: "port"
            case .noCertificate, .unreadable, .mismatch: "cert_pem"
            case .noKey: "key_pem"
            case .ca: "ca_pem"
            case .clientID: "client_id"
            }
        }
    }

    /// TLS always, 1.2 at least; the whole chain, the name and the dates are checked.
    public var options: ConnectionOptions {
        var options = ConnectionOptions(host: host, port: port, clientID: clientID)
        options.tls = .init(caPEM: caPEM, certificatePEM: certificatePEM, keyPEM: keyPEM.reveal())
        return options
    }
}
