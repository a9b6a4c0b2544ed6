import CardeaAPI
import CardeaHub
import CardeaTLS
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/house/certificate`: what the hub is known by, to be compared with what a browser shows.
struct CertificateHarness: Sendable {
    let identity: HubIdentity?

    func add(to table: RouteTable) {
        table.person(.showCertificate) { _, _, _ in
            guard let facts = identity?.facts else {
                throw Problem(.notFound, "not_found", "The hub serves plain HTTP; whoever stands in front of it has the certificate.")
            }
            return try .encoding(
                CertificateAnswer(
                    pin: facts.pin, backupPin: facts.backupPin, notAfter: facts.notAfter, fingerprintSHA256: facts.fingerprint))
        }
    }
}
