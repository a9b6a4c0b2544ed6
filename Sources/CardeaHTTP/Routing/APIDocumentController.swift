import CardeaAPI
import CardeaModel
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import Synchronization

/// `/openapi.json` and `/asyncapi.json`: the contract, made of the very routes that are open.
struct APIDocumentController: Sendable {
    /// Comes last, so that no route is missed.
    func addRoutes(to table: RouteTable) {
        let opened = table.routes.map { (route: $0.route, caller: $0.access) }
        let own = [Route.openAPI, .asyncAPI].map { (route: $0, caller: Route.Caller.unauthenticated) }
        serve(.openAPI, in: table) { OpenAPI.document(opened + own) }
        serve(.asyncAPI, in: table) { AsyncAPI.document }
    }

    private func serve(_ route: Route, in table: RouteTable, _ document: @escaping @Sendable () -> JSONValue) {
        let cached = CachedDocument(document)
        table.open(route) { request, _ in
            let (bytes, tag) = try cached.encoded()
            let headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
            if request.headers[values: .ifNoneMatch].contains(tag) { return Response(status: .notModified, headers: headers) }
            var response = Response.json(bytes)
            response.headers.append(contentsOf: headers)
            return response
        }
    }
}

/// A document that stays the same while the hub runs, made at its first request, so that it does not delay the start.
private final class CachedDocument: Sendable {
    private let makeDocument: @Sendable () -> JSONValue
    private let cache = Mutex<(bytes: ByteBuffer, tag: String)?>(nil)

    init(_ document: @escaping @Sendable () -> JSONValue) {
        self.makeDocument = document
    }

    func encoded() throws -> (bytes: ByteBuffer, tag: String) {
        try cache.withLock { cached in
            if let cached { return cached }
            let data = try WireFormat.encode(makeDocument())
            let digest = SHA256.hash(data: data).prefix(8).map { String($0, radix: 16) }.joined()
            let made = (ByteBuffer(data: data), "\"\(digest)\"")
            cached = made
            return made
        }
    }
}
