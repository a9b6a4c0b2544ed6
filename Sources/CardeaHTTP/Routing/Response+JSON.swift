import CardeaAPI
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

extension Response {
    static func json(_ data: Data, status: HTTPResponse.Status = .ok) -> Response {
        .json(ByteBuffer(data: data), status: status)
    }

    static func json(_ buffer: ByteBuffer, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: buffer))
    }

    static func encoding(_ value: some Encodable, status: HTTPResponse.Status = .ok, isReplay: Bool = false) throws -> Response {
        var response = json(try WireFormat.encode(value), status: status)
        if isReplay { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    static func svg(_ text: String) -> Response {
        Response(status: .ok, headers: [.contentType: "image/svg+xml"], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    static let noContent = Response(status: .noContent)
}

extension HTTPField.Name {
    static let idempotencyKey = constant("Idempotency-Key")
    /// The first one is the authority; only a second one is found under this name.
    static let secondHost = constant("Host")
    static let idempotentReplayed = constant("Idempotent-Replayed")
    static let rateLimit = constant("RateLimit")
    static let rateLimitPolicy = constant("RateLimit-Policy")
    static let requestID = constant("X-Request-Id")
    static let forwardedFor = constant("X-Forwarded-For")
    /// By `no` nginx passes an answer on as it is made, whatever its configuration says.
    static let proxyBuffering = constant("X-Accel-Buffering")
    static let actionProof = constant(GuestProofHeaders.proof)
    static let actionProofSignature = constant(GuestProofHeaders.signature)
    static let actionPresence = constant(GuestProofHeaders.presence)
    static let dpop = constant(DPoPHeaders.proof)
    static let dpopNonce = constant(DPoPHeaders.nonce)
    static let prefer = constant("Prefer")
    static let referrerPolicy = constant("Referrer-Policy")
    static let permissionsPolicy = constant("Permissions-Policy")
    static let crossOriginOpenerPolicy = constant("Cross-Origin-Opener-Policy")
    static let crossOriginResourcePolicy = constant("Cross-Origin-Resource-Policy")
    static let frameOptions = constant("X-Frame-Options")

    static let webSocketKey = constant("Sec-WebSocket-Key")
    static let webSocketVersion = constant("Sec-WebSocket-Version")
    static let webSocketAccept = constant("Sec-WebSocket-Accept")
    static let lastEventID = constant("Last-Event-ID")

    /// A name written here in the code, which is always a valid one.
    private static func constant(_ name: String) -> HTTPField.Name {
        guard let field = HTTPField.Name(name) else { preconditionFailure("\(name) is not a header name") }
        return field
    }
}
