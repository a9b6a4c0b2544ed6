import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The name under which a page is open, to which a passkey belongs, and the addresses such a page may have.
public struct RelyingParty: Hashable, Sendable {
    public let id: String
    public let origins: Set<String>

    public init(id: String, origins: Set<String>) {
        self.id = id
        self.origins = origins
    }
}
