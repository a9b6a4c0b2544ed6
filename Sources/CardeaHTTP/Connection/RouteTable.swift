import CardeaAPI
import CardeaHub
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat

/// Every route of the hub, each with who may ask. A route cannot be written without saying so.
final class RouteTable {
    /// Who may ask a route at all; what they may do is the gate's to say.
    enum Access: Sendable {
        /// Anybody: claiming, signing in, pairing, pages.
        case anyone
        /// Somebody of the house, with an access token; or a program with a token that one of them made.
        case person
        /// A pass.
        case guest
        /// Somebody of the house, or a pass.
        case anybody
    }

    struct Route {
        let method: HTTPRequest.Method
        let path: String
        let access: Access
    }

    private let router: Router<HouseContext>
    private let hub: Hub
    private let named: NamedWrites
    private(set) var routes: [Route] = []

    init(router: Router<HouseContext>, hub: Hub, logger: Logger) {
        self.router = router
        self.hub = hub
        named = NamedWrites(kept: hub.keptAnswers, logger: logger)
    }

    func open(
        _ method: HTTPRequest.Method, _ path: String, _ answer: @escaping @Sendable (Request, HouseContext) async throws -> Response
    ) {
        add(method, path, .anyone, answer)
    }

    /// - Parameter keepsItself: whether the route keeps the answer to an `Idempotency-Key` in its own transaction. Every other write
    ///   does the same when done again, and its answer is kept here.
    func person(
        _ method: HTTPRequest.Method, _ path: String, keepsItself: Bool = false,
        _ answer: @escaping @Sendable (Request, HouseContext, Principal) async throws -> Response
    ) {
        add(method, path, .person) { [hub, named] request, context in
            let request = try await request.whole()
            guard let token = try request.bearer() else { throw Problem.unauthorized }
            let principal = try await hub.sessions.authenticate(token)
            guard method != .get, !keepsItself, request.headers[.idempotencyKey] != nil else {
                return try await answer(request, context, principal)
            }
            return try await named.run(request, by: principal) { try await answer($0, context, principal) }
        }
    }

    func guest(
        _ method: HTTPRequest.Method, _ path: String,
        _ answer: @escaping @Sendable (Request, HouseContext, Principal) async throws -> Response
    ) {
        add(method, path, .guest) { [hub] request, context in
            let request = try await request.whole()
            guard let token = try request.bearer() else { throw Problem.missingBearer }
            return try await answer(request, context, try await hub.guestAccess.authenticate(token, origin: context.origin))
        }
    }

    func anybody(
        _ method: HTTPRequest.Method, _ path: String,
        _ answer: @escaping @Sendable (Request, HouseContext, Principal) async throws -> Response
    ) {
        add(method, path, .anybody) { [hub] request, context in
            let request = try await request.whole()
            guard let token = try request.bearer() else { throw Problem.unauthorized }
            return try await answer(request, context, try await hub.principal(of: token, origin: context.origin))
        }
    }

    private func add(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access,
        _ answer: @escaping @Sendable (Request, HouseContext) async throws -> Response
    ) {
        router.on(RouterPath(path), method: method, use: answer)
        routes.append(Route(method: method, path: path, access: access))
    }

    /// Every other method on a path we know is answered 405, with those that are allowed.
    func close() {
        let methods = Dictionary(grouping: routes, by: \.path).mapValues { Set($0.map(\.method)) }
        for (path, known) in methods {
            var allowed = known
            if known.contains(.get) { allowed.insert(.head) }
            let allow = allowed.map(\.rawValue).sorted()
            for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
            where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw Problem(.methodNotAllowed, "method_not_allowed", "Allowed here: \(allow.joined(separator: ", ")).", allow: allow)
                }
            }
        }
    }
}

extension Request {
    /// The bearer token, nil when there is none. Another scheme, or a token in the query, is none.
    func bearer() throws -> Secret? {
        let fields = headers[values: .authorization]
        guard fields.count <= 1 else { throw Problem.unauthorized }
        guard let field = fields.first else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer", !parts[1].isEmpty, parts[1].utf8.count <= 4096 else { return nil }
        return Secret(String(parts[1]))
    }

    /// The whole body, of at most 64 KiB.
    func bytes(_ limit: Int = 64 * 1024) async throws -> Data {
        do {
            return Data(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Problem(.contentTooLarge, "payload_too_large", "The body is larger than \(limit / 1024) KiB.")
        }
    }

    /// The request with all of its body here. Who asks is settled after it: a session that ends, or a pass that is taken by another phone,
    /// while somebody holds a body back opens nothing any more.
    fileprivate func whole() async throws -> Request {
        guard method != .get else { return self }
        var request = self
        request.body = RequestBody(buffer: ByteBuffer(data: try await bytes()))
        return request
    }

    /// The body as JSON. What claims to be something else is refused.
    func jsonBytes() async throws -> Data {
        let data = try await bytes()
        let type = headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        guard type == nil || type == "application/json" else {
            throw Problem(.unsupportedMediaType, "unsupported_media_type", "Send application/json.")
        }
        return data
    }

    func read<Body: Wire.Body>(_ type: Body.Type) async throws -> Body {
        try Wire.readBody(type, from: try await jsonBytes())
    }

    /// The caller's own name for a write, with what it was used for.
    func callName(_ data: Data) throws -> CallName? {
        let keys = headers[values: .idempotencyKey]
        guard let key = keys.first else { return nil }
        guard keys.count == 1, (1...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem.validation("Idempotency-Key", "has 1 to 128 visible ASCII characters")
        }
        return CallName(key: key, method: method.rawValue, path: uri.path, body: data)
    }
}

extension HouseContext {
    func id(_ name: String = "id") throws -> String {
        guard let id = parameters.get(name), id.utf8.count <= 256 else { throw Problem.notFound }
        return id
    }
}
