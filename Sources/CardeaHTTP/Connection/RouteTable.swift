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

    private let router: Router<HouseContext>
    private let hub: Hub
    private let named: NamedWrites
    private(set) var routes: [Entry] = []
    /// The methods of every path, those of pages too.
    private(set) var methods: [String: Set<HTTPRequest.Method>] = [:]

    init(router: Router<HouseContext>, hub: Hub, logger: Logger) {
        self.router = router
        self.hub = hub
        named = NamedWrites(kept: hub.keptAnswers, logger: logger)
    }

    func open(_ route: Route, _ answer: @escaping @Sendable (Request, HouseContext) async throws -> Response) {
        add(route, .anyone, answer)
    }

    /// - Parameter keepsItself: whether the route keeps the answer to an `Idempotency-Key` in its own transaction. Every other write
    ///   does the same when done again, and its answer is kept here.
    func person(
        _ route: Route, keepsItself: Bool = false,
        _ answer: @escaping @Sendable (Request, HouseContext, Principal) async throws -> Response
    ) {
        let hear = heard(on: route, keepsItself: keepsItself, answer)
        add(route, .person) { [hub] request, context in
            // A stranger is not waited for while they send megabytes.
            if route.bodyLimit > Route.usualBodyLimit {
                guard let token = try request.bearer() else { throw Problem.unauthorized }
                _ = try await hub.sessions.authenticate(token, origin: context.origin)
                context.place?.becomeKnown()
            }
            let request = try await request.whole(route.bodyLimit)
            guard let token = try request.bearer() else { throw Problem.unauthorized }
            let principal = try await hub.sessions.authenticate(token, origin: context.origin)
            context.place?.becomeKnown()
            if !route.isOpenToPhones { try await hub.phones.mustNotAsk(principal, origin: context.origin) }
            return try await hear(request, context, principal)
        }
    }

    /// What is asked by somebody of the house: who may not look is on record, and a write that its caller named is done once.
    private func heard(
        on route: Route, keepsItself: Bool, _ answer: @escaping @Sendable (Request, HouseContext, Principal) async throws -> Response
    ) -> @Sendable (Request, HouseContext, Principal) async throws -> Response {
        let look = look(on: route)
        let write = write(answer)
        return { [named] request, context, principal in
            if route.method == .get { return try await look(context, principal) { try await answer(request, context, principal) } }
            guard !keepsItself, request.headers[.idempotencyKey] != nil else { return try await write(request, context, principal) }
            return try await named.run(request, by: principal) { try await write($0, context, principal) }
        }
    }

    /// A write that is refused because somebody was faster says who, to a caller who may see it.
    private func write(
        _ answer: @escaping @Sendable (Request, HouseContext, Principal) async throws -> Response
    ) -> @Sendable (Request, HouseContext, Principal) async throws -> Response {
        { [hub] request, context, principal in
            do {
                return try await answer(request, context, principal)
            } catch {
                guard let changed = Activity.Changed(staleIn: error) else { throw error }
                var problem = Problem(error)
                // The refusal stands as it is for whoever may not know, and where nobody can look.
                if let name = try? await hub.activity.lastChange(of: changed, seenBy: principal) {
                    problem.details["changed_by"] = .string(name)
                }
                throw problem
            }
        }
    }

    func waitingPhone(_ route: Route, _ answer: @escaping @Sendable (Request, HouseContext, Secret) async throws -> Response) {
        add(route, .waitingPhone) { request, context in
            // One of another kind was never a phone's that asked; of one that is unknown by now it is told that nothing comes of it.
            guard let secret = try request.bearer(), secret.isOf(.waitingPhone) else { throw Problem.unauthorized }
            return try await answer(request, context, secret)
        }
    }

    /// - Parameter isTry: whether somebody tries something by it, as every write does.
    func guest(
        _ route: Route, isTry: Bool? = nil, _ answer: @escaping @Sendable (Request, HouseContext, Principal) async throws -> Response
    ) {
        let look = look(on: route)
        let isLook = !(isTry ?? (route.method != .get))
        add(route, .guest) { [hub] request, context in
            let request = try await request.whole()
            guard let token = try request.bearer() else { throw Problem.missingBearer }
            let principal = try await hub.guestAccess.authenticate(token, isLook: isLook, origin: context.origin)
            context.place?.becomeKnown()
            if route.method == .get { return try await look(context, principal) { try await answer(request, context, principal) } }
            return try await answer(request, context, principal)
        }
    }

    /// None of these moves anything: the one write among them asks for a ticket to look with.
    func anybody(_ route: Route, _ answer: @escaping @Sendable (Request, HouseContext, Principal) async throws -> Response) {
        let look = look(on: route)
        add(route, .anybody) { [hub] request, context in
            let request = try await request.whole()
            guard let token = try request.bearer() else { throw Problem.unauthorized }
            let principal = try await hub.principal(of: token, isLook: true, origin: context.origin)
            context.place?.becomeKnown()
            if !route.isOpenToPhones { try await hub.phones.mustNotAsk(principal, origin: context.origin) }
            if route.method == .get { return try await look(context, principal) { try await answer(request, context, principal) } }
            return try await answer(request, context, principal)
        }
    }

    /// Who may not look is on record with it, whatever the route: a read has no transaction of its own that could say so. A write has.
    private func look(
        on route: Route
    ) -> @Sendable (HouseContext, Principal, () async throws -> Response) async throws -> Response {
        // `/api/v1/guests/{id}/qr.svg` is a look at `guests.qr`.
        let words = route.path.split(separator: "/").drop { ["api", "v1"].contains($0) }.filter { !$0.hasPrefix("{") }
        let what = words.map { $0.split(separator: ".").first ?? $0 }.joined(separator: ".")
        let kind = words.first
        return { [hub] context, principal, answer in
            let subject: Looks.Subject =
                switch (kind, context.parameters.get("id")) {
                case ("guests", let id?): .guest(id)
                case ("devices", let id?): .device(id)
                default: .house
                }
            return try await hub.looks.look(at: what, subject, by: principal, origin: context.origin, answer)
        }
    }

    /// A page or a file of the web app: what a browser shows is no part of the contract.
    func page(_ path: String, _ answer: @escaping @Sendable (Request, HouseContext) async throws -> Response) {
        answers(.get, path, answer)
    }

    /// A path that devices report to in forms of their own: no part of the contract.
    func hook(
        _ method: HTTPRequest.Method, _ path: String, _ answer: @escaping @Sendable (Request, HouseContext) async throws -> Response
    ) {
        answers(method, path, answer)
    }

    /// A route of the demo's, in the words of the seed's client: no part of the contract either.
    func demo(
        _ method: HTTPRequest.Method, _ path: String, _ answer: @escaping @Sendable (Request, HouseContext) async throws -> Response
    ) {
        answers(method, path, answer)
    }

    /// A route of the contract's that the demo has without a token too, where the seed's client looks for it: `/api/v1/memory` is
    /// `/api/memory` there, and whoever asks is taken for `resident`.
    func demo(
        _ route: Route, as resident: Principal,
        _ answer: @escaping @Sendable (Request, HouseContext, Principal) async throws -> Response
    ) {
        let hear = heard(on: route, keepsItself: false, answer)
        demo(HTTPRequest.Method(route.method), route.path.replacing("/api/v1/", with: "/api/", maxReplacements: 1)) { request, context in
            try await hear(try await request.whole(route.bodyLimit), context, resident)
        }
    }

    private func add(
        _ route: Route, _ access: Route.Caller, _ answer: @escaping @Sendable (Request, HouseContext) async throws -> Response
    ) {
        answers(HTTPRequest.Method(route.method), route.path, TriesLeft(route, access, hub: hub)?.around(answer) ?? answer)
        routes.append(Entry(route: route, access: access))
    }

    private func answers(
        _ method: HTTPRequest.Method, _ path: String, _ answer: @escaping @Sendable (Request, HouseContext) async throws -> Response
    ) {
        router.on(RouterPath(path), method: method, use: answer)
        methods[path, default: []].insert(method)
    }

    /// Every other method on a path we know is answered 405, with those that are allowed.
    func close() {
        for (path, known) in methods {
            var allowed = known
            if known.contains(.get) { allowed.insert(.head) }
            let allow = allowed.map(\.rawValue).sorted()
            let place = RouterPath(path)
            for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
            where !allowed.contains(method) {
                router.on(place, method: method) { _, _ -> Response in
                    throw Problem(.methodNotAllowed, "method_not_allowed", "Allowed here: \(allow.joined(separator: ", ")).", allow: allow)
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
    func bearer() throws -> Secret? {
        let fields = headers[values: .authorization]
        guard fields.count <= 1 else { throw Problem.unauthorized }
        guard let field = fields.first else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer", !parts[1].isEmpty, parts[1].utf8.count <= 4096 else { return nil }
        return Secret(String(parts[1]))
    }

    /// The whole body, of at most 64 KiB.
    func bytes(_ limit: Int = Route.usualBodyLimit) async throws -> Data {
        do {
            return Data(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Problem(.contentTooLarge, "payload_too_large", "The body is larger than \(limit / 1024) KiB.")
        }
    }

    /// The request with all of its body here. Who asks is settled after it: a session that ends, or a pass that is taken by another phone,
    /// while somebody holds a body back opens nothing any more.
    fileprivate func whole(_ limit: Int = Route.usualBodyLimit) async throws -> Request {
        guard method != .get else { return self }
        var request = self
        request.body = RequestBody(buffer: ByteBuffer(data: try await bytes(limit)))
        return request
    }

    /// The body as JSON. What claims to be something else is refused.
    func jsonBytes(_ limit: Int = Route.usualBodyLimit) async throws -> Data {
        let data = try await bytes(limit)
        guard let type = headers[.contentType], type != "application/json" else { return data }
        let name = type.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        // The source contract's type is JSON as well.
        guard name == DeviceForm.house.mediaType || name == DeviceForm.source.mediaType else {
            throw Problem(.unsupportedMediaType, "unsupported_media_type", "Send application/json.")
        }
        return data
    }

    /// Whether the caller would rather be told at once that it is under way (RFC 7240, section 4.1).
    var prefersNotToWait: Bool {
        headers[.prefer]?.split { $0 == "," || $0 == ";" || $0 == " " || $0 == "\t" }.contains { $0.lowercased() == "respond-async" }
            ?? false
    }

    func read<Body: Wire.Body>(_ type: Body.Type) async throws -> Body {
        try Wire.readBody(type, from: try await jsonBytes())
    }

    /// What came to prove that a guest holds the key of their pass, and the request it must be about; nil where nothing came. What came
    /// twice is none of either.
    func proof(_ data: Data, at origins: OwnOrigins) -> ShownProof? {
        let (proofs, signatures) = (headers[values: .actionProof], headers[values: .actionProofSignature])
        guard !proofs.isEmpty || !signatures.isEmpty else { return nil }
        guard proofs.count == 1, signatures.count == 1 else {
            return ShownProof(header: "", signature: "", method: method.rawValue, path: uri.path, body: data)
        }
        return ShownProof(
            header: proofs[0], signature: signatures[0], method: method.rawValue, path: uri.path, body: data,
            presence: presence(at: origins))
    }

    /// What the phone's authenticator said; nil where nothing came that could be read, or the page is open under no name.
    private func presence(at origins: OwnOrigins) -> ShownPresence? {
        guard let text = headers[.actionPresence], text.utf8.count <= 8192, let json = Base64URL.decode(text),
            let said = try? JSONDecoder().decode([String: String].self, from: json),
            let client = said["clientDataJSON"].flatMap(Base64URL.decode), let data = said["authenticatorData"].flatMap(Base64URL.decode),
            let signature = said["signature"].flatMap(Base64URL.decode), let party = try? PasskeyWire.party(of: self, origins: origins)
        else { return nil }
        return ShownPresence(clientDataJSON: client, authenticatorData: data, signature: signature, at: party)
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
