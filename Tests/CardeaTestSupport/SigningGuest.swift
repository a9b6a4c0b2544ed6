import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat

/// A guest with a key-bound pass over plain HTTP, who can also sign false values.
public struct SigningGuest: Sendable {
    public let client: any TestClientProtocol
    public let token: Secret
    public let key: GuestKey
    public let clock: ManualClock

    public static let path = "/api/guest_access/action"
    public static let body = #"{"action":"door.open"}"#

    public init(_ client: any TestClientProtocol, token: Secret, key: GuestKey, clock: ManualClock) {
        self.client = client
        self.token = token
        self.key = key
        self.clock = clock
    }

    public struct GuestResponse: Sendable {
        public let status: Int
        public let body: JSONValue
        public let headers: HTTPFields
        public var code: String? { body["error"]?.string }
    }

    /// Signed values that differ from the request.
    public struct ProofOverrides: Sendable {
        public var method = "POST"
        public var path = SigningGuest.path
        public var body = SigningGuest.body
        public var jti: String?
        public var deviceID: String?
        public var key: GuestKey?
        /// Seconds by which the phone's clock is ahead.
        public var ahead: TimeInterval = 0

        public init() {}
    }

    public func nonce() async throws -> GuestResponse {
        try await send(.get, Self.path + "/nonce", nil, [:])
    }

    /// The header fields of a proof, over `nonce` or a new one.
    public func proof(nonce: GuestResponse? = nil, lie: ProofOverrides = ProofOverrides()) async throws -> HTTPFields {
        let answer = if let nonce { nonce } else { try await self.nonce() }
        let proof = ActionProof(
            nonce: answer.body["nonce"]?.string ?? "none", ts: Int64(clock.now.timeIntervalSince1970 + lie.ahead), method: lie.method,
            path: lie.path, body: Data(lie.body.utf8), jti: lie.jti ?? answer.body["jti"]?.string ?? "none",
            deviceID: lie.deviceID ?? key.deviceID)
        let (header, signature) = try (lie.key ?? key).sign(proof)
        return [Self.proofField: header, Self.signatureField: signature]
    }

    /// Requests the door, with `proof` or with a true one.
    public func open(proof: HTTPFields? = nil, key: String? = nil, body: String = body) async throws -> GuestResponse {
        var fields = if let proof { proof } else { try await self.proof() }
        if let key, let name = HTTPField.Name("Idempotency-Key") { fields[name] = key }
        return try await send(.post, Self.path, body, fields)
    }

    public func send(_ method: HTTPRequest.Method, _ path: String, _ body: String?, _ fields: HTTPFields) async throws -> GuestResponse {
        var fields = fields
        fields[.authorization] = "Bearer \(token.reveal())"
        if body != nil { fields[.contentType] = "application/json" }
        let answer = try await client.executeRequest(uri: path, method: method, headers: fields, body: body.map(ByteBuffer.init(string:)))
        let json = (try? JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))) ?? .null
        return GuestResponse(status: answer.status.code, body: json, headers: answer.headers)
    }

    public static let proofField = name("X-Cardea-Proof")
    public static let signatureField = name("X-Cardea-Proof-Signature")

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is not a header name") }
        return name
    }
}
