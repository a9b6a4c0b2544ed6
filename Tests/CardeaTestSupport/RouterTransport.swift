import CardeaClient
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat

/// The SDK connected directly to the hub's routes, without a socket.
public struct RouterTransport: Transport {
    private let client: any TestClientProtocol

    public init(_ client: any TestClientProtocol) {
        self.client = client
    }

    /// The router gives complete answers only.
    public func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { throw .noConnection }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var headers = HTTPFields()
        for (name, value) in request.headers {
            guard let name = HTTPField.Name(name) else { throw .noConnection }
            headers[name] = value
        }
        guard let method = HTTPRequest.Method(rawValue: request.method.rawValue) else { throw .noConnection }
        let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        do {
            let answer = try await client.executeRequest(
                uri: request.url.path(percentEncoded: true) + query, method: method, headers: headers,
                body: request.body.map { ByteBuffer(data: $0) })
            return TransportResponse(
                status: answer.status.code,
                headers: Dictionary(answer.headers.map { ($0.name.rawName, $0.value) }, uniquingKeysWith: { first, _ in first }),
                body: Data(buffer: answer.body))
        } catch {
            throw .noConnection
        }
    }
}
