import AsyncHTTPClient
import CardeaModel
import CardeaSecurity
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceLifecycle
import Synchronization

/// Which model is asked, and where.
public struct LanguageModelSettings: Sendable {
    public var address: LanguageModelAddress
    /// As the endpoint calls it.
    public var model: String
    /// The text after `Bearer`; nil for an endpoint that needs none.
    public var key: Secret?
    /// A file with certificates in PEM that are trusted beside the system's.
    public var authorities: URL?

    public init(address: LanguageModelAddress, model: String, key: Secret? = nil, authorities: URL? = nil) {
        self.address = address
        self.model = model
        self.key = key
        self.authorities = authorities
    }
}
