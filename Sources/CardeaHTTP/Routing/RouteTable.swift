import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat

/// Every route of the hub, each described and with who may ask. A route cannot be opened without saying both.
final class RouteTable {
    /// A route of the contract, and who may ask it.
    struct Entry {
        let route: Route
        let access: Route.Caller

        var method: Route.Method { route.method }
        var path: String { route.path }
    }

    private let router: Router<HubRequestContext>
    private let hub: Hub
    private let idempotency: IdempotencyMiddleware
    private(set) var routes: [Entry] = []
    /// The methods of every path, those of pages too.
    private(set) var methods: [String: Set<HTTPRequest.Method>] = [:]

    init(router: Router<HubRequestContext>, hub: Hub, logger: Logger) {
        self.router = router
        self.hub = hub
        idempotency = IdempotencyMiddleware(store: hub.idempotentResponses, logger: logger)
    }

    func open(_ route: Route, _ answer: @escaping @Sendable (Request, HubRequestContext) async throws -> Response) {
        add(route, .unauthenticated, answer)
    }

    /// - Parameter keepsItself: whether the route keeps the answer to an `Idempotency-Key` in its own transaction. Every other write
    ///   does the same when done again, and its answer is kept here.
    func person(
        _ route: Route, keepsItself: Bool = false,
        _ answer: @escaping @Sendable (Request, HubRequestContext, Principal) async throws -> Response
    ) {
        let hear = personHandler(on: route, keepsItself: keepsItself, answer)
        add(route, .person) { [hub] request, context in
            // A large body is read only after the caller is known.
            if route.bodyLimit > Route.defaultBodyLimit {
                guard let token = try request.bearerToken() else { throw APIResponseError.unauthorized }
                _ = try await hub.sessions.authenticate(token, origin: context.origin)
                context.connectionSlot?.markAuthenticated()
            }
            let request = try await request.collectingBody(route.bodyLimit)
            guard let token = try request.bearerToken() else { throw APIResponseError.unauthorized }
            let principal = try await hub.sessions.authenticate(token, origin: context.origin)
            context.connectionSlot?.markAuthenticated()
            if !route.isOpenToPhones { try await hub.phones.recordRejection(principal, origin: context.origin) }
            return try await hear(request, context, principal)
        }
    }

    /// The handler of a route for people. Refused reads are recorded in the audit log, and a write with an idempotency key is done once.
    private func personHandler(
        on route: Route, keepsItself: Bool, _ answer: @escaping @Sendable (Request, HubRequestContext, Principal) async throws -> Response
    ) -> @Sendable (Request, HubRequestContext, Principal) async throws -> Response {
        let look = auditingReads(on: route)
        let write = reportingConflicts(answer)
        return { [idempotency] request, context, principal in
            if route.method == .get { return try await look(context, principal) { try await answer(request, context, principal) } }
            guard !keepsItself, request.headers[.idempotencyKey] != nil else { return try await write(request, context, principal) }
            return try await idempotency.handle(request, by: principal) { try await write($0, context, principal) }
        }
    }

    /// Adds to the refusal of a write that came too late who made the change before, for a caller who may see it.
    private func reportingConflicts(
        _ answer: @escaping @Sendable (Request, HubRequestContext, Principal) async throws -> Response
    ) -> @Sendable (Request, HubRequestContext, Principal) async throws -> Response {
        { [hub] request, context, principal in
            do {
                return try await answer(request, context, principal)
            } catch {
                guard let changed = ActivityLog.VersionedItem(staleIn: error) else { throw error }
                var problem = APIResponseError(error)
                // The refusal stays as it is if the caller may not know, or if the lookup fails.
                if let name = try? await hub.activity.lastChange(of: changed, seenBy: principal) {
                    problem.details["changed_by"] = .string(name)
                }
                throw problem
            }
        }
    }

    func waitingPhone(_ route: Route, _ answer: @escaping @Sendable (Request, HubRequestContext, Secret) async throws -> Response) {
        add(route, .waitingPhone) { request, context in
            // A secret of another kind never came from a waiting phone. A secret that is no longer known gets the answer that its request
            // has ended.
            guard let secret = try request.bearerToken(), secret.hasPrefix(.waitingPhone) else { throw APIResponseError.unauthorized }
            return try await answer(request, context, secret)
        }
    }

    /// - Parameter isTry: whether the request attempts something, as every write does.
    func guest(
        _ route: Route, isTry: Bool? = nil, _ answer: @escaping @Sendable (Request, HubRequestContext, Principal) async throws -> Response
    ) {
        let look = auditingReads(on: route)
        let isLook = !(isTry ?? (route.method != .get))
        add(route, .guest) { [hub] request, context in
            let request = try await request.collectingBody()
            guard let token = try request.bearerToken() else { throw APIResponseError.missingBearer }
            let principal = try await hub.guestAccess.authenticate(token, isLook: isLook, origin: context.origin)
            context.connectionSlot?.markAuthenticated()
            if route.method == .get { return try await look(context, principal) { try await answer(request, context, principal) } }
            return try await answer(request, context, principal)
        }
    }

    /// None of these routes moves anything: the one write among them requests a ticket for reading.
    func personOrGuest(_ route: Route, _ answer: @escaping @Sendable (Request, HubRequestContext, Principal) async throws -> Response) {
        let look = auditingReads(on: route)
        add(route, .personOrGuest) { [hub] request, context in
            let request = try await request.collectingBody()
            guard let token = try request.bearerToken() else { throw APIResponseError.unauthorized }
            let principal = try await hub.principal(of: token, isLook: true, origin: context.origin)
            context.connectionSlot?.markAuthenticated()
            if !route.isOpenToPhones { try await hub.phones.recordRejection(principal, origin: context.origin) }
            if route.method == .get { return try await look(context, principal) { try await answer(request, context, principal) } }
            return try await answer(request, context, principal)
        }
    }

    /// Records refused reads in the audit log, on every route: a read has no transaction of its own that could record them. A write has.
    private func auditingReads(
        on route: Route
    ) -> @Sendable (HubRequestContext, Principal, () async throws -> Response) async throws -> Response {
        // `/api/v1/guests/{id}/qr.svg` is audited as a read of `guests.qr`.
        let words = route.path.split(separator: "/").drop { ["api", "v1"].contains($0) }.filter { !$0.hasPrefix("{") }
        let what = words.map { $0.split(separator: ".").first ?? $0 }.joined(separator: ".")
        let kind = words.first
        return { [hub] context, principal, answer in
            let subject: ReadAuditor.Subject =
                switch (kind, context.parameters.get("id")) {
                case ("guests", let id?): .guest(id)
                case ("devices", let id?): .device(id)
                default: .house
                }
            return try await hub.readAuditor.read(at: what, subject, by: principal, origin: context.origin, answer)
        }
    }

    /// A page or a file of the web app, which is not part of the contract.
    func page(_ path: String, _ answer: @escaping @Sendable (Request, HubRequestContext) async throws -> Response) {
        register(.get, path, answer)
    }

    /// A path that devices report to in forms of their own: no part of the contract.
    func webhook(
        _ method: HTTPRequest.Method, _ path: String, _ answer: @escaping @Sendable (Request, HubRequestContext) async throws -> Response
    ) {
        register(method, path, answer)
    }

    /// A route of the demo's, in the words of the seed's client: no part of the contract either.
    func demo(
        _ method: HTTPRequest.Method, _ path: String, _ answer: @escaping @Sendable (Request, HubRequestContext) async throws -> Response
    ) {
        register(method, path, answer)
    }

    /// A route of the contract that the demo also has without a token, at the path that the seed's client uses: `/api/v1/memory` is
    /// `/api/memory` there, and the caller acts as `resident`.
    func demo(
        _ route: Route, as resident: Principal,
        _ answer: @escaping @Sendable (Request, HubRequestContext, Principal) async throws -> Response
    ) {
        let hear = personHandler(on: route, keepsItself: false, answer)
        demo(HTTPRequest.Method(route.method), route.path.replacing("/api/v1/", with: "/api/", maxReplacements: 1)) { request, context in
            try await hear(try await request.collectingBody(route.bodyLimit), context, resident)
        }
    }

    private func add(
        _ route: Route, _ access: Route.Caller, _ answer: @escaping @Sendable (Request, HubRequestContext) async throws -> Response
    ) {
        register(HTTPRequest.Method(route.method), route.path, RateLimitHeaders(route, access, hub: hub)?.wrap(answer) ?? answer)
        routes.append(Entry(route: route, access: access))
    }

    private func register(
        _ method: HTTPRequest.Method, _ path: String, _ answer: @escaping @Sendable (Request, HubRequestContext) async throws -> Response
    ) {
        router.on(RouterPath(path), method: method, use: answer)
        methods[path, default: []].insert(method)
    }

    /// Every other method on a path we know is answered 405, with those that are allowed.
    func registerMethodNotAllowed() {
        for (path, known) in methods {
            var allowed = known
            if known.contains(.get) { allowed.insert(.head) }
            let allow = allowed.map(\.rawValue).sorted()
            let place = RouterPath(path)
            for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
            where !allowed.contains(method) {
                router.on(place, method: method) { _, _ -> Response in
                    throw APIResponseError(
                        .methodNotAllowed, "method_not_allowed",
                        "This method is not allowed here. Use one of: \(allow.joined(separator: ", ")).", allow: allow)
                }
            }
        }
    }
}

extension HTTPRequest.Method {
    init(_ method: Route.Method) {
        self =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            case .patch: .patch
            case .delete: .delete
            }
    }
}

extension Request {
    /// The bearer token, nil when there is none. Another scheme, or a token in the query, is none.
    func bearerToken() throws -> Secret? {
        let fields = headers[values: .authorization]
        guard fields.count <= 1 else { throw APIResponseError.unauthorized }
        guard let field = fields.first else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer", !parts[1].isEmpty, parts[1].utf8.count <= 4096 else { return nil }
        return Secret(String(parts[1]))
    }

    /// The whole body, of at most 64 KiB.
    func bodyData(_ limit: Int = Route.defaultBodyLimit) async throws -> Data {
        do {
            return Data(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw APIResponseError(
                .contentTooLarge, "payload_too_large", "The body is too large: at most \(limit / 1024) KiB are accepted.")
        }
    }

    /// The request with its whole body. The caller is authenticated only after it was read: a session that ends, or a pass that another
    /// phone takes while a caller holds a body back, opens nothing any more.
    fileprivate func collectingBody(_ limit: Int = Route.defaultBodyLimit) async throws -> Request {
        guard method != .get else { return self }
        var request = self
        request.body = RequestBody(buffer: ByteBuffer(data: try await bodyData(limit)))
        return request
    }

    /// The body as JSON. What claims to be something else is refused.
    func jsonBody(_ limit: Int = Route.defaultBodyLimit) async throws -> Data {
        let data = try await bodyData(limit)
        guard let type = headers[.contentType], type != "application/json" else { return data }
        let name = type.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        // The source contract's type is JSON as well.
        guard name == DeviceFormat.house.mediaType || name == DeviceFormat.source.mediaType else {
            throw APIResponseError(.unsupportedMediaType, "unsupported_media_type", "Content-Type must be application/json.")
        }
        return data
    }

    /// True if the caller prefers an answer at once over one after the work is done (RFC 7240, section 4.1).
    var prefersAsyncResponse: Bool {
        headers[.prefer]?.split { $0 == "," || $0 == ";" || $0 == " " || $0 == "\t" }.contains { $0.lowercased() == "respond-async" }
            ?? false
    }

    func decodeBody<Body: WireFormat.Body>(_ type: Body.Type) async throws -> Body {
        try WireFormat.readBody(type, from: try await jsonBody())
    }

    /// The proof that a guest holds the key of their pass, and the request that it must match; nil if no proof was sent. If one of its two
    /// headers is missing or was sent twice, the proof is empty.
    func guestProof(_ data: Data, at origins: HubOrigins) -> RequestProof? {
        let (proofs, signatures) = (headers[values: .actionProof], headers[values: .actionProofSignature])
        guard !proofs.isEmpty || !signatures.isEmpty else { return nil }
        guard proofs.count == 1, signatures.count == 1 else {
            return RequestProof(header: "", signature: "", method: method.rawValue, path: uri.path, body: data)
        }
        return RequestProof(
            header: proofs[0], signature: signatures[0], method: method.rawValue, path: uri.path, body: data,
            presence: guestPresence(at: origins))
    }

    /// The assertion of the phone's authenticator; nil if it is missing, unreadable or longer than 8192 bytes, or if the page has no host
    /// name that can be a relying party.
    private func guestPresence(at origins: HubOrigins) -> PresenceAssertion? {
        guard let text = headers[.actionPresence], text.utf8.count <= 8192, let json = Base64URL.decode(text),
            let parameters = try? JSONDecoder().decode([String: String].self, from: json),
            let client = parameters["clientDataJSON"].flatMap(Base64URL.decode),
            let data = parameters["authenticatorData"].flatMap(Base64URL.decode),
            let signature = parameters["signature"].flatMap(Base64URL.decode),
            let party = try? PasskeyEncoding.relyingParty(of: self, origins: origins)
        else { return nil }
        return PresenceAssertion(clientDataJSON: client, authenticatorData: data, signature: signature, at: party)
    }

    /// The idempotency key of a write, with the request it belongs to.
    func idempotencyKey(_ data: Data) throws -> IdempotencyKey? {
        let keys = headers[values: .idempotencyKey]
        guard let key = keys.first else { return nil }
        guard keys.count == 1, (1...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw APIResponseError.validation("Idempotency-Key", "must have 1 to 128 visible ASCII characters")
        }
        return IdempotencyKey(key: key, method: method.rawValue, path: uri.path, body: data)
    }
}

extension HubRequestContext {
    func id(_ name: String = "id") throws -> String {
        guard let id = parameters.get(name), id.utf8.count <= 256 else { throw APIResponseError.notFound }
        return id
    }
}
