import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// A secret inside another secret that is stored as a whole.
struct StoredSecret: Codable, Sendable {
    let secret: Secret

    init(_ secret: Secret) { self.secret = secret }

    init(from decoder: any Decoder) throws {
        secret = Secret(try decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secret.reveal())
    }
}
