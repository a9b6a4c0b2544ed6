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

    static let pagePolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; \
        manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
        trusted-types cardea
        """

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
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.frameOptions] = "DENY"
        response.headers[.openerPolicy] = "same-origin"
        response.headers[.resourcePolicy] = "same-origin"
        response.headers[.permissionsPolicy] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
