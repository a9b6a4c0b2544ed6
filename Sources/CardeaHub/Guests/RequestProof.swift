import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The proof of the requester's identity that came with a request, and the request that it must be about.
public struct RequestProof: Hashable, Sendable {
    /// As they were sent.
    let header: String
    let signature: String
    let method: String
    let path: String
    let body: Data
    /// The authenticator's answer for the proven request, if there is one.
    let presence: PresenceAssertion?

    public init(
        header: String, signature: String, method: String, path: String, body: Data, presence: PresenceAssertion? = nil
    ) {
        self.header = header
        self.signature = signature
        self.method = method
        self.path = path
        self.body = body
        self.presence = presence
    }
}
