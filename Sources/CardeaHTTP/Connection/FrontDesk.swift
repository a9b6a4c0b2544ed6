import CardeaHub
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Gives every request its number, writes one line about it, counts it, and sends the browser's safety headers with every answer.
struct FrontDesk: RouterMiddleware {
    typealias Context = HouseContext
    let surroundings: Surroundings
    let metrics: HTTPMetrics
    /// As in `HTTPSettings`.
    let strictTransportDays: Int?

    static let pagePolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; \
        manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
        trusted-types cardea
        """

    /// What goes with every answer.
    private static let always: HTTPFields = [
        .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .frameOptions: "DENY", .openerPolicy: "same-origin",
        .resourcePolicy: "same-origin", .permissionsPolicy: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ]
    private static let policy = HTTPField(name: .contentSecurityPolicy, value: "default-src 'none'; frame-ancestors 'none'")
    private static let unkept = HTTPField(name: .cacheControl, value: "no-store")

    func handle(_ request: Request, context: HouseContext, next: (Request, HouseContext) async throws -> Response) async throws -> Response
    {
        var context = context
        let id = surroundings.newID()
        context.origin = Origin(remote: context.peer, isLocal: context.origin.isLocal, requestID: id)
        let begun = ContinuousClock.now
        var response = try await next(request, context)
        let took = ContinuousClock.now - begun
        metrics.count(request.method, route: context.endpointPath ?? "none", status: response.status.code, took: took)
        // The route, never the path: a path may name somebody.
        context.logger.info(
            "answered",
            metadata: [
                "request_id": "\(id)", "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "none")",
                "status": "\(response.status.code)",
                "ms": "\(took.components.seconds * 1000 + took.components.attoseconds / 1_000_000_000_000_000)",
            ])
        response.headers[.requestID] = id
        if !response.headers.contains(.contentSecurityPolicy) { response.headers.append(Self.policy) }
        if !response.headers.contains(.cacheControl) { response.headers.append(Self.unkept) }
        response.headers.append(contentsOf: Self.always)
        if let strictTransportDays { response.headers[.strictTransportSecurity] = "max-age=\(strictTransportDays * 86_400)" }
        return response
    }
}
