import CardeaModel
import HTTPTypes
import Hummingbird

/// Reads the names of query parameters in camelCase too: `includeHistory` is `include_history`, as in bodies.
struct SnakeCaseQueryMiddleware<Routes: HTTPResponder>: HTTPResponder {
    typealias Context = Routes.Context
    let routes: Routes

    func respond(to request: Request, context: Context) async throws -> Response {
        guard let path = request.head.path, path.hasPrefix("/api/"), let mark = path.firstIndex(of: "?") else {
            return try await routes.respond(to: request, context: context)
        }
        let query = path[path.index(after: mark)...]
        let converted = query.split(separator: "&", omittingEmptySubsequences: false).map(Self.converted).joined(separator: "&")
        guard converted != query else { return try await routes.respond(to: request, context: context) }
        var head = request.head
        head.path = path[...mark] + converted
        return try await routes.respond(to: Request(head: head, body: request.body), context: context)
    }

    private static func converted(_ parameter: Substring) -> String {
        let end = parameter.firstIndex(of: "=") ?? parameter.endIndex
        return SnakeCase.convert(String(parameter[..<end])) + parameter[end...]
    }
}
