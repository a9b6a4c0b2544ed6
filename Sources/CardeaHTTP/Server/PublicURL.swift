import CardeaModel
import Foundation
import Synchronization

/// The address that `--public-url` names: scheme, name and port, as a browser writes an origin.
public struct PublicURL: Hashable, Sendable {
    public let text: String

    /// The hub cannot be served under a path: its pages, its cookies and its scripts begin at the root of their name (decision 0092).
    public init(_ text: String) throws(PublicURLError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), ["https", "http"].contains(scheme),
            let host = parts.encodedHost, !host.isEmpty
        else { throw .notHTTPURL }
        let isPlain = parts.percentEncodedUser == nil && parts.percentEncodedPassword == nil && parts.percentEncodedQuery == nil
        guard isPlain, parts.percentEncodedFragment == nil else { throw .extraComponents }
        guard ["", "/"].contains(parts.percentEncodedPath) else { throw .hasPath(name: host) }
        let port = parts.port.map { ":\($0)" } ?? ""
        guard let origin = WebOrigin("\(scheme)://\(host)\(port)"), WebOrigin.isHostName(origin.host) else { throw .notHTTPURL }
        self.text = origin.text
    }
}
