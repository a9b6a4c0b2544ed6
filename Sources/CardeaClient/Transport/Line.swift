import CardeaAPI
import CardeaSecurity
import Foundation

/// The line to one hub: makes requests of calls, repeats what may be repeated, and tells an answer from a failure.
/// It knows nothing of sessions.
struct Line: Sendable {
    let hub: HubAddress
    let transport: any Transport
    let surroundings: Surroundings

    /// The hub's answer, whatever its status. Redirects are no answers: nobody but the hub is spoken to.
    func ask(_ call: Call, bearer: Secret?) async throws(ClientError) -> TransportResponse {
        let request = try request(call, bearer: bearer)
        var repeats = Repeats(from: surroundings.now())
        while true {
            let pause: Duration
            switch await attempt(request) {
            case .success(let response):
                guard !(300...399).contains(response.status) else {
                    throw .invalidResponse("it points to another address, which is not followed")
                }
                guard call.isRepeatable, response.status == 409, APIError(response).code == "in_flight",
                    let wait = repeats.pauseWhileInFlight(at: surroundings.now())
                else { return response }
                pause = wait
            case .failure(let failure):
                guard call.isRepeatable, let wait = repeats.pause(after: failure, at: surroundings.now()) else {
                    throw ClientError(repeats.mayHaveArrived && failure == .noConnection ? .interrupted : failure, host: hub.host)
                }
                pause = wait
            }
            do { try await surroundings.sleep(pause) } catch { throw .cancelled }
        }
    }

    private func attempt(_ request: TransportRequest) async -> Result<TransportResponse, TransportFailure> {
        do throws(TransportFailure) { return .success(try await transport.send(request)) } catch { return .failure(error) }
    }

    private func request(_ call: Call, bearer: Secret?) throws(ClientError) -> TransportRequest {
        var headers = ["accept": "application/json", "user-agent": "cardea/\(Wire.version)"]
        if call.body != nil { headers["content-type"] = "application/json" }
        if let bearer { headers["authorization"] = "Bearer \(bearer.reveal())" }
        if let key = call.key { headers["idempotency-key"] = key }
        if let seen = call.seen { headers["if-match"] = "\"\(seen)\"" }
        return TransportRequest(
            method: call.method, url: try hub.url(call.path, query: call.query), headers: headers, body: call.body,
            timeout: call.timeout)
    }
}
