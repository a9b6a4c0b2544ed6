import HTTPTypes
import Hummingbird

/// An unknown method is answered like one that is nowhere allowed: 405 if the path is known (RFC 9110, section 15.5.6). The router knows
/// methods one by one, and would say that there is no such path.
struct UnknownMethodMiddleware<Routes: HTTPResponder>: HTTPResponder {
    typealias Context = Routes.Context
    let routes: Routes

    func respond(to request: Request, context: Context) async throws -> Response {
        guard !request.method.isKnown else { return try await routes.respond(to: request, context: context) }
        var head = request.head
        head.method = .trace
        return try await routes.respond(to: Request(head: head, body: request.body), context: context)
    }
}

extension HTTPRequest.Method {
    /// True if the router knows the method.
    fileprivate var isKnown: Bool {
        switch self {
        case .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect: true
        default: false
        }
    }
}
