import CardeaHub
import CardeaModel
import HTTPTypes
import Hummingbird

/// Refuses requests from outside the house's own network, by the address of the connection alone: header fields are not considered.
struct LocalNetworkMiddleware: RouterMiddleware {
    typealias Context = HubRequestContext
    /// As in `HTTPSettings`.
    let relays: [AddressRange]

    func handle(_ request: Request, context: HubRequestContext, next: (Request, HubRequestContext) async throws -> Response) async throws
        -> Response
    {
        var context = context
        var remote: String?
        // No socket, as in a test.
        if let peer = context.peer {
            guard let address = IPAddress(peer), address.isLocal, !relays.contain(address) else {
                throw APIResponseError(
                    .forbidden, "forbidden", "This address takes reports from the house's own network only. Send the report from there.")
            }
            remote = address.description
        }
        context.origin = RequestOrigin(remote: remote, isLocal: true, requestID: context.origin.requestID)
        return try await next(request, context)
    }
}
