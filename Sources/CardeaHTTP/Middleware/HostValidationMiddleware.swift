import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// Looks at who asks before anything else does: the name they call us by, the page that sends them, the address they come from.
struct HostValidationMiddleware: RouterMiddleware {
    typealias Context = HubRequestContext
    let settings: HTTPSettings
    let origins: HubOrigins

    func handle(_ request: Request, context: HubRequestContext, next: (Request, HubRequestContext) async throws -> Response) async throws
        -> Response
    {
        let authority = request.head.authority ?? ""
        guard !authority.isEmpty else {
            throw APIResponseError(.badRequest, "host_missing", "The Host header is missing. Send the host of the hub's address.")
        }
        guard let host = WebOrigin.authority(authority)?.host, origins.answers(to: host) else {
            throw APIResponseError(
                .forbidden, "host_not_allowed",
                "The host \(authority.prefix(128)) is not allowed. Start the hub with --public-url or --allow-host for it.")
        }
        if request.headers[.transferEncoding] != nil, request.headers[.contentLength] != nil {
            throw APIResponseError(
                .badRequest, "invalid_request", "Content-Length and Transfer-Encoding are mutually exclusive. Send one of them.")
        }
        guard request.headers[values: .transferEncoding].allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw APIResponseError(.badRequest, "invalid_request", "Transfer-Encoding must be chunked.")
        }
        // With two Host fields, a proxy and a hub may read different ones.
        guard request.headers[values: .secondHost].isEmpty else {
            throw APIResponseError(.badRequest, "invalid_request", "The request has two host headers. Send Host only.")
        }
        let pages = request.headers[values: .origin]
        guard pages.count <= 1, pages.allSatisfy({ origins.isSameOrigin($0, asking: authority) }) else {
            throw APIResponseError(
                .forbidden, "origin_not_allowed",
                "The origin \((pages.first ?? "").prefix(128)) is not allowed. If it is the hub's own address, start the hub with --public-url or --allow-host for it."
            )
        }
        var context = context
        let (remote, isLocal) = clientAddress(context.peer, request.headers[values: .forwardedFor])
        context.origin = RequestOrigin(
            remote: remote, isLocal: isLocal, requestID: context.origin.requestID, agent: request.headers[.userAgent])
        return try await next(request, context)
    }

    /// The address that a request comes from, as far as it can be known, and whether it is local. Behind trusted proxies it is the last
    /// forwarded address that is not a trusted proxy's. If that cannot be read, the proxy's own address is used, and it is not local.
    private func clientAddress(_ peer: String?, _ forwarded: [String]) -> (remote: String?, isLocal: Bool) {
        // No socket, as in a test.
        guard let peer else { return (nil, true) }
        guard let peer = IPAddress(peer) else { return (String(peer.prefix(64)), false) }
        guard settings.trustedProxies.contain(peer) else { return clientAddress(of: peer) }
        var nearest: IPAddress?
        for hop in forwarded.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }).reversed() {
            guard let address = IPAddress(forwarded: String(hop)) else { return (peer.description, false) }
            nearest = address
            if !settings.trustedProxies.contain(address) { break }
        }
        return nearest.map { clientAddress(of: $0) } ?? (peer.description, false)
    }

    private func clientAddress(of address: IPAddress) -> (remote: String?, isLocal: Bool) {
        (address.description, address.isLocal && !settings.relays.contain(address))
    }
}
