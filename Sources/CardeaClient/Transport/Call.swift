import CardeaAPI
import Foundation

/// One question to the hub, before it is known who asks.
struct Call: Sendable {
    var method: TransportRequest.Method
    var path: [String]
    var query: [(String, String)] = []
    var body: Data?
    /// Makes a write repeatable: the hub answers the same key with the same outcome.
    var key: String?
    /// The version the caller has seen: where somebody changed it meanwhile, the write is refused (RFC 9110, section 13.1.1).
    var seen: Int?
    var timeout: Duration = .seconds(15)

    static func get(_ path: String..., query: [(String, String?)] = []) -> Call {
        Call(method: .get, path: path, query: query.compactMap { name, value in value.map { (name, $0) } })
    }

    /// A write with a body.
    static func write(
        _ method: TransportRequest.Method, _ path: [String], _ body: some Encodable, key: String? = nil
    ) throws(ClientError) -> Call {
        do {
            return Call(method: method, path: path, body: try Wire.encode(body), key: key)
        } catch {
            // JSON knows no infinity; everything else of ours it can say.
            throw .invalidRequest("a number in it is not finite")
        }
    }

    /// A write that says all in its path.
    static func write(_ method: TransportRequest.Method, _ path: [String], key: String? = nil) -> Call {
        Call(method: method, path: path, key: key)
    }

    /// For a write that needs no key to be repeatable.
    var repeats = false
    /// Moves something: it is to happen now or not at all.
    var isUrgent = false

    /// Whether asking twice means the same as asking once.
    var isRepeatable: Bool { method == .get || key != nil || repeats }

    func urgent() -> Call {
        var call = self
        call.isUrgent = true
        return call
    }
}
