import CardeaHub
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Gives every request its number, writes one line about it, counts it, and sends the browser's safety headers with every answer.
struct RequestContextMiddleware: RouterMiddleware {
    typealias Context = HubRequestContext
    let environment: HubEnvironment
    let metrics: HTTPMetrics
    /// As in `HTTPSettings`.
    let strictTransportDays: Int?

    static let pageContentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; \
        manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
        trusted-types cardea
        """

    /// Header fields of every response.
    private static let securityHeaders: HTTPFields = [
        .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .frameOptions: "DENY", .crossOriginOpenerPolicy: "same-origin",
        .crossOriginResourcePolicy: "same-origin", .permissionsPolicy: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ]
    private static let defaultContentSecurityPolicy = HTTPField(
        name: .contentSecurityPolicy, value: "default-src 'none'; frame-ancestors 'none'")
    private static let noStore = HTTPField(name: .cacheControl, value: "no-store")

    func handle(_ request: Request, context: HubRequestContext, next: (Request, HubRequestContext) async throws -> Response) async throws
        -> Response
    {
        var context = context
        let id = environment.newID()
        context.origin = RequestOrigin(remote: context.peer, isLocal: context.origin.isLocal, requestID: id)
        let begun = ContinuousClock.now
        var response = try await next(request, context)
        let took = ContinuousClock.now - begun
        metrics.record(request.method, route: context.endpointPath ?? "none", status: response.status.code, took: took)
        // The route, never the path: a path may contain an id of a person.
        context.logger.info(
            "request answered",
            metadata: [
                "request_id": "\(id)", "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "none")",
                "status": "\(response.status.code)",
                "ms": "\(took.components.seconds * 1000 + took.components.attoseconds / 1_000_000_000_000_000)",
            ])
        response.headers[.requestID] = id
        if !response.headers.contains(.contentSecurityPolicy) { response.headers.append(Self.defaultContentSecurityPolicy) }
        if !response.headers.contains(.cacheControl) { response.headers.append(Self.noStore) }
        response.headers.append(contentsOf: Self.securityHeaders)
        if let strictTransportDays { response.headers[.strictTransportSecurity] = "max-age=\(strictTransportDays * 86_400)" }
        return response
    }
}
