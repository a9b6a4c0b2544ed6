import CardeaAPI
import Foundation

/// One question to the hub, before it is known who asks.
struct APICall: Sendable {
    var method: TransportRequest.Method
    var path: [PathSegment]
    var query: [(String, String)] = []
    var body: Data?
    /// Makes a write repeatable: the hub answers the same key with the same outcome.
    var idempotencyKey: String?
    /// The version the caller has seen: where somebody changed it meanwhile, the write is refused (RFC 9110, section 13.1.1).
    var expectedVersion: Int?
    /// The entity tag of what the caller has already: where that is still the answer, the hub says only so (RFC 9110, section 13.1.2).
    var entityTag: String?
    /// nil: what every request has.
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
            // JSON knows no infinity; everything else of ours it can say.
            throw .invalidRequest("a number in it is not finite")
        }
    }

    /// A write that says all in its path.
    static func write(_ method: TransportRequest.Method, _ path: [PathSegment], key: String? = nil) -> APICall {
        APICall(method: method, path: path, idempotencyKey: key)
    }

    /// Header fields that hold for one try alone, made anew before each.
    var makeProofHeaders: (@Sendable (TransportRequest) async throws(ClientError) -> [String: String])?
    /// Whether the answer is for this one question, and never another's who asks the same.
    var isUnshared = false

    /// For a write that needs no key to be repeatable.
    var isIdempotent = false
    /// All other calls wait for it, as one, and cannot do without: it is asked again also where too much has failed to ask anything else again.
    var isVital = false
    /// Moves something: it is to happen now or not at all.
    var isUrgent = false

    /// Whether asking twice means the same as asking once.
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

    /// What the address is made of.
    var segments: [String] { path.map(\.text) }
}
