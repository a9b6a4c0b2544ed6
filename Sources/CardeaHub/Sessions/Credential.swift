import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

/// A principal and the SHA-256 of the token they presented; nil if none is required, as in the demo.
public struct Credential: Hashable, Sendable {
    public let principal: Principal
    public let token: Data?

    public init(_ principal: Principal, by token: Secret?) {
        self.principal = principal
        self.token = token?.digest
    }
}
