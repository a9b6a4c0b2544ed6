import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

/// Somebody, and the token they showed, as its SHA-256; nil where none is asked for, as in the demo.
public struct Credential: Hashable, Sendable {
    public let principal: Principal
    public let token: Data?

    public init(_ principal: Principal, by token: Secret?) {
        self.principal = principal
        self.token = token?.digest
    }
}
