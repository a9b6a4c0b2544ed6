import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// A picture over HTTP: never in a shared cache, complete or as the requested range, and not sent again to a client that has it.
enum PictureResponses {
    /// - Parameters:
    ///   - tag: a picture is never changed, so its name is its entity tag.
    ///   - picture: it refuses callers who may not see it, also if they have it already.
    static func answer(_ request: Request, tag: String, _ picture: () async throws -> Data) async throws -> Response {
        let data = try await picture()
        if request.hasCached(version: tag) { return withETag(Response(status: .notModified), tag) }
        let ifRange = request.headers[.ifRange]
        let range = ifRange == nil || ifRange == "\"\(tag)\"" ? request.headers[.range].flatMap { byteRange($0, of: data.count) } : nil
        switch range {
        case nil:
            return withETag(Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(data: data))), tag)
        case .some(let bytes?):
            var response = Response(
                status: .partialContent, headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(data: data.dropFirst(bytes.lowerBound).prefix(bytes.count))))
            response.headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(data.count)"
            return withETag(response, tag)
        case .some(nil):
            throw APIResponseError(
                .rangeNotSatisfiable, "range_not_satisfiable", "Range: the picture has \(data.count) bytes. Ask for a range inside it.")
        }
    }

    private static let headers: HTTPFields = [.contentType: "image/jpeg", .acceptRanges: "bytes"]

    private static func withETag(_ response: Response, _ tag: String) -> Response {
        var response = response
        response.headers[.eTag] = "\"\(tag)\""
        // A stored copy in the browser would survive sign-out and the picture's deletion.
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// The bytes that `Range` asks for (RFC 9110, section 14.1.2). The outer nil: what cannot be read, or asks for several parts, is passed
    /// over and the whole is given. The inner nil: none of them is there.
    static func byteRange(_ field: String, of count: Int) -> Range<Int>?? {
        guard field.hasPrefix("bytes="), field.utf8.count <= 64 else { return nil }
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }) else {
            return nil
        }
        // A number too large for `Int` lies beyond every picture.
        func number(_ text: Substring) -> Int { Int(text) ?? Int.max }
        if ends[0].isEmpty {
            guard !ends[1].isEmpty else { return nil }
            let last = min(number(ends[1]), count)
            return .some(last > 0 ? count - last..<count : nil)
        }
        let first = number(ends[0])
        if !ends[1].isEmpty, number(ends[1]) < first { return nil }
        guard first < count else { return .some(nil) }
        let last = ends[1].isEmpty ? count - 1 : min(number(ends[1]), count - 1)
        return .some(first..<last + 1)
    }
}
