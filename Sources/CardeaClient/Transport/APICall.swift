import CardeaAPI
import Foundation

/// One request to the hub, without credentials.
struct APICall: Sendable {
    var method: TransportRequest.Method
    var path: [PathSegment]
    var query: [(String, String)] = []
    var body: Data?
    /// Makes a write repeatable: the hub answers the same key with the same outcome.
    var idempotencyKey: String?
    /// The version that the caller has seen: if it was changed meanwhile, the write is refused (RFC 9110, section 13.1.1).
    var expectedVersion: Int?
    /// The entity tag of the answer that the caller has: if it is still current, the hub answers only that (RFC 9110, section 13.1.2).
    var entityTag: String?
    /// nil uses the client's default.
    var timeout: Duration?

    static func get(_ path: PathSegment..., query: [(String, String?)] = []) -> APICall {
        APICall(method: .get, path: path, query: query.compactMap { name, value in value.map { (name, $0) } })
    }

    /// A write with a body.
    static func write(
        _ method: TransportRequest.Method, _ path: [PathSegment], _ body: some Encodable, key: String? = nil
    ) throws(ClientError) -> APICall {
        do {
            return APICall(method: method, path: path, body: try WireFormat.encode(body), idempotencyKey: key)
        } catch {
            // JSON has no infinity; all other values here can be encoded.
            throw .invalidRequest("a number in it is not finite")
        }
    }

    /// A write without a body.
    static func write(_ method: TransportRequest.Method, _ path: [PathSegment], key: String? = nil) -> APICall {
        APICall(method: method, path: path, idempotencyKey: key)
    }

    /// Makes header fields that are valid for one try alone, before each.
    var makeProofHeaders: (@Sendable (TransportRequest) async throws(ClientError) -> [String: String])?
    /// True if the answer must not be shared with another caller of the same request.
    var isUnshared = false

    /// For a write that needs no key to be repeatable.
    var isIdempotent = false
    /// All other calls wait for this one and depend on it. It is retried even when the retry budget is spent.
    var isVital = false
    /// True for a command that moves something: it takes effect now or not at all.
    var isUrgent = false

    /// True if sending the request twice has the same effect as sending it once.
    var isRepeatable: Bool { method == .get || idempotencyKey != nil || isIdempotent }

    func urgent() -> APICall {
        var call = self
        call.isUrgent = true
        return call
    }
}

extension APICall {
    /// `/api/v1/devices/{id}/control`
    var endpoint: String { path.map { "/" + $0.template }.joined() }

    /// The path segments of the address.
    var segments: [String] { path.map(\.text) }
}
