import CardeaWeb
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// The web app's pages and files.
struct WebAppController: Sendable {
    let site: Site

    /// Paths at which the household app opens; it shows the rest itself.
    static let pages = [
        "/", "/doors", "/rooms/{id}", "/devices/{id}", "/guests", "/guests/new", "/guests/{id}", "/activity", "/activity/{id}", "/cameras",
        "/cameras/{id}", "/cameras/{id}/change", "/notices", "/people", "/people/{id}", "/settings", "/settings/{page}", "/claim",
        "/sign-in", "/join", "/pair", "/more", "/buttons", "/buttons/new", "/buttons/{id}", "/tags", "/tags/{id}", "/t", "/t/{id}",
        "/house", "/house/mood", "/house/memory", "/house/twins", "/house/twins/{id}", "/house/what-if", "/house/interview",
        "/house/interview/{id}", "/privacy", "/privacy/audit", "/privacy/retention", "/privacy/backups", "/privacy/energy",
        "/privacy/maintenance",
    ]

    func addRoutes(to table: RouteTable) {
        for path in Self.pages { table.page(path) { request, _ in try page("index.html", request) } }
        table.page("/g") { request, _ in try page("guest.html", request) }
        table.page("/contract") { request, _ in try page("contract.html", request) }
        table.page("/policy") { request, _ in try page("policy.html", request) }
        let paths = site.paths
        for file in paths.sorted() where file.hasPrefix("assets/") {
            table.page("/\(file)") { request, _ in try self.file(file, request) }
        }
        for file in ["manifest.webmanifest", "guest.webmanifest", "sw.js", "robots.txt", "favicon.ico"] where paths.contains(file) {
            table.page("/\(file)") { request, _ in try self.file(file, request) }
        }
    }

    private func page(_ name: String, _ request: Request) throws -> Response {
        var response = try file(name, request)
        response.headers[.contentSecurityPolicy] = RequestContextMiddleware.pageContentSecurityPolicy
        return response
    }

    private func file(_ name: String, _ request: Request) throws -> Response {
        guard let file = try site.file(name) else { throw APIResponseError.notFound }
        // Revalidated on each use, with a short answer while nothing has changed.
        var headers: HTTPFields = [.eTag: file.tag, .cacheControl: "no-cache", .vary: "Accept-Encoding"]
        if request.headers[.ifNoneMatch] == file.tag { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = file.contentType
        // A notification from the worker shows the house's icon.
        if name == "sw.js" { headers[.contentSecurityPolicy] = "default-src 'none'; connect-src 'self'; img-src 'self'" }
        let (coding, bytes) = smallestEncoding(name, file, for: request.headers[.acceptEncoding] ?? "")
        headers[.contentEncoding] = coding
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(data: bytes)))
    }

    /// The file in the smallest coding that the browser accepts, by the names of RFC 9110, section 8.4.1, and `br` of RFC 7932; the coding
    /// is nil if the bytes are not compressed.
    private func smallestEncoding(_ name: String, _ file: Site.File, for accepted: String) -> (coding: String?, bytes: Data) {
        let codings = accepted.split(separator: ",").map { $0.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces) }
        if codings.contains("br"), let packed = site.brotliCompressed(name) { return ("br", packed) }
        if codings.contains("gzip"), let gzipped = file.gzipped { return ("gzip", gzipped) }
        return (nil, file.bytes)
    }
}
