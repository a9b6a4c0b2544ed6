import HTTPTypes
import Hummingbird

/// Answers `/v1/X` as `/api/v1/X`, by the same routes. Nothing there sets or reads a cookie: its clients keep their tokens themselves.
///
/// `/v1/api/v1/X` is the same again, since a client made from `/openapi.json` puts the server's prefix before the whole path.
struct PrefixAliasMiddleware<Routes: HTTPResponder>: HTTPResponder where Routes.Context == HubRequestContext {
    typealias Context = HubRequestContext
    let routes: Routes

    func respond(to request: Request, context: HubRequestContext) async throws -> Response {
        guard let path = request.head.path, path.hasPrefix("/v1/") else { return try await routes.respond(to: request, context: context) }
        var head = request.head
        head.path = path.hasPrefix("/v1/api/v1/") ? String(path.dropFirst(3)) : "/api" + path
        var context = context
        context.acceptsCookies = false
        return try await routes.respond(to: Request(head: head, body: request.body), context: context)
    }
}
