import CardeaAPI
import CardeaHub
import CardeaNetwork
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/house/certificate`: the hub's key and certificate, for comparison with what a browser shows.
struct CertificateController: Sendable {
    let identity: HubIdentity?

    func addRoutes(to table: RouteTable) {
        table.person(.showCertificate) { _, _, _ in
            guard let facts = identity?.info else {
                throw APIResponseError(
                    .notFound, "not_found", "The hub serves plain HTTP and has no certificate. Get it from the proxy in front of the hub.")
            }
            return try .encoding(
                CertificateAnswer(
                    pin: facts.pin, backupPin: facts.backupPin, notAfter: facts.notAfter, fingerprintSHA256: facts.fingerprint))
        }
    }
}
