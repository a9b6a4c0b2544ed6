import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// Looks at who asks before anything else does: the name they call us by, the page that sends them, the address they come from.
struct HostGuard: RouterMiddleware {
    typealias Context = HouseContext
    let settings: HTTPSettings
    let address: PublicAddress

    func handle(_ request: Request, context: HouseContext, next: (Request, HouseContext) async throws -> Response) async throws -> Response
    {
        let authority = request.head.authority ?? ""
        guard !authority.isEmpty else { throw Problem(.badRequest, "host_missing", "The request names no host.") }
        guard let host = Self.host(of: authority), settings.hosts.contains(host) || host == Self.host(ofURL: address.text) else {
            throw Problem(
                .forbidden, "host_not_allowed", "The hub does not answer under this name. Start it with --public-url or --allow-host.")
        }
        if request.headers[.transferEncoding] != nil, request.headers[.contentLength] != nil {
            throw Problem(.badRequest, "invalid_request", "Content-Length and Transfer-Encoding cannot stand together.")
        }
        guard request.headers[values: .transferEncoding].allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw Problem(.badRequest, "invalid_request", "The only transfer encoding here is chunked.")
        }
        // Two names for one host are how a proxy and a hub come to disagree.
        guard request.headers[values: .secondHost].isEmpty else {
            throw Problem(.badRequest, "invalid_request", "The request names two hosts.")
        }
        let origins = request.headers[values: .origin]
        guard origins.count <= 1, origins.allSatisfy({ isOurs($0, authority: authority) }) else {
            throw Problem(.forbidden, "origin_not_allowed", "Pages of other sites may not speak to the hub.")
        }
        var context = context
        let remote = believed(context.peer, request.headers[values: .forwardedFor])
        context.origin = Origin(
            remote: remote, isLocal: remote.map { LocalNetwork.contains($0) && !settings.relays.contains($0) } ?? true,
            requestID: context.origin.requestID,
            agent: request.headers[.userAgent])
        return try await next(request, context)
    }

    private func isOurs(_ origin: String, authority: String) -> Bool {
        origin == "http://\(authority)" || origin == "https://\(authority)" || origin == address.text
    }

    /// The address before the last proxy that we trust.
    private func believed(_ peer: String?, _ forwarded: [String]) -> String? {
        guard let peer, settings.trustedProxies.contains(peer) else { return peer }
        let hops = forwarded.flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
        let stranger = hops.last { !settings.trustedProxies.contains($0) }
        guard let stranger, stranger.utf8.count <= 64 else { return peer }
        return stranger
    }

    static func host(of authority: String) -> String? {
        guard authority.utf8.count <= 255 else { return nil }
        let text = authority.lowercased()
        let isBracketed = text.hasPrefix("[")
        guard let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex else { return nil }
        let rest = isBracketed ? text[text.index(after: end)...] : text[end...]
        // After the name there is a port, or nothing.
        guard rest.isEmpty || (rest.first == ":" && rest.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }) else { return nil }
        return String(isBracketed ? text[text.index(after: text.startIndex)..<end] : text[..<end])
    }

    static func host(ofURL url: String) -> String? {
        URL(string: url)?.host()?.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    }
}
