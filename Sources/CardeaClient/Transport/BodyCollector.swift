import Foundation
import Synchronization

/// A small answer, whole when it has ended.
actor BodyCollector {
    /// Bytes of an answer that are taken to something that was sent.
    static let limit = 8 << 20

    private var head: (status: Int, headers: [String: String]) = (0, [:])
    private var body = Data()

    func receive(_ part: ResponsePart) throws(ClientError) {
        switch part {
        case .head(let status, _) where (300...399).contains(status):
            throw .invalidResponse("it redirects to another address, which is not followed")
        case .head(let status, let headers): head = (status, headers)
        case .body(let bytes):
            guard bytes.count <= Self.limit - body.count else { throw .invalidResponse("the answer is larger than 8 MiB") }
            body += bytes
        }
    }

    var response: TransportResponse { TransportResponse(status: head.status, headers: head.headers, body: body) }
}
