import CardeaAPI
import CardeaModel
import Foundation

extension TransportResponse {
    var isSuccess: Bool { (200...299).contains(status) }

    /// Decodes the body.
    func decode<Answer: Decodable>(_: Answer.Type) throws(ClientError) -> Answer {
        do {
            return try WireFormat.read(Answer.self, from: body)
        } catch {
            throw .invalidResponse("the answer cannot be decoded as \(Answer.self)")
        }
    }

    /// The wait that the hub, or a proxy in its place, asks for; at most one day. RFC 9110, section 10.2.3: seconds, or a date, which is
    /// compared with the sender's own clock (`Date` header).
    var retryAfter: Duration? {
        guard let text = self[header: "retry-after"] else { return nil }
        let asked =
            Int(text)
            ?? HTTPDate.parse(text).flatMap { end in
                self[header: "date"].flatMap(HTTPDate.parse).flatMap { Int(exactly: end.timeIntervalSince($0).rounded(.up)) }
            }
        guard let seconds = asked, (0...86_400).contains(seconds) else { return nil }
        return .seconds(seconds)
    }
}

extension APIError {
    /// Decodes all error families, and accepts other bodies.
    init(_ response: TransportResponse) {
        let body = (try? JSONDecoder().decode(JSONValue.self, from: response.body)) ?? .null
        let requestID = response[header: "x-request-id"]
        if let error = body["error"], let code = error["code"]?.string {
            self.init(
                status: response.status, code: code, message: error["message"]?.string ?? code, details: error["details"]?.members ?? [:],
                requestID: error["request_id"]?.string ?? requestID, retryAfter: response.retryAfter)
        } else if let code = body["error"]?.string {
            let details = (body.members ?? [:]).filter { !["success", "error", "message"].contains($0.key) }
            let wait = body["retry_after"]?.number.flatMap { Int(exactly: $0.rounded()) }
            self.init(
                status: response.status, code: code, message: body["message"]?.string ?? code, details: details, requestID: requestID,
                retryAfter: response.retryAfter ?? wait.map { .seconds($0) })
        } else if let detail = body["detail"]?.string {
            // The mobile family's errors have no code; it follows from the status.
            let codes = [
                400: "validation_error", 401: "unauthorized", 403: "forbidden", 404: "not_found", 409: "in_flight",
                416: "range_not_satisfiable",
                422: "idempotency_key_reused", 429: "rate_limited", 500: "internal_error", 503: "service_unavailable",
                507: "insufficient_storage",
            ]
            self.init(
                status: response.status, code: codes[response.status] ?? "http_\(response.status)", message: detail, requestID: requestID,
                retryAfter: response.retryAfter)
        } else {
            self.init(
                status: response.status, code: "http_\(response.status)",
                message: "The hub answered with status \(response.status) and no message.", requestID: requestID,
                retryAfter: response.retryAfter, isFromTheHouse: false)
        }
    }
}

extension JSONValue {
    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}
